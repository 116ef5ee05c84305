// SPDX-License-Identifier: MIT
// Commands on images with levels: their texels up, a run, their texels down.
#include <vulkan/vulkan.h>

#include "tests/gpu/pyramid_images.h"
#include "tests/ref/texel.h"

enum { MAX_LEVELS = 32 };

// Every level of an image, as ref_pyramid_offset() lays them out from `start`.
static uint32_t regions_of(const struct pyramid_images *images, uint64_t start,
                           VkBufferImageCopy *regions)
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

// The accesses of earlier commands, of this or an earlier submission.
static const struct weir_gpu_scope before = {
    VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
    VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_UNDEFINED};

static void change_layout(const struct pyramid_images *images, VkImage image, VkFormat format,
                          VkCommandBuffer cmd, struct weir_gpu_scope from, struct weir_gpu_scope to)
{
    weir_cmd_barrier(images->memory->harness->gpu, cmd,
                     WEIR_REF(weir_image_params, .image = image, .format = format), from, to);
}

// From `start` in staging memory.
static void cmd_fill_source(const struct pyramid_images *images, uint32_t i, uint64_t start,
                            VkCommandBuffer cmd)
{
    const struct ref_pyramid *ref = &images->ref;
    const VkImageAspectFlags aspect = ref_texel_is_depth(ref->source_format)
                                          ? VK_IMAGE_ASPECT_DEPTH_BIT
                                          : VK_IMAGE_ASPECT_COLOR_BIT;
    const struct weir_gpu_scope filled = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                          VK_ACCESS_TRANSFER_WRITE_BIT,
                                          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
    const struct weir_gpu_scope read = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                        VK_ACCESS_SHADER_READ_BIT,
                                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkBufferImageCopy region = {
        .bufferOffset = start,
        .imageSubresource = {aspect, 0, 0, ref->layers},
        .imageExtent = {ref->source_width, ref->source_height, 1},
    };
    change_layout(images, images->sources[i], ref->source_format, cmd, before, filled);
    vkCmdCopyBufferToImage(cmd, images->memory->staging.buffer, images->sources[i], filled.layout,
                           1, &region);
    change_layout(images, images->sources[i], ref->source_format, cmd, filled, read);
}

static void cmd_fill_levels(const struct pyramid_images *images, uint32_t i, uint64_t start,
                            VkCommandBuffer cmd)
{
    const struct weir_gpu_scope filled = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                          VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
    VkBufferImageCopy regions[MAX_LEVELS];
    const uint32_t num = regions_of(images, start, regions);
    change_layout(images, images->levels[i], images->ref.format, cmd, before, filled);
    vkCmdCopyBufferToImage(cmd, images->memory->staging.buffer, images->levels[i],
                           VK_IMAGE_LAYOUT_GENERAL, num, regions);
}

void pyramid_images_cmd_poison(const struct pyramid_images *images, VkCommandBuffer cmd)
{
    for (uint32_t i = 0; i < images->num_images; i++) {
        cmd_fill_levels(images, i, images->poison, cmd);
        if (images->ref.source_format) {
            cmd_fill_source(images, i, images->poison, cmd);
        }
    }
}

void pyramid_images_cmd_upload(const struct pyramid_images *images, VkCommandBuffer cmd)
{
    for (uint32_t i = 0; i < images->num_images; i++) {
        cmd_fill_levels(images, i, images->upload + i * images->size, cmd);
        if (images->ref.source_format) {
            cmd_fill_source(images, i, images->source_upload + i * images->source_size, cmd);
        }
    }
}

static void cmd_reduce(VkCommandBuffer cmd, const weir_pyramid_target *target)
{
    const struct weir_pyramid_run run = {
        .src_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .src_access = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dst_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .dst_access = VK_ACCESS_TRANSFER_READ_BIT,
    };
    TEST_OK(weir_cmd_pyramid(target, cmd, &run));
}

void pyramid_images_cmd_download(const struct pyramid_images *images, VkCommandBuffer cmd)
{
    for (uint32_t i = 0; i < images->num_images; i++) {
        VkBufferImageCopy regions[MAX_LEVELS];
        const uint32_t num = regions_of(images, images->download + i * images->size, regions);
        vkCmdCopyImageToBuffer(cmd, images->levels[i], VK_IMAGE_LAYOUT_GENERAL,
                               images->memory->staging.buffer, num, regions);
    }
    harness_record_host_reads(images->memory->harness, cmd);
}

VkCommandBuffer pyramid_images_record(const struct pyramid_images *images, VkCommandPool pool,
                                      const weir_pyramid_target *target)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1,
    };
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer cmd;
    test_must(vkAllocateCommandBuffers(images->memory->harness->vk, &info, &cmd) == VK_SUCCESS,
              "vkAllocateCommandBuffers");
    test_must(vkBeginCommandBuffer(cmd, &begin) == VK_SUCCESS, "vkBeginCommandBuffer");
    if (images->poison) {
        pyramid_images_cmd_poison(images, cmd);
        cmd_reduce(cmd, target);
    }
    pyramid_images_cmd_upload(images, cmd);
    cmd_reduce(cmd, target);
    pyramid_images_cmd_download(images, cmd);
    test_must(vkEndCommandBuffer(cmd) == VK_SUCCESS, "vkEndCommandBuffer");
    return cmd;
}
