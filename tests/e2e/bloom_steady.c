// SPDX-License-Identifier: MIT
// How steady the glow of sample_bloom is: a square light moves over the grids of all levels, and
// its glow should move with it and not change. By 13 taps it changes less than by 4.
//
// Prints for lights of several widths how far the glow deviates from its mean over the positions
// (root of the mean square, relative): all of its light, and the glow around the light texel by
// texel. docs/pyramid.md shows it. e2e_bloom_steady [--all]
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "effects.h"
#include "report.h"
#include "tests/seeded.h"

// All sides of all levels are even. A texel of the smallest level is as wide as NUM_POSITIONS of
// the picture, and so the light comes by every place of every grid.
enum { WIDTH = 640, HEIGHT = 384, NUM_POSITIONS = 64, MAX_LIGHT = 8 };
// Where the glow is looked at, around the middle of the light [texels of the picture].
enum { REACH = 96, SIDE = 2 * REACH + 1 };

struct bench {
    struct gpu gpu;
    struct gpu_image picture, depth;
    struct effects effects;
    struct timing timing;               // none is measured
    struct weir_gpu_buffer light, glow; // a square of light; level 0 of the glow
};

// The glow can be copied, beside what the sample makes it for (linked by
// --wrap=weir_gpu_image_init).
enum weir_result __real_weir_gpu_image_init(weir_gpu *gpu, const struct weir_image_params *params,
                                            VkSampleCountFlagBits samples,
                                            struct weir_gpu_image *out);
enum weir_result __wrap_weir_gpu_image_init(weir_gpu *gpu, const struct weir_image_params *params,
                                            VkSampleCountFlagBits samples,
                                            struct weir_gpu_image *out);
enum weir_result __wrap_weir_gpu_image_init(weir_gpu *gpu, const struct weir_image_params *params,
                                            VkSampleCountFlagBits samples,
                                            struct weir_gpu_image *out)
{
    struct weir_image_params copied = *params;
    copied.usage |= params->usage & VK_IMAGE_USAGE_STORAGE_BIT ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT
                                                               : 0;
    return __real_weir_gpu_image_init(gpu, &copied, samples, out);
}

static bool start(struct bench *bench)
{
    const VkPhysicalDeviceFeatures features = {.shaderStorageImageWriteWithoutFormat = VK_TRUE};
    const struct weir_device_params device = {.validation = true, .features = &features};
    const struct weir_image_params picture = {
        .format = HDR_FORMAT,
        .width = WIDTH,
        .height = HEIGHT,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                 VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    struct weir_image_params depth = picture;
    depth.format = VK_FORMAT_D16_UNORM;
    depth.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    struct gpu *gpu = &bench->gpu;
    return gpu_init(&bench->gpu, &device) && gpu_image_init(gpu, &picture, 0, &bench->picture) &&
           gpu_image_init(gpu, &depth, 0, &bench->depth) &&
           effects_init(gpu, depth.format, &bench->effects) &&
           effects_resize(&bench->effects, &bench->picture, &bench->depth) &&
           gpu_buffer_init(gpu, MAX_LIGHT * MAX_LIGHT * 8, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                           WEIR_GPU_MEMORY_HOST, &bench->light) &&
           gpu_buffer_init(gpu, WIDTH / 2 * HEIGHT / 2 * 8, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                           WEIR_GPU_MEMORY_HOST, &bench->glow);
}

static const struct weir_gpu_scope copied = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                             VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};

// A black picture with a square of light.
static void draw(const struct bench *bench, VkCommandBuffer cmd, uint32_t width, uint32_t x,
                 uint32_t y)
{
    const struct weir_image_params *image = &bench->picture.params;
    const weir_gpu *work = bench->gpu.work;
    const struct weir_gpu_scope unused = {VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                                          VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope read = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                        VK_ACCESS_SHADER_READ_BIT, 0};
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const VkBufferImageCopy square = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageOffset = {(int32_t)x, (int32_t)y, 0},
                                      .imageExtent = {width, width, 1}};
    weir_cmd_barrier(work, cmd, image, unused, copied);
    vkCmdClearColorImage(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL, &(VkClearColorValue){{0}}, 1,
                         &all);
    weir_cmd_barrier(work, cmd, NULL, copied, copied);
    vkCmdCopyBufferToImage(cmd, bench->light.buffer, image->image, VK_IMAGE_LAYOUT_GENERAL, 1,
                           &square);
    weir_cmd_barrier(work, cmd, NULL, copied, read);
}

static bool render(struct bench *bench, bool by_weir, uint32_t width, uint32_t x, uint32_t y)
{
    VkCommandBuffer cmd;
    struct effects *effects = &bench->effects;
    struct weir_point done;
    if (!gpu_begin(&bench->gpu, &cmd)) {
        return false;
    }
    effects_discard(effects, cmd);
    draw(bench, cmd, width, x, y);
    if (!effects_bloom(effects, cmd, &bench->timing, by_weir)) {
        return false;
    }
    weir_cmd_download(bench->gpu.work, cmd,
                      &(const struct weir_gpu_copy){
                          .image = &effects->images[IMAGE_GLOW].params,
                          .buffer = bench->glow.buffer,
                          .scope = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                    VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL},
                      });
    return gpu_submit(&bench->gpu, cmd, NULL, &done) && gpu_wait(&bench->gpu, done);
}

// Get the red of a texel of the glow: its low bits, a float without a sign.
static double decode(const struct bench *bench, int index)
{
    const bool is_packed = bench->effects.glow_format == VK_FORMAT_B10G11R11_UFLOAT_PACK32;
    const int mantissa = is_packed ? 6 : 10, size = is_packed ? 4 : 8;
    const uint8_t *texel = (const uint8_t *)bench->glow.mapped + size * index;
    const int bits = (texel[0] | texel[1] << 8) & ((32 << mantissa) - 1);
    const int exponent = bits >> mantissa, fraction = bits & ((1 << mantissa) - 1);
    return exponent ? ldexp((1 << mantissa) + fraction, exponent - 15 - mantissa)
                    : ldexp(fraction, -14 - mantissa);
}

// Get the glow at a place of the picture, filtered as by the sampler that shows it.
static double filter(double glow[HEIGHT / 2][WIDTH / 2], double x, double y)
{
    const double u = x / 2.0 - 0.5, v = y / 2.0 - 0.5;
    const int left = (int)u, top = (int)v;
    const double right = u - left, below = v - top;
    return (1.0 - below) * ((1.0 - right) * glow[top][left] + right * glow[top][left + 1]) +
           below * ((1.0 - right) * glow[top + 1][left] + right * glow[top + 1][left + 1]);
}

// Sums over the positions of the light.
struct sums {
    double all, all_squared;
    double texels[SIDE * SIDE], texels_squared[SIDE * SIDE];
};

// Add the glow of a light around x, y.
static void add(const struct bench *bench, double x, double y, struct sums *sums)
{
    static double glow[HEIGHT / 2][WIDTH / 2];
    double all = 0.0;
    for (int i = 0; i < HEIGHT / 2 * (WIDTH / 2); ++i) {
        const double value = decode(bench, i);
        glow[i / (WIDTH / 2)][i % (WIDTH / 2)] = value;
        all += value;
    }
    sums->all += all;
    sums->all_squared += all * all;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const double value = filter(glow, x + i % SIDE - REACH, y + i / SIDE - REACH);
        sums->texels[i] += value;
        sums->texels_squared[i] += value * value;
    }
}

// Deviations from the mean, relative.
struct deviation {
    double all, texels;
};

static struct deviation deviate(const struct sums *sums)
{
    const double num = NUM_POSITIONS, mean = sums->all / num;
    double apart = 0.0, together = 0.0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const double texel = sums->texels[i] / num;
        apart += sums->texels_squared[i] / num - texel * texel;
        together += texel * texel;
    }
    return (struct deviation){sqrt(sums->all_squared / num / (mean * mean) - 1.0),
                              sqrt(apart / together)};
}

static bool measure(struct bench *bench, bool by_weir, uint32_t width, struct deviation *deviation)
{
    static struct sums sums;
    memset(&sums, 0, sizeof(sums));
    for (uint32_t i = 0; i < NUM_POSITIONS; ++i) {
        // Every column and every row once. Bits the other way round: a row does not follow from its
        // column on the grid of any level.
        uint32_t row = 0;
        for (uint32_t bit = 1; bit < NUM_POSITIONS; bit *= 2) {
            row = 2 * row + (i & bit ? 1 : 0);
        }
        const uint32_t x = WIDTH / 2 - NUM_POSITIONS / 2 + i;
        const uint32_t y = HEIGHT / 2 - NUM_POSITIONS / 2 + row;
        if (!render(bench, by_weir, width, x, y)) {
            return false;
        }
        add(bench, x + width / 2.0, y + width / 2.0, &sums);
    }
    *deviation = deviate(&sums);
    return true;
}

static bool compare(struct bench *bench, bool all)
{
    static const uint32_t widths[] = {1, 4, 2, 8};
    const bool is_slow = bench->gpu.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    // A software device has one of the first two, for its time.
    const bool is_one = is_slow && !all;
    const int first = is_one ? (int)(seeded_seed() % 2) : 0;
    bool ok = true;
    for (int texel = 0; texel < MAX_LIGHT * MAX_LIGHT; ++texel) {
        memcpy((uint8_t *)bench->light.mapped + 8 * texel,
               (const uint16_t[]){0x4c00, 0x4c00, 0x4c00, 0x3c00}, 8); // 16, 16, 16, 1
    }
    printf("                     all of the glow    around the light\n"
           "width of the light   4 taps  13 taps    4 taps  13 taps\n");
    for (int i = first; i < (is_one ? first + 1 : 4); ++i) {
        struct deviation few, many;
        if (!measure(bench, true, widths[i], &few) || !measure(bench, false, widths[i], &many)) {
            return false;
        }
        printf("%18u  %5.1f %%  %5.1f %%   %5.1f %%  %5.1f %%\n", widths[i], 100.0 * few.all,
               100.0 * many.all, 100.0 * few.texels, 100.0 * many.texels);
        ok &= many.all < fmax(0.2 * few.all, 0.01) || report("all of the glow is not steadier");
        ok &= many.texels < 0.5 * few.texels || report("the glow is not twice as steady");
    }
    return ok;
}

int main(int argc, char **argv)
{
    static struct bench bench;
    report_as("e2e_bloom_steady");
    const bool ok = start(&bench) && compare(&bench, argc > 1 && strcmp(argv[1], "--all") == 0);
    const bool has_device = bench.gpu.device != VK_NULL_HANDLE;
    if (has_device) {
        gpu_wait_idle(&bench.gpu);
        gpu_release(&bench.gpu, 0);
    }
    const bool silent = gpu_check(&bench.gpu);
    gpu_finish(&bench.gpu);
    return !has_device ? 77 : ok && silent ? 0 : 1;
}
