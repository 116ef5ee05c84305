// SPDX-License-Identifier: MIT
// Images with levels: filled with known texels and poison, and read back.
#include "tests/gpu/pyramid_images.h"

#include <string.h>

#include <vulkan/vulkan.h>

#include "pyramid/pyramid.h"
#include "tests/ref/texel.h"

static VkImage create_image(struct harness *harness, VkFormat format, uint32_t width,
                            uint32_t height, uint32_t layers, uint32_t levels,
                            VkImageUsageFlags usage, VkImageCreateFlags flags)
{
    const VkImageCreateInfo info = TEST_LIST(.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                             .flags = flags, .imageType = VK_IMAGE_TYPE_2D,
                                             .format = format, .extent = {width, height, 1},
                                             .mipLevels = levels, .arrayLayers = layers,
                                             .samples = VK_SAMPLE_COUNT_1_BIT,
                                             .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                                      VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    VkImage image;
    test_must(vkCreateImage(harness->vk, &info, NULL, &image) == VK_SUCCESS, "vkCreateImage");
    return image;
}

// Bind images, all alike, to memory that grows where it is too small.
static void bind_images(struct harness *harness, const VkImage *images, uint32_t num_images,
                        VkDeviceMemory *memory, uint64_t *size, uint32_t *types)
{
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(harness->vk, images[0], &requirements);
    const uint64_t stride = (requirements.size + requirements.alignment - 1) /
                            requirements.alignment * requirements.alignment;
    if (num_images * stride > *size || requirements.memoryTypeBits != *types) {
        vkFreeMemory(harness->vk, *memory, NULL);
        requirements.size = num_images * stride;
        TEST_MUST(weir_gpu_allocate(harness->gpu, &requirements, WEIR_GPU_MEMORY_DEVICE, memory));
        *size = requirements.size;
        *types = requirements.memoryTypeBits;
    }
    for (uint32_t i = 0; i < num_images; i++) {
        test_must(vkBindImageMemory(harness->vk, images[i], *memory, i * stride) == VK_SUCCESS,
                  "bind");
    }
}

static void reserve_staging(struct pyramid_memory *memory, uint64_t size)
{
    if (size > memory->staging.size) {
        if (memory->staging.size) {
            harness_buffer_finish(memory->harness, &memory->staging);
        }
        harness_buffer_init(memory->harness, size,
                            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            &memory->staging);
    }
}

void pyramid_memory_finish(struct pyramid_memory *memory)
{
    if (memory->staging.size) {
        harness_buffer_finish(memory->harness, &memory->staging);
    }
    vkFreeMemory(memory->harness->vk, memory->levels.memory, NULL);
    vkFreeMemory(memory->harness->vk, memory->sources.memory, NULL);
}

uint8_t *pyramid_images_uploaded(const struct pyramid_images *images, uint32_t image)
{
    return images->memory->staging.mapped + images->upload + image * images->size;
}

uint8_t *pyramid_images_downloaded(const struct pyramid_images *images, uint32_t image)
{
    return images->memory->staging.mapped + images->download + image * images->size;
}

const uint8_t *pyramid_images_source(const struct pyramid_images *images, uint32_t image)
{
    return images->memory->staging.mapped + images->source_upload + image * images->source_size;
}

static size_t packed_size(VkFormat format, uint32_t width, uint32_t height, uint32_t layers)
{
    return (size_t)width * height * layers * ref_texel_get_format(format)->texel_size;
}

const uint8_t *pyramid_images_level(const struct pyramid_images *images, uint32_t image,
                                    uint32_t level, uint32_t layer)
{
    const struct ref_pyramid *ref = &images->ref;
    return pyramid_images_downloaded(images, image) + ref_pyramid_offset(ref, level) +
           packed_size(ref->format, ref_pyramid_level_size(ref->width, level),
                       ref_pyramid_level_size(ref->height, level), layer);
}

static struct ref_pyramid resolve(struct harness *harness, const struct pyramid_case *c)
{
    struct ref_pyramid ref = {
        .format = c->format,
        .reduction = c->reduction,
        .width = c->width,
        .height = c->height,
        .layers = c->layers,
        .levels = c->levels,
        .first_level = c->first_level,
        .last_level = c->last_level,
        .source = c->source_format ? c : NULL, // whose texels come later
        .source_format = c->source_format,
        .blit = c->method == WEIR_PYRAMID_BLIT,
        .sampled = c->is_sampled,
        .exact_srgb = c->is_exact,
    };
    if (c->source_above) {
        const uint32_t odd = c->source_is_even ? 0 : 1 + harness_random_below(harness, 3);
        ref.source_width = 2 * ref_pyramid_level_size(c->width, c->first_level) + odd % 2;
        ref.source_height = 2 * ref_pyramid_level_size(c->height, c->first_level) + odd / 2;
    }
    return ref_pyramid_resolve(&ref);
}

static VkImageCreateFlags source_flags(const struct pyramid_case *c)
{
    return c->is_exact || c->is_mutable ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0;
}

static VkImageCreateFlags level_flags(const struct pyramid_case *c)
{
    return weir_pyramid_format_get_info(c->format)->flags |
           (c->is_mutable ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// The texels of the input of each image, and poison around them.
static void fill_staging(const struct pyramid_images *images, enum ref_pyramid_content content,
                         uint64_t seed, const void *input)
{
    const struct ref_pyramid *ref = &images->ref;
    const bool has_source = ref->source_format != 0;
    const VkFormat format = has_source ? ref->source_format : ref->format;
    const uint32_t width = has_source ? ref->source_width
                                      : ref_pyramid_level_size(ref->width, ref->first_level);
    const uint32_t height = has_source ? ref->source_height
                                       : ref_pyramid_level_size(ref->height, ref->first_level);
    const size_t size = packed_size(format, width, height, ref->layers);
    memset(pyramid_images_uploaded(images, 0), PYRAMID_POISON, images->num_images * images->size);
    memset(pyramid_images_downloaded(images, 0), 0, images->num_images * images->size);
    if (images->poison) {
        memset(images->memory->staging.mapped + images->poison, PYRAMID_POISON,
               larger(images->size, images->source_size));
    }
    for (uint32_t i = 0; i < images->num_images; i++) {
        uint8_t *out = has_source ? images->memory->staging.mapped + images->source_upload +
                                        i * images->source_size
                                  : pyramid_images_uploaded(images, i) +
                                        ref_pyramid_offset(ref, ref->first_level);
        if (input) {
            memcpy(out, (const uint8_t *)input + i * size, size);
        } else {
            ref_pyramid_content_fill(content, format, ref->reduction, width, height, ref->layers,
                                     seed + i, out);
        }
    }
}

void pyramid_images_init(struct pyramid_memory *memory, const struct pyramid_case *c,
                         const weir_pyramid *pyramid, uint64_t seed, const void *input,
                         struct pyramid_images *out)
{
    struct harness *harness = memory->harness;
    *out = (struct pyramid_images){.memory = memory,
                                   .ref = resolve(harness, c),
                                   .num_images = c->num_images ? c->num_images : 1};
    const struct ref_pyramid *ref = &out->ref;
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(pyramid);
    test_must(out->num_images <= PYRAMID_MAX_IMAGES, "images");
    out->size = (ref_pyramid_size(ref) + 15) / 16 * 16;
    for (uint32_t i = 0; i < out->num_images; i++) {
        out->levels[i] = create_image(harness, c->format, c->width, c->height, ref->layers,
                                      ref->levels, scope.usage, level_flags(c));
    }
    bind_images(harness, out->levels, out->num_images, &memory->levels.memory, &memory->levels.size,
                &memory->levels.types);
    if (c->source_format) {
        const size_t size = packed_size(c->source_format, ref->source_width, ref->source_height,
                                        ref->layers);
        out->source_size = (size + 15) / 16 * 16;
        for (uint32_t i = 0; i < out->num_images; i++) {
            out->sources[i] = create_image(harness, c->source_format, ref->source_width,
                                           ref->source_height, ref->layers, 1, scope.source_usage,
                                           source_flags(c));
        }
        bind_images(harness, out->sources, out->num_images, &memory->sources.memory,
                    &memory->sources.size, &memory->sources.types);
    }
    out->source_upload = out->num_images * out->size;
    out->download = out->source_upload + out->num_images * out->source_size;
    const uint64_t end = out->download + out->num_images * out->size;
    out->poison = c->repeats ? end : 0;
    reserve_staging(memory, end + (c->repeats ? larger(out->size, out->source_size) : 0));
    fill_staging(out, c->content, seed, input);
}

void pyramid_images_finish(struct pyramid_images *images)
{
    for (uint32_t i = 0; i < images->num_images; i++) {
        vkDestroyImage(images->memory->harness->vk, images->levels[i], NULL);
        vkDestroyImage(images->memory->harness->vk, images->sources[i], NULL);
    }
    images->num_images = 0;
}

struct wrapped {
    weir_image *images[PYRAMID_MAX_IMAGES], *sources[PYRAMID_MAX_IMAGES];
};

static enum weir_result wrap(weir_context *context, VkImage image,
                             const struct weir_image_params *kind, weir_image **out)
{
    struct weir_image_params params = *kind;
    params.image = image;
    return weir_image_create(context, &params, out);
}

// Wrap the images on the pyramid's context, which may be another than the harness's.
static enum weir_result wrap_images(const struct pyramid_images *images,
                                    const struct pyramid_case *c, const weir_pyramid *pyramid,
                                    struct wrapped *out)
{
    const struct ref_pyramid *ref = &images->ref;
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(pyramid);
    const struct weir_image_params levels = TEST_LIST(.format = c->format, .width = c->width,
                                                      .height = c->height, .levels = ref->levels,
                                                      .layers = ref->layers, .usage = scope.usage,
                                                      .flags = level_flags(c));
    const struct weir_image_params sources = TEST_LIST(.format = c->source_format,
                                                       .width = ref->source_width,
                                                       .height = ref->source_height,
                                                       .layers = ref->layers,
                                                       .usage = scope.source_usage,
                                                       .flags = source_flags(c));
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < images->num_images && result == WEIR_OK; i++) {
        result = wrap(pyramid->context, images->levels[i], &levels, &out->images[i]);
        if (result == WEIR_OK && c->source_format) {
            result = wrap(pyramid->context, images->sources[i], &sources, &out->sources[i]);
        }
    }
    return result;
}

static void unwrap(struct wrapped *wrapped)
{
    for (int i = 0; i < PYRAMID_MAX_IMAGES; i++) {
        weir_image_destroy(&wrapped->images[i]);
        weir_image_destroy(&wrapped->sources[i]);
    }
}

// The levels that a dispatch makes from what another has stored.
static uint32_t read_back(const weir_pyramid_target *target)
{
    uint32_t levels = 0;
    for (uint32_t i = 0; i < target->plan.num_steps; i++) {
        const int32_t base = (int32_t)target->plan.steps[i].base;
        levels |= base > 0 ? 1u << (base + target->first_of_plan + 1) : 0;
    }
    return levels;
}

enum weir_result pyramid_images_create_target(struct pyramid_images *images,
                                              const struct pyramid_case *c,
                                              const weir_pyramid *pyramid,
                                              weir_pyramid_target **out)
{
    const bool is_software = pyramid->context->is_software;
    struct wrapped wrapped = {0};
    pyramid->context->is_software &= !c->is_fast; // to filter as GPUs do
    enum weir_result result = wrap_images(images, c, pyramid, &wrapped);
    if (result == WEIR_OK) {
        const weir_image *const *sources = (const weir_image *const *)wrapped.sources;
        result = weir_pyramid_target_create(
            pyramid,
            weir_pyramid_target_params(.images = (const weir_image *const *)wrapped.images,
                                       .num_images = c->num_images, .first_level = c->first_level,
                                       .last_level = c->last_level,
                                       .sources = c->source_format ? sources : NULL),
            out);
    }
    pyramid->context->is_software = is_software;
    unwrap(&wrapped); // a target needs the images themselves only
    images->ref.read_back = result == WEIR_OK ? read_back(*out) : 0;
    images->has_words = result == WEIR_OK && (*out)->has_words;
    return result;
}
