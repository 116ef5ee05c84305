// SPDX-License-Identifier: MIT
// The program's use of a Vulkan device: Weir's context on it, and its own work on Weir's queue.
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#include <weir/device.h>
#include <weir/gpu.h>
#include <weir/result.h>

// The compiled kernels of a device and its driver, in a file of the user's cache folder that nobody
// else may write. Without it, or a folder for it, kernels are compiled at every start, which is no
// failure.
struct weir_kernel_file {
    char path[PATH_MAX]; // "": there is no folder
    size_t size;         // of the kernels that the context began with [bytes]
};

struct cli_gpu {
    weir_device *device;
    weir_context *context;
    struct weir_kernel_file kernels;          // of the context
    const struct weir_context_params *import; // of `device`
    VkDevice vk;
    struct weir_queue queue; // Weir's queue. All work is submitted to it, so no image changes owner
    weir_gpu *work;          // of that queue
    VkPhysicalDeviceProperties properties;
    char driver[256];
    uint32_t timestamp_bits; // of that queue
};

// Open a device, whose log is cli_log unless the params have another. Prints the reason of a
// failure. `*gpu` needs no cli_gpu_close() then.
enum weir_result cli_gpu_open(struct cli_gpu *gpu, const struct weir_device_params *params);
// Close the device. False if the validation layer sent messages.
bool cli_gpu_close(struct cli_gpu *gpu);

// Close it behind work that had this result. Returns the result, or WEIR_ERROR_VULKAN for good work
// of which the validation layer sent messages.
enum weir_result cli_gpu_close_behind(struct cli_gpu *gpu, enum weir_result result);

// Check that the device can make an image of that size. Prints an error that names `input` if not.
enum weir_result cli_gpu_check_side(const struct cli_gpu *gpu, const char *input, uint32_t width,
                                    uint32_t height);

// An image that Weir reads. A zeroed one may be finished.
struct cli_image {
    struct weir_gpu_image gpu;
    weir_image *weir;
};
// Make an image of these params; its usage is SAMPLED and transfers too.
enum weir_result cli_image_init(struct cli_gpu *gpu, const struct weir_image_params *params,
                                struct cli_image *image);
void cli_image_finish(struct cli_gpu *gpu, struct cli_image *image);

// Make a buffer in memory of the host, or of the device.
enum weir_result cli_buffer_init(struct cli_gpu *gpu, uint64_t size, VkBufferUsageFlags usage,
                                 bool mapped, struct weir_gpu_buffer *buffer);

// True if the device makes images of RGBA with 8 or 16 bits, or of halves, that Weir reads.
bool cli_gpu_has_format(const struct cli_gpu *gpu, VkFormat format);

// Get the size of a texel in an image of one of these formats [bytes].
uint32_t cli_texel_size(VkFormat format);

// The distance of rows in a staging buffer of RGBA8 [bytes]. A texel of 8 bytes counts as two.
size_t cli_staging_pitch(uint32_t width);

// Sides of barriers: what copies, kernels and the host do with buffers, and with images in the
// layout that they have for it: GENERAL while kernels write, SHADER_READ_ONLY_OPTIMAL while they
// read.
extern const struct weir_gpu_scope cli_copy_reads, cli_copy_writes, cli_kernel_reads,
    cli_kernel_writes, cli_device_writes, cli_host_reads;

// Record the copy of `staging` into the image, which is in SHADER_READ_ONLY_OPTIMAL afterwards.
void cli_cmd_upload(const struct cli_gpu *gpu, VkCommandBuffer commands,
                    const struct weir_gpu_buffer *staging, const struct cli_image *image);

// Commands, and the time that parts of them take by the device's time stamps.
struct cli_timer {
    struct cli_gpu *gpu;
    VkCommandBuffer commands; // of cli_timer_begin()
    VkQueryPool queries;      // null where nothing is timed: no parts, or the device cannot
    uint32_t num_parts;
};

// A zeroed one may be finished.
void cli_timer_init(struct cli_timer *timer, struct cli_gpu *gpu, uint32_t num_parts);
void cli_timer_finish(struct cli_timer *timer);

// Begin timer->commands. A part is what is recorded between its start and its stop.
enum weir_result cli_timer_begin(struct cli_timer *timer);
void cli_timer_start(const struct cli_timer *timer, uint32_t part);
void cli_timer_stop(const struct cli_timer *timer, uint32_t part);
// End, submit, and wait until it is done. `ns` gets the times of the first `num` parts, all of them
// started and stopped; without time stamps it stays as it is.
enum weir_result cli_timer_run(struct cli_timer *timer, uint32_t num, double *ns);
