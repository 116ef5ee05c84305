// SPDX-License-Identifier: MIT
// The device that samples render on, Weir's context on it, and their own work (libweir-device).
#include "gpu.h"

#include "report.h"

// Make the device. It draws without render pass objects, which every driver of Vulkan 1.3 can. For
// a window it has the extension for mutable formats of swapchains if there is one: the encoder then
// reads the stored codes of an sRGB image directly. Without the extension Weir encodes the decoded
// values again, and gets the same codes.
static bool make_device(struct gpu *gpu, const struct gpu_needs *needs)
{
    static const char *const extensions[] = {VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME,
                                             VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                                             VK_KHR_SWAPCHAIN_MUTABLE_FORMAT_EXTENSION_NAME};
    const VkPhysicalDeviceDynamicRenderingFeaturesKHR rendering = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES_KHR,
        .dynamicRendering = VK_TRUE,
    };
    struct weir_device_params params = {
        .debug_tag = WEIR_DEBUG_TAG,
        .index = needs->device,
        .validation = needs->validation,
        .no_async = needs->no_async,
        .instance_extensions = needs->instance_extensions,
        .num_instance_extensions = needs->num_instance_extensions,
        .device_extensions = extensions,
        .num_device_extensions = needs->create_surface ? 3 : 1,
        .features = needs->features,
        .extension_features = &rendering,
        .create_surface = needs->create_surface,
        .surface_user = needs->user,
    };
    struct weir_log log = {.print = weir_log_print_stderr, .least_severity = WEIR_LOG_WARNING};
    if (needs->create_surface) {
        // Only the second try says why it failed. A device that works says its warnings here
        // already, so this one must not be silent when messages of the validation layer are wanted.
        params.log = needs->validation ? log : (struct weir_log){0};
        gpu->mutable_swapchain = weir_device_create(&params, &gpu->made) == WEIR_OK;
        if (gpu->mutable_swapchain) {
            return true;
        }
        params.num_device_extensions = 2;
    }
    params.log = log;
    return weir_ok(weir_device_create(&params, &gpu->made), "no Vulkan device to render on");
}

bool gpu_init(struct gpu *gpu, const struct gpu_needs *needs)
{
    *gpu = (struct gpu){0};
    if (!make_device(gpu, needs)) {
        return false;
    }
    struct weir_context_params import = *weir_device_import(gpu->made);
    import.log = (struct weir_log){.print = weir_log_print_stderr,
                                   .least_severity = WEIR_LOG_WARNING};
    gpu->physical_device = import.physical_device;
    gpu->device = import.device;
    gpu->graphics = import.graphics;
    gpu->begin_rendering = (PFN_vkCmdBeginRenderingKHR)vkGetDeviceProcAddr(
        gpu->device, "vkCmdBeginRenderingKHR");
    gpu->end_rendering = (PFN_vkCmdEndRenderingKHR)vkGetDeviceProcAddr(gpu->device,
                                                                       "vkCmdEndRenderingKHR");
    vkGetPhysicalDeviceProperties(gpu->physical_device, &gpu->properties);
    if (!gpu->graphics.queue) {
        return report("%s has no graphics queue; try another --device", gpu->properties.deviceName);
    }
    return weir_ok(weir_context_create(&import, &gpu->weir), "weir_context_create") &&
           weir_ok(weir_gpu_create(weir_gpu_params(.import = &import, .queue = gpu->graphics),
                                   &gpu->work),
                   "weir_gpu_create");
}

void gpu_finish(struct gpu *gpu)
{
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

bool gpu_shader_init(const struct gpu *gpu, struct shader shader, VkShaderModule *out)
{
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = shader.size,
                                           .pCode = shader.words};
    return vulkan_made(vkCreateShaderModule(gpu->device, &info, NULL, out), "vkCreateShaderModule",
                       out);
}

bool gpu_buffer_init(const struct gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage,
                     enum weir_gpu_memory memory, struct weir_gpu_buffer *out)
{
    return weir_ok(
        weir_gpu_buffer_init(
            gpu->work, weir_gpu_buffer_params(.size = size, .usage = usage, .memory = memory), out),
        "a buffer");
}

static bool make_image(const struct gpu *gpu, const struct weir_image_params *params,
                       VkSampleCountFlagBits samples, struct gpu_image *out)
{
    struct weir_gpu_image made;
    if (!weir_ok(weir_gpu_image_init(gpu->work, params, samples, &made), "an image")) {
        return false;
    }
    out->params = made.params;
    out->memory = made.memory;
    return true;
}

static bool make_view(const struct gpu *gpu, const struct gpu_image *image, uint32_t level,
                      uint32_t num_levels, VkImageView *out)
{
    return weir_ok(weir_gpu_view_init(gpu->work, &image->params, level, num_levels, out), "a view");
}

bool gpu_image_init(const struct gpu *gpu, const struct weir_image_params *params,
                    VkSampleCountFlagBits samples, struct gpu_image *out)
{
    *out = (struct gpu_image){.params = *params};
    bool ok = (params->image || make_image(gpu, params, samples, out)) &&
              make_view(gpu, out, 0, VK_REMAINING_MIP_LEVELS, &out->view);
    for (uint32_t i = 0; ok && i < out->params.levels; ++i) {
        ok = make_view(gpu, out, i, 1, &out->views[i]);
    }
    return ok &&
           ((params->usage & VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT) ||
            weir_ok(weir_image_create(gpu->weir, &out->params, &out->weir), "weir_image_create"));
}

void gpu_image_finish(const struct gpu *gpu, struct gpu_image *image)
{
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
