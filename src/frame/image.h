// SPDX-License-Identifier: MIT
// The inside of a borrowed image.
#pragma once

#include <weir/frame.h>
#include <weir/image.h>

#include "shaders/color/constants.h"
#include "vk/context.h"
#include "vk/descriptors.h"
#include "vk/memory.h"

// How kernels turn the texels of a format into code values.
struct weir_source_format {
    VkFormat format;   // of the image
    uint32_t encoding; // WEIR_SOURCE_*: how kernels read it
    VkFormat view_format;
    enum weir_transfer transfer; // never WEIR_TRANSFER_DEFAULT
};

// Find how kernels read an image of this format, flags and transfer. False if no
// kernel can.
bool weir_source_format_find(VkFormat format, VkImageCreateFlags flags, enum weir_transfer transfer,
                             struct weir_source_format *out);

struct weir_image {
    weir_context *context;
    uint64_t number; // unique among all images that the context ever had
    struct weir_image_params params;

    // The view and set by which encoders and the palette read the image. Null if they cannot read
    // it; weir_image_check_read() says why.
    struct weir_source_format source;
    struct weir_vk_image shadow; // a copy that kernels read, where the image itself lacks SAMPLED
    VkImageView view;            // of the image, or of its shadow
    struct weir_vk_descriptor_set set;

    // The view and set by which the palette, and encoders their proxy, write level 0 of layer 0.
    // Null if they cannot.
    VkImageView storage_view;
    struct weir_vk_descriptor_set storage_set;
};

// How commands use an image: the stages and accesses, and its layout.
struct weir_image_use {
    VkPipelineStageFlags stages;
    VkAccessFlags access;
    VkImageLayout layout;
};
static const struct weir_image_use weir_use_none = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0,
                                                    VK_IMAGE_LAYOUT_UNDEFINED};
static const struct weir_image_use weir_use_read = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                                    VK_ACCESS_SHADER_READ_BIT,
                                                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
static const struct weir_image_use weir_use_copied = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                      VK_ACCESS_TRANSFER_READ_BIT,
                                                      VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
static const struct weir_image_use weir_use_written = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                       VK_ACCESS_TRANSFER_WRITE_BIT,
                                                       VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};

// Record a barrier between two uses of all of an image. With weir_use_none its contents are lost.
void weir_cmd_image_use(const weir_context *context, VkCommandBuffer cmd, VkImage image,
                        struct weir_image_use before, struct weir_image_use after);

// Check that there is an image, and that it belongs to the context. `name` is what the caller calls
// it, as in "weir_frame.image". Returns WEIR_OK, or logs the reason.
enum weir_result weir_image_check(const weir_image *image, const weir_context *context,
                                  const char *name);

// Check params of an image, which may lack levels and layers. Returns WEIR_OK, or logs the reason.
enum weir_result weir_image_check_params(const weir_context *context,
                                         const struct weir_image_params *params);

// Check that encoders and the palette can read the image. Returns WEIR_OK, or logs the reason.
enum weir_result weir_image_check_read(const weir_image *image, const struct weir_log *log);

// Check the image that a member `like` of params names, and get how kernels read such images.
enum weir_result weir_image_check_like(const weir_image *like, const struct weir_log *log,
                                       const char *params, struct weir_source_format *out);

// True if kernels that were made for one source read an image, and the same with a check of the
// image.
bool weir_image_is_like(const weir_image *image, const struct weir_source_format *like);
enum weir_result weir_image_check_source(const weir_image *image, const weir_context *context,
                                         const char *name, const struct weir_source_format *like);

// Check that kernels can write the image, as above. Returns WEIR_OK, or logs the reason.
enum weir_result weir_image_check_written(const weir_image *image, const struct weir_log *log);

// Check a frame of which only the semaphores are used, and the image only where
// weir_frame_can_hand_over(). Returns WEIR_OK, or an error, which is logged.
enum weir_result weir_frame_check_semaphores(const weir_context *context,
                                             const struct weir_frame *frame);

// True if the frame's image can be received and returned, with its layout, by this context.
bool weir_frame_can_hand_over(const weir_context *context, const struct weir_frame *frame);

// The stages in which weir_cmd_frame_receive() first uses the image. A semaphore wait must block
// them.
VkPipelineStageFlags weir_frame_wait_stages(const struct weir_frame *frame);

// Receive the image from the host, readable by kernels: SHADER_READ_ONLY_OPTIMAL on Weir's queue
// family.
void weir_cmd_frame_receive(const struct weir_frame *frame, VkCommandBuffer cmd);

// Return the image in frame->layout and to frame->queue_family.
void weir_cmd_frame_return(const struct weir_frame *frame, VkCommandBuffer cmd);

// Receive the image and return it at once, for a frame that no kernel reads.
void weir_cmd_frame_receive_and_return(const struct weir_frame *frame, VkCommandBuffer cmd);
