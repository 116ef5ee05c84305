// SPDX-License-Identifier: MIT
// Helpers for GPU tests: a validated device, random numbers, images with known texels.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/context.h>
#include <weir/device.h>
#include <weir/frame.h>
#include <weir/gpu.h>

#include "tests/expect.h"

// A device with validation and synchronization validation where the layer is installed.
struct harness {
    weir_device *device;
    weir_context *context;
    const struct weir_context_params *import;
    VkDevice vk;
    struct weir_queue host;     // the queue that stands for the host's renderer
    weir_gpu *gpu;              // of that queue
    VkCommandPool pool;         // for command buffers that are submitted more than once
    uint64_t random;            // the state of the random numbers
    _Atomic int log_codes[512]; // messages of each code so far; they come from several threads
    struct harness_likes *likes;
};

// Make the harness. Exits with 77 if there is no device. `queue_is_shared`: the context uses the
// host's queue.
void harness_init(struct harness *harness, bool queue_is_shared);
// Do the same, with core features enabled.
void harness_init_features(struct harness *harness, bool queue_is_shared,
                           const VkPhysicalDeviceFeatures *features);
// Do the same, with copies to host memory on queues of their own (those of the device, or without
// such the host's, which is allowed too), or behind the kernels on theirs. harness_init() leaves
// that to the device.
void harness_init_copies(struct harness *harness, bool queue_is_shared, bool copies_apart);
// Returns the test's exit status: 0, or 1 after a failure or a message of the validation layer.
int harness_finish(struct harness *harness);

// Get a random number of tests/seeded.h. WEIR_SEED repeats the numbers.
uint32_t harness_random(struct harness *harness);
uint32_t harness_random_below(struct harness *harness, uint32_t limit);
// The side of an image, 3 .. limit, and no power of two. The software device compiles a kernel for
// each of four kinds of images: is the width a power of two, is the height? One kind is enough to
// compare texels; gpu_encode meets all four.
uint32_t harness_random_side(struct harness *harness, uint32_t limit);

// A buffer of WEIR_GPU_MEMORY_HOST.
void harness_buffer_init(struct harness *harness, uint64_t size, VkBufferUsageFlags usage,
                         struct weir_gpu_buffer *out);
void harness_buffer_finish(struct harness *harness, struct weir_gpu_buffer *buffer);

// A buffer that kernels read and write, and the host too.
struct harness_storage {
    struct weir_gpu_buffer memory;
    weir_buffer *buffer;
};
void harness_storage_init(struct harness *harness, uint64_t size, struct harness_storage *out);
void harness_storage_finish(struct harness *harness, struct harness_storage *storage);

// Record that the host reads what commands before it have written.
void harness_record_host_reads(const struct harness *harness, VkCommandBuffer cmd);

// A 2D image filled with `texels` (tightly packed, `texel_size` bytes each), left in `layout`,
// owned by the host queue's family.
void harness_image_init(struct harness *harness, VkFormat format, uint32_t width, uint32_t height,
                        VkImageUsageFlags usage, VkImageCreateFlags flags, const void *texels,
                        uint32_t texel_size, VkImageLayout layout, struct weir_gpu_image *out);
void harness_image_finish(struct harness *harness, struct weir_gpu_image *image);

// Record a copy of an image in VK_IMAGE_LAYOUT_GENERAL, as kernels have written it, to a buffer
// that the host reads from `offset` on [bytes], with barriers before and after. What kernels have
// written to buffers the host may read then too.
void harness_record_copy(const struct harness *harness, VkCommandBuffer cmd,
                         const struct weir_gpu_image *image, VkBuffer buffer, uint64_t offset);

// Wrap an image.
weir_image *harness_wrap(struct harness *harness, const struct weir_gpu_image *image,
                         enum weir_transfer transfer);

// Get an image of that kind for a param `like`. The harness keeps it. NULL if the device has no
// such image.
const weir_image *harness_like(struct harness *harness, VkFormat format, VkImageCreateFlags flags,
                               enum weir_transfer transfer);

// Begin a command buffer, and submit it to the host's queue, which waits until it is done. `wait`
// may be NULL.
VkCommandBuffer harness_begin(struct harness *harness);
void harness_submit(struct harness *harness, VkCommandBuffer cmd, const struct weir_point *wait,
                    VkPipelineStageFlags wait_stage);

// Do the host's half of handing a frame over and of taking it back, if its queue family changes.
void harness_release(struct harness *harness, const struct weir_frame *frame);
void harness_acquire(struct harness *harness, const struct weir_frame *frame,
                     const struct weir_point *released);
