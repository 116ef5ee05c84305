// SPDX-License-Identifier: MIT
// sRGB chains against float64, by method: decoded by the device, and in kernels by PRECISION_EXACT.
//
// With it a dispatch makes the nearest code of what it reads, which is the bar of
// pyramid_compare(). Methods of several dispatches read levels that were stored, and each dispatch
// but the first adds its rounding to the distance from a chain that is rounded nowhere: half a code
// at most, as a mean of light does not amplify an error of codes. (Let all codes under a texel be
// off by the same. Then the mean is off by that times the mean slope of decoding over the slope at
// the mean, and the slope is a concave function of light, but for codes up to 30, where it is up to
// 1.32 times that.)
#include <stdio.h>

#include "tests/gpu/heard.h"
#include "tests/gpu/pyramid_test.h"
#include "tests/ref/pyramid_compare.h"

// One odd size, and one whose sides halve without a rest. With --all screens and powers of two.
struct size {
    uint32_t width, height, last_level;
};
static const struct size small[] = {{117, 101, 0}, {96, 160, 5}};
static const struct size large[] = {{1920, 1080, 0}, {2048, 2048, 0}};

static uint32_t num_bits(uint32_t bits)
{
    uint32_t num = 0;
    for (; bits != 0; bits &= bits - 1) {
        num++;
    }
    return num;
}

// Add the errors of the last case against a chain that is rounded nowhere but in its results.
static void measure(struct pyramid_runner *runner, const struct pyramid_case *c,
                    struct ref_pyramid_errors *errors)
{
    const struct pyramid_images *images = &runner->images;
    const double num_dispatches = 1 + num_bits(images->ref.read_back);
    struct ref_pyramid chain = images->ref;
    chain.read_back = REF_PYRAMID_CONTINUOUS;
    if (!ref_pyramid_measure(&chain, pyramid_images_downloaded(images, 0), errors)) {
        pyramid_fail(images, c, "no memory");
    } else if (c->is_exact && !(errors->max <= 0.5 * num_dispatches + 0.002)) {
        char text[128];
        snprintf(text, sizeof(text), "%.3f codes from the whole chain by %.0f dispatches",
                 errors->max, num_dispatches);
        pyramid_fail(images, c, text);
    }
}

static void test_method(struct pyramid_runner *runner, enum weir_pyramid_method method,
                        const struct size *size, bool is_exact)
{
    static const enum ref_pyramid_content contents[] = {REF_CONTENT_RANDOM, REF_CONTENT_SMOOTH,
                                                        REF_CONTENT_STEPS};
    struct ref_pyramid_errors errors = {0};
    for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
        const struct pyramid_case c = {.method = method,
                                       .format = VK_FORMAT_R8G8B8A8_SRGB,
                                       .width = size->width,
                                       .height = size->height,
                                       .last_level = size->last_level,
                                       .content = contents[i],
                                       .is_exact = is_exact};
        if (pyramid_run_on(runner, &c, NULL) && pyramid_compare(&runner->images, &c)) {
            measure(runner, &c, &errors);
        }
    }
    if (errors.num > 0) {
        printf("%4ux%-4u %-9s %-7s %.3f codes at most, %.3f %% not the nearest\n", size->width,
               size->height, weir_pyramid_method_get_info(method)->name,
               is_exact ? "exact" : "device", errors.max,
               100.0 * (double)errors.num_not_nearest / (double)errors.num);
    }
}

// The exact option by every method at a size, but not by HYBRID, whose kernels others have; with
// --all by that too, at two sizes, and beside each the device's decoding. --subgroups: SINGLE
// shuffles among 32 invocations or more, which software devices do not have.
static void test_methods(struct pyramid_runner *runner)
{
    const struct size *sizes = runner->all ? large : small;
    for (int m = 0; m < PYRAMID_NUM_METHODS; m++) {
        const enum weir_pyramid_method method = pyramid_methods[m];
        const bool is_even = pyramid_needs_even_sides(method);
        if (runner->subgroups ? !is_even : method == WEIR_PYRAMID_HYBRID && !runner->all) {
            continue;
        }
        for (int s = is_even; s < 2 && (runner->all || s == is_even); s++) {
            if (runner->all) {
                test_method(runner, method, &sizes[s], false);
            }
            test_method(runner, method, &sizes[s], true);
        }
    }
}

// A source's codes are decoded, also where the levels are no codes; and no others are.
static void test_sources(struct pyramid_runner *runner)
{
    static const VkFormat formats[][2] = {
        {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R16G16B16A16_SFLOAT},
        {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB},
    };
    for (int i = 0; i < 2; i++) {
        pyramid_run(runner, &(struct pyramid_case){.method = WEIR_PYRAMID_PER_LEVEL,
                                                   .source_format = formats[i][0],
                                                   .format = formats[i][1],
                                                   .width = 117,
                                                   .height = 101,
                                                   .levels = 1,
                                                   .source_above = i == 1,
                                                   .is_exact = true});
    }
}

struct errors {
    struct harness *harness;
    struct heard heard;
    weir_context *context;
};

static weir_pyramid *create(struct errors *e, const struct weir_pyramid_params *params,
                            enum weir_result result, enum weir_log_code code, const char *word)
{
    weir_pyramid *pyramid = NULL;
    const enum weir_result got = weir_pyramid_create(e->context, params, &pyramid);
    heard_expect(&e->heard, "weir_pyramid_create", got, result, code, word);
    return pyramid;
}

// A source without the flag that a view of its codes needs.
static void test_source_flags(struct errors *e)
{
    const VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
    const VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    static const uint8_t texels[6 * 5 * 4];
    struct weir_gpu_image image;
    harness_image_init(e->harness, format, 6, 5, usage, 0, texels, 4,
                       VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, &image);
    weir_pyramid *pyramid = create(
        e,
        weir_pyramid_params(.method = WEIR_PYRAMID_PER_LEVEL, .format = VK_FORMAT_R32_SFLOAT,
                            .source_format = format, .precision = WEIR_PYRAMID_PRECISION_EXACT),
        WEIR_OK, 0, "");
    weir_image *levels = NULL, *source = NULL;
    weir_image_create(e->context,
                      weir_image_params(.image = image.params.image, .width = 6, .height = 5,
                                        .format = VK_FORMAT_R32_SFLOAT,
                                        .usage = usage | VK_IMAGE_USAGE_STORAGE_BIT),
                      &levels);
    weir_image_create(e->context,
                      weir_image_params(.image = image.params.image, .width = 6, .height = 5,
                                        .format = format, .usage = usage),
                      &source);
    weir_pyramid_target *target = NULL;
    const enum weir_result got = weir_pyramid_target_create(
        pyramid,
        weir_pyramid_target_params(.images = (const weir_image *const[]){levels},
                                   .sources = (const weir_image *const[]){source}),
        &target);
    heard_expect(&e->heard, "weir_pyramid_target_create", got, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_USAGE, "MUTABLE_FORMAT");
    weir_pyramid_target_destroy(&target);
    weir_image_destroy(&levels);
    weir_image_destroy(&source);
    weir_pyramid_destroy(&pyramid);
    harness_image_finish(e->harness, &image);
}

static void test_errors(struct harness *harness)
{
    struct errors e = {.harness = harness};
    struct weir_context_params params = *harness->import;
    params.log = heard_log(&e.heard);
    TEST_MUST(weir_context_create(&params, &e.context));
    const VkFormat format = VK_FORMAT_R8G8B8A8_SRGB;
    create(&e, weir_pyramid_params(.format = format, .precision = (enum weir_pyramid_precision)3),
           WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE, "precision 3");
    create(&e,
           weir_pyramid_params(.format = format, .precision = WEIR_PYRAMID_PRECISION_EXACT,
                               .method = WEIR_PYRAMID_BLIT),
           WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE, "blits");
    create(&e,
           weir_pyramid_params(.format = format, .precision = WEIR_PYRAMID_PRECISION_EXACT,
                               .source_format = VK_FORMAT_A8B8G8R8_SRGB_PACK32),
           WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT, "PRECISION_EXACT needs");
    test_source_flags(&e);
    weir_context_destroy(&e.context);
}

void pyramid_test_srgb(struct pyramid_runner *runner)
{
    test_methods(runner);
    if (!runner->subgroups) {
        test_sources(runner);
        test_errors(runner->harness);
    }
}
