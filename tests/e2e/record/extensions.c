// SPDX-License-Identifier: MIT
// Presents with extensions in their chains.
#include "extensions.h"

#include <stdlib.h>
#include <string.h>

enum { IN_FLIGHT = 2, RELEASED_EACH = 4, MAX_EXTENSIONS = 512 };
#define SECOND_NS UINT64_C(1000000000)

struct extensions {
    const struct gpu *gpu;
    PFN_vkWaitForPresentKHR wait;
    PFN_vkReleaseSwapchainImagesEXT release;
    uint64_t number; // of the last present
    VkFence fences[IN_FLIGHT][MAX_WINDOWS];
    VkFence acquired;
    uint64_t ids[MAX_WINDOWS];
    VkPresentModeKHR modes[MAX_WINDOWS];
    // The chain of a present.
    VkPresentIdKHR id;
    VkSwapchainPresentModeInfoEXT mode;
    VkSwapchainPresentFenceInfoEXT fence;
};

// Of the driver, or of a layer.
static bool lists_extension(VkPhysicalDevice physical, const char *layer, const char *name)
{
    static VkExtensionProperties all[MAX_EXTENSIONS];
    uint32_t num = MAX_EXTENSIONS;
    if (vkEnumerateDeviceExtensionProperties(physical, layer, &num, all) != VK_SUCCESS) {
        return false;
    }
    for (uint32_t i = 0; i < num; i++) {
        if (strcmp(all[i].extensionName, name) == 0) {
            return true;
        }
    }
    return false;
}

static void append(struct extension_features *features, VkDeviceCreateInfo *info,
                   const char **names, const char *name, void *feature)
{
    ((VkBaseOutStructure *)feature)->pNext = (void *)info->pNext;
    info->pNext = feature;
    names[info->enabledExtensionCount++] = name;
    features->num++;
}

void extensions_request(struct extension_features *features, VkPhysicalDevice physical,
                        VkDeviceCreateInfo *info, const char **names)
{
    *features = (struct extension_features){
        .id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR,
               .presentId = VK_TRUE},
        .wait = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR,
                 .presentWait = VK_TRUE},
        .maintenance = {.sType =
                            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SWAPCHAIN_MAINTENANCE_1_FEATURES_EXT,
                        .swapchainMaintenance1 = VK_TRUE},
    };
    // Where there is this layer, it makes the swapchains.
    const bool has_stand_in = lists_extension(physical, "VK_LAYER_WEIR_stand_in",
                                              VK_KHR_PRESENT_WAIT_EXTENSION_NAME);
    if (has_stand_in || lists_extension(physical, NULL, VK_KHR_PRESENT_WAIT_EXTENSION_NAME)) {
        append(features, info, names, VK_KHR_PRESENT_ID_EXTENSION_NAME, &features->id);
        append(features, info, names, VK_KHR_PRESENT_WAIT_EXTENSION_NAME, &features->wait);
    }
    if (!has_stand_in &&
        lists_extension(physical, NULL, VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME)) {
        append(features, info, names, VK_EXT_SWAPCHAIN_MAINTENANCE_1_EXTENSION_NAME,
               &features->maintenance);
    }
    if (features->num == 0) {
        gpu_skip("the device has none of the extensions");
    }
}

static const VkPresentModeKHR fifo = VK_PRESENT_MODE_FIFO_KHR;
static const VkSwapchainPresentModesCreateInfoEXT of_swapchain = {
    .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODES_CREATE_INFO_EXT,
    .presentModeCount = 1,
    .pPresentModes = &fifo,
};

const void *extensions_of_swapchain(const struct gpu *gpu)
{
    return vkGetDeviceProcAddr(gpu->device, "vkReleaseSwapchainImagesEXT") ? &of_swapchain : NULL;
}

static VkFence make_fence(const struct gpu *gpu, VkFenceCreateFlags flags)
{
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = flags};
    VkFence fence;
    gpu_check(vkCreateFence(gpu->device, &info, NULL, &fence), "vkCreateFence");
    return fence;
}

struct extensions *extensions_create(const struct gpu *gpu)
{
    struct extensions *extensions = calloc(1, sizeof(*extensions));
    gpu_check(extensions ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY, "memory");
    extensions->gpu = gpu;
    extensions->wait = (PFN_vkWaitForPresentKHR)vkGetDeviceProcAddr(gpu->device,
                                                                    "vkWaitForPresentKHR");
    extensions->release = (PFN_vkReleaseSwapchainImagesEXT)vkGetDeviceProcAddr(
        gpu->device, "vkReleaseSwapchainImagesEXT");
    extensions->acquired = make_fence(gpu, 0);
    for (int i = 0; i < IN_FLIGHT * MAX_WINDOWS; i++) {
        extensions->fences[i / MAX_WINDOWS][i % MAX_WINDOWS] = make_fence(
            gpu, VK_FENCE_CREATE_SIGNALED_BIT);
    }
    for (int w = 0; w < MAX_WINDOWS; w++) {
        extensions->modes[w] = fifo;
    }
    return extensions;
}

void extensions_destroy(struct extensions *extensions)
{
    if (!extensions) {
        return;
    }
    const VkDevice device = extensions->gpu->device;
    gpu_check(vkWaitForFences(device, IN_FLIGHT * MAX_WINDOWS, &extensions->fences[0][0], VK_TRUE,
                              SECOND_NS),
              "the fences of presents");
    for (int i = 0; i < IN_FLIGHT * MAX_WINDOWS; i++) {
        vkDestroyFence(device, extensions->fences[i / MAX_WINDOWS][i % MAX_WINDOWS], NULL);
    }
    vkDestroyFence(device, extensions->acquired, NULL);
    free(extensions);
}

void extensions_begin(struct extensions *extensions, VkPresentInfoKHR *info)
{
    if (!extensions) {
        return;
    }
    const uint32_t num = info->swapchainCount;
    VkFence *fences = extensions->fences[extensions->number % IN_FLIGHT];
    if (extensions->release) {
        gpu_check(vkWaitForFences(extensions->gpu->device, num, fences, VK_TRUE, SECOND_NS),
                  "the fences of presents");
        gpu_check(vkResetFences(extensions->gpu->device, num, fences), "vkResetFences");
    }
    extensions->number++;
    for (uint32_t w = 0; w < num; w++) {
        extensions->ids[w] = extensions->number;
    }
    extensions->fence = (VkSwapchainPresentFenceInfoEXT){
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT,
        .swapchainCount = num,
        .pFences = fences,
    };
    extensions->mode = (VkSwapchainPresentModeInfoEXT){
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODE_INFO_EXT,
        .pNext = &extensions->fence,
        .swapchainCount = num,
        .pPresentModes = extensions->modes,
    };
    extensions->id = (VkPresentIdKHR){
        .sType = VK_STRUCTURE_TYPE_PRESENT_ID_KHR,
        .pNext = extensions->release ? &extensions->mode : NULL,
        .swapchainCount = num,
        .pPresentIds = extensions->ids,
    };
    info->pNext = extensions->wait ? &extensions->id : extensions->id.pNext;
}

// Acquire an image that is not wanted, if there is one.
static void acquire_and_release(struct extensions *extensions, VkSwapchainKHR swapchain)
{
    const VkDevice device = extensions->gpu->device;
    uint32_t image;
    const VkResult result = vkAcquireNextImageKHR(device, swapchain, 0, VK_NULL_HANDLE,
                                                  extensions->acquired, &image);
    if (result != VK_SUCCESS && result != VK_SUBOPTIMAL_KHR) {
        return;
    }
    const VkReleaseSwapchainImagesInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_RELEASE_SWAPCHAIN_IMAGES_INFO_EXT,
        .swapchain = swapchain,
        .imageIndexCount = 1,
        .pImageIndices = &image,
    };
    gpu_check(vkWaitForFences(device, 1, &extensions->acquired, VK_TRUE, SECOND_NS), "acquired");
    gpu_check(vkResetFences(device, 1, &extensions->acquired), "vkResetFences");
    gpu_check(extensions->release(device, &info), "vkReleaseSwapchainImagesEXT");
}

void extensions_end(struct extensions *extensions, const VkPresentInfoKHR *info)
{
    if (!extensions) {
        return;
    }
    for (uint32_t w = 0; w < info->swapchainCount; w++) {
        const VkSwapchainKHR swapchain = info->pSwapchains[w];
        if (extensions->wait && extensions->number > 1) {
            gpu_check(extensions->wait(extensions->gpu->device, swapchain, extensions->number - 1,
                                       SECOND_NS),
                      "vkWaitForPresentKHR");
        }
        if (extensions->release && extensions->number % RELEASED_EACH == 0) {
            acquire_and_release(extensions, swapchain);
        }
    }
}
