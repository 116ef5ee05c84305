// SPDX-License-Identifier: MIT
// Which sizes, methods, reductions and formats weir-bench pyramid measures.
#include <string.h>

#include "capture/weir/common/choice.h"
#include "capture/weir/common/report.h"
#include "tests/bench/pyramid/pyramid.h"

struct area {
    uint32_t width, height, layers;
};

// Screens, powers of two, their neighbours, pictures and an array.
static const struct area default_sizes[] = {
    {1366, 768, 1},  {1920, 1080, 1}, {2560, 1440, 1}, {3840, 2160, 1},   {2048, 2048, 1},
    {4096, 4096, 1}, {8192, 8192, 1}, {2052, 2052, 1}, {2047, 2047, 1},   {4094, 4094, 1},
    {4095, 4095, 1}, {3095, 990, 1},  {6000, 4000, 1}, {16384, 16384, 1}, {256, 256, 256},
};
// The default sizes on a software device, which take it some seconds.
static const struct area software_sizes[] = {
    {256, 256, 1},
    {255, 255, 1},
    {640, 360, 1},
    {64, 64, 16},
};

static void add_size(struct bench_pyramid_result *result, const struct area *area)
{
    const uint32_t layers = area->layers > 1 || result->options->layers == 0
                                ? area->layers
                                : (uint32_t)result->options->layers;
    struct bench_pyramid_size *size = &result->sizes[result->num_sizes++];
    *size = (struct bench_pyramid_size){
        .width = area->width,
        .height = area->height,
        .layers = layers,
        .levels = weir_pyramid_full_chain(area->width, area->height),
    };
    for (uint32_t i = 0; i < size->levels; i++) {
        const VkExtent2D extent = weir_pyramid_level_extent(area->width, area->height, i);
        size->bytes += (double)extent.width * extent.height;
    }
    size->bytes *= (double)result->format->texel_size * layers;
}

void bench_pyramid_default_sizes(struct bench_pyramid_result *result)
{
    const bool software = result->host_time;
    const struct area *areas = software ? software_sizes : default_sizes;
    const size_t num = software ? sizeof(software_sizes) / sizeof(software_sizes[0])
                                : sizeof(default_sizes) / sizeof(default_sizes[0]);
    for (size_t i = 0; i < num; i++) {
        add_size(result, &areas[i]);
    }
}

// WxH or WxHxLAYERS; a size of one texel has no level to make.
static bool parse_area(char *text, struct area *area)
{
    struct cli_size size, layers = {1, 1};
    char *cross = strchr(text, 'x'), *second = cross ? strchr(cross + 1, 'x') : NULL;
    if (second) {
        char last[32] = "1x";
        *second = 0;
        if (strlen(second + 1) >= sizeof(last) - 2) {
            return false;
        }
        strcat(last, second + 1);
        if (!cli_parse_size(last, &layers)) {
            return false;
        }
    }
    if (!cli_parse_size(text, &size)) {
        return false;
    }
    *area = (struct area){size.width, size.height, layers.height};
    return size.width >= 1 && size.height >= 1 && size.width <= CLI_MAX_SIDE &&
           size.height <= CLI_MAX_SIDE && layers.height >= 1 && layers.height <= CLI_MAX_SIDE &&
           (size.width > 1 || size.height > 1);
}

// The next of a list of words with commas between; false where it is longer than `size`.
static bool next_word(const char **list, char *word, size_t size)
{
    const size_t length = strcspn(*list, ",");
    if (length >= size) {
        return false;
    }
    memcpy(word, *list, length);
    word[length] = 0;
    *list += length + ((*list)[length] == ',');
    return true;
}

static bool parse_sizes(struct bench_pyramid_result *result)
{
    const char *list = result->options->sizes;
    while (list && *list != 0) {
        const char *start = list;
        char word[40];
        struct area area;
        if (result->num_sizes == BENCH_PYRAMID_MAX_SIZES || !next_word(&list, word, sizeof(word)) ||
            !parse_area(word, &area)) {
            cli_print(
                stderr,
                "weir-bench pyramid: --sizes %.*s: at most %d of WxH or WxHxLAYERS are wanted, "
                "each 1 to %d, not 1x1\n",
                (int)strcspn(start, ","), start, BENCH_PYRAMID_MAX_SIZES, CLI_MAX_SIDE);
            return false;
        }
        add_size(result, &area);
    }
    return true;
}

const char *bench_pyramid_method_choice(int index)
{
    const int method = WEIR_PYRAMID_AUTO + 1 + index;
    return method < BENCH_PYRAMID_NUM_METHODS
               ? weir_pyramid_method_get_info((enum weir_pyramid_method)method)->name
               : NULL;
}

static void parse_methods(struct bench_pyramid_result *result)
{
    const struct cli_option option = {.choice = bench_pyramid_method_choice};
    const char *list = result->options->methods;
    for (int i = WEIR_PYRAMID_AUTO + 1; i < BENCH_PYRAMID_NUM_METHODS; i++) {
        result->methods[i] = !list;
    }
    while (list && *list != 0) {
        const size_t length = strcspn(list, ",");
        const int index = cli_choice_find(&option, list, length);
        if (index >= 0) {
            result->methods[WEIR_PYRAMID_AUTO + 1 + index] = true;
        }
        list += length + (list[length] == ',');
    }
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
    parse_methods(result);
    return parse_sizes(result);
}
