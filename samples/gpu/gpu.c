// SPDX-License-Identifier: MIT
// The device that samples render on, Weir's context on it, and their own work (libweir-device).
#include "gpu.h"

#include <assert.h>
#include <time.h>

#include "report.h"

static const struct weir_log to_stderr = {.print = weir_log_print_stderr,
                                          .least_severity = WEIR_LOG_WARNING};

static bool make_device(struct gpu *gpu, struct weir_device_params params)
{
    static const char *const extensions[] = {VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME,
                                             VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
                                             VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    const VkPhysicalDeviceDynamicRenderingFeaturesKHR rendering = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES_KHR,
        .dynamicRendering = VK_TRUE,
    };
    params.device_extensions = extensions;
    params.num_device_extensions = params.create_surface ? 3 : 2;
    params.extension_features = &rendering;
    params.log = to_stderr;
    return weir_ok(weir_device_create(&params, &gpu->made), "no Vulkan device to render on");
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// One thread submits, so these only time it.
static void begin_submit(void *user, uint32_t family, uint32_t index)
{
    (void)family, (void)index;
    ((struct gpu *)user)->submit_begin_ns = now();
}

static void end_submit(void *user, uint32_t family, uint32_t index)
{
    (void)family, (void)index;
    struct gpu *gpu = user;
    gpu->submit_ns += now() - gpu->submit_begin_ns;
}

bool gpu_init(struct gpu *gpu, const struct weir_device_params *params)
{
    *gpu = (struct gpu){0};
    if (!make_device(gpu, *params)) {
        return false;
    }
    struct weir_context_params import = *weir_device_import(gpu->made);
    import.log = to_stderr;
    import.lock_queue = begin_submit;
    import.unlock_queue = end_submit;
    import.lock_user = gpu;
    gpu->physical_device = import.physical_device;
    gpu->device = import.device;
    gpu->graphics = import.graphics;
    gpu->begin_rendering = (PFN_vkCmdBeginRenderingKHR)vkGetDeviceProcAddr(
        gpu->device, "vkCmdBeginRenderingKHR");
    gpu->end_rendering = (PFN_vkCmdEndRenderingKHR)vkGetDeviceProcAddr(gpu->device,
                                                                       "vkCmdEndRenderingKHR");
    gpu->push_descriptors = (PFN_vkCmdPushDescriptorSetKHR)vkGetDeviceProcAddr(
        gpu->device, "vkCmdPushDescriptorSetKHR");
    vkGetPhysicalDeviceProperties(gpu->physical_device, &gpu->properties);
    if (!gpu->graphics.queue) {
        return report("%s has no graphics queue; try another --device", gpu->properties.deviceName);
    }
    return weir_ok(weir_context_create(&import, &gpu->weir), "weir_context_create") &&
           weir_ok(weir_gpu_create(weir_gpu_params(.import = &import, .queue = gpu->graphics),
                                   &gpu->work),
                   "weir_gpu_create");
}

void gpu_own(struct gpu *gpu, void (*destroy)(struct gpu *gpu, void *object), void *object)
{
    assert(gpu->num_owned < GPU_MAX_OBJECTS);
    gpu->owned[gpu->num_owned++] = (struct gpu_object){destroy, object};
}

void gpu_release(struct gpu *gpu, uint32_t num_owned)
{
    while (gpu->num_owned > num_owned) {
        const struct gpu_object *last = &gpu->owned[--gpu->num_owned];
        last->destroy(gpu, last->object);
    }
}

void gpu_finish(struct gpu *gpu)
{
    gpu_release(gpu, 0);
    weir_gpu_destroy(&gpu->work);
    weir_context_destroy(&gpu->weir);
    weir_device_destroy(&gpu->made);
}

bool gpu_check(const struct gpu *gpu)
{
    const uint32_t num = gpu->made ? weir_device_get_num_messages(gpu->made) : 0;
    return num == 0 || report("%u messages of the validation layer", num);
}

bool gpu_has_format(const struct gpu *gpu, VkFormat format, VkFormatFeatureFlags features)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(gpu->physical_device, format, &properties);
    return (properties.optimalTilingFeatures & features) == features;
}

static void destroy_buffer(struct gpu *gpu, void *buffer)
{
    weir_gpu_buffer_finish(gpu->work, buffer);
}

bool gpu_buffer_init(struct gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage,
                     enum weir_gpu_memory memory, struct weir_gpu_buffer *out)
{
    const struct weir_gpu_buffer_params params = {
        .debug_tag = WEIR_DEBUG_TAG, .size = size, .usage = usage, .memory = memory};
    gpu_own(gpu, destroy_buffer, out);
    return weir_ok(weir_gpu_buffer_init(gpu->work, &params, out), "a buffer");
}

static bool make_image(const struct gpu *gpu, const struct weir_image_params *params,
                       VkSampleCountFlagBits samples, struct gpu_image *out)
{
    struct weir_gpu_image made;
    const enum weir_result result = weir_gpu_image_init(gpu->work, params, samples, &made);
    out->params = made.params;
    out->memory = made.memory;
    return weir_ok(result, "an image");
}

static bool make_view(const struct gpu *gpu, const struct gpu_image *image, uint32_t level,
                      uint32_t num_levels, VkImageView *out)
{
    return weir_ok(weir_gpu_view_init(gpu->work, &image->params, level, num_levels, out), "a view");
}

static void destroy_image(struct gpu *gpu, void *object)
{
    struct gpu_image *image = object;
    weir_image_destroy(&image->weir);
    for (uint32_t i = 0; i < GPU_MAX_LEVELS; ++i) {
        vkDestroyImageView(gpu->device, image->views[i], NULL);
    }
    vkDestroyImageView(gpu->device, image->view, NULL);
    if (image->memory) {
        weir_gpu_image_finish(gpu->work, &(struct weir_gpu_image){image->params, image->memory});
    }
    *image = (struct gpu_image){0};
}

bool gpu_image_init(struct gpu *gpu, const struct weir_image_params *params,
                    VkSampleCountFlagBits samples, struct gpu_image *out)
{
    *out = (struct gpu_image){.params = *params};
    gpu_own(gpu, destroy_image, out);
    bool ok = (params->image || make_image(gpu, params, samples, out)) &&
              make_view(gpu, out, 0, VK_REMAINING_MIP_LEVELS, &out->view);
    for (uint32_t i = 0; ok && i < out->params.levels; ++i) {
        ok = make_view(gpu, out, i, 1, &out->views[i]);
    }
    return ok &&
           ((params->usage & VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT) ||
            weir_ok(weir_image_create(gpu->weir, &out->params, &out->weir), "weir_image_create"));
}

bool gpu_texture_init(struct gpu *gpu, VkFormat format, VkImageUsageFlags usage, VkExtent2D size,
                      uint32_t max_levels, struct gpu_image *out)
{
    const uint32_t all = weir_pyramid_full_chain(size.width, size.height);
    const struct weir_image_params params = {
        .format = format,
        .width = size.width,
        .height = size.height,
        .levels = max_levels < all ? max_levels : all,
        .usage = usage | VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    return gpu_image_init(gpu, &params, 0, out);
}

static void destroy_pyramid(struct gpu *gpu, void *pyramid)
{
    (void)gpu;
    weir_pyramid_destroy(pyramid);
}

bool gpu_pyramid_init(struct gpu *gpu, const struct weir_pyramid_params *params, weir_pyramid **out)
{
    gpu_own(gpu, destroy_pyramid, out);
    return weir_ok(weir_pyramid_create(gpu->weir, params, out), "weir_pyramid_create");
}

static void destroy_target(struct gpu *gpu, void *target)
{
    (void)gpu;
    weir_pyramid_target_destroy(target);
}

bool gpu_target_init(struct gpu *gpu, weir_pyramid *pyramid,
                     const struct weir_pyramid_target_params *params, weir_pyramid_target **out)
{
    gpu_own(gpu, destroy_target, out);
    return weir_ok(weir_pyramid_target_create(pyramid, params, out), "weir_pyramid_target_create");
}

void gpu_image_discard(const struct gpu *gpu, const struct gpu_image *image, VkCommandBuffer cmd)
{
    const VkPipelineStageFlags shaders = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                         VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
    const struct weir_gpu_scope before = {shaders, VK_ACCESS_SHADER_WRITE_BIT,
                                          VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope after = {
        shaders, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
    weir_cmd_barrier(gpu->work, cmd, &image->params, before, after);
}

bool gpu_begin(const struct gpu *gpu, VkCommandBuffer *cmd)
{
    return weir_ok(weir_gpu_begin(gpu->work, cmd), "weir_gpu_begin");
}

bool gpu_submit(const struct gpu *gpu, VkCommandBuffer cmd,
                const struct weir_gpu_submission *submission, struct weir_point *done)
{
    return weir_ok(weir_gpu_submit(gpu->work, cmd, submission, done), "weir_gpu_submit");
}

bool gpu_wait(const struct gpu *gpu, struct weir_point point)
{
    return weir_ok(weir_gpu_wait(gpu->work, point, UINT64_MAX), "weir_gpu_wait");
}

bool gpu_wait_all(const struct gpu *gpu)
{
    return gpu_wait(gpu, weir_gpu_get_last(gpu->work));
}

VkResult gpu_wait_idle(const struct gpu *gpu)
{
    const VkResult waited = vkDeviceWaitIdle(gpu->device);
    VkResult again = waited;
    while (again == VK_ERROR_OUT_OF_HOST_MEMORY || again == VK_ERROR_OUT_OF_DEVICE_MEMORY) {
        again = vkDeviceWaitIdle(gpu->device);
    }
    return waited;
}
