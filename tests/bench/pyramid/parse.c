// SPDX-License-Identifier: MIT
// Which sizes, methods, reductions and formats weir-bench pyramid measures.
#include "tests/bench/bench.h"
#include "tests/bench/pyramid/pyramid.h"

// Screens, powers of two, their neighbours, pictures and an array.
static const struct bench_area default_sizes[] = {
    {1366, 768, 1},  {1920, 1080, 1}, {2560, 1440, 1}, {3840, 2160, 1},   {2048, 2048, 1},
    {4096, 4096, 1}, {8192, 8192, 1}, {2052, 2052, 1}, {2047, 2047, 1},   {4094, 4094, 1},
    {4095, 4095, 1}, {3095, 990, 1},  {6000, 4000, 1}, {16384, 16384, 1}, {256, 256, 256},
};
// The default sizes on a software device, which take it some seconds.
static const struct bench_area software_sizes[] = {
    {256, 256, 1},
    {255, 255, 1},
    {640, 360, 1},
    {64, 64, 16},
};

static void add_sizes(struct bench_pyramid_result *result, const struct bench_area *areas,
                      size_t num)
{
    for (const struct bench_area *area = areas; area < areas + num; area++) {
        struct bench_pyramid_size *size = &result->sizes[result->num_sizes++];
        *size = (struct bench_pyramid_size){
            .width = area->width,
            .height = area->height,
            .layers = area->layers > 1 || result->options->layers == 0
                          ? area->layers
                          : (uint32_t)result->options->layers,
            .levels = weir_pyramid_full_chain(area->width, area->height),
        };
        for (uint32_t i = 0; i < size->levels; i++) {
            const VkExtent2D extent = weir_pyramid_level_extent(area->width, area->height, i);
            size->bytes += (double)extent.width * extent.height;
        }
        size->bytes *= (double)result->format->texel_size * size->layers;
    }
}

void bench_pyramid_default_sizes(struct bench_pyramid_result *result)
{
    if (result->host_time) {
        add_sizes(result, software_sizes, BENCH_COUNT(software_sizes));
    } else {
        add_sizes(result, default_sizes, BENCH_COUNT(default_sizes));
    }
}

const char *bench_pyramid_method_choice(int index)
{
    const int method = WEIR_PYRAMID_AUTO + 1 + index;
    return method < BENCH_PYRAMID_NUM_METHODS
               ? weir_pyramid_method_get_info((enum weir_pyramid_method)method)->name
               : NULL;
}

// The choice after the formats of levels.
static const char *const depth_name = "d32_sfloat";

// A kernel of the user's own cannot be given on a command line.
const char *bench_pyramid_reduction_choice(int index)
{
    return index < WEIR_PYRAMID_CUSTOM
               ? weir_pyramid_reduction_get_info((enum weir_pyramid_reduction)index)->name
               : NULL;
}

const char *bench_pyramid_format_choice(int index)
{
    size_t num = 0;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num);
    return (size_t)index < num ? formats[index].name : (size_t)index == num ? depth_name : NULL;
}

const char *bench_pyramid_format_name(const struct bench_pyramid_result *result)
{
    return result->is_depth ? depth_name : result->format->name;
}

bool bench_pyramid_parse(struct bench_pyramid_result *result)
{
    const struct bench_pyramid_options *asked = result->options;
    size_t num = 0;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num);
    result->is_depth = asked->format >= 0 && (size_t)asked->format == num;
    result->format = result->is_depth     ? weir_pyramid_format_get_info(VK_FORMAT_R32_SFLOAT)
                     : asked->format >= 0 ? &formats[asked->format]
                                          : weir_pyramid_format_get_info(VK_FORMAT_R8G8B8A8_SRGB);
    result->reduction = (enum weir_pyramid_reduction)asked->reduction;
    for (int i = WEIR_PYRAMID_AUTO + 1; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        result->methods[i] = !asked->methods;
    }
    bench_choose(&(const struct cli_option){.choice = bench_pyramid_method_choice}, asked->methods,
                 result->methods + WEIR_PYRAMID_AUTO + 1);
    struct bench_area areas[BENCH_PYRAMID_MAX_SIZES];
    const int num_areas = asked->sizes ? bench_parse_areas("pyramid", asked->sizes, true, areas,
                                                           BENCH_PYRAMID_MAX_SIZES)
                                       : 0;
    if (num_areas > 0) {
        add_sizes(result, areas, (size_t)num_areas);
    }
    return num_areas >= 0;
}
