// SPDX-License-Identifier: MIT
// A host that is not like the samples: Vulkan 1.1 by volk, an allocator of its own, C++ without
// exceptions. Textures get their levels, become an array of BC7, and a kernel samples both. Status
// 77: no device, or no validation layer.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <volk.h>

#include <weir/weir.hpp>

namespace {

constexpr uint32_t side = 32, num_levels = 6, num_textures = 3, memory_size = 16 << 20;
constexpr uint32_t num_colors = num_levels * (num_textures + 1); // that the kernel samples
constexpr VkDeviceSize texels_size = side * side * 4;
int num_messages;

void must(bool condition, const char *what)
{
    if (!condition) {
        std::printf("%s has failed\n", what);
        std::exit(1);
    }
}

VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                               VkDebugUtilsMessageTypeFlagsEXT,
                               const VkDebugUtilsMessengerCallbackDataEXT *data, void *)
{
    num_messages++;
    std::printf("validation: %s\n", data->pMessage);
    return VK_FALSE;
}

// Images lie in one piece of memory.
struct memory {
    VkDeviceMemory handle;
    VkDeviceSize used;
    VkDeviceSize place(const VkMemoryRequirements &needs)
    {
        const VkDeviceSize at = (used + needs.alignment - 1) / needs.alignment * needs.alignment;
        used = at + needs.size;
        must(used <= memory_size, "an allocation");
        return at;
    }
};

const char *const device_extensions[] = {VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
                                         VK_KHR_SPIRV_1_4_EXTENSION_NAME,
                                         VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME};

struct engine {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice gpu;
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline;
    VkPhysicalDeviceFeatures2 features;
    VkDevice device;
    uint32_t family;
    VkQueue queue;
    memory images;
    weir_context_params import;
};

void make_instance(engine &e)
{
    const char *const layer = "VK_LAYER_KHRONOS_validation";
    const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    const VkValidationFeatureEnableEXT sync =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    const VkValidationFeaturesEXT validation = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                                .enabledValidationFeatureCount = 1,
                                                .pEnabledValidationFeatures = &sync};
    const VkDebugUtilsMessengerCreateInfoEXT messages = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .pNext = &validation,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = &messages,
                                       .pApplicationInfo = &application,
                                       .enabledLayerCount = 1,
                                       .ppEnabledLayerNames = &layer,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = extensions};
    uint32_t num = 1;
    if (volkInitialize() || vkCreateInstance(&info, nullptr, &e.instance)) {
        std::printf("skipped: no Vulkan, or no validation layer\n");
        std::exit(77);
    }
    volkLoadInstance(e.instance);
    if (vkEnumeratePhysicalDevices(e.instance, &num, &e.gpu) < 0 || num == 0) {
        std::printf("skipped: no Vulkan device\n");
        std::exit(77);
    }
    VkDebugUtilsMessengerCreateInfoEXT messenger = messages;
    messenger.pNext = nullptr;
    must(!vkCreateDebugUtilsMessengerEXT(e.instance, &messenger, nullptr, &e.messenger),
         "messenger");
}

void make_device(engine &e)
{
    VkQueueFamilyProperties families[16];
    uint32_t num = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(e.gpu, &num, families);
    while (!(families[e.family].queueFlags & VK_QUEUE_GRAPHICS_BIT)) {
        must(++e.family < num, "a graphics queue");
    }
    e.timeline = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
                  .timelineSemaphore = VK_TRUE};
    e.features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &e.timeline};
    e.features.features.shaderStorageImageWriteWithoutFormat = VK_TRUE;
    e.features.features.textureCompressionBC = VK_TRUE;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = e.family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &e.features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 3,
                                     .ppEnabledExtensionNames = device_extensions};
    must(!vkCreateDevice(e.gpu, &info, nullptr, &e.device), "vkCreateDevice");
    volkLoadDevice(e.device);
    vkGetDeviceQueue(e.device, e.family, 0, &e.queue);
    e.import.instance = e.instance;
    e.import.physical_device = e.gpu;
    e.import.device = e.device;
    e.import.get_instance_proc_addr = vkGetInstanceProcAddr;
    e.import.api_version = VK_API_VERSION_1_1;
    e.import.device_extensions = device_extensions;
    e.import.num_device_extensions = 3;
    e.import.features = &e.features;
    e.import.graphics = {.queue = e.queue, .family = e.family};
    e.import.log.print = weir_log_print_stderr;
}

weir_image_params make_image(engine &e, weir_gpu *gpu, VkFormat format, uint32_t layers,
                             VkImageUsageFlags usage)
{
    const weir_pyramid_format_info *facts = weir_pyramid_format_get_info(format);
    weir_image_params out = {};
    out.format = format;
    out.width = out.height = side;
    out.levels = num_levels;
    out.layers = layers;
    out.usage = usage | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    out.flags = facts ? facts->flags : 0;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .flags = out.flags,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = format,
                                    .extent = {side, side, 1},
                                    .mipLevels = num_levels,
                                    .arrayLayers = layers,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = out.usage};
    must(!vkCreateImage(e.device, &info, nullptr, &out.image), "vkCreateImage");
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(e.device, out.image, &needs);
    if (!e.images.handle) {
        VkMemoryRequirements all = needs;
        all.size = memory_size;
        must(weir_gpu_allocate(gpu, &all, WEIR_GPU_MEMORY_DEVICE, &e.images.handle) == WEIR_OK,
             "memory");
    }
    must(!vkBindImageMemory(e.device, out.image, e.images.handle, e.images.place(needs)), "bind");
    return out;
}

weir_gpu_buffer make_buffer(weir_gpu *gpu, uint64_t size, VkBufferUsageFlags usage)
{
    weir_gpu_buffer buffer;
    must(weir_gpu_buffer_init(
             gpu,
             weir_gpu_buffer_params(.size = size, .usage = usage, .memory = WEIR_GPU_MEMORY_HOST),
             &buffer) == WEIR_OK,
         "a buffer");
    return buffer;
}

// A view that samples. The usage is the image's without STORAGE, which SRGB formats do not have.
VkImageView make_view(const engine &e, const weir_image_params &image, VkImageViewType type)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = image.image,
        .viewType = type,
        .format = image.format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, num_levels, 0, image.layers}};
    VkImageView view = VK_NULL_HANDLE;
    must(!vkCreateImageView(e.device, &info, nullptr, &view), "vkCreateImageView");
    return view;
}

// A kernel that samples an array and a texture.
struct kernel {
    weir_gpu_layout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
};

kernel make_kernel(weir_gpu *gpu, const VkImageView *views, VkBuffer colors)
{
    static const uint32_t code[] =
#include "sample.inc"
        ;
    kernel k = {};
    const weir_gpu_binding bindings[] = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1},
                                         {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1},
                                         {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    const weir_gpu_layout_params of_layout = {
        .bindings = bindings, .num_bindings = 3, .filter = VK_FILTER_LINEAR};
    const weir_gpu_kernel of_kernel = {.code = code, .code_size = sizeof(code)};
    const weir_gpu_descriptor descriptors[] = {
        {.view = views[0]}, {.view = views[1]}, {.buffer = colors}};
    must(weir_gpu_layout_init(gpu, &of_layout, &k.layout) == WEIR_OK &&
             weir_gpu_pipeline_init(gpu, &k.layout, &of_kernel, &k.pipeline) == WEIR_OK &&
             weir_gpu_pool_init(gpu, &k.layout, 1, &k.pool) == WEIR_OK &&
             weir_gpu_set_init(gpu, k.pool, &k.layout, descriptors, &k.set) == WEIR_OK,
         "a kernel");
    return k;
}

// The code of a channel of the left or right half of a texture.
uint8_t code_of(uint32_t texture, int channel, bool is_right)
{
    return uint8_t(is_right ? 255 - 40 * texture - 20 * uint32_t(channel)
                            : 30 * texture + 15 * uint32_t(channel));
}

double linear(uint8_t code)
{
    const double value = code / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

void paint(uint8_t *texels)
{
    for (uint32_t i = 0; i < num_textures * side * side; i++) {
        for (int channel = 0; channel < 3; channel++) {
            texels[4 * i + uint32_t(channel)] = code_of(i / side / side, channel,
                                                        i % side >= side / 2);
        }
        texels[4 * i + 3] = 255;
    }
}

// The middle of every level is the mean of both halves, in linear light.
void compare(const float (*colors)[4])
{
    for (uint32_t i = 0; i < num_colors; i++) {
        const uint32_t texture = i / num_levels % num_textures;
        for (int channel = 0; channel < 3; channel++) {
            const double wanted = (linear(code_of(texture, channel, false)) +
                                   linear(code_of(texture, channel, true))) /
                                  2;
            if (std::fabs(colors[i][channel] - wanted) > 0.01) {
                std::printf("row %u, level %u, channel %d: %f in place of %f\n", i / num_levels,
                            i % num_levels, channel, double(colors[i][channel]), wanted);
                std::exit(1);
            }
        }
    }
}

// Before and after a copy to an image, and before its blocks or levels are read.
const weir_gpu_scope fresh = {VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED};
const weir_gpu_scope copied = {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
const weir_gpu_scope sampled = {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};

void run(engine &e)
{
    weir::context context;
    weir::gpu gpu;
    weir::mips mips;
    must(weir_context_create(&e.import, context.out()) == WEIR_OK &&
             weir_gpu_create(weir_gpu_params(.import = &e.import, .queue = e.import.graphics),
                             gpu.out()) == WEIR_OK &&
             weir_mips_create(context, weir_mips_params(.max_in_flight = num_textures),
                              mips.out()) == WEIR_OK,
         "a context");
    weir_image_params textures[num_textures];
    weir::image wrapped[num_textures], compressed;
    for (uint32_t i = 0; i < num_textures; i++) {
        textures[i] = make_image(e, gpu, VK_FORMAT_R8G8B8A8_SRGB, 1, VK_IMAGE_USAGE_STORAGE_BIT);
        must(weir_image_create(context, &textures[i], wrapped[i].out()) == WEIR_OK, "an image");
    }
    const weir_image_params array = make_image(e, gpu, VK_FORMAT_BC7_SRGB_BLOCK, num_textures, 0);
    weir::encoder encoder;
    must(weir_image_create(context, &array, compressed.out()) == WEIR_OK &&
             weir_encoder_create(context,
                                 weir_encoder_params(.codec = WEIR_CODEC_BC7, .like = wrapped[0]),
                                 encoder.out()) == WEIR_OK,
         "an encoder");
    weir_encode encode = {};
    encode.source = wrapped[0];
    encode.num_levels = num_levels;
    const uint64_t size = weir_encode_size(encoder, &encode);
    const VkBufferUsageFlags stored = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const VkBufferUsageFlags read = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    weir_gpu_buffer buffers[] = {make_buffer(gpu, num_textures * texels_size, read),
                                 make_buffer(gpu, num_textures * size, stored | read),
                                 make_buffer(gpu, sizeof(float[4]) * num_colors, stored)};
    weir::buffer blocks;
    must(weir_buffer_create(
             context, weir_buffer_params(.buffer = buffers[1].buffer, .size = num_textures * size),
             blocks.out()) == WEIR_OK,
         "blocks");
    paint(buffers[0].mapped);
    const VkImageView views[] = {make_view(e, array, VK_IMAGE_VIEW_TYPE_2D_ARRAY),
                                 make_view(e, textures[0], VK_IMAGE_VIEW_TYPE_2D)};
    kernel k = make_kernel(gpu, views, buffers[2].buffer);

    VkCommandBuffer cmd = nullptr;
    must(weir_gpu_begin(gpu, &cmd) == WEIR_OK, "a command buffer");
    weir_cmd_barrier(gpu, cmd, &array, fresh, copied);
    for (uint32_t i = 0; i < num_textures; i++) {
        const VkBufferImageCopy copy = {.bufferOffset = i * texels_size,
                                        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                        .imageExtent = {side, side, 1}};
        weir_cmd_barrier(gpu, cmd, &textures[i], fresh, copied);
        vkCmdCopyBufferToImage(cmd, buffers[0].buffer, textures[i].image, copied.layout, 1, &copy);
        encode.source = wrapped[i];
        encode.buffer = blocks;
        encode.offset = i * size;
        must(weir_cmd_generate_mips(mips, cmd, &textures[i],
                                    WEIR_REF(weir_mips_uses, .dst_stages = sampled.stages,
                                             .dst_access = sampled.access)) == WEIR_OK &&
                 weir_cmd_encode(encoder, cmd, &encode) == WEIR_OK &&
                 weir_cmd_copy_blocks(encoder, cmd, &encode,
                                      WEIR_REF(weir_block_copy, .image = compressed, .layer = i)) ==
                     WEIR_OK,
             "a texture");
    }
    weir_cmd_barrier(gpu, cmd, &array, copied, sampled);
    weir_cmd_bind(gpu, cmd, &k.layout, k.pipeline, k.set, nullptr);
    vkCmdDispatch(cmd, num_levels, num_textures + 1, 1);
    weir_cmd_barrier(gpu, cmd, nullptr,
                     {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                     {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
    must(weir_gpu_run(gpu, cmd) == WEIR_OK, "a submission");
    compare(reinterpret_cast<const float(*)[4]>(buffers[2].mapped));

    vkDestroyDescriptorPool(e.device, k.pool, nullptr);
    vkDestroyPipeline(e.device, k.pipeline, nullptr);
    weir_gpu_layout_finish(gpu, &k.layout);
    for (int i = 0; i < 2; i++) {
        vkDestroyImageView(e.device, views[i], nullptr);
    }
    for (weir_gpu_buffer &buffer : buffers) {
        weir_gpu_buffer_finish(gpu, &buffer);
    }
    for (const weir_image_params &texture : textures) {
        vkDestroyImage(e.device, texture.image, nullptr);
    }
    vkDestroyImage(e.device, array.image, nullptr);
}

} // namespace

int main()
{
    engine e = {};
    make_instance(e);
    make_device(e);
    run(e);
    vkFreeMemory(e.device, e.images.handle, nullptr);
    vkDestroyDevice(e.device, nullptr);
    vkDestroyDebugUtilsMessengerEXT(e.instance, e.messenger, nullptr);
    vkDestroyInstance(e.instance, nullptr);
    std::printf("%d messages\n", num_messages);
    return num_messages == 0 ? 0 : 1;
}
