// SPDX-License-Identifier: MIT
// The device that samples render on, Weir's context on it, and their own work (libweir-device).
#include "gpu.h"

#include "report.h"

// Make the device, with the extension for mutable formats of swapchains if it can have it. The
// encoder then reads the stored codes of an sRGB image directly. Without the extension Weir encodes
// the decoded values again, and gets the same codes.
static bool make_device(struct gpu *gpu, const struct gpu_needs *needs)
{
    static const char *const extensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME,
                                             VK_KHR_SWAPCHAIN_MUTABLE_FORMAT_EXTENSION_NAME};
    struct weir_device_params params = {
        .debug_tag = WEIR_DEBUG_TAG,
        .index = needs->device,
        .validation = needs->validation,
        .no_async = needs->no_async,
        .instance_extensions = needs->instance_extensions,
        .num_instance_extensions = needs->num_instance_extensions,
        .device_extensions = extensions,
        .num_device_extensions = needs->create_surface ? 2 : 0,
        .features = needs->features,
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
        params.num_device_extensions = 1;
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

bool gpu_shader_init(const struct gpu *gpu, const uint32_t *code, size_t size, VkShaderModule *out)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = code};
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

bool gpu_image_init(const struct gpu *gpu, const struct weir_image_params *params,
                    VkSampleCountFlagBits samples, struct gpu_image *out)
{
    return weir_ok(weir_gpu_image_init(gpu->work, params, samples, &out->made), "an image") &&
           weir_ok(weir_gpu_view_init(gpu->work, &out->made.params, 0, VK_REMAINING_MIP_LEVELS,
                                      &out->view),
                   "a view");
}

void gpu_image_finish(const struct gpu *gpu, struct gpu_image *image)
{
    vkDestroyImageView(gpu->device, image->view, NULL);
    weir_gpu_image_finish(gpu->work, &image->made);
    image->view = VK_NULL_HANDLE;
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
