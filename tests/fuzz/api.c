// SPDX-License-Identifier: MIT
// Calls of the API with any numbers, on any device: a call answers with a result that its header
// names, makes an object or none, says why it refuses, and hands the device nothing that Vulkan
// forbids; at the end no object of the device is left.
#include <stdlib.h>
#include <string.h>

#include <weir/weir.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/stub_device.h"

enum { MAX_OBJECTS = 4, MAX_CALLS = 64, MAX_IMAGES = 64, NUM_SEEDS = 64 };

static struct {
    struct fuzz_bytes bytes;
    weir_context *context;
    int num; // of the objects of each kind, which fill the tables from the start
    weir_image *images[MAX_OBJECTS];
    weir_buffer *buffers[MAX_OBJECTS];
    weir_encoder *encoders[MAX_OBJECTS];
    weir_palette *palettes[MAX_OBJECTS];
    weir_pyramid *pyramids[MAX_OBJECTS];
    weir_pyramid_target *targets[MAX_OBJECTS];
    weir_readback *readbacks[MAX_OBJECTS];
    weir_capture *captures[MAX_OBJECTS];
} state;

static uint8_t take_u8(void)
{
    return fuzz_take_u8(&state.bytes);
}

// A number: small, at an edge, or any.
static uint32_t number(void)
{
    static const uint32_t edges[] = {
        31,         32,        33,       64,       255,        256,        257,
        4095,       4096,      16384,    16385,    65535,      65536,      65537,
        0x7ffffffc, INT32_MAX, 1u << 31, 1u << 24, UINT32_MAX, 0xfffffffc, 1u << 30};
    const uint8_t kind = take_u8();
    return kind < 160   ? kind % 20
           : kind < 224 ? edges[kind % (sizeof(edges) / sizeof(edges[0]))]
                        : fuzz_take_u32(&state.bytes);
}

static uint64_t large(void)
{
    const uint64_t low = number();
    return take_u8() < 224 ? low : low << 32 | number();
}

// The value that most callers give, or any. Most calls are to get past their checks.
static uint32_t mostly(uint32_t usual)
{
    return take_u8() < 244 ? usual : number();
}

// A side, mostly one that images have.
static uint32_t side(void)
{
    const uint8_t kind = take_u8();
    return kind < 160 ? 16 : kind < 244 ? 1u + kind % 64 : number();
}

static VkFormat format(void)
{
    static const VkFormat known[] = {
        VK_FORMAT_R8G8B8A8_UNORM,      VK_FORMAT_R8G8B8A8_SRGB,       VK_FORMAT_B8G8R8A8_SRGB,
        VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R32_SFLOAT,          VK_FORMAT_R8G8B8A8_SNORM,
        VK_FORMAT_BC3_UNORM_BLOCK,     VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_D32_SFLOAT};
    const uint8_t kind = take_u8();
    return kind < 160   ? VK_FORMAT_R8G8B8A8_UNORM
           : kind < 248 ? known[kind % (sizeof(known) / sizeof(known[0]))]
                        : (VkFormat)number();
}

static VkImageUsageFlags usage(void)
{
    const VkImageUsageFlags most = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                   VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                   VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    const uint8_t kind = take_u8();
    return kind < 240 ? most : kind;
}

// A handle of the host's, or none.
#define HANDLE(type) (take_u8() < 252 ? STUB_HANDLE(type) : (type)VK_NULL_HANDLE)
// An object of a table, or NULL.
#define PICK(table) (state.table[pick((void **)state.table)])
static int pick(void **table)
{
    const uint8_t kind = take_u8();
    const int place = kind % MAX_OBJECTS;
    return kind < 248 && !table[place] ? 0 : place;
}

// A place for a new object: one that is free, else NULL.
#define FREE_PLACE(table) free_place((void **)state.table)
static void **free_place(void **table)
{
    for (int i = 0; i < MAX_OBJECTS; i++) {
        if (!table[i]) {
            return &table[i];
        }
    }
    return NULL;
}

static void expect_known(enum weir_result result)
{
    fuzz_expect(strcmp(weir_result_name(result), "unknown weir_result") != 0, "result %d is known",
                (int)result);
}

// An object after WEIR_OK, else none and a reason. Warnings may come with an object.
static void expect_made(enum weir_result result, const void *object, unsigned errors_before)
{
    expect_known(result);
    fuzz_expect((result == WEIR_OK) == (object != NULL), "an object or an error: %s",
                weir_result_name(result));
    fuzz_expect(result == WEIR_OK || result == WEIR_ERROR_DEVICE_LOST ||
                    fuzz_num_errors() > errors_before,
                "%s has a reason in the log", weir_result_name(result));
}
#define CREATE(table, type, call)                                                                  \
    do {                                                                                           \
        void **place = FREE_PLACE(table);                                                          \
        if (place) {                                                                               \
            type *object = (type *)&state;                                                         \
            const unsigned before = fuzz_num_errors();                                             \
            const enum weir_result result = call;                                                  \
            expect_made(result, object, before);                                                   \
            *place = object;                                                                       \
        }                                                                                          \
    } while (0)

static void make_device(void)
{
    static const uint32_t sides[] = {64, 4096, 16384};
    static const uint32_t layers[] = {1, 256, 2048};
    static const uint32_t ranges[] = {1 << 16, 1 << 27, UINT32_MAX};
    static const uint32_t storage_images[] = {4, 32, 64, 1 << 20};
    static const VkResult faults[] = {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,
                                      VK_ERROR_DEVICE_LOST, VK_ERROR_UNKNOWN};
    struct stub_device device = {
        .limits = {.maxImageDimension2D = sides[take_u8() % 3],
                   .maxImageArrayLayers = layers[take_u8() % 3],
                   .maxStorageBufferRange = ranges[take_u8() % 3],
                   .maxPerStageDescriptorStorageImages = storage_images[take_u8() % 4],
                   .maxPerStageDescriptorStorageBuffers = mostly(64),
                   .maxPerStageDescriptorSampledImages = mostly(1 << 10),
                   .maxPerStageResources = mostly(200),
                   .maxComputeWorkGroupCount = {65535, 65535, 65535},
                   .minStorageBufferOffsetAlignment = 1u << take_u8() % 9,
                   .timestampPeriod = 1},
        .format_features = take_u8() < 224 ? ~0u : fuzz_take_u32(&state.bytes),
        .subgroup = {.subgroupSize = 1u << take_u8() % 8,
                     .supportedStages = VK_SHADER_STAGE_ALL,
                     .supportedOperations = take_u8() < 224 ? ~0u : take_u8()},
        .type = take_u8() % 2 ? VK_PHYSICAL_DEVICE_TYPE_CPU : VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
        .num_families = 1 + take_u8() % STUB_MAX_FAMILIES,
        .fault = faults[take_u8() % 4],
    };
    device.calls_until_fault = take_u8() < 192 ? 0 : number() % 2000;
    for (uint32_t i = 0; i < device.num_families; i++) {
        device.families[i] = (VkQueueFamilyProperties){
            .queueFlags = VK_QUEUE_COMPUTE_BIT | (take_u8() % 2 ? VK_QUEUE_GRAPHICS_BIT : 0),
            .queueCount = 1 + take_u8() % 3,
            .timestampValidBits = take_u8() % 65};
    }
    stub_device_init(&device);
}

// Mostly 0, else one that the device may have, or the last numbers that there are.
static uint32_t index_of_queue(void)
{
    const uint8_t kind = take_u8();
    return kind < 208 ? 0 : kind < 232 ? kind % 6 : UINT32_MAX - kind % 4;
}

static struct weir_queue queue(void)
{
    const uint8_t kind = take_u8();
    return (struct weir_queue){
        .queue = kind < 160 ? STUB_HANDLE(VkQueue) : VK_NULL_HANDLE,
        .family = index_of_queue(),
        .index = index_of_queue(),
    };
}

static void make_context(void)
{
    VkPhysicalDeviceVulkan12Features core12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .timelineSemaphore = take_u8() < 250,
        .shaderBufferInt64Atomics = take_u8() % 2};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &core12};
    memset(&features.features, take_u8() < 224, sizeof(features.features));
    const struct weir_context_params params = {
        .instance = HANDLE(VkInstance),
        .physical_device = HANDLE(VkPhysicalDevice),
        .device = HANDLE(VkDevice),
        .get_instance_proc_addr = take_u8() < 250 ? stub_device_proc : NULL,
        .api_version = take_u8() < 224 ? 0 : number(),
        .num_device_extensions = take_u8() < 250 ? 0 : number(),
        .num_instance_extensions = take_u8() < 250 ? 0 : number(),
        .features = take_u8() < 250 ? &features : NULL,
        .graphics = queue(),
        .compute = queue(),
        .log = fuzz_log,
    };
    const unsigned before = fuzz_num_errors();
    const enum weir_result result = weir_context_create(&params, &state.context);
    expect_made(result, state.context, before);
}

static void create_image(void)
{
    const struct weir_image_params params = {
        .image = HANDLE(VkImage),
        .format = format(),
        .width = side(),
        .height = side(),
        .levels = mostly(take_u8() % 3),
        .layers = mostly(take_u8() % 3),
        .usage = usage(),
        .flags = take_u8() % 2 ? 0 : ~0u,
        .concurrent = take_u8() % 2,
        .transfer = (enum weir_transfer)mostly(0),
    };
    CREATE(images, weir_image, weir_image_create(state.context, &params, &object));
}

static void create_buffer(void)
{
    const struct weir_buffer_params params = {
        .buffer = HANDLE(VkBuffer),
        .offset = take_u8() < 244 ? 0 : large(),
        .size = take_u8() < 244 ? 1 << 16 : large(),
    };
    CREATE(buffers, weir_buffer, weir_buffer_create(state.context, &params, &object));
}

static void create_encoder(void)
{
    const struct weir_encoder_params params = {
        .codec = (enum weir_codec)mostly(take_u8() % 20),
        .decoder = (enum weir_decoder_model)mostly(0),
        .effort = (enum weir_effort)mostly(take_u8() % 3),
        .like = PICK(images),
        .bc1_black = take_u8() % 32 == 0,
        .bc1_dither = take_u8() % 32 == 0,
    };
    CREATE(encoders, weir_encoder, weir_encoder_create(state.context, &params, &object));
}

// An image of that format where there is one.
static const weir_image *like_format(VkFormat wanted)
{
    for (int i = 0; i < MAX_OBJECTS; i++) {
        if (weir_image_get_params(state.images[i]).format == wanted && take_u8() < 240) {
            return state.images[i];
        }
    }
    return PICK(images);
}

static VkRect2D rect(void)
{
    if (take_u8() < 200) {
        return (VkRect2D){0};
    }
    return (VkRect2D){{(int32_t)number(), (int32_t)number()}, {number(), number()}};
}

static void encode(void)
{
    const weir_encoder *encoder = PICK(encoders);
    const struct weir_encode params = {
        .source = PICK(images),
        .buffer = PICK(buffers),
        .offset = take_u8() < 244 ? 0 : large(),
        .level = mostly(0),
        .num_levels = mostly(take_u8() % 2),
        .layer = mostly(0),
        .num_layers = mostly(take_u8() % 2),
        .rect = rect(),
    };
    const struct weir_codec_info *codec = weir_codec_get_info(
        weir_encoder_get_params(encoder).codec);
    const struct weir_block_copy copy = {
        .image = like_format(codec->format),
        .level = mostly(0),
        .layer = mostly(0),
        .offset = {(int32_t)mostly(0), (int32_t)mostly(0)},
    };
    VkCommandBuffer cmd = HANDLE(VkCommandBuffer);
    const enum weir_result encoded = weir_cmd_encode(encoder, cmd, &params);
    const uint64_t size = weir_encode_size(encoder, &params);
    const enum weir_result copied = weir_cmd_copy_blocks(encoder, cmd, &params, &copy);
    fuzz_expect(encoded == WEIR_OK || encoded == WEIR_ERROR_INVALID, "an encode");
    fuzz_expect(copied == WEIR_OK || copied == WEIR_ERROR_INVALID, "a copy");
    fuzz_expect(
        encoded != WEIR_OK ||
            (size > 0 && size <= weir_buffer_get_params(params.buffer).size - params.offset),
        "blocks fit into their buffer");
    fuzz_expect(copied != WEIR_OK || encoded == WEIR_OK, "what is copied was encoded");
}

static void create_readback(void)
{
    const struct weir_readback_params params = {
        .size = take_u8() < 240 ? UINT64_C(1) + take_u8() : large(),
        .num_slots = mostly(take_u8() % 4 + 2),
        .headroom = mostly(0),
    };
    CREATE(readbacks, weir_readback, weir_readback_create(state.context, &params, &object));
}

static struct weir_frame frame(void)
{
    return (struct weir_frame){
        .image = PICK(images),
        .layout = (VkImageLayout)mostly(VK_IMAGE_LAYOUT_GENERAL),
        .queue_family = mostly(0),
        .wait = {.semaphore = HANDLE(VkSemaphore), .value = number()},
        .signal = HANDLE(VkSemaphore),
        .time_ns = (int64_t)large(),
    };
}

static void read_back(void)
{
    weir_readback *readback = PICK(readbacks);
    const struct weir_frame given = frame();
    struct weir_slot slot = {.index = number()};
    struct weir_point released;
    struct weir_readback_data data;
    weir_cmd_frame_release(&given, STUB_HANDLE(VkCommandBuffer), 1, 1);
    const enum weir_result begun = weir_readback_begin(readback, &given, &slot);
    expect_known(begun);
    if (begun != WEIR_OK) {
        expect_known(weir_readback_pass(readback, &given, take_u8() % 2 ? &released : NULL));
    }
    slot.keep = take_u8() % 2;
    slot.index = take_u8() < 224 ? slot.index : number();
    fuzz_expect(begun != WEIR_OK || take_u8() % 2 || weir_slot_buffer(readback, &slot) ||
                    slot.index > 64 || slot.index >= weir_readback_get_params(readback).num_slots,
                "a slot has a buffer");
    expect_known(weir_readback_submit(readback, &slot, &released));
    const uint32_t waited = take_u8() < 224 ? slot.index : number();
    expect_known(weir_readback_wait(readback, waited, take_u8(), &data));
    weir_readback_release(readback, waited);
    weir_cmd_frame_acquire(&given, STUB_HANDLE(VkCommandBuffer), 1, 1);
}

static float radius(void)
{
    float value;
    const uint32_t bits = fuzz_take_u32(&state.bytes);
    memcpy(&value, &bits, sizeof(value));
    return take_u8() < 160 ? 0.02f : value;
}

static void create_palette(void)
{
    const struct weir_palette_params params = {
        .like = PICK(images),
        .weight = (enum weir_palette_weight)mostly(take_u8() % 2),
        .light = (enum weir_palette_light)mostly(take_u8() % 2),
        .max_colors = mostly(1),
        .table = take_u8() % 2,
        .no_merge = take_u8() % 2,
    };
    CREATE(palettes, weir_palette, weir_palette_create(state.context, &params, &object));
}

static void reduce(void)
{
    weir_palette *palette = PICK(palettes);
    VkCommandBuffer cmd = HANDLE(VkCommandBuffer);
    const weir_image *source = PICK(images), *output = PICK(images);
    for (int i = 0; i < 6; i++) {
        switch (take_u8() % 6) {
        case 0:
            weir_cmd_palette_count(palette, cmd,
                                   &(struct weir_palette_count){source, take_u8() % 2});
            break;
        case 1:
            weir_cmd_palette_start(palette, cmd, &(struct weir_palette_start){radius(), number()});
            break;
        case 2:
            weir_cmd_palette_iterate(palette, cmd, number());
            break;
        case 3:
            weir_cmd_palette_finish(palette, cmd);
            break;
        case 4:
            weir_cmd_palette_map(palette, cmd, source, output);
            break;
        default:
            weir_cmd_palette(
                palette, cmd,
                &(struct weir_palette_run){source, output, radius(), number(), number()});
            break;
        }
    }
    weir_palette_get_stats(palette);
}

static void create_pyramid(void)
{
    uint32_t words[16] = {0x07230203};
    const bool is_custom = take_u8() % 32 == 0;
    for (int i = 1; i < 16 && is_custom; i++) {
        words[i] = take_u8() < 128 ? (uint32_t)take_u8() << 16 | take_u8() : number();
    }
    const struct weir_pyramid_params params = {
        .method = (enum weir_pyramid_method)mostly(take_u8() % 7),
        .reduction = is_custom ? WEIR_PYRAMID_CUSTOM
                               : (enum weir_pyramid_reduction)mostly(take_u8() % 6),
        .format = format(),
        .source_format = take_u8() < 192 ? VK_FORMAT_UNDEFINED : format(),
        .max_images = mostly(take_u8() % 8),
        .filter_srgb = take_u8() % 2,
        .no_subgroups = take_u8() % 2,
        .kernel = is_custom ? words : NULL,
        .kernel_size = is_custom ? number() % (sizeof(words) + 1) : mostly(0),
    };
    CREATE(pyramids, weir_pyramid, weir_pyramid_create(state.context, &params, &object));
}

static void create_target(void)
{
    const weir_pyramid *pyramid = PICK(pyramids);
    if (!pyramid) {
        return; // without it no log can be reached
    }
    const struct weir_pyramid_params of_pyramid = weir_pyramid_get_params(pyramid);
    uint32_t num_images = mostly(take_u8() % 2);
    if (num_images > MAX_IMAGES && num_images <= of_pyramid.max_images) {
        num_images = MAX_IMAGES;
    }
    // More images than the pyramid takes are refused before they are read.
    const size_t num_given = num_images > MAX_IMAGES ? 1 : num_images > 0 ? num_images : 1;
    const weir_image **images = malloc(num_given * sizeof(*images));
    fuzz_expect(images, "memory");
    const weir_image *image = like_format(of_pyramid.format);
    const weir_image *source = like_format(of_pyramid.source_format);
    for (size_t i = 0; i < num_given; i++) {
        images[i] = take_u8() < 250 ? image : PICK(images);
    }
    const weir_image *sources[MAX_IMAGES];
    for (int i = 0; i < MAX_IMAGES; i++) {
        sources[i] = source;
    }
    const struct weir_pyramid_target_params params = {
        .images = images,
        .num_images = num_images,
        .first_level = mostly(0),
        .last_level = mostly(0),
        .sources = of_pyramid.source_format && take_u8() < 240 ? sources : NULL,
        .source_layout = (VkImageLayout)mostly(0),
    };
    CREATE(targets, weir_pyramid_target, weir_pyramid_target_create(pyramid, &params, &object));
    free(images);
}

static void run_pyramid(void)
{
    const weir_pyramid_target *target = PICK(targets);
    const struct weir_pyramid_run run = {.src_stages = number(), .dst_stages = number()};
    expect_known(weir_cmd_pyramid(target, HANDLE(VkCommandBuffer), take_u8() % 2 ? &run : NULL));
    weir_pyramid_target_get_num_dispatches(target);
}

static void open_capture(void)
{
    const struct weir_audio_track track = {
        .sample_rate = mostly(8000),
        .num_channels = mostly(take_u8() % 3 + 1),
        .format = (enum weir_sample_format)mostly(take_u8() % 4),
    };
    const struct weir_capture_params params = {
        .sink = (enum weir_sink)(take_u8() < 244 ? WEIR_SINK_NULL : WEIR_SINK_CALLBACK),
        .codec = (enum weir_codec)mostly(0),
        .effort = (enum weir_effort)mostly(0),
        .compression = (enum weir_compression)mostly(take_u8() % 2),
        .num_chunks = mostly(take_u8() % 4),
        .policy = (enum weir_policy)mostly(take_u8() % 2),
        .num_slots = mostly(take_u8() % 4 + 2),
        .like = PICK(images),
        .frame_rate_num = mostly(30),
        .frame_rate_den = mostly(1),
        .max_rate_num = mostly(0),
        .max_rate_den = mostly(0),
        .audio_tracks = &track,
        .num_audio_tracks = take_u8() % 2,
        .audio_buffer_ms = take_u8() % 2 ? 0 : 200,
    };
    CREATE(captures, weir_capture, weir_capture_open(state.context, &params, &object));
}

static void capture_frames(void)
{
    weir_capture *capture = PICK(captures);
    struct weir_point released;
    for (int i = 0; i < 4; i++) {
        const struct weir_frame given = frame();
        expect_known(weir_capture_frame(capture, &given, take_u8() % 2 ? &released : NULL));
    }
}

static void capture_audio(void)
{
    static const uint8_t samples[255 * 64];
    weir_capture *capture = PICK(captures);
    const int64_t time_ns = (int64_t)number() * 1000;
    expect_known(weir_capture_audio(capture, take_u8() % 16 == 0, samples, take_u8(), time_ns));
}

static void close_capture(void)
{
    weir_capture **capture = &PICK(captures);
    struct weir_capture_stats stats;
    expect_known(weir_capture_close(capture, &stats));
    const struct weir_audio_stats *audio = &stats.audio;
    fuzz_expect(audio->in_flight == 0 &&
                    audio->received + audio->silence == audio->written + audio->dropped,
                "every sample of a closed capture is counted");
    fuzz_expect(!*capture && stats.in_flight == 0 &&
                    stats.received == stats.written + stats.dropped + stats.skipped,
                "every frame of a closed capture is counted");
}

static void call_pure(void)
{
    const uint32_t width = number(), height = number(), level = number();
    const VkExtent2D extent = weir_pyramid_level_extent(width, height, level);
    fuzz_expect(extent.width >= 1 && extent.height >= 1 &&
                    weir_pyramid_full_chain(width, height) <= 32,
                "sizes of levels");
    const enum weir_codec codec = (enum weir_codec)number();
    const uint64_t size = weir_codec_image_size(codec, width, height);
    fuzz_expect(weir_codec_get_info(codec) || size == 0, "no size of no codec");
    weir_pyramid_method_get_info((enum weir_pyramid_method)number());
    weir_pyramid_reduction_get_info((enum weir_pyramid_reduction)number());
    weir_pyramid_format_get_info(format());
    weir_result_name((enum weir_result)number());
}

static void destroy_all(void)
{
    for (int i = 0; i < MAX_OBJECTS; i++) {
        weir_capture_close(&state.captures[i], NULL);
        weir_readback_destroy(&state.readbacks[i]);
        weir_pyramid_target_destroy(&state.targets[i]);
    }
    for (int i = 0; i < MAX_OBJECTS; i++) {
        weir_pyramid_destroy(&state.pyramids[i]);
        weir_palette_destroy(&state.palettes[i]);
        weir_encoder_destroy(&state.encoders[i]);
        weir_buffer_destroy(&state.buffers[i]);
        weir_image_destroy(&state.images[i]);
    }
    weir_context_destroy(&state.context);
}

static void run(const uint8_t *data, size_t size)
{
    static void (*const calls[])(void) = {
        create_image, create_image,   create_buffer, create_encoder, encode,        create_readback,
        read_back,    create_palette, reduce,        create_pyramid, create_target, run_pyramid,
        open_capture, capture_frames, capture_audio, close_capture,  call_pure};
    state.bytes = (struct fuzz_bytes){data, size};
    make_device();
    make_context();
    for (int i = 0; i < MAX_CALLS && state.context && state.bytes.size > 0; i++) {
        calls[take_u8() % (sizeof(calls) / sizeof(calls[0]))]();
    }
    destroy_all();
    fuzz_expect(stub_device_num_objects() == 0, "%d objects of the device are left",
                stub_device_num_objects());
}

// The bytes from which the device and the context are made, and somewhat more.
enum { HEAD_SIZE = 64 };

// Change the device or the context.
static size_t mutate(struct fuzz_random *random, uint8_t *data, size_t size, size_t room)
{
    if (size < HEAD_SIZE) {
        return fuzz_mutate_bytes(random, data, size, room);
    }
    fuzz_fill(random, data + fuzz_below(random, HEAD_SIZE), 1);
    return size;
}

static size_t seed(unsigned index, uint8_t *data)
{
    enum { SEED_SIZE = 1024 };
    struct fuzz_random random = fuzz_random(index);
    if (index >= NUM_SEEDS) {
        return 0;
    }
    fuzz_fill(&random, data, SEED_SIZE);
    // Mostly a device and a context as most are, which small numbers make.
    for (int i = 0; i < HEAD_SIZE && index % 4 != 0; i++) {
        data[i] %= 100;
    }
    return SEED_SIZE;
}

const struct fuzz_target fuzz_target = {
    .name = "api",
    .num_runs = 3000,
    .seed = seed,
    .mutate = mutate,
    .run = run,
};
