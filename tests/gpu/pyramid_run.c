// SPDX-License-Identifier: MIT
// Images with levels: filled, poisoned, reduced, read back, compared.
#include "tests/gpu/pyramid_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "tests/ref/pyramid.h"
#include "tests/ref/pyramid_compare.h"
#include "tests/ref/texel.h"

enum { MAX_IMAGES = 8, POISON = 0xa5 };

// The images of one case.
struct images {
    const struct pyramid_case *c;
    struct ref_pyramid ref; // of each image; its source points into `inputs`
    VkImage levels[MAX_IMAGES], sources[MAX_IMAGES];
    uint64_t level_offsets[MAX_IMAGES], source_offsets[MAX_IMAGES]; // in the runner's memory
    uint32_t num_images;
    size_t size, source_size; // of one image's texels [bytes]
    uint8_t *inputs;          // level first_level, or the source, of each image
};

static void must(bool condition, const char *what)
{
    if (!condition) {
        printf("FAILED: the test itself cannot go on: %s\n", what);
        exit(1);
    }
}

static VkImageAspectFlags aspect_of(VkFormat format)
{
    return format == VK_FORMAT_D32_SFLOAT || format == VK_FORMAT_D16_UNORM
               ? VK_IMAGE_ASPECT_DEPTH_BIT
               : VK_IMAGE_ASPECT_COLOR_BIT;
}

static VkImage create_image(struct harness *harness, VkFormat format, uint32_t width,
                            uint32_t height, uint32_t layers, uint32_t levels,
                            VkImageUsageFlags usage, VkImageCreateFlags flags)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = flags,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = {width, height, 1},
        .mipLevels = levels,
        .arrayLayers = layers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    VkImage image;
    must(vkCreateImage(harness->vk, &info, NULL, &image) == VK_SUCCESS, "vkCreateImage");
    return image;
}

static uint64_t place(struct harness *harness, VkImage image, uint64_t *end)
{
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(harness->vk, image, &requirements);
    const uint64_t offset = (*end + requirements.alignment - 1) / requirements.alignment *
                            requirements.alignment;
    *end = offset + requirements.size;
    return offset;
}

static void reserve(struct pyramid_runner *runner, VkImage image, uint64_t memory_size,
                    uint64_t staging_size)
{
    struct harness *harness = runner->harness;
    if (memory_size > runner->memory_size) {
        VkMemoryRequirements requirements;
        vkGetImageMemoryRequirements(harness->vk, image, &requirements);
        vkFreeMemory(harness->vk, runner->memory, NULL);
        requirements.size = memory_size;
        runner->memory = harness_allocate(harness, &requirements,
                                          VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
        runner->memory_size = memory_size;
    }
    if (staging_size > runner->staging.size) {
        if (runner->staging.size) {
            harness_buffer_finish(harness, &runner->staging);
        }
        harness_buffer_init(harness, staging_size,
                            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            &runner->staging);
    }
}

static void draw_inputs(struct pyramid_runner *runner, struct images *images)
{
    const struct pyramid_case *c = images->c;
    const struct ref_pyramid *ref = &images->ref;
    const uint64_t seed = runner->harness->random + runner->num_cases;
    images->inputs = calloc(images->num_images,
                            c->source_format ? images->source_size : images->size);
    must(images->inputs, "memory");
    for (uint32_t i = 0; i < images->num_images; i++) {
        if (c->source_format) {
            ref_pyramid_content_fill(c->content, c->source_format, c->reduction, ref->source_width,
                                     ref->source_height, ref->layers, seed + i,
                                     images->inputs + i * images->source_size);
        } else {
            ref_pyramid_content_fill(
                c->content, c->format, c->reduction,
                ref_pyramid_level_size(ref->width, ref->first_level),
                ref_pyramid_level_size(ref->height, ref->first_level), ref->layers, seed + i,
                images->inputs + i * images->size + ref_pyramid_offset(ref, ref->first_level));
        }
    }
}

static void create_images(struct pyramid_runner *runner, const struct pyramid_case *c,
                          struct images *images)
{
    struct harness *harness = runner->harness;
    struct ref_pyramid ref = {
        .format = c->format,
        .reduction = c->reduction,
        .width = c->width,
        .height = c->height,
        .layers = c->layers,
        .levels = c->levels,
        .first_level = c->first_level,
        .last_level = c->last_level,
        .source_format = c->source_format,
        .blit = c->method == WEIR_PYRAMID_BLIT,
    };
    const bool is_single = c->method == WEIR_PYRAMID_SINGLE || c->method == WEIR_PYRAMID_AUTO;
    ref.read_back = is_single ? REF_PYRAMID_CONTINUOUS : REF_PYRAMID_QUANTISED;
    if (c->source_above) {
        ref.source_width = 2 * ref_pyramid_level_size(c->width, c->first_level) +
                           harness_random_below(harness, 2);
        ref.source_height = 2 * ref_pyramid_level_size(c->height, c->first_level) +
                            harness_random_below(harness, 2);
    }
    *images = (struct images){.c = c, .num_images = c->num_images ? c->num_images : 1};
    ref.source = c->source_format ? &ref : NULL; // whose texels come later
    images->ref = ref_pyramid_resolve(&ref);
    images->size = ref_pyramid_size(&images->ref);
    if (c->source_format) {
        const struct ref_texel_format *texel = ref_texel_get_format(c->source_format);
        images->source_size = (size_t)images->ref.source_width * images->ref.source_height *
                              images->ref.layers * texel->texel_size;
    }
    const struct weir_pyramid_format *format = weir_pyramid_get_format(c->format);
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(runner->pyramid);
    uint64_t end = 0;
    for (uint32_t i = 0; i < images->num_images; i++) {
        images->levels[i] = create_image(harness, c->format, c->width, c->height,
                                         images->ref.layers, images->ref.levels, scope.usage,
                                         format->flags);
        images->level_offsets[i] = place(harness, images->levels[i], &end);
        if (c->source_format) {
            images->sources[i] = create_image(harness, c->source_format, images->ref.source_width,
                                              images->ref.source_height, images->ref.layers, 1,
                                              scope.source_usage, 0);
            images->source_offsets[i] = place(harness, images->sources[i], &end);
        }
    }
    const size_t larger = images->size > images->source_size ? images->size : images->source_size;
    reserve(runner, images->levels[0], end, images->num_images * (larger + 16));
    for (uint32_t i = 0; i < images->num_images; i++) {
        vkBindImageMemory(harness->vk, images->levels[i], runner->memory, images->level_offsets[i]);
        if (c->source_format) {
            vkBindImageMemory(harness->vk, images->sources[i], runner->memory,
                              images->source_offsets[i]);
        }
    }
    draw_inputs(runner, images);
}

static void destroy_images(struct pyramid_runner *runner, struct images *images)
{
    for (uint32_t i = 0; i < images->num_images; i++) {
        vkDestroyImage(runner->harness->vk, images->levels[i], NULL);
        vkDestroyImage(runner->harness->vk, images->sources[i], NULL);
    }
    free(images->inputs);
}

static void barrier(VkCommandBuffer cmd, VkImage image, VkFormat format, VkImageLayout from,
                    VkImageLayout to, VkPipelineStageFlags src_stage, VkAccessFlags src_access,
                    VkPipelineStageFlags dst_stage, VkAccessFlags dst_access)
{
    const VkImageMemoryBarrier image_barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = src_access,
        .dstAccessMask = dst_access,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {aspect_of(format), 0, VK_REMAINING_MIP_LEVELS, 0,
                             VK_REMAINING_ARRAY_LAYERS},
    };
    vkCmdPipelineBarrier(cmd, src_stage, dst_stage, 0, 0, NULL, 0, NULL, 1, &image_barrier);
}

// Every level of an image, as ref_pyramid_offset() lays them out in the staging buffer.
static uint32_t regions_of(const struct images *images, uint64_t start, VkBufferImageCopy *regions)
{
    const struct ref_pyramid *ref = &images->ref;
    for (uint32_t level = 0; level < ref->levels; level++) {
        regions[level] = (VkBufferImageCopy){
            .bufferOffset = start + ref_pyramid_offset(ref, level),
            .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, ref->layers},
            .imageExtent = {ref_pyramid_level_size(ref->width, level),
                            ref_pyramid_level_size(ref->height, level), 1},
        };
    }
    return ref->levels;
}

static uint64_t start_of(const struct images *images, uint32_t image)
{
    return (uint64_t)image * ((images->size + 15) / 16 * 16);
}

// Levels of every image get POISON, but for the input; sources their texels.
static void upload(struct pyramid_runner *runner, const struct images *images, bool poison_only)
{
    struct harness *harness = runner->harness;
    const struct ref_pyramid *ref = &images->ref;
    const bool has_source = images->c->source_format != 0;
    VkCommandBuffer cmd = harness_begin(harness);
    for (uint32_t i = 0; i < images->num_images; i++) {
        const uint64_t start = start_of(images, i);
        memset(runner->staging.mapped + start, POISON, images->size);
        if (!has_source) {
            const size_t offset = ref_pyramid_offset(ref, ref->first_level);
            const size_t next = ref->first_level + 1 < ref->levels
                                    ? ref_pyramid_offset(ref, ref->first_level + 1)
                                    : images->size;
            memcpy(runner->staging.mapped + start + offset,
                   images->inputs + i * images->size + offset, next - offset);
        }
        VkBufferImageCopy regions[32];
        const uint32_t num = regions_of(images, start, regions);
        barrier(cmd, images->levels[i], images->c->format, VK_IMAGE_LAYOUT_UNDEFINED,
                VK_IMAGE_LAYOUT_GENERAL, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
        vkCmdCopyBufferToImage(cmd, runner->staging.buffer, images->levels[i],
                               VK_IMAGE_LAYOUT_GENERAL, num, regions);
    }
    harness_submit(harness, cmd, NULL, 0);
    if (!has_source || poison_only) {
        return;
    }
    cmd = harness_begin(harness);
    for (uint32_t i = 0; i < images->num_images; i++) {
        const uint64_t start = i * ((images->source_size + 15) / 16 * 16);
        memcpy(runner->staging.mapped + start, images->inputs + i * images->source_size,
               images->source_size);
        const VkFormat format = images->c->source_format;
        const VkBufferImageCopy region = {
            .bufferOffset = start,
            .imageSubresource = {aspect_of(format), 0, 0, ref->layers},
            .imageExtent = {ref->source_width, ref->source_height, 1},
        };
        barrier(cmd, images->sources[i], format, VK_IMAGE_LAYOUT_UNDEFINED,
                VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
        vkCmdCopyBufferToImage(cmd, runner->staging.buffer, images->sources[i],
                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
        barrier(cmd, images->sources[i], format, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                VK_ACCESS_SHADER_READ_BIT);
    }
    harness_submit(harness, cmd, NULL, 0);
}

static void reduce_and_download(struct pyramid_runner *runner, const struct images *images,
                                const weir_pyramid_target *target)
{
    VkCommandBuffer cmd = harness_begin(runner->harness);
    const struct weir_pyramid_run run = {
        .src_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .src_access = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dst_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .dst_access = VK_ACCESS_TRANSFER_READ_BIT,
    };
    harness_expect(runner->harness, weir_cmd_pyramid(target, cmd, &run) == WEIR_OK,
                   "weir_cmd_pyramid");
    for (uint32_t i = 0; i < images->num_images; i++) {
        VkBufferImageCopy regions[32];
        const uint32_t num = regions_of(images, start_of(images, i), regions);
        vkCmdCopyImageToBuffer(cmd, images->levels[i], VK_IMAGE_LAYOUT_GENERAL,
                               runner->staging.buffer, num, regions);
    }
    harness_submit(runner->harness, cmd, NULL, 0);
}

static bool compare(struct pyramid_runner *runner, struct images *images)
{
    const struct pyramid_case *c = images->c;
    for (uint32_t i = 0; i < images->num_images; i++) {
        struct ref_pyramid_difference d;
        images->ref.source = c->source_format ? images->inputs + i * images->source_size : NULL;
        const uint8_t *actual = runner->staging.mapped + start_of(images, i);
        const enum ref_pyramid_verdict verdict = ref_pyramid_compare(&images->ref, actual, &d);
        must(verdict != REF_PYRAMID_NO_MEMORY, "memory");
        if (verdict == REF_PYRAMID_DIFFERENT) {
            return harness_expect(
                runner->harness, false,
                "%s %s %s %ux%u, %u layers, levels %u..%u, source format %d%s, content %s, image "
                "%u: "
                "level %u layer %u x %u y %u channel %u is %.9g, not %.9g: %u steps of %u, "
                "magnitude %g",
                weir_pyramid_method_name(c->method), weir_pyramid_reduction_name(c->reduction),
                weir_pyramid_get_format(c->format)->name, c->width, c->height, images->ref.layers,
                images->ref.first_level, images->ref.last_level, (int)c->source_format,
                c->source_above ? " above" : "", ref_pyramid_content_name(c->content), i, d.level,
                d.layer, d.x, d.y, d.channel, d.actual, d.expected, d.steps, d.bar.steps,
                d.magnitude);
        }
    }
    return true;
}

static bool use_pyramid(struct pyramid_runner *runner, const struct pyramid_case *c)
{
    const struct weir_pyramid_params params = {
        .method = c->method,
        .reduction = c->reduction,
        .format = c->format,
        .source_format = c->source_format,
        .max_images = c->num_images,
        .no_filter = c->no_filter,
    };
    if (runner->pyramid && memcmp(&params, &runner->params, sizeof(params)) == 0) {
        return true;
    }
    weir_pyramid_destroy(&runner->pyramid);
    runner->params = params;
    const enum weir_result result = weir_pyramid_create(runner->harness->context, &params,
                                                        &runner->pyramid);
    harness_expect(runner->harness, result == WEIR_OK || result == WEIR_ERROR_UNSUPPORTED,
                   "weir_pyramid_create answers %d", (int)result);
    return result == WEIR_OK;
}

static enum weir_result create_target(struct pyramid_runner *runner, const struct images *images,
                                      weir_pyramid_target **target)
{
    const struct ref_pyramid *ref = &images->ref;
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(runner->pyramid);
    return weir_pyramid_target_create(
        runner->pyramid,
        weir_pyramid_target_params(.images = images->levels, .num_images = images->num_images,
                                   .width = ref->width, .height = ref->height,
                                   .layers = ref->layers, .levels = ref->levels,
                                   .usage = scope.usage,
                                   .flags = weir_pyramid_get_format(ref->format)->flags,
                                   .first_level = ref->first_level, .last_level = ref->last_level,
                                   .sources = images->c->source_format ? images->sources : NULL,
                                   .source_width = images->c->source_above ? ref->source_width : 0,
                                   .source_height = images->c->source_above ? ref->source_height
                                                                            : 0,
                                   .source_usage = scope.source_usage),
        target);
}

bool pyramid_run(struct pyramid_runner *runner, const struct pyramid_case *c)
{
    runner->num_cases++;
    if (!use_pyramid(runner, c)) {
        runner->num_refused++;
        return true;
    }
    struct images images;
    create_images(runner, c, &images);
    weir_pyramid_target *target = NULL;
    const enum weir_result result = create_target(runner, &images, &target);
    bool passed = harness_expect(
        runner->harness, result == WEIR_OK || result == WEIR_ERROR_UNSUPPORTED,
        "weir_pyramid_target_create answers %d at %ux%u", (int)result, c->width, c->height);
    if (result == WEIR_ERROR_UNSUPPORTED) {
        runner->num_refused++;
    }
    for (uint32_t i = 0; result == WEIR_OK && passed && i <= c->repeats; i++) {
        upload(runner, &images, i > 0);
        reduce_and_download(runner, &images, target);
        passed = compare(runner, &images);
    }
    weir_pyramid_target_destroy(&target);
    destroy_images(runner, &images);
    return passed;
}

void pyramid_runner_init(struct pyramid_runner *runner, struct harness *harness)
{
    *runner = (struct pyramid_runner){.harness = harness};
}

void pyramid_runner_finish(struct pyramid_runner *runner)
{
    weir_pyramid_destroy(&runner->pyramid);
    if (runner->staging.size) {
        harness_buffer_finish(runner->harness, &runner->staging);
    }
    vkFreeMemory(runner->harness->vk, runner->memory, NULL);
    printf("%u cases, %u of them refused\n", runner->num_cases, runner->num_refused);
}
