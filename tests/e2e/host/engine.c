// SPDX-License-Identifier: MIT
// A render loop without a window: three images, binary semaphores, a fence an image.
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>

// Of the window: a user drags its corner.
static const VkExtent2D resized = {203, 117};

static void check(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        printf("%s: VkResult %d\n", what, (int)result);
        exit(1);
    }
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT type,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    (void)severity;
    (void)type;
    ((struct engine *)user)->num_messages++;
    printf("validation: %s\n", data->pMessage);
    return VK_FALSE;
}

// Ends the program with status 77 where there is no device or no validation layer.
static void make_instance(struct engine *e)
{
    static const char *const layers[] = {"VK_LAYER_KHRONOS_validation"};
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkDebugUtilsMessengerCreateInfoEXT messages = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = e,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = &messages,
        .pApplicationInfo = &application,
        .enabledLayerCount = 1,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = extensions,
    };
    uint32_t num = 1;
    if (vkCreateInstance(&info, NULL, &e->instance) != VK_SUCCESS ||
        vkEnumeratePhysicalDevices(e->instance, &num, &e->gpu) < VK_SUCCESS || num == 0) {
        printf("skipped: no Vulkan device, or no validation layer\n");
        exit(77);
    }
    PFN_vkCreateDebugUtilsMessengerEXT create = (PFN_vkCreateDebugUtilsMessengerEXT)
        vkGetInstanceProcAddr(e->instance, "vkCreateDebugUtilsMessengerEXT");
    check(create(e->instance, &messages, NULL, &e->messenger), "messenger");
}

static void find_family(struct engine *e)
{
    const VkQueueFlags needs = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    VkQueueFamilyProperties families[16];
    uint32_t num = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(e->gpu, &num, families);
    while (e->family < num && (families[e->family].queueFlags & needs) != needs) {
        e->family++;
    }
    check(e->family < num ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT, "a graphics queue");
}

static void make_device(struct engine *e)
{
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = e->family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &e->features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
    };
    enable_features(e);
    check(vkCreateDevice(e->gpu, &info, NULL, &e->device), "vkCreateDevice");
    vkGetDeviceQueue(e->device, e->family, 0, &e->queue);
}

static uint32_t find_memory(const struct engine *e, uint32_t allowed)
{
    VkPhysicalDeviceMemoryProperties properties;
    uint32_t i = 0;
    vkGetPhysicalDeviceMemoryProperties(e->gpu, &properties);
    while (i < properties.memoryTypeCount &&
           !((allowed >> i & 1) &&
             (properties.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT))) {
        i++;
    }
    return i;
}

static void make_image(struct engine *e, uint32_t i)
{
    const VkImageCreateInfo image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = e->format,
        .extent = {e->width, e->height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = e->usage,
    };
    check(vkCreateImage(e->device, &image, NULL, &e->images[i]), "vkCreateImage");
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(e->device, e->images[i], &needs);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = find_memory(e, needs.memoryTypeBits),
    };
    check(vkAllocateMemory(e->device, &memory, NULL, &e->memory[i]), "vkAllocateMemory");
    check(vkBindImageMemory(e->device, e->images[i], e->memory[i], 0), "vkBindImageMemory");
}

static void make_loop(struct engine *e)
{
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                     .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = e->family,
    };
    check(vkCreateCommandPool(e->device, &pool, NULL, &e->pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = e->pool,
        .commandBufferCount = NUM_IMAGES,
    };
    check(vkAllocateCommandBuffers(e->device, &commands, e->commands), "commands");
    for (uint32_t i = 0; i < NUM_IMAGES; i++) {
        check(vkCreateSemaphore(e->device, &semaphore, NULL, &e->rendered[i]), "semaphore");
        check(vkCreateSemaphore(e->device, &semaphore, NULL, &e->presentable[i]), "semaphore");
        check(vkCreateFence(e->device, &fence, NULL, &e->presented[i]), "vkCreateFence");
        make_image(e, i);
    }
}

static void record_barrier(const struct engine *e, VkCommandBuffer cmd, VkImageLayout from,
                           VkImageLayout to, VkAccessFlags src_access, VkAccessFlags dst_access)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = src_access,
        .dstAccessMask = dst_access,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = e->images[e->index],
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                         NULL, 0, NULL, 1, &barrier);
}

void engine_lock(struct engine *e, uint32_t family, uint32_t index)
{
    (void)family; // there is one queue
    (void)index;
    pthread_mutex_lock(&e->queue_mutex);
}

void engine_unlock(struct engine *e, uint32_t family, uint32_t index)
{
    (void)family;
    (void)index;
    pthread_mutex_unlock(&e->queue_mutex);
}

static void submit(struct engine *e, const VkSubmitInfo *info, VkFence fence)
{
    engine_lock(e, e->family, 0);
    check(vkQueueSubmit(e->queue, 1, info, fence), "vkQueueSubmit");
    engine_unlock(e, e->family, 0);
}

bool engine_draw(struct engine *e)
{
    e->time_ns = (int64_t)e->num_drawn * 1000000000 / 60;
    if (e->num_drawn == NUM_FRAMES) {
        return false;
    }
    e->index = e->num_drawn % NUM_IMAGES;
    const float grey = (float)(12 * e->num_drawn++) / 255.0f;
    check(vkWaitForFences(e->device, 1, &e->presented[e->index], VK_TRUE, UINT64_MAX),
          "vkWaitForFences");
    check(vkResetFences(e->device, 1, &e->presented[e->index]), "vkResetFences");
    const VkCommandBuffer cmd = e->commands[e->index];
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkImageLayout drawing = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    const VkClearColorValue color = {.float32 = {grey, grey, grey, 1.0f}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
    record_barrier(e, cmd, VK_IMAGE_LAYOUT_UNDEFINED, drawing, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
    vkCmdClearColorImage(cmd, e->images[e->index], drawing, &color, 1, &range);
    record_barrier(e, cmd, drawing, e->layout, VK_ACCESS_TRANSFER_WRITE_BIT, 0);
    check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
    submit(e,
           &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .commandBufferCount = 1,
                           .pCommandBuffers = &cmd,
                           .signalSemaphoreCount = 1,
                           .pSignalSemaphores = &e->rendered[e->index]},
           VK_NULL_HANDLE);
    return true;
}

void engine_present(struct engine *e)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    submit(e,
           &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .waitSemaphoreCount = 1,
                           .pWaitSemaphores = &e->presentable[e->index],
                           .pWaitDstStageMask = &stage},
           e->presented[e->index]);
}

void engine_wait(struct engine *e)
{
    check(vkWaitForFences(e->device, NUM_IMAGES, e->presented, VK_TRUE, UINT64_MAX),
          "vkWaitForFences");
}

bool engine_wants_resize(const struct engine *e)
{
    return e->num_drawn >= RESIZE_AFTER && e->width != resized.width;
}

static void drop_images(struct engine *e)
{
    for (uint32_t i = 0; i < NUM_IMAGES; i++) {
        vkDestroyImage(e->device, e->images[i], NULL);
        vkFreeMemory(e->device, e->memory[i], NULL);
    }
}

void engine_resize(struct engine *e)
{
    drop_images(e);
    e->width = resized.width;
    e->height = resized.height;
    for (uint32_t i = 0; i < NUM_IMAGES; i++) {
        make_image(e, i);
    }
}

static void finish(struct engine *e)
{
    drop_images(e);
    for (uint32_t i = 0; i < NUM_IMAGES; i++) {
        vkDestroyFence(e->device, e->presented[i], NULL);
        vkDestroySemaphore(e->device, e->rendered[i], NULL);
        vkDestroySemaphore(e->device, e->presentable[i], NULL);
    }
    vkDestroyCommandPool(e->device, e->pool, NULL);
    vkDestroyDevice(e->device, NULL);
    PFN_vkDestroyDebugUtilsMessengerEXT destroy = (PFN_vkDestroyDebugUtilsMessengerEXT)
        vkGetInstanceProcAddr(e->instance, "vkDestroyDebugUtilsMessengerEXT");
    destroy(e->instance, e->messenger, NULL);
    vkDestroyInstance(e->instance, NULL);
    pthread_mutex_destroy(&e->queue_mutex);
}

int main(void)
{
    struct engine e = {
        .width = 320,
        .height = 180,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .layout = VK_IMAGE_LAYOUT_GENERAL,
    };
    pthread_mutex_init(&e.queue_mutex, NULL);
    make_instance(&e);
    find_family(&e);
    make_device(&e);
    make_loop(&e);
    const bool ok = run(&e);
    finish(&e);
    return ok && e.num_messages == 0 ? 0 : 1;
}
