// SPDX-License-Identifier: MIT
// Nonsense through the API of the core: a result, a code in the log, never a crash. NULL as an
// argument is null_test.c's.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include <weir/weir.h>

#include "tests/gpu/harness.h"
#include "tests/gpu/heard.h"

// `call` answers `result` and logs `code` once more than before.
#define EXPECT(h, call, result, code)                                                              \
    do {                                                                                           \
        const int before = (h)->log_codes[code];                                                   \
        const enum weir_result got = (call);                                                       \
        test_expect(got == (result), "%s: %s", #call, weir_result_name(got));                      \
        test_expect(!(code) || (h)->log_codes[code] == before + 1, "%s: no %s", #call, #code);     \
    } while (0)

#define INVALID(h, call, code) EXPECT(h, call, WEIR_ERROR_INVALID, WEIR_LOG_CODE_##code)
#define UNSUPPORTED(h, call, code) EXPECT(h, call, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_##code)

static void test_context(struct harness *h)
{
    weir_context *context = NULL;
    const struct weir_context_params good = *h->import;
#define BREAK(field, value, result, code)                                                          \
    do {                                                                                           \
        struct weir_context_params bad = good;                                                     \
        bad.field = value;                                                                         \
        result(h, weir_context_create(&bad, &context), code);                                      \
    } while (0)
    BREAK(instance, VK_NULL_HANDLE, INVALID, NULL_ARGUMENT);
    BREAK(physical_device, VK_NULL_HANDLE, INVALID, NULL_ARGUMENT);
    BREAK(device, VK_NULL_HANDLE, INVALID, NULL_ARGUMENT);
    BREAK(get_instance_proc_addr, NULL, INVALID, NULL_ARGUMENT);
    BREAK(features, NULL, INVALID, NULL_ARGUMENT);
    BREAK(api_version, VK_API_VERSION_1_1, UNSUPPORTED, VULKAN_VERSION);
    // families and queues that the device does not have
    struct weir_context_params queues = good;
    queues.graphics = h->host;
    queues.compute = queues.transfer[0] = queues.transfer[1] = h->host;
    for (int i = 0; i < 2 + WEIR_MAX_TRANSFER_QUEUES; i++) {
        struct weir_queue *queue = i == 0   ? &queues.graphics
                                   : i == 1 ? &queues.compute
                                            : &queues.transfer[i - 2];
        queue->family = 63; // inside of any table that a library may have
        INVALID(h, weir_context_create(&queues, &context), OUT_OF_RANGE);
        queue->family = UINT32_MAX;
        INVALID(h, weir_context_create(&queues, &context), OUT_OF_RANGE);
        queue->family = h->host.family;
        queue->index = UINT32_MAX;
        INVALID(h, weir_context_create(&queues, &context), OUT_OF_RANGE);
        *queue = h->host;
    }
    struct weir_context_params no_queue = good;
    no_queue.compute = no_queue.graphics = (struct weir_queue){0};
    UNSUPPORTED(h, weir_context_create(&no_queue, &context), MISSING_QUEUE);
    VkPhysicalDeviceFeatures2 plain = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    BREAK(features, &plain, UNSUPPORTED, MISSING_FEATURE);
}

static PFN_vkVoidFunction VKAPI_CALL old_instance_proc(VkInstance instance, const char *name)
{
    return strcmp(name, "vkGetPhysicalDeviceProperties2") ? vkGetInstanceProcAddr(instance, name)
                                                          : NULL;
}

// A host of an old Vulkan is told what to change.
static void test_version(struct harness *h)
{
    struct heard heard = {0};
    weir_context *context = NULL;
    struct weir_context_params params = *h->import;
    params.log = heard_log(&heard);
    params.api_version = VK_API_VERSION_1_1; // without the extensions that it needs
    heard_expect(&heard, "Vulkan 1.1", weir_context_create(&params, &context),
                 WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_VULKAN_VERSION,
                 "VkApplicationInfo::apiVersion (weir_context_params.api_version) is 1.1");
    params.get_instance_proc_addr = old_instance_proc;
    heard_expect(&heard, "Vulkan 1.0", weir_context_create(&params, &context),
                 WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FUNCTION,
                 "set VkApplicationInfo::apiVersion");
}

// A context says what it leaves behind. The images have no view: their memory is all they hold.
static void test_live(struct harness *h)
{
    struct heard heard = {0};
    weir_context *context = NULL;
    struct weir_context_params params = *h->import;
    params.log = heard_log(&heard);
    const struct weir_image_params image = {.image = (VkImage)(uintptr_t)64,
                                            .format = VK_FORMAT_R8G8B8A8_UNORM,
                                            .width = 8,
                                            .height = 8,
                                            .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    weir_image *images[3] = {NULL};
    enum weir_result result = weir_context_create(&params, &context);
    for (int i = 0; i < 3; i++) {
        test_expect(weir_image_create(context, &image, &images[i]) == WEIR_OK, "image %d", i);
    }
    weir_image_destroy(&images[2]);
    weir_context_destroy(&context);
    heard_expect(&heard, "weir_context_destroy", result, WEIR_OK, WEIR_LOG_CODE_LIVE_OBJECTS,
                 ": 2 images");
    free(images[0]);
    free(images[1]);
    result = weir_context_create(&params, &context);
    weir_context_destroy(&context);
    heard_expect(&heard, "weir_context_destroy", result, WEIR_OK, WEIR_LOG_CODE_NONE, "");
}

static bool has_astc(struct harness *h)
{
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(h->import->physical_device, &features);
    return features.textureCompressionASTC_LDR;
}

// The names in the import live as long as the device, not as those that were passed.
static void test_device_names(struct harness *h)
{
    char name[] = VK_KHR_MAINTENANCE1_EXTENSION_NAME;
    const char *const names[] = {name};
    weir_device *device = NULL;
    EXPECT(h,
           weir_device_create(weir_device_params(.device_extensions = names,
                                                 .num_device_extensions = 1, .log = h->import->log),
                              &device),
           WEIR_OK, 0);
    if (device) {
        memset(name, 'x', sizeof(name) - 1);
        test_expect(strcmp(weir_device_import(device)->device_extensions[0],
                           VK_KHR_MAINTENANCE1_EXTENSION_NAME) == 0,
                    "the import borrows names that are gone");
    }
    weir_device_destroy(&device);
}

#define DEVICE(...)                                                                                \
    weir_device_create(weir_device_params(.log = h->import->log, __VA_ARGS__), &device)

static void test_device(struct harness *h)
{
    weir_device *device = NULL;
    UNSUPPORTED(h, DEVICE(.index = 99), NO_DEVICE);
    static const char *const unknown[] = {"VK_WEIR_no_such_extension"};
    UNSUPPORTED(h, DEVICE(.instance_extensions = unknown, .num_instance_extensions = 1),
                MISSING_FEATURE);
    UNSUPPORTED(h, DEVICE(.device_extensions = unknown, .num_device_extensions = 1),
                MISSING_FEATURE);
    test_expect(!device, "a device after an error");
    // a feature that lavapipe, and most drivers for desktops, do not have
    static const VkPhysicalDeviceFeatures unusual = {.textureCompressionASTC_LDR = VK_TRUE};
    if (!has_astc(h)) {
        UNSUPPORTED(h, DEVICE(.features = &unusual), MISSING_FEATURE);
    }
    test_device_names(h);
    // a device without timeline semaphores
    EXPECT(h, DEVICE(.no_timeline = true), WEIR_OK, 0);
    weir_context *context = NULL;
    UNSUPPORTED(h, weir_context_create(weir_device_import(device), &context), MISSING_FEATURE);
    weir_device_destroy(&device);
    weir_device_destroy(&device); // which is NULL now
}

static void test_image(struct harness *h, const struct weir_gpu_image *image)
{
    weir_image *out = NULL;
    const struct weir_image_params good = image->params;
#define BREAK_IMAGE(field, value, result, code)                                                    \
    do {                                                                                           \
        struct weir_image_params bad = good;                                                       \
        bad.field = value;                                                                         \
        result(h, weir_image_create(h->context, &bad, &out), code);                                \
    } while (0)
    BREAK_IMAGE(image, VK_NULL_HANDLE, INVALID, NULL_ARGUMENT);
    BREAK_IMAGE(width, 0, INVALID, OUT_OF_RANGE);
    BREAK_IMAGE(height, 0, INVALID, OUT_OF_RANGE);
    BREAK_IMAGE(width, 1u << 30, INVALID, OUT_OF_RANGE);
    BREAK_IMAGE(usage, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, UNSUPPORTED, MISSING_USAGE);
    BREAK_IMAGE(levels, 5, INVALID, OUT_OF_RANGE); // 9x5 has four
    BREAK_IMAGE(layers, 1u << 30, INVALID, OUT_OF_RANGE);
    BREAK_IMAGE(format, VK_FORMAT_UNDEFINED, INVALID, NULL_ARGUMENT);
    BREAK_IMAGE(transfer, (enum weir_transfer)77, INVALID, UNKNOWN_VALUE);
}

#define ENCODER(...) weir_encoder_create(h->context, weir_encoder_params(__VA_ARGS__), &encoder)
#define BUFFER(...) weir_buffer_create(h->context, weir_buffer_params(__VA_ARGS__), &buffer)

static void test_encoder(struct harness *h, const weir_image *image)
{
    weir_encoder *encoder = NULL;
    const weir_image *rgba = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    const weir_image *packed = harness_like(h, VK_FORMAT_A2B10G10R10_UNORM_PACK32, 0, 0);
    const weir_image *halves = harness_like(h, VK_FORMAT_R16G16B16A16_SFLOAT, 0, 0);
    const weir_image *integers = harness_like(h, VK_FORMAT_R8G8B8A8_UINT, 0, 0);
    UNSUPPORTED(h, ENCODER(.like = integers), MISSING_FORMAT);
    INVALID(h, ENCODER(.codec = (enum weir_codec)55, .like = rgba), UNKNOWN_VALUE);
    INVALID(h, ENCODER(.decoder = (enum weir_decoder_model)55, .like = rgba), UNKNOWN_VALUE);
    INVALID(h, ENCODER(.codec = WEIR_CODEC_BC4, .effort = (enum weir_effort)5, .like = rgba),
            UNKNOWN_VALUE);
    UNSUPPORTED(h, ENCODER(.effort = WEIR_EFFORT_EXHAUSTIVE, .like = rgba), UNKNOWN_VALUE);
    UNSUPPORTED(h, ENCODER(.codec = WEIR_CODEC_BC6H_UF16, .like = rgba), MISSING_FORMAT);
    UNSUPPORTED(h, ENCODER(.codec = WEIR_CODEC_BC6H_SF16, .like = packed), MISSING_FORMAT);
    struct weir_gpu_buffer raw;
    harness_buffer_init(h, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, &raw);
    weir_buffer *buffer = NULL;
    INVALID(h, BUFFER(.size = 64), NULL_ARGUMENT);
    INVALID(h, BUFFER(.buffer = raw.buffer), OUT_OF_RANGE);
    INVALID(h, BUFFER(.buffer = raw.buffer, .size = 60, .offset = 1), OUT_OF_RANGE);
    UNSUPPORTED(h, BUFFER(.buffer = raw.buffer, .size = UINT64_MAX), DEVICE_LIMIT);
    INVALID(h, BUFFER(.buffer = raw.buffer, .size = 512, .offset = UINT64_MAX - 255), OUT_OF_RANGE);
    EXPECT(h, BUFFER(.buffer = raw.buffer, .size = 64), WEIR_OK, 0);
    EXPECT(h, ENCODER(.like = rgba), WEIR_OK, 0);
    test_expect(weir_encoder_reads(encoder, image) && !weir_encoder_reads(encoder, halves),
                "weir_encoder_reads");
    VkCommandBuffer cmd = harness_begin(h);
    const struct weir_encode encode = {.source = image, .buffer = buffer}; // of six blocks
    INVALID(h, weir_cmd_encode(encoder, cmd, &encode), BUFFER_TOO_SMALL);
    weir_encoder_destroy(&encoder);
    EXPECT(h, ENCODER(.like = halves), WEIR_OK, 0);
    INVALID(h, weir_cmd_encode(encoder, cmd, &encode), FORMAT_MISMATCH);
    harness_submit(h, cmd, NULL, 0);
    weir_encoder_destroy(&encoder);
    weir_buffer_destroy(&buffer);
    harness_buffer_finish(h, &raw);
}

static void test_readback(struct harness *h, const weir_image *image)
{
    weir_readback *readback = NULL;
#define BAD(...) weir_readback_create(h->context, weir_readback_params(__VA_ARGS__), &readback)
    INVALID(h, BAD(.size = 0), OUT_OF_RANGE);
    INVALID(h, BAD(.size = 64, .num_slots = 1), OUT_OF_RANGE);
    INVALID(h, BAD(.size = 64, .num_slots = 65), OUT_OF_RANGE);
    INVALID(h, BAD(.size = 64, .headroom = 257), OUT_OF_RANGE);
    INVALID(h, BAD(.size = 64, .first_size = 64), OUT_OF_RANGE);
    INVALID(h, BAD(.size = 64, .gap = 4), OUT_OF_RANGE);
    INVALID(h, BAD(.size = 64, .first_size = 16, .direct_size = 64), OUT_OF_RANGE);
    UNSUPPORTED(h, BAD(.size = 64, .direct_size = UINT64_MAX), DEVICE_LIMIT);
    INVALID(h, BAD(.size = 64, .first_size = 16, .gap = 257), OUT_OF_RANGE);
    UNSUPPORTED(h, BAD(.size = UINT64_C(1) << 40), DEVICE_LIMIT);
    EXPECT(h, BAD(.size = 64), WEIR_OK, 0);
    struct weir_slot slot;
    struct weir_frame frame = {
        .image = image, .layout = VK_IMAGE_LAYOUT_UNDEFINED, .queue_family = h->host.family};
    INVALID(h, weir_readback_begin(readback, &frame, &slot), OUT_OF_RANGE);
    frame.layout = VK_IMAGE_LAYOUT_GENERAL;
    frame.queue_family = 63;
    INVALID(h, weir_readback_begin(readback, &frame, &slot), OUT_OF_RANGE);
    test_expect(!weir_frame_changes_owner(&frame), "an owner that the device does not have");
    EXPECT(h, weir_readback_pass(readback, &frame, NULL), WEIR_OK, 0);
    frame.queue_family = VK_QUEUE_FAMILY_EXTERNAL;
    test_expect(weir_frame_changes_owner(&frame), "an owner outside of Vulkan");
    frame.layout = VK_IMAGE_LAYOUT_PREINITIALIZED;
    test_expect(!weir_frame_changes_owner(&frame), "a layout without contents");
    frame.queue_family = h->host.family;
    frame.layout = VK_IMAGE_LAYOUT_UNDEFINED;
    EXPECT(h, weir_readback_pass(readback, &frame, NULL), WEIR_OK, 0);
    struct weir_readback_data data;
    INVALID(h, weir_readback_wait(readback, 99, 0, &data), OUT_OF_RANGE);
    INVALID(h, weir_readback_wait(readback, 0, 0, &data), OUT_OF_RANGE);
    weir_readback_release(readback, 99);
    weir_readback_destroy(&readback);
}

// Blocks are copied to parts that the compressed image has, and nowhere else.
static void test_copy(struct harness *h, const weir_image *image)
{
    struct weir_gpu_buffer raw;
    harness_buffer_init(h, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, &raw);
    weir_buffer *buffer = NULL;
    weir_encoder *encoder = NULL;
    EXPECT(h, BUFFER(.buffer = raw.buffer, .size = 256), WEIR_OK, 0);
    EXPECT(h, ENCODER(.like = image), WEIR_OK, 0);
    // A compressed image of 16x8 texels, as far as its facts go: all its copies are refused.
    struct weir_image_params params = weir_image_get_params(image);
    params.format = VK_FORMAT_BC3_UNORM_BLOCK;
    params.width = 16;
    params.height = 8;
    params.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    weir_image *blocks = NULL;
    EXPECT(h, weir_image_create(h->context, &params, &blocks), WEIR_OK, 0);
    static const VkOffset2D wrong[] = {
        {-4, 0},         {0, -4},         {INT32_MIN, 0}, {0, INT32_MIN}, {16, 0},
        {0, 8},          {1 << 30, 0},    {0, 1 << 30},   {8, 0}, // 9 texels of 8
        {0, 4},                                                   // 5 texels of 4
        {0x7ffffffc, 0}, {0, 0x7ffffffc}, {0, 0}, // 9 texels end neither with a block nor the image
        {1, 0},          {0, 2}};
    VkCommandBuffer cmd = harness_begin(h);
    const struct weir_encode encode = {.source = image, .buffer = buffer};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        const struct weir_block_copy copy = {.image = blocks, .offset = wrong[i]};
        INVALID(h, weir_cmd_copy_blocks(encoder, cmd, &encode, &copy), OUT_OF_RANGE);
    }
    harness_submit(h, cmd, NULL, 0);
    weir_image_destroy(&blocks);
    weir_encoder_destroy(&encoder);
    weir_buffer_destroy(&buffer);
    harness_buffer_finish(h, &raw);
}

// Objects of another context on the same device are refused.
static void test_other_context(struct harness *h, const struct weir_gpu_image *image)
{
    weir_context *other = NULL;
    weir_image *ours = harness_wrap(h, image, WEIR_TRANSFER_DEFAULT), *theirs = NULL;
    TEST_MUST(weir_context_create(h->import, &other));
    const struct weir_image_params params = weir_image_get_params(ours);
    EXPECT(h, weir_image_create(other, &params, &theirs), WEIR_OK, 0);
    struct weir_gpu_buffer raw;
    harness_buffer_init(h, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, &raw);
    weir_buffer *our_buffer = NULL, *their_buffer = NULL;
    const struct weir_buffer_params of_buffer = {.buffer = raw.buffer, .size = 256};
    EXPECT(h, weir_buffer_create(h->context, &of_buffer, &our_buffer), WEIR_OK, 0);
    EXPECT(h, weir_buffer_create(other, &of_buffer, &their_buffer), WEIR_OK, 0);
    weir_encoder *encoder = NULL;
    EXPECT(h, ENCODER(.like = theirs), WEIR_OK, 0);
    test_expect(weir_encoder_reads(encoder, ours) && !weir_encoder_reads(encoder, theirs),
                "weir_encoder_reads of another context");
    VkCommandBuffer cmd = harness_begin(h);
    INVALID(h,
            weir_cmd_encode(encoder, cmd,
                            WEIR_REF(weir_encode, .source = theirs, .buffer = our_buffer)),
            OUT_OF_RANGE);
    const struct weir_encode foreign = {.source = ours, .buffer = their_buffer};
    INVALID(h, weir_cmd_encode(encoder, cmd, &foreign), OUT_OF_RANGE);
    const struct weir_encode good = {.source = ours, .buffer = our_buffer};
    INVALID(h,
            weir_cmd_copy_blocks(encoder, cmd, &good, WEIR_REF(weir_block_copy, .image = theirs)),
            OUT_OF_RANGE);
    harness_submit(h, cmd, NULL, 0);
    weir_encoder_destroy(&encoder);
    weir_buffer_destroy(&their_buffer);
    weir_buffer_destroy(&our_buffer);
    harness_buffer_finish(h, &raw);
    weir_image_destroy(&theirs);
    weir_image_destroy(&ours);
    weir_context_destroy(&other);
}

int main(void)
{
    struct harness h;
    harness_init(&h, false);
    test_context(&h);
    test_version(&h);
    test_live(&h);
    test_device(&h);
    static const uint8_t texels[9 * 5 * 4];
    struct weir_gpu_image image;
    harness_image_init(&h, VK_FORMAT_R8G8B8A8_UNORM, 9, 5, VK_IMAGE_USAGE_SAMPLED_BIT, 0, texels, 4,
                       VK_IMAGE_LAYOUT_GENERAL, &image);
    test_image(&h, &image);
    weir_image *wrapped = harness_wrap(&h, &image, WEIR_TRANSFER_DEFAULT);
    test_encoder(&h, wrapped);
    test_readback(&h, wrapped);
    test_copy(&h, wrapped);
    test_other_context(&h, &image);
    weir_image_destroy(&wrapped);
    harness_image_finish(&h, &image);
    return harness_finish(&h);
}
