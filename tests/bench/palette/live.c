// SPDX-License-Identifier: MIT
// A palette that follows from frame to frame, on frames of 2160p, beside palettes that are found
// anew for each and a copy of the frame.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/size.h"
#include "tests/bench/kernel.h"
#include "tests/bench/palette/palette.h"

static const uint32_t copy_code[] =
#include "palette_copy.inc"
    ;

static const VkExtent2D frame_size = {3840, 2160}, quick_size = {320, 180};
// Frames before those that are timed: a palette comes to rest on a picture in fewer.
enum { FRAMES_BEFORE = 42 };
// Tiles of 32x8 texels that a workgroup of the kernel that copies has, in each of its forms.
enum { TILE_WIDTH = 32, TILE_HEIGHT = 8, NUM_COPY_FORMS = 3 };
static const uint32_t tiles[NUM_COPY_FORMS] = {1, 4, 16};

struct bench {
    struct cli_gpu *gpu;
    const struct bench_palette_options *options;
    struct bench_value *to;   // the figures
    struct bench_times floor; // a copy: the fastest
    struct bench_palette_picture frame;
    struct bench_palette_device device;
    struct bench_kernel copy;
    uint32_t form; // of the copy
    weir_palette *palette;
    struct bench_samples samples[3];
};

VkExtent2D bench_palette_frame_size(const struct bench_palette_options *options)
{
    return options->quick ? quick_size : frame_size;
}

// A picture beside and below itself until the frame is full.
static enum weir_result fill_frame(struct bench *bench, const struct bench_palette_picture *picture)
{
    struct bench_palette_picture *frame = &bench->frame;
    const VkExtent2D size = bench_palette_frame_size(bench->options);
    frame->width = size.width;
    frame->height = size.height;
    frame->rgba = malloc(4 * (size_t)size.width * size.height);
    if (!frame->rgba) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t y = 0; y < frame->height; y++) {
        for (uint32_t x = 0; x < frame->width; x++) {
            const size_t from = (size_t)(y % picture->height) * picture->width + x % picture->width;
            memcpy(frame->rgba + 4 * ((size_t)y * frame->width + x), picture->rgba + 4 * from, 4);
        }
    }
    return WEIR_OK;
}

// Put the PSNR of the image in new colours, over red, green and blue: null where all are the same.
static enum weir_result put_decibels(struct bench *bench, struct bench_value *to)
{
    const size_t size = 4 * (size_t)bench->frame.width * bench->frame.height;
    const uint8_t *pixels = bench->device.pixels;
    double sum = 0;
    WEIR_TRY(cli_picture_download(&bench->device.images, bench->device.pixels));
    for (size_t i = 0; i < size; i++) {
        const double difference = i % 4 < 3 ? pixels[i] - bench->frame.rgba[i] : 0;
        sum += difference * difference;
    }
    bench_put_number(to, "decibels", 10 * log10(255.0 * 255.0 * 0.75 * (double)size / sum));
    return WEIR_OK;
}

// Put the times of three things that frames do.
static void put_samples(struct bench *bench, const char *const names[3], struct bench_value *to,
                        double medians[3])
{
    for (int i = 0; i < 3; i++) {
        const struct bench_times times = bench_samples_take(&bench->samples[i]);
        bench_put_times(to, names[i], &times);
        medians[i] = times.median;
    }
}

static enum weir_result make_copy(struct bench *bench)
{
    static const struct weir_gpu_binding bindings[] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},
                                                       {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1}};
    const struct weir_gpu_layout_params params = {
        .bindings = bindings,
        .num_bindings = 2,
        .push_constants_size = 2 * sizeof(uint32_t),
    };
    const struct weir_image_params *from = &bench->device.images.source.gpu.params;
    const struct weir_image_params *to = &bench->device.images.image.gpu.params;
    struct bench_view_params view = {
        .image = from->image, .format = from->format, .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    struct weir_gpu_descriptor both[2] = {{.buffer = VK_NULL_HANDLE}}; // source and target
    WEIR_TRY(bench_kernel_init(&bench->copy, bench->gpu, &params));
    for (int i = 0; i < NUM_COPY_FORMS; i++) {
        WEIR_TRY(bench_kernel_add_form(
            &bench->copy,
            &(const struct weir_gpu_kernel){copy_code, sizeof(copy_code), &tiles[i], 1}));
    }
    WEIR_TRY(bench_kernel_add_view(&bench->copy, &view, &both[0].view));
    view.image = to->image;
    view.usage = VK_IMAGE_USAGE_STORAGE_BIT;
    WEIR_TRY(bench_kernel_add_view(&bench->copy, &view, &both[1].view));
    return bench_kernel_add_set(&bench->copy, both);
}

static enum weir_result record_copy(void *user, VkCommandBuffer commands)
{
    const struct bench *bench = user;
    const uint32_t size[] = {bench->frame.width, bench->frame.height};
    const struct bench_groups groups = {
        (uint32_t)weir_divide_up(size[0], TILE_WIDTH),
        (uint32_t)weir_divide_up(size[1], TILE_HEIGHT * tiles[bench->form]), 1};
    bench_kernel_record(&bench->copy, bench->form, 0, size, groups, commands);
    return WEIR_OK;
}

// The floor: the fastest of a copy by the driver and of copies by kernels.
static enum weir_result measure_copy(struct bench *bench)
{
    struct bench_samples *samples = &bench->samples[0];
    for (uint32_t form = 0; form <= NUM_COPY_FORMS; form++) {
        bench->form = form;
        for (uint64_t i = 0; i < bench->options->repeats; i++) {
            WEIR_TRY(bench_palette_device_run(
                &bench->device, form < NUM_COPY_FORMS ? record_copy : NULL, bench, samples));
        }
        const struct bench_times times = bench_samples_take(samples);
        if (form == 0 || times.median < bench->floor.median) {
            bench->floor = times;
        }
    }
    bench_put_times(bench->to, "copy", &bench->floor);
    return WEIR_OK;
}

static enum weir_result find_anew(struct bench *bench, struct cli_reduction *run)
{
    const struct weir_palette_start start = {.num_colors = (uint32_t)bench->options->num_colors};
    const struct cli_picture *images = &bench->device.images;
    struct weir_palette_stats stats;
    cli_reduction_reset_times(run);
    WEIR_TRY(cli_reduction_count(run, images->source.weir, true));
    WEIR_TRY(cli_reduction_reduce(run, &start, &stats));
    WEIR_TRY(cli_reduction_map(run, images->source.weir, &images->image));
    const double count = run->stage_ns[CLI_REDUCTION_COUNT], map = run->stage_ns[CLI_REDUCTION_MAP];
    bench_samples_add(&bench->samples[0], count);
    bench_samples_add(&bench->samples[1], cli_reduction_total_ns(run) - count - map);
    bench_samples_add(&bench->samples[2], map);
    return WEIR_OK;
}

// Of all codes, or of a table's.
static enum weir_result measure_anew(struct bench *bench, bool table)
{
    static const char *const names[3] = {"count", "choose", "map"};
    struct bench_value *anew = bench_add(bench->to, table ? "anew_of_table" : "anew", BENCH_OBJECT);
    struct cli_reduction run;
    double medians[3];
    enum weir_result result = cli_reduction_init(
        &run, bench->gpu,
        &(const struct weir_palette_params){.weight = WEIR_PALETTE_WEIGHT_FREQUENCY,
                                            .method = WEIR_PALETTE_METHOD_K_MEANS,
                                            .max_colors = table ? 0 : 1 << 23,
                                            .table = table});
    for (uint64_t i = 0; i < bench->options->repeats && result == WEIR_OK; i++) {
        result = find_anew(bench, &run);
    }
    cli_reduction_finish(&run);
    put_samples(bench, names, anew, medians);
    return result == WEIR_OK ? put_decibels(bench, anew) : result;
}

static enum weir_result record_live(void *user, VkCommandBuffer commands)
{
    const struct bench *bench = user;
    return weir_cmd_palette(
        bench->palette, commands,
        &(const struct weir_palette_run){.source = bench->device.images.source.weir,
                                         .output = bench->device.images.image.weir,
                                         .num_colors = (uint32_t)bench->options->num_colors});
}

static enum weir_result measure_live(struct bench *bench)
{
    static const char *const names[3] = {"look", "move", "fill"};
    static const char *const ratios[3] = {"look_ratio_to_copy", "move_ratio_to_copy",
                                          "fill_ratio_to_copy"};
    double medians[3];
    WEIR_TRY(weir_palette_create(bench->gpu->context,
                                 weir_palette_params(.like = bench->device.images.source.weir,
                                                     .weight = WEIR_PALETTE_WEIGHT_FREQUENCY,
                                                     .method = WEIR_PALETTE_METHOD_K_MEANS,
                                                     .live = true),
                                 &bench->palette));
    for (uint64_t i = 0; i < FRAMES_BEFORE + 3 * bench->options->repeats; i++) {
        // Each frame has one of three things to do, in turns.
        struct bench_samples *samples = &bench->samples[i % 3];
        WEIR_TRY(bench_palette_device_run(&bench->device, record_live, bench, samples));
        samples->num -= i < FRAMES_BEFORE;
    }
    put_samples(bench, names, bench->to, medians);
    for (int i = 0; i < 3; i++) {
        bench_put_number(bench->to, ratios[i],
                         bench_palette_ratio(medians[i], bench->floor.median));
    }
    return put_decibels(bench, bench->to);
}

static enum weir_result measure(struct bench *bench, const struct bench_palette_picture *picture)
{
    WEIR_TRY(fill_frame(bench, picture));
    bench_put_integer(bench->to, "width", bench->frame.width);
    bench_put_integer(bench->to, "height", bench->frame.height);
    WEIR_TRY(bench_palette_device_init(&bench->device, bench->gpu, &bench->frame, "the frame"));
    WEIR_TRY(make_copy(bench));
    WEIR_TRY(measure_copy(bench));
    WEIR_TRY(measure_anew(bench, false));
    WEIR_TRY(measure_anew(bench, true));
    return measure_live(bench);
}

enum weir_result bench_palette_live_measure(struct cli_gpu *gpu,
                                            const struct bench_palette_options *options,
                                            const struct bench_palette_picture *picture,
                                            struct bench_value *to)
{
    static struct bench only; // whose samples are many for a stack
    struct bench *bench = &only;
    *bench = (struct bench){.gpu = gpu, .options = options, .to = to};
    const enum weir_result result = measure(bench, picture);
    weir_palette_destroy(&bench->palette);
    bench_kernel_finish(&bench->copy);
    bench_palette_device_finish(&bench->device);
    bench_palette_picture_finish(&bench->frame);
    return result;
}
