// SPDX-License-Identifier: MIT
// A generator of mip levels makes those of the reference, of images of several formats and sizes
// that are in flight together, and uses its descriptors again without a wait.
#include <string.h>

#include <vulkan/vulkan.h>

#include <weir/mips.h>

#include "tests/gpu/pyramid_test.h"

enum { NUM_IN_FLIGHT = 3 };

// One of the images of a submission.
struct texture {
    struct pyramid_case c;
    struct pyramid_memory memory;
    struct pyramid_images images;
    weir_pyramid *pyramid; // whose target says where the reference rounds
    weir_pyramid_target *target;
};

static void texture_init(struct pyramid_runner *runner, struct texture *texture)
{
    struct pyramid_case *c = &texture->c;
    texture->memory.harness = runner->harness;
    TEST_MUST(weir_pyramid_create(
        runner->harness->context,
        weir_pyramid_params(.method = c->method, .format = c->format, .reduction = c->reduction),
        &texture->pyramid));
    pyramid_images_init(&texture->memory, c, texture->pyramid, harness_random(runner->harness),
                        NULL, &texture->images);
    TEST_MUST(
        pyramid_images_create_target(&texture->images, c, texture->pyramid, &texture->target));
}

static void texture_finish(struct texture *texture)
{
    weir_pyramid_target_destroy(&texture->target);
    weir_pyramid_destroy(&texture->pyramid);
    pyramid_images_finish(&texture->images);
    pyramid_memory_finish(&texture->memory);
}

static struct weir_image_params params_of(const struct texture *texture)
{
    const struct ref_pyramid *ref = &texture->images.ref;
    return (struct weir_image_params){
        .image = texture->images.levels[0],
        .format = ref->format,
        .width = ref->width,
        .height = ref->height,
        .levels = ref->levels,
        .layers = ref->layers,
        .usage = weir_pyramid_get_scope(texture->pyramid).usage,
        .flags = weir_pyramid_format_get_info(ref->format)->flags,
    };
}

static const struct weir_mips_uses uses = {
    .src_layout = VK_IMAGE_LAYOUT_GENERAL,
    .src_stages = VK_PIPELINE_STAGE_2_TRANSFER_BIT,
    .src_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
    .dst_layout = VK_IMAGE_LAYOUT_GENERAL,
    .dst_stages = VK_PIPELINE_STAGE_2_TRANSFER_BIT,
    .dst_access = VK_ACCESS_2_TRANSFER_READ_BIT,
};

// Make the levels of some textures in one submission, and compare them.
static void test_batch(struct pyramid_runner *runner, weir_mips *mips,
                       enum weir_pyramid_reduction reduction, const struct pyramid_case *cases,
                       int num)
{
    struct texture textures[NUM_IN_FLIGHT] = {0};
    for (int i = 0; i < num; i++) {
        textures[i].c = cases[i];
        textures[i].c.reduction = reduction;
        textures[i].c.is_exact = true;
        texture_init(runner, &textures[i]);
    }
    VkCommandBuffer cmd = harness_begin(runner->harness);
    for (int i = 0; i < num; i++) {
        const struct weir_image_params image = params_of(&textures[i]);
        pyramid_images_cmd_upload(&textures[i].images, cmd);
        test_expect(weir_cmd_generate_mips(mips, cmd, &image, &uses) == WEIR_OK, "image %d", i);
        pyramid_images_cmd_download(&textures[i].images, cmd);
    }
    harness_submit(runner->harness, cmd, NULL, 0);
    for (int i = 0; i < num; i++) {
        pyramid_compare(&textures[i].images, &textures[i].c);
        runner->num_cases++;
        texture_finish(&textures[i]);
    }
}

static weir_mips *create(weir_context *context, enum weir_pyramid_reduction reduction)
{
    weir_mips *mips = NULL;
    TEST_MUST(
        weir_mips_create(context,
                         weir_mips_params(.reduction = reduction, .max_in_flight = NUM_IN_FLIGHT,
                                          .precision = WEIR_PYRAMID_PRECISION_EXACT),
                         &mips));
    return mips;
}

// The height, and what else a case has.
#define GENERAL(name, w, ...)                                                                      \
    {                                                                                              \
        .method = WEIR_PYRAMID_GENERAL, .format = VK_FORMAT_##name, .width = w,                    \
        .height = __VA_ARGS__                                                                      \
    }

static void test_kernels(struct pyramid_runner *runner)
{
    static const struct pyramid_case first[NUM_IN_FLIGHT] = {
        GENERAL(R8G8B8A8_SRGB, 203, 117), GENERAL(R8G8B8A8_UNORM, 64, 64, .layers = 6),
        GENERAL(R16G16B16A16_SFLOAT, 37, 1, .content = REF_CONTENT_SMOOTH)};
    static const struct pyramid_case second[NUM_IN_FLIGHT] = {
        GENERAL(R16G16B16A16_SFLOAT, 1, 1), GENERAL(R8G8B8A8_SRGB, 1, 130, .layers = 2),
        GENERAL(R8G8B8A8_SRGB, 300, 200, .levels = 4, .content = REF_CONTENT_ALPHA)};
    static const enum weir_pyramid_reduction reductions[] = {WEIR_PYRAMID_MEAN,
                                                             WEIR_PYRAMID_ALPHA_MEAN};
    for (int i = 0; i < 2; i++) {
        weir_mips *mips = create(runner->harness->context, reductions[i]);
        test_batch(runner, mips, reductions[i], first, NUM_IN_FLIGHT);
        test_batch(runner, mips, reductions[i], second, 2); // one more slot, then the first again
        test_batch(runner, mips, reductions[i], second, NUM_IN_FLIGHT);
        weir_mips_destroy(&mips);
    }
}

// A device without the features of kernels has blits.
static void test_blits(struct pyramid_runner *runner)
{
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .timelineSemaphore = VK_TRUE};
    const VkPhysicalDeviceFeatures2 few = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                           .pNext = &v12};
    static const struct pyramid_case even = {
        .method = WEIR_PYRAMID_BLIT, .format = VK_FORMAT_R8G8B8A8_UNORM, .width = 64, .height = 32};
    struct weir_context_params params = *runner->harness->import;
    params.features = &few;
    weir_context *context = NULL;
    TEST_MUST(weir_context_create(&params, &context));
    weir_mips *mips = create(context, WEIR_PYRAMID_MEAN);
    test_batch(runner, mips, WEIR_PYRAMID_MEAN, &even, 1);
    weir_mips_destroy(&mips);
    weir_context_destroy(&context);
}

static void expect_refused(struct pyramid_runner *runner, weir_mips *mips, VkCommandBuffer cmd,
                           const struct weir_image_params *image, enum weir_result result,
                           enum weir_log_code code)
{
    const int before = runner->harness->log_codes[code];
    test_expect(weir_cmd_generate_mips(mips, cmd, image, NULL) == result &&
                    runner->harness->log_codes[code] == before + 1,
                "an image is not refused with code %d", (int)code);
}

static void test_refused(struct pyramid_runner *runner)
{
    weir_context *context = runner->harness->context;
    weir_mips *mips = NULL;
    test_expect(weir_mips_create(context, weir_mips_params(.max_in_flight = 1025), &mips) ==
                    WEIR_ERROR_INVALID,
                "1025 calls in flight");
    test_expect(weir_mips_create(context, weir_mips_params(.reduction = WEIR_PYRAMID_CUSTOM),
                                 &mips) == WEIR_ERROR_INVALID,
                "a kernel that is not there");
    mips = create(context, WEIR_PYRAMID_MEAN);
    struct texture texture = {.c = GENERAL(R8G8B8A8_SRGB, 8, 8)};
    texture_init(runner, &texture);
    const struct weir_image_params good = params_of(&texture);
    VkCommandBuffer cmd = harness_begin(runner->harness);
    struct weir_image_params bad = good;
    bad.format = VK_FORMAT_BC7_SRGB_BLOCK;
    expect_refused(runner, mips, cmd, &bad, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT);
    bad = good;
    bad.flags = 0;
    expect_refused(runner, mips, cmd, &bad, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_USAGE);
    bad = good;
    bad.levels = 5;
    expect_refused(runner, mips, cmd, &bad, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE);
    weir_gpu_discard(runner->harness->gpu, cmd);
    weir_mips_destroy(&mips);
    texture_finish(&texture);
}

void pyramid_test_mips(struct pyramid_runner *runner)
{
    test_kernels(runner);
    if (!runner->no_blits) {
        test_blits(runner);
    }
    test_refused(runner);
}
