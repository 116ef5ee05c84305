// SPDX-License-Identifier: MIT
// The device that samples render on, Weir's context on it, and memory.
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
    vkGetPhysicalDeviceMemoryProperties(gpu->physical_device, &gpu->memory);
    if (!gpu->graphics.queue) {
        return report("%s has no graphics queue; try another --device", gpu->properties.deviceName);
    }
    return weir_ok(weir_context_create(&import, &gpu->weir), "weir_context_create");
}

void gpu_finish(struct gpu *gpu)
{
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

static bool find_memory(const struct gpu *gpu, uint32_t allowed, VkMemoryPropertyFlags properties,
                        uint32_t *type)
{
    for (*type = 0; *type < gpu->memory.memoryTypeCount; ++*type) {
        if ((allowed >> *type & 1) &&
            (gpu->memory.memoryTypes[*type].propertyFlags & properties) == properties) {
            return true;
        }
    }
    return false;
}

static bool allocate(const struct gpu *gpu, const VkMemoryRequirements *needs,
                     VkMemoryPropertyFlags require, VkMemoryPropertyFlags prefer,
                     VkDeviceMemory *memory)
{
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needs->size};
    if (!find_memory(gpu, needs->memoryTypeBits, require | prefer, &info.memoryTypeIndex) &&
        !find_memory(gpu, needs->memoryTypeBits, require, &info.memoryTypeIndex)) {
        return report("the device has no memory of the kind that is needed");
    }
    return vulkan_made(vkAllocateMemory(gpu->device, &info, NULL, memory), "vkAllocateMemory",
                       memory);
}

bool gpu_buffer_init(const struct gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage,
                     VkMemoryPropertyFlags prefer, struct gpu_buffer *out)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    const VkMemoryPropertyFlags require = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                          VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    if (!vulkan_made(vkCreateBuffer(gpu->device, &info, NULL, &out->buffer), "vkCreateBuffer",
                     &out->buffer)) {
        return false;
    }
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(gpu->device, out->buffer, &needs);
    return allocate(gpu, &needs, require, prefer, &out->memory) &&
           vulkan_ok(vkBindBufferMemory(gpu->device, out->buffer, out->memory, 0),
                     "vkBindBufferMemory") &&
           vulkan_ok(vkMapMemory(gpu->device, out->memory, 0, VK_WHOLE_SIZE, 0, &out->mapped),
                     "vkMapMemory");
}

void gpu_buffer_finish(const struct gpu *gpu, struct gpu_buffer *buffer)
{
    vkDestroyBuffer(gpu->device, buffer->buffer, NULL);
    vkFreeMemory(gpu->device, buffer->memory, NULL);
    *buffer = (struct gpu_buffer){0};
}

bool gpu_view_init(const struct gpu *gpu, const struct gpu_view *view, VkImageView *out)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO, .usage = view->usage};
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = view->usage ? &usage : NULL,
        .image = view->image,
        .viewType = view->num_layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
        .format = view->format,
        .subresourceRange = {view->aspect, view->level, view->num_levels, 0, view->num_layers},
    };
    return vulkan_made(vkCreateImageView(gpu->device, &info, NULL, out), "vkCreateImageView", out);
}

VkImageCreateInfo gpu_image_info(VkFormat format, uint32_t width, uint32_t height,
                                 VkImageUsageFlags usage)
{
    return (VkImageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = {width, height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = usage,
    };
}

bool gpu_image_init(const struct gpu *gpu, const VkImageCreateInfo *info, struct gpu_image *out)
{
    if (!vulkan_made(vkCreateImage(gpu->device, info, NULL, &out->image), "vkCreateImage",
                     &out->image)) {
        return false;
    }
    const bool is_depth = info->usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    const bool extended = info->flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
    const struct gpu_view view = {
        .image = out->image,
        .format = info->format,
        .aspect = is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT,
        .num_levels = info->mipLevels,
        .num_layers = info->arrayLayers,
        .usage = extended ? info->usage & ~VK_IMAGE_USAGE_STORAGE_BIT : 0,
    };
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(gpu->device, out->image, &needs);
    return allocate(gpu, &needs, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, &out->memory) &&
           vulkan_ok(vkBindImageMemory(gpu->device, out->image, out->memory, 0),
                     "vkBindImageMemory") &&
           gpu_view_init(gpu, &view, &out->view);
}

void gpu_image_finish(const struct gpu *gpu, struct gpu_image *image)
{
    vkDestroyImageView(gpu->device, image->view, NULL);
    vkDestroyImage(gpu->device, image->image, NULL);
    vkFreeMemory(gpu->device, image->memory, NULL);
    *image = (struct gpu_image){0};
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
