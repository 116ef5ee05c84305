// SPDX-License-Identifier: MIT
// Frames that become smaller: against a reference in 64-bit floats, with alpha and without, of
// every depth. Or a file of raw texels of RGBA becomes a smaller one, for other judges.
//
// Every run has every kind of frames with a size that the seed draws, and one kind with all sizes.
// With --all every kind has every size.
#include "capture/weir/gpu/scaler.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/small_float.h"
#include "tests/expect.h"
#include "tests/ref/texel.h"
#include "tests/seeded.h"

enum { NUM_RANDOM = 1, MAX_FROM = 200 };

struct kind {
    const char *name;
    VkFormat format;
    bool has_alpha, multiplies;
    double bound; // of what a code of 8 bits is, or relative to the light
};

// Half a code, which is the rounding, and what a device's powers and sums may be off. A device may
// cut halves off.
static const struct kind kinds[] = {
    {"8 bits", VK_FORMAT_R8G8B8A8_UNORM, false, false, 0.6},
    {"8 bits, alpha", VK_FORMAT_R8G8B8A8_UNORM, true, false, 0.6},
    {"8 bits, multiplied", VK_FORMAT_R8G8B8A8_UNORM, true, true, 0.6},
    {"16 bits", VK_FORMAT_R16G16B16A16_UNORM, false, false, 0.02},
    {"16 bits, alpha", VK_FORMAT_R16G16B16A16_UNORM, true, false, 0.02},
    {"halves", VK_FORMAT_R16G16B16A16_SFLOAT, false, false, 0x1p-10},
};
enum { NUM_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static struct cli_gpu gpu;

static size_t texel_size(const struct kind *kind)
{
    return cli_texel_size(kind->format);
}

static void read_back(const struct cli_image *image, const struct weir_gpu_buffer *buffer)
{
    VkCommandBuffer commands;
    TEST_MUST(weir_gpu_begin(gpu.work, &commands));
    weir_cmd_download(gpu.work, commands,
                      &(const struct weir_gpu_copy){
                          .image = &image->gpu.params,
                          .buffer = buffer->buffer,
                          .scope = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0,
                                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
                      });
    TEST_MUST(weir_gpu_run(gpu.work, commands));
}

// What scales frames of one kind and size.
struct bench {
    const struct kind *kind;
    struct cli_size from, to;
    struct cli_scaler scaler;
    struct cli_scaled scaled;
    struct cli_image image;
    struct weir_gpu_buffer staging, readback;
};

static void bench_init(struct bench *bench, const struct kind *kind, struct cli_size from,
                       struct cli_size to)
{
    const size_t size = texel_size(kind),
                 pitch = cli_staging_pitch(from.width * (uint32_t)size / 4);
    *bench = (struct bench){.kind = kind, .from = from, .to = to};
    TEST_MUST(cli_image_init(
        &gpu, weir_image_params(.format = kind->format, .width = from.width, .height = from.height),
        &bench->image));
    TEST_MUST(cli_buffer_init(&gpu, pitch * from.height, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, true,
                              &bench->staging));
    TEST_MUST(cli_buffer_init(&gpu, size * to.width * to.height, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                              true, &bench->readback));
    TEST_MUST(cli_scaler_init(&bench->scaler, &gpu,
                              &(struct cli_scaler_params){.format = kind->format,
                                                          .from = from,
                                                          .to = to,
                                                          .has_alpha = kind->has_alpha,
                                                          .multiplies = kind->multiplies}));
    TEST_MUST(cli_scaled_init(&bench->scaled, &bench->scaler, bench->image.weir));
}

static void bench_finish(struct bench *bench)
{
    cli_scaled_finish(&bench->scaled, &bench->scaler);
    cli_scaler_finish(&bench->scaler);
    cli_image_finish(&gpu, &bench->image);
    weir_gpu_buffer_finish(gpu.work, &bench->staging);
    weir_gpu_buffer_finish(gpu.work, &bench->readback);
}

// Scale packed texels on the device; twice, as the second run finds what the first has left.
static void bench_run(struct bench *bench, const uint8_t *texels, uint8_t *result)
{
    const size_t size = texel_size(bench->kind), row = size * bench->from.width,
                 pitch = cli_staging_pitch((uint32_t)row / 4);
    VkCommandBuffer commands;
    struct weir_point done;
    for (uint32_t y = 0; y < bench->from.height; y++) {
        memcpy(bench->staging.mapped + y * pitch, texels + y * row, row);
    }
    TEST_MUST(weir_gpu_begin(gpu.work, &commands));
    cli_cmd_upload(&gpu, commands, &bench->staging, &bench->image);
    TEST_MUST(weir_gpu_run(gpu.work, commands));
    for (int i = 0; i < 2; i++) {
        TEST_MUST(cli_scaled_run(&bench->scaled, &bench->scaler, &done));
        TEST_MUST(weir_gpu_wait(gpu.work, done, UINT64_MAX));
    }
    read_back(&bench->scaled.result, &bench->readback);
    memcpy(result, bench->readback.mapped, bench->readback.size);
}

static void scale(const struct kind *kind, struct cli_size from, struct cli_size to,
                  const uint8_t *texels, uint8_t *result)
{
    struct bench bench;
    bench_init(&bench, kind, from, to);
    bench_run(&bench, texels, result);
    bench_finish(&bench);
}

// Channels as numbers of 0 .. 1, or light.
static double channel(const struct kind *kind, const uint8_t *texels, size_t i)
{
    uint16_t wide;
    memcpy(&wide, texels + (texel_size(kind) == 8 ? 2 * i : 0), sizeof(wide));
    return kind->format == VK_FORMAT_R8G8B8A8_UNORM       ? texels[i] / 255.0
           : kind->format == VK_FORMAT_R16G16B16A16_UNORM ? wide / 65535.0
                                                          : (double)weir_half_value(wide);
}

static bool is_code(const struct kind *kind)
{
    return kind->format != VK_FORMAT_R16G16B16A16_SFLOAT;
}

// An image of light, multiplied by alpha: four numbers a texel.
struct light {
    uint32_t width, height;
    double *values;
};

static struct light make_light(uint32_t width, uint32_t height)
{
    struct light light = {width, height, calloc((size_t)width * height * 4, sizeof(double))};
    test_must(light.values != NULL, "memory");
    return light;
}

static double *at(const struct light *light, uint32_t x, uint32_t y)
{
    return light->values + ((size_t)y * light->width + x) * 4;
}

// Catmull and Rom 1974, stretched by the ratio.
static double weigh(uint32_t length, uint32_t size, uint32_t i, int64_t texel)
{
    const double ratio = (double)length / size;
    const double x = fabs(((double)texel + 0.5) / ratio - (i + 0.5));
    return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((2.5 - 0.5 * x) * x - 4) * x + 2 : 0;
}

// Make an axis shorter. Texels behind its ends are those before, in reverse order.
static struct light shorten(const struct light *from, uint32_t size, bool down)
{
    const uint32_t length = down ? from->height : from->width;
    struct light to = make_light(down ? from->width : size, down ? size : from->height);
    for (uint32_t i = 0; i < size; i++) {
        const int64_t middle = (int64_t)((i + 0.5) * length / size);
        const int64_t reach = 2 * (int64_t)(length / size) + 4;
        double total = 0;
        for (int64_t k = middle - reach; k <= middle + reach; k++) {
            total += weigh(length, size, i, k);
        }
        for (int64_t k = middle - reach; k <= middle + reach; k++) {
            const double weight = weigh(length, size, i, k) / total;
            int64_t j = k;
            while (weight != 0 && (j < 0 || j >= length)) {
                j = j < 0 ? -1 - j : 2 * (int64_t)length - 1 - j;
            }
            for (uint32_t n = 0; weight != 0 && n < (down ? to.width : to.height); n++) {
                const double *texel = at(from, down ? n : (uint32_t)j, down ? (uint32_t)j : n);
                double *sum = at(&to, down ? n : i, down ? i : n);
                for (int c = 0; c < 4; c++) {
                    sum[c] += weight * texel[c];
                }
            }
        }
    }
    return to;
}

// What the frame should become.
static struct light reference(const struct kind *kind, struct cli_size from, struct cli_size to,
                              const uint8_t *texels)
{
    struct light light = make_light(from.width, from.height);
    for (size_t i = 0; i < (size_t)from.width * from.height; i++) {
        const double alpha = kind->has_alpha ? channel(kind, texels, 4 * i + 3) : 1;
        for (size_t c = 0; c < 3; c++) {
            const double value = channel(kind, texels, 4 * i + c);
            light.values[4 * i + c] = alpha * (is_code(kind) ? ref_srgb_decode(value) : value);
        }
        light.values[4 * i + 3] = alpha;
    }
    struct light across = shorten(&light, to.width, false);
    struct light both = shorten(&across, to.height, true);
    free(across.values);
    free(light.values);
    return both;
}

static double clip(double x)
{
    return fmin(fmax(x, 0), 1);
}

// The difference of a channel: in codes of 8 bits as they show, that is multiplied by alpha, or
// relative to the light, which is up to 60: what is far below that is what is left of a sum.
static double difference(const struct kind *kind, const double *light, const uint8_t *texels,
                         size_t i, size_t c)
{
    const double got = channel(kind, texels, 4 * i + c);
    const double alpha = clip(light[3]), straight = light[3] > 0 ? light[c] / light[3] : 0;
    if (!is_code(kind)) {
        return c == 3 ? 0 : fabs(got - straight) / fmax(fabs(straight), 0x1p-2);
    }
    if (c == 3) {
        return kind->has_alpha ? fabs(got - alpha) * 255 : fabs(got - 1) * 255;
    }
    const double code = ref_srgb_encode(clip(straight));
    return kind->multiplies ? fabs(got - code * alpha) * 255 : fabs(got - code) * alpha * 255;
}

static double compare(const struct kind *kind, struct cli_size from, struct cli_size to,
                      const uint8_t *texels, const uint8_t *result)
{
    struct light light = reference(kind, from, to, texels);
    double worst = 0;
    for (size_t i = 0; i < (size_t)to.width * to.height; i++) {
        for (size_t c = 0; c < 4; c++) {
            worst = fmax(worst, difference(kind, &light.values[4 * i], result, i, c));
        }
    }
    free(light.values);
    return worst;
}

// Texels of noise with many extremes; of some pictures, alpha is 0 or 1 at most texels.
static void draw(const struct kind *kind, size_t num, uint8_t *texels)
{
    const bool is_hard = seeded_below(2) == 0;
    for (size_t i = 0; i < 4 * num; i++) {
        const int extreme = seeded_below(is_hard && i % 4 == 3 ? 3 : 8);
        const double value = extreme == 0 ? 0 : extreme == 1 ? 1 : seeded_below(65536) / 65535.0;
        const uint16_t wide = is_code(kind) ? (uint16_t)(value * 65535 + 0.5)
                                            : weir_half_from((float)(value * value * 60));
        if (texel_size(kind) == 8) {
            memcpy(texels + 2 * i, &wide, sizeof(wide));
        } else {
            texels[i] = (uint8_t)(value * 255 + 0.5);
        }
    }
}

static void check(const struct kind *kind, struct cli_size from, struct cli_size to)
{
    const size_t num = (size_t)from.width * from.height;
    uint8_t *texels = malloc(num * texel_size(kind));
    uint8_t *result = malloc(num * texel_size(kind));
    test_must(texels && result, "memory");
    draw(kind, num, texels);
    scale(kind, from, to, texels, result);
    const double worst = compare(kind, from, to, texels, result);
    test_expect(worst <= kind->bound, "%s: %ux%u to %ux%u: %.6f", kind->name, from.width,
                from.height, to.width, to.height, worst);
    free(texels);
    free(result);
}

// What is hidden below alpha 0 shows nowhere: opaque red beside green that is not seen stays red.
static void check_hidden(const struct kind *kind, struct cli_size to)
{
    enum { WIDTH = 61, HEIGHT = 37 };
    static uint8_t texels[WIDTH * HEIGHT * 8], result[WIDTH * HEIGHT * 8];
    const size_t size = texel_size(kind);
    memset(texels, 0, sizeof(texels));
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        const size_t is_seen = (size_t)seeded_below(2);
        memset(texels + size * i + (is_seen ? 0 : size / 4), 255, size / 4);
        memset(texels + size * i + 3 * size / 4, is_seen ? 255 : 0, size / 4);
    }
    scale(kind, (struct cli_size){WIDTH, HEIGHT}, to, texels, result);
    int num_wrong = 0, num_between = 0;
    for (size_t i = 0; i < (size_t)to.width * to.height; i++) {
        const double red = channel(kind, result, 4 * i), alpha = channel(kind, result, 4 * i + 3);
        num_between += alpha > 0 && alpha < 1;
        num_wrong += channel(kind, result, 4 * i + 1) != 0 || channel(kind, result, 4 * i + 2) != 0;
        // The multiplied red is alpha, but for what a device rounds before: near half a code, one
        // of them is rounded up and the other down.
        num_wrong += alpha > 0.1 &&
                     (kind->multiplies ? fabs(red - alpha) > 1.01 / 255 : fabs(red - 1) > 1e-4);
    }
    test_expect(num_wrong == 0 && num_between > 0,
                "%s: hidden colours, %ux%u: %d texels between, %d wrong", kind->name, to.width,
                to.height, num_between, num_wrong);
}

// A frame of one colour stays that colour: each code of 8 bits, exactly.
static void check_constant(struct cli_size from, struct cli_size to)
{
    static uint8_t texels[256 * 64 * 4], result[256 * 64 * 4];
    struct bench bench;
    int num_wrong = 0;
    bench_init(&bench, &kinds[0], from, to);
    for (int code = 0; code < 256; code += 15) {
        memset(texels, code, (size_t)from.width * from.height * 4);
        bench_run(&bench, texels, result);
        for (size_t i = 0; i < (size_t)to.width * to.height * 4; i++) {
            num_wrong += result[i] != (i % 4 == 3 ? 255 : code);
        }
    }
    bench_finish(&bench);
    test_expect(num_wrong == 0, "one colour, %ux%u to %ux%u: %d texels wrong", from.width,
                from.height, to.width, to.height, num_wrong);
}

struct from_to {
    struct cli_size from, to;
};

static const struct from_to sizes[] = {
    {{100, 60}, {75, 45}}, {{190, 3}, {19, 3}}, // one axis alone, far
    {{7, 150}, {6, 11}},                        // both, but unlike
    {{131, 5}, {130, 5}},                       // hardly
    {{2, 3}, {1, 2}},      {{3, 1}, {2, 1}},      {{5, 5}, {1, 1}},
    {{96, 60}, {48, 30}},  {{101, 67}, {25, 16}}, {{101, 37}, {33, 12}},
};
enum { NUM_SIZES = sizeof(sizes) / sizeof(sizes[0]) };

static void check_every_size(const struct kind *kind)
{
    for (int i = 0; i < NUM_SIZES; i++) {
        check(kind, sizes[i].from, sizes[i].to);
    }
    for (int i = 0; i < NUM_RANDOM; i++) {
        const struct cli_size from = {3 + (uint32_t)seeded_below(MAX_FROM - 3),
                                      3 + (uint32_t)seeded_below(MAX_FROM - 3)};
        const struct cli_size to = {1 + (uint32_t)seeded_below((int)from.width),
                                    1 + (uint32_t)seeded_below((int)from.height)};
        check(kind, from, to);
    }
}

static void check_all(bool has_all)
{
    for (int k = 0; k < NUM_KINDS; k++) {
        const struct from_to *drawn = &sizes[seeded_below(NUM_SIZES)];
        if (has_all || k == 1) {
            check_every_size(&kinds[k]);
        } else {
            check(&kinds[k], drawn->from, drawn->to);
        }
        if (kinds[k].has_alpha) {
            check_hidden(&kinds[k], (struct cli_size){30, 18});
            check_hidden(&kinds[k], (struct cli_size){40, 31});
        }
    }
    check_constant((struct cli_size){99, 45}, (struct cli_size){49, 22});
    check_constant((struct cli_size){99, 45}, (struct cli_size){70, 45});
}

// Scale a file: IN WIDTH HEIGHT OUT WIDTH HEIGHT, of RGBA of 8 bits.
static void run_file(char **argv)
{
    const struct cli_size from = {(uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2])};
    const struct cli_size to = {(uint32_t)atoi(argv[4]), (uint32_t)atoi(argv[5])};
    const size_t size = (size_t)from.width * from.height * 4;
    const size_t result_size = (size_t)to.width * to.height * 4;
    uint8_t *texels = malloc(size), *result = malloc(result_size);
    FILE *in = fopen(argv[0], "rb"), *out = fopen(argv[3], "wb");
    test_must(texels && result && in && out && fread(texels, 1, size, in) == size, argv[0]);
    scale(&kinds[1], from, to, texels, result);
    test_must(fwrite(result, 1, result_size, out) == result_size && fclose(out) == 0, argv[3]);
    fclose(in);
    free(texels);
    free(result);
}

// usage: scaler_test [--all | IN WIDTH HEIGHT OUT WIDTH HEIGHT]
int main(int argc, char **argv)
{
    if (cli_gpu_open(&gpu, weir_device_params(.validation = true)) != WEIR_OK) {
        return 77;
    }
    if (argc == 7) {
        run_file(argv + 1);
    } else {
        seeded_start();
        check_all(argc == 2 && strcmp(argv[1], "--all") == 0);
    }
    test_expect(cli_gpu_close(&gpu), "the validation layer has nothing to say");
    return test_finish();
}
