// SPDX-License-Identifier: MIT
// Pyramids by kernels that include weir/pyramid_custom.glsl.
//
// The software device takes a second to compile a kernel for each format, for even sides and for
// odd ones. Of the mean every run has each format, both kinds of sides, layers of a batch, and a
// part of a chain or a source; the seed draws which, and of which format. The other kernels have
// one kind of sides each. With --all each has all.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/pyramid_test.h"

static const uint32_t mean_kernel[] =
#include "custom_mean.inc"
    ;
static const uint32_t luma_max_kernel[] =
#include "custom_luma_max.inc"
    ;
static const uint32_t user_kernel[] =
#include "custom_user.inc"
    ;
static const uint32_t count_kernel[] =
#include "custom_count.inc"
    ;

#define CUSTOM(words)                                                                              \
    .reduction = WEIR_PYRAMID_CUSTOM, .kernel = words, .kernel_size = sizeof(words)

// One tile, several tiles, several stages; even, odd and both.
struct size {
    uint32_t width, height;
};
static const struct size sizes[] = {{300, 3}, {77, 53}, {129, 257}, {1030, 67}, {96, 160}};
enum { NUM_SIZES = sizeof(sizes) / sizeof(sizes[0]), NUM_ODD = 4 };

// Run the case by a kernel in place of its reduction, which remains the reference's. False after a
// failure.
static bool run(struct pyramid_memory *memory, const struct pyramid_case *c,
                const weir_pyramid *pyramid, const float user[4], struct pyramid_images *out)
{
    struct harness *harness = memory->harness;
    struct weir_pyramid_run how = {
        .src_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .src_access = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dst_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .dst_access = VK_ACCESS_TRANSFER_READ_BIT,
    };
    weir_pyramid_target *target = NULL;
    memcpy(how.user, user, sizeof(how.user));
    pyramid_images_init(memory, c, pyramid, harness_random(harness), NULL, out);
    bool passed = TEST_OK(pyramid_images_create_target(out, c, pyramid, &target));
    if (passed) {
        VkCommandBuffer cmd = harness_begin(harness);
        pyramid_images_cmd_upload(out, cmd);
        passed = TEST_OK(weir_cmd_pyramid(target, cmd, &how));
        pyramid_images_cmd_download(out, cmd);
        harness_submit(harness, cmd, NULL, 0);
        test_expect(weir_pyramid_target_get_num_dispatches(target) == out->num_images,
                    "%u dispatches", weir_pyramid_target_get_num_dispatches(target));
    }
    weir_pyramid_target_destroy(&target);
    return passed;
}

// Create a pyramid. NULL if the device lacks the format, and after a failure.
static weir_pyramid *create(struct harness *harness, const struct weir_pyramid_params *params)
{
    weir_pyramid *pyramid = NULL;
    const enum weir_result result = weir_pyramid_create(harness->context, params, &pyramid);
    test_expect(result == WEIR_OK || result == WEIR_ERROR_UNSUPPORTED,
                "weir_pyramid_create answers %s", weir_result_name(result));
    return pyramid;
}

static const float no_user[4];

static void run_mean(struct pyramid_memory *memory, const struct pyramid_case *c,
                     const weir_pyramid *pyramid)
{
    struct pyramid_images images = {.num_images = 0};
    if (run(memory, c, pyramid, no_user, &images)) {
        pyramid_compare(&images, c);
    }
    pyramid_images_finish(&images);
}

// What is tested of a format.
enum { HAS_ODD = 1, HAS_EVEN = 2, HAS_BATCH = 4, HAS_PART = 8, HAS_SOURCE = 16 };

static void test_mean_of(struct pyramid_memory *memory, VkFormat format, uint32_t parts)
{
    weir_pyramid *own = create(
        memory->harness, weir_pyramid_params(CUSTOM(mean_kernel), .format = format, .max_images = 3,
                                             .precision = WEIR_PYRAMID_PRECISION_EXACT));
    struct pyramid_case c = {.method = WEIR_PYRAMID_SINGLE, .format = format, .is_exact = true};
    for (int s = 0; own && s < NUM_SIZES; s++) {
        c.width = sizes[s].width;
        c.height = sizes[s].height;
        if (parts & (s < NUM_ODD ? HAS_ODD : HAS_EVEN)) {
            run_mean(memory, &c, own);
        }
    }
    c.width = 77;
    c.height = 53;
    c.layers = 2;
    struct pyramid_case batch = c, part = c;
    batch.num_images = 3;
    part.first_level = 2;
    part.last_level = 4;
    if (own && parts & HAS_BATCH) {
        run_mean(memory, &batch, own);
    }
    if (own && parts & HAS_PART) {
        run_mean(memory, &part, own);
    }
    weir_pyramid *converting = NULL;
    if (own && parts & HAS_SOURCE) {
        converting = create(memory->harness,
                            weir_pyramid_params(CUSTOM(mean_kernel), .format = format,
                                                .source_format = VK_FORMAT_R8G8B8A8_UNORM,
                                                .precision = WEIR_PYRAMID_PRECISION_EXACT));
    }
    if (converting) {
        c.source_format = VK_FORMAT_R8G8B8A8_UNORM;
        c.source_above = true;
        run_mean(memory, &c, converting);
    }
    weir_pyramid_destroy(&own);
    weir_pyramid_destroy(&converting);
}

// A mean by a kernel is a mean: in every kind of format, of layers, images, parts and sources.
static void test_mean(struct pyramid_memory *memory, bool has_all)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R16G16B16A16_SFLOAT,
                                       VK_FORMAT_R32G32_SFLOAT};
    const bool has_source = harness_random_below(memory->harness, 2) != 0;
    const uint32_t parts[] = {HAS_ODD | (has_source ? HAS_SOURCE : 0),
                              HAS_EVEN | (has_source ? 0 : HAS_PART), HAS_BATCH};
    const uint32_t all = HAS_ODD | HAS_EVEN | HAS_BATCH | HAS_PART | HAS_SOURCE;
    const uint32_t drawn = harness_random_below(memory->harness, 3);
    for (uint32_t f = 0; f < 3; f++) {
        test_mean_of(memory, formats[f], has_all ? all : parts[(f + drawn) % 3]);
    }
}

// Compare levels with the source. Level 0 must be weir_store(weir_load()) of the source, whether it
// is the only level or not; each other level must have the greatest values of level 0.
static void compare_luma(struct pyramid_images *images, const struct pyramid_case *c)
{
    const uint8_t *source = pyramid_images_source(images, 0);
    const uint8_t *levels = pyramid_images_downloaded(images, 0);
    double worst = 0;
    for (uint32_t i = 0; i < c->width * c->height; i++) {
        const uint8_t *texel = source + (size_t)4 * i;
        float luma;
        memcpy(&luma, levels + i * sizeof(luma), sizeof(luma));
        const double sum = 0.2126 * texel[0] + 0.7152 * texel[1] + 0.0722 * texel[2];
        worst = fmax(worst, fabs((double)luma - sum / 255));
    }
    test_expect(worst < 1e-6, "level 0 of %ux%u is %g off", c->width, c->height, worst);
    // The other levels are WEIR_PYRAMID_MAX of level 0, and exact.
    struct pyramid_case rest = *c;
    rest.source_format = 0;
    images->ref.source_format = 0;
    pyramid_compare(images, &rest);
}

static void test_luma_max(struct pyramid_memory *memory, uint32_t parts)
{
    weir_pyramid *pyramid = create(memory->harness,
                                   weir_pyramid_params(CUSTOM(luma_max_kernel),
                                                       .format = VK_FORMAT_R32_SFLOAT,
                                                       .source_format = VK_FORMAT_R8G8B8A8_UNORM));
    for (int s = 0; pyramid && s < 2 * NUM_SIZES; s++) {
        const struct pyramid_case c = {.reduction = WEIR_PYRAMID_MAX,
                                       .method = WEIR_PYRAMID_SINGLE,
                                       .format = VK_FORMAT_R32_SFLOAT,
                                       .source_format = VK_FORMAT_R8G8B8A8_UNORM,
                                       .levels = s < NUM_SIZES ? 0 : 1,
                                       .width = sizes[s % NUM_SIZES].width,
                                       .height = sizes[s % NUM_SIZES].height};
        struct pyramid_images images = {.num_images = 0};
        if (parts & (s % NUM_SIZES < NUM_ODD ? HAS_ODD : HAS_EVEN) &&
            run(memory, &c, pyramid, no_user, &images)) {
            compare_luma(&images, &c);
        }
        pyramid_images_finish(&images);
    }
    weir_pyramid_destroy(&pyramid);
}

static void compare_count(struct pyramid_images *images, const struct pyramid_case *c)
{
    float expected = 0;
    for (uint32_t level = 1; level < images->ref.levels; level++) {
        const float *texels = (const float *)(const void *)pyramid_images_level(images, 0, level,
                                                                                0);
        const uint32_t num_texels = ref_pyramid_level_size(c->width, level) *
                                    ref_pyramid_level_size(c->height, level);
        uint32_t num_wrong = 0;
        expected += (float)(ref_pyramid_level_size(c->width, level - 1) > 1);
        expected += (float)(ref_pyramid_level_size(c->height, level - 1) > 1);
        for (uint32_t i = 0; i < num_texels; i++) {
            num_wrong += texels[i] != expected;
        }
        test_expect(num_wrong == 0,
                    "level %u of %ux%u: %u texels are not of %g joins, the first of %g", level,
                    c->width, c->height, num_wrong, (double)expected, (double)texels[0]);
    }
}

// The rows under a texel are reduced first, and then the column of their results. An axis of one
// texel is not reduced; since one is a power of two, so are the other odd sizes' widths, see
// harness_random_side().
static void test_count(struct pyramid_memory *memory, uint32_t parts)
{
    static const struct size odd[] = {{1, 37}, {256, 3}, {64, 53}, {128, 257}, {1024, 67}};
    static const struct size even[] = {{96, 160}, {300, 6}, {1030, 66}};
    const uint32_t num_odd = sizeof(odd) / sizeof(odd[0]);
    const uint32_t num = num_odd + sizeof(even) / sizeof(even[0]);
    weir_pyramid *pyramid = create(
        memory->harness, weir_pyramid_params(CUSTOM(count_kernel), .format = VK_FORMAT_R32_SFLOAT));
    for (uint32_t s = 0; pyramid && s < num; s++) {
        const struct size *size = s < num_odd ? &odd[s] : &even[s - num_odd];
        const struct pyramid_case c = {.method = WEIR_PYRAMID_SINGLE,
                                       .format = VK_FORMAT_R32_SFLOAT,
                                       .width = size->width,
                                       .height = size->height};
        struct pyramid_images images = {.num_images = 0};
        if (parts & (s < num_odd ? HAS_ODD : HAS_EVEN) &&
            run(memory, &c, pyramid, no_user, &images)) {
            compare_count(&images, &c);
        }
        pyramid_images_finish(&images);
    }
    weir_pyramid_destroy(&pyramid);
}

// The values and weights of one level. The next level is made of weighted means.
struct plane {
    uint32_t width, height;
    double *values, *weights;
};

static struct plane plane_make(uint32_t width, uint32_t height)
{
    return (struct plane){width, height, calloc((size_t)width * height, sizeof(double)),
                          calloc((size_t)width * height, sizeof(double))};
}

static void plane_free(struct plane *plane)
{
    free(plane->values);
    free(plane->weights);
}

static struct plane plane_reduce(const struct plane *in)
{
    struct plane out = plane_make(ref_pyramid_level_size(in->width, 1),
                                  ref_pyramid_level_size(in->height, 1));
    for (uint32_t i = 0; i < out.width * out.height; i++) {
        const struct ref_pyramid_taps x = ref_pyramid_get_taps(in->width, i % out.width, false);
        const struct ref_pyramid_taps y = ref_pyramid_get_taps(in->height, i / out.width, false);
        double sum = 0, weighted = 0, plain = 0;
        for (uint32_t v = 0; v < y.num; v++) {
            for (uint32_t u = 0; u < x.num; u++) {
                const uint32_t at = (y.first + v) * in->width + x.first + u;
                const double share = x.weights[u] * y.weights[v];
                sum += share * in->weights[at];
                weighted += share * in->weights[at] * in->values[at];
                plain += share * in->values[at];
            }
        }
        out.values[i] = sum > 0 ? weighted / sum : plain;
        out.weights[i] = 1; // weights are those of the first step
    }
    return out;
}

static void compare_user(struct pyramid_images *images, const struct pyramid_case *c,
                         const float user[4])
{
    const float *source = (const float *)(const void *)pyramid_images_uploaded(images, 0);
    struct plane plane = plane_make(c->width, c->height);
    double largest = 1;
    for (uint32_t i = 0; i < c->width * c->height; i++) {
        const uint32_t x = i % c->width, y = i / c->width;
        plane.values[i] = (double)user[0] * source[i] + (double)user[1] * x + (double)user[2] * y;
        plane.weights[i] = x % 2 == 0 ? (double)user[3] : 1;
        largest = fmax(largest, fabs(plane.values[i]));
    }
    for (uint32_t level = 1; level < images->ref.levels; level++) {
        struct plane next = plane_reduce(&plane);
        plane_free(&plane);
        plane = next;
        const float *texels = (const float *)(const void *)pyramid_images_level(images, 0, level,
                                                                                0);
        double worst = 0;
        for (uint32_t i = 0; i < plane.width * plane.height; i++) {
            worst = fmax(worst, fabs((double)texels[i] - (2 * plane.values[i] + 1)));
        }
        test_expect(worst < 2e-6 * largest * (level + 1),
                    "level %u of %ux%u with user %g %g %g %g is %g off", level, c->width, c->height,
                    (double)user[0], (double)user[1], (double)user[2], (double)user[3], worst);
    }
    plane_free(&plane);
}

// Constants of a run, positions, weights from 0 up, and values that weir_store() changes for the
// image only.
static void test_user(struct pyramid_memory *memory, uint32_t parts)
{
    static const float users[][4] = {
        {0, 1, 0, 1}, {0, 0, 1, 1}, {1, 0, 0, 3}, {1, 0.25f, -0.5f, 0}, {0.5f, 0, 1, 0.01f}};
    weir_pyramid *pyramid = create(
        memory->harness, weir_pyramid_params(CUSTOM(user_kernel), .format = VK_FORMAT_R32_SFLOAT));
    for (int i = 0; pyramid && i < 5 * NUM_SIZES; i++) {
        const struct pyramid_case c = {.method = WEIR_PYRAMID_SINGLE,
                                       .format = VK_FORMAT_R32_SFLOAT,
                                       .content = REF_CONTENT_SMOOTH,
                                       .width = sizes[i % NUM_SIZES].width,
                                       .height = sizes[i % NUM_SIZES].height};
        struct pyramid_images images = {.num_images = 0};
        if (parts & (i % NUM_SIZES < NUM_ODD ? HAS_ODD : HAS_EVEN) &&
            run(memory, &c, pyramid, users[i / NUM_SIZES], &images)) {
            compare_user(&images, &c, users[i / NUM_SIZES]);
        }
        pyramid_images_finish(&images);
    }
    weir_pyramid_destroy(&pyramid);
}

// A kernel is accepted with CUSTOM only, and CUSTOM with the one-dispatch method only.
static void test_wrong_use(struct harness *harness)
{
    for (int reduction = 0; reduction <= WEIR_PYRAMID_CUSTOM; reduction++) {
        for (int method = 0; method <= WEIR_PYRAMID_BLIT; method++) {
            const bool is_custom = reduction == WEIR_PYRAMID_CUSTOM;
            const bool is_one = method == WEIR_PYRAMID_AUTO || method == WEIR_PYRAMID_SINGLE;
            weir_pyramid *pyramid = NULL;
            const enum weir_result result = weir_pyramid_create(
                harness->context,
                weir_pyramid_params(.format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                    .reduction = (enum weir_pyramid_reduction)reduction,
                                    .method = (enum weir_pyramid_method)method,
                                    .kernel = mean_kernel, .kernel_size = sizeof(mean_kernel)),
                &pyramid);
            test_expect((result == WEIR_OK) == (is_custom && is_one) &&
                            !pyramid == (result != WEIR_OK),
                        "method %d with reduction %d and a kernel: %s", method, reduction,
                        weir_result_name(result));
            weir_pyramid_destroy(&pyramid);
        }
    }
}

void pyramid_test_custom(struct pyramid_runner *runner)
{
    const uint32_t both = HAS_ODD | HAS_EVEN;
    const uint32_t drawn = harness_random_below(runner->harness, 2) ? HAS_ODD : HAS_EVEN;
    test_mean(&runner->memory, runner->all);
    test_luma_max(&runner->memory, runner->all ? both : drawn);
    test_count(&runner->memory, runner->all ? both : both & ~drawn);
    test_user(&runner->memory,
              runner->all || harness_random_below(runner->harness, 2) ? HAS_ODD : HAS_EVEN);
    if (runner->all) {
        test_user(&runner->memory, HAS_EVEN);
    }
    test_wrong_use(runner->harness);
}
