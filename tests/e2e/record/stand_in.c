// SPDX-License-Identifier: MIT
// VkLayer_WEIR_stand_in: VK_EXT_headless_surface, VK_KHR_swapchain and VK_KHR_display_swapchain for
// drivers that have none, as far as e2e_present uses them: one instance, one device, one thread.
//
// It takes the place of a driver's own swapchains. Layers that are to see the presents, such as the
// one of weir record, come before it in VK_INSTANCE_LAYERS. A present is a submission without
// commands, with a fence that says when its semaphores were signalled: nobody reads the image.
// Images are as those of VK_SWAPCHAIN_CREATE_DEFERRED_MEMORY_ALLOCATION_BIT_EXT: views of them can
// be made after they were acquired.
//
// WEIR_STAND_IN_HZ=RATE: images that wait for the display (FIFO) are shown at that rate.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

enum { MIN_IMAGES = 2, MAX_IMAGES = 16, MAX_SIDE = 16384, MAX_WAITS = 64, MAX_EXTENSIONS = 64 };
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const VkResult result_ = (call);                                                           \
        if (result_ != VK_SUCCESS) {                                                               \
            return result_;                                                                        \
        }                                                                                          \
    } while (0)
#define NUM(array) (sizeof(array) / sizeof((array)[0]))

// clang-format off
#define DEVICE_FUNCTIONS(X) \
    X(AllocateMemory) X(BindImageMemory) X(CreateFence) X(CreateImage) X(CreateImageView) \
    X(DestroyFence) X(DestroyImage) X(FreeMemory) X(GetDeviceQueue) X(GetImageMemoryRequirements) \
    X(QueueSubmit) X(ResetFences) X(WaitForFences)
#define FUNCTION(name, function) {name, (PFN_vkVoidFunction)function}
// clang-format on

struct image {
    VkImage handle;
    VkDeviceMemory memory;
    bool is_presented;
    VkFence shown;   // where it is presented: it is free once this is signalled
    int64_t free_ns; // and that time has come
};

// Those that were not acquired yet.
enum { MAX_NEW = 256 };
static VkImage new_images[MAX_NEW];

struct swapchain {
    int64_t period_ns; // between two images that are shown; 0: there is no pace
    int64_t shown_ns;  // when the last one is shown
    uint64_t id;       // of the last present that had one
    uint32_t next;     // image to be acquired
    uint32_t num_images;
    struct image images[MAX_IMAGES];
};

// The program's, and what the layer calls of the next one below it.
static struct {
    PFN_vkGetInstanceProcAddr instance_proc;
    PFN_vkGetDeviceProcAddr device_proc;
    PFN_vkGetPhysicalDeviceMemoryProperties memory_properties;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue; // the first that the program asked for: signals that an image is acquired
#define MEMBER(name) PFN_vk##name name;
    DEVICE_FUNCTIONS(MEMBER)
#undef MEMBER
} vk;

static struct swapchain *swapchain_of(VkSwapchainKHR handle)
{
    return (struct swapchain *)(uintptr_t)handle;
}

// Copy a list to a program that asks for it in two calls, and has room for it.
static VkResult copy_list(const void *items, uint32_t num, size_t size, uint32_t *count, void *out)
{
    *count = num;
    if (out) {
        memcpy(out, items, num * size);
    }
    return VK_SUCCESS;
}

static VkResult create_surface(VkInstance instance, const VkHeadlessSurfaceCreateInfoEXT *info,
                               const VkAllocationCallbacks *allocator, VkSurfaceKHR *out)
{
    static uintptr_t num_surfaces;
    (void)instance, (void)info, (void)allocator;
    *out = (VkSurfaceKHR)++num_surfaces;
    return VK_SUCCESS;
}

static void destroy_surface(VkInstance instance, VkSurfaceKHR surface,
                            const VkAllocationCallbacks *allocator)
{
    (void)instance, (void)surface, (void)allocator;
}

static VkResult get_support(VkPhysicalDevice physical, uint32_t family, VkSurfaceKHR surface,
                            VkBool32 *out)
{
    (void)physical, (void)family, (void)surface;
    *out = VK_TRUE; // every queue takes a submission without commands
    return VK_SUCCESS;
}

// Formats and usages are those that every driver has.
static VkResult get_capabilities(VkPhysicalDevice physical, VkSurfaceKHR surface,
                                 VkSurfaceCapabilitiesKHR *out)
{
    (void)physical, (void)surface;
    *out = (VkSurfaceCapabilitiesKHR){
        .minImageCount = MIN_IMAGES,
        .maxImageCount = MAX_IMAGES,
        .currentExtent = {UINT32_MAX, UINT32_MAX}, // what the swapchain has
        .minImageExtent = {1, 1},
        .maxImageExtent = {MAX_SIDE, MAX_SIDE},
        .maxImageArrayLayers = 1,
        .supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
        .currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
        .supportedCompositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
        .supportedUsageFlags = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                               VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    return VK_SUCCESS;
}

static VkResult get_formats(VkPhysicalDevice physical, VkSurfaceKHR surface, uint32_t *count,
                            VkSurfaceFormatKHR *out)
{
    static const VkSurfaceFormatKHR formats[] = {
        {VK_FORMAT_B8G8R8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
        {VK_FORMAT_B8G8R8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
        {VK_FORMAT_R8G8B8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
        {VK_FORMAT_R8G8B8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
        {VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
        {VK_FORMAT_R16G16B16A16_SFLOAT, VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT},
    };
    (void)physical, (void)surface;
    return copy_list(formats, NUM(formats), sizeof(formats[0]), count, out);
}

static VkResult get_modes(VkPhysicalDevice physical, VkSurfaceKHR surface, uint32_t *count,
                          VkPresentModeKHR *out)
{
    static const VkPresentModeKHR modes[] = {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR,
                                             VK_PRESENT_MODE_IMMEDIATE_KHR};
    (void)physical, (void)surface;
    return copy_list(modes, NUM(modes), sizeof(modes[0]), count, out);
}

// Find a type of memory on the device, which every driver has for images.
static uint32_t find_memory(uint32_t types)
{
    VkPhysicalDeviceMemoryProperties memory;
    vk.memory_properties(vk.physical, &memory);
    uint32_t i = 0;
    while (i < memory.memoryTypeCount - 1 &&
           !((types & (1u << i)) &&
             (memory.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT))) {
        i++;
    }
    return i;
}

// Find an image that was not acquired yet, or a free place for VK_NULL_HANDLE. NULL: there is none.
static VkImage *find_new(VkImage image)
{
    VkImage *at = new_images;
    while (at < new_images + MAX_NEW && *at != image) {
        at++;
    }
    return at < new_images + MAX_NEW ? at : NULL;
}

static void set_acquired(VkImage image)
{
    VkImage *found = find_new(image);
    if (found) {
        *found = VK_NULL_HANDLE;
    }
}

static VkResult create_view(VkDevice device, const VkImageViewCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkImageView *out)
{
    if (find_new(info->image)) {
        fputs("stand-in: a view of an image that was never acquired\n", stderr);
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    return vk.CreateImageView(device, info, allocator, out);
}

static VkResult create_image(const VkSwapchainCreateInfoKHR *info, struct image *image)
{
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkImageCreateInfo params = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = info->imageFormat,
        .extent = {info->imageExtent.width, info->imageExtent.height, 1},
        .mipLevels = 1,
        .arrayLayers = info->imageArrayLayers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = info->imageUsage,
        .sharingMode = info->imageSharingMode,
        .queueFamilyIndexCount = info->queueFamilyIndexCount,
        .pQueueFamilyIndices = info->pQueueFamilyIndices,
    };
    VkMemoryRequirements needs;
    TRY(vk.CreateFence(vk.device, &fence, NULL, &image->shown));
    TRY(vk.CreateImage(vk.device, &params, NULL, &image->handle));
    vk.GetImageMemoryRequirements(vk.device, image->handle, &needs);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = find_memory(needs.memoryTypeBits),
    };
    TRY(vk.AllocateMemory(vk.device, &memory, NULL, &image->memory));
    VkImage *place = find_new(VK_NULL_HANDLE);
    if (place) {
        *place = image->handle;
    }
    return vk.BindImageMemory(vk.device, image->handle, image->memory, 0);
}

static void destroy_swapchain(VkDevice device, VkSwapchainKHR handle,
                              const VkAllocationCallbacks *allocator)
{
    struct swapchain *swapchain = swapchain_of(handle);
    (void)allocator;
    for (uint32_t i = 0; swapchain && i < swapchain->num_images; i++) {
        const struct image *image = &swapchain->images[i];
        if (image->is_presented) {
            vk.WaitForFences(device, 1, &image->shown, VK_TRUE, UINT64_MAX);
        }
        set_acquired(image->handle);
        vk.DestroyImage(device, image->handle, NULL);
        vk.FreeMemory(device, image->memory, NULL);
        vk.DestroyFence(device, image->shown, NULL);
    }
    free(swapchain);
}

static VkResult create_swapchain(VkDevice device, const VkSwapchainCreateInfoKHR *info,
                                 const VkAllocationCallbacks *allocator, VkSwapchainKHR *out)
{
    const char *text = getenv("WEIR_STAND_IN_HZ");
    const double rate = text && info->presentMode == VK_PRESENT_MODE_FIFO_KHR ? strtod(text, NULL)
                                                                              : 0;
    struct swapchain *swapchain = calloc(1, sizeof(*swapchain));
    const int file = dup(STDERR_FILENO); // as drivers need one meanwhile
    close(file);
    VkResult result = swapchain && file >= 0 ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    *out = (VkSwapchainKHR)(uintptr_t)swapchain;
    while (result == VK_SUCCESS && swapchain->num_images < info->minImageCount) {
        result = create_image(info, &swapchain->images[swapchain->num_images++]);
    }
    if (result != VK_SUCCESS) {
        destroy_swapchain(device, *out, allocator);
        return result;
    }
    swapchain->period_ns = rate > 0 ? (int64_t)(1e9 / rate) : 0;
    return VK_SUCCESS;
}

static VkResult create_shared(VkDevice device, uint32_t num, const VkSwapchainCreateInfoKHR *infos,
                              const VkAllocationCallbacks *allocator, VkSwapchainKHR *out)
{
    for (uint32_t i = 0; i < num; i++) {
        TRY(create_swapchain(device, &infos[i], allocator, &out[i]));
    }
    return VK_SUCCESS;
}

static VkResult get_images(VkDevice device, VkSwapchainKHR handle, uint32_t *count, VkImage *out)
{
    const struct swapchain *swapchain = swapchain_of(handle);
    VkImage images[MAX_IMAGES];
    (void)device;
    for (uint32_t i = 0; i < swapchain->num_images; i++) {
        images[i] = swapchain->images[i].handle;
    }
    return copy_list(images, swapchain->num_images, sizeof(images[0]), count, out);
}

// Images are acquired in turn: the program has one at a time.
static VkResult acquire(VkDevice device, VkSwapchainKHR handle, uint64_t timeout_ns,
                        VkSemaphore semaphore, VkFence fence, uint32_t *index)
{
    struct swapchain *swapchain = swapchain_of(handle);
    struct image *image = &swapchain->images[swapchain->next];
    if (image->is_presented) {
        const struct timespec due = {image->free_ns / 1000000000, image->free_ns % 1000000000};
        TRY(vk.WaitForFences(device, 1, &image->shown, VK_TRUE, timeout_ns));
        TRY(vk.ResetFences(device, 1, &image->shown));
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) != 0) {
        }
        image->is_presented = false;
    }
    const VkSubmitInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .signalSemaphoreCount = semaphore ? 1 : 0,
        .pSignalSemaphores = &semaphore,
    };
    set_acquired(image->handle);
    *index = swapchain->next;
    swapchain->next = (swapchain->next + 1) % swapchain->num_images;
    return vk.QueueSubmit(vk.queue, 1, &signal, fence);
}

// An image is shown when it was presented, or a period after the one before it, and is free when
// the next one can be shown.
static void show(struct swapchain *swapchain, struct image *image)
{
    image->is_presented = true;
    if (swapchain->period_ns) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        const int64_t now_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
        swapchain->shown_ns += swapchain->period_ns;
        swapchain->shown_ns = swapchain->shown_ns > now_ns ? swapchain->shown_ns : now_ns;
        image->free_ns = swapchain->shown_ns + swapchain->period_ns;
    }
}

static VkResult wait_for_present(VkDevice device, VkSwapchainKHR handle, uint64_t id,
                                 uint64_t timeout_ns)
{
    (void)device, (void)timeout_ns;
    return id <= swapchain_of(handle)->id ? VK_SUCCESS : VK_TIMEOUT;
}

static VkResult present(VkQueue queue, const VkPresentInfoKHR *info)
{
    const VkPresentIdKHR *id = info->pNext; // the only struct here that has a use
    VkPipelineStageFlags stages[MAX_WAITS];
    for (uint32_t i = 0; i < MAX_WAITS; i++) {
        stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    }
    VkResult result = info->waitSemaphoreCount <= MAX_WAITS ? VK_SUCCESS
                                                            : VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info->swapchainCount && result == VK_SUCCESS; i++) {
        struct swapchain *swapchain = swapchain_of(info->pSwapchains[i]);
        struct image *image = &swapchain->images[info->pImageIndices[i]];
        // Fences after the first are signalled after the work before them, and so after the waits.
        const VkSubmitInfo waits = {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
            .waitSemaphoreCount = i == 0 ? info->waitSemaphoreCount : 0,
            .pWaitSemaphores = info->pWaitSemaphores,
            .pWaitDstStageMask = stages,
        };
        result = vk.QueueSubmit(queue, 1, &waits, image->shown);
        if (result == VK_SUCCESS) {
            show(swapchain, image);
            swapchain->id = id && id->sType == VK_STRUCTURE_TYPE_PRESENT_ID_KHR ? id->pPresentIds[i]
                                                                                : 0;
        }
    }
    for (uint32_t i = 0; info->pResults && i < info->swapchainCount; i++) {
        info->pResults[i] = result;
    }
    return result;
}

// Find the loader's link to the next layer in the chain of an info.
static void *find_link(const void *chain, VkStructureType type)
{
    const VkLayerInstanceCreateInfo *link = chain; // as the one of devices begins
    while (link && (link->sType != type || link->function != VK_LAYER_LINK_INFO)) {
        link = link->pNext;
    }
    return (void *)link;
}

static VkResult create_instance(const VkInstanceCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkInstance *out)
{
    VkLayerInstanceCreateInfo *link = find_link(info->pNext,
                                                VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    vk.instance_proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext; // the loader gives each layer its own by this
    const PFN_vkCreateInstance create = (PFN_vkCreateInstance)vk.instance_proc(NULL,
                                                                               "vkCreateInstance");
    TRY(create(info, allocator, out));
    vk.memory_properties = (PFN_vkGetPhysicalDeviceMemoryProperties)vk.instance_proc(
        *out, "vkGetPhysicalDeviceMemoryProperties");
    return VK_SUCCESS;
}

static bool is_of_layer(const char *name)
{
    return strcmp(name, VK_KHR_DISPLAY_SWAPCHAIN_EXTENSION_NAME) == 0 ||
           strcmp(name, VK_KHR_PRESENT_ID_EXTENSION_NAME) == 0 ||
           strcmp(name, VK_KHR_PRESENT_WAIT_EXTENSION_NAME) == 0;
}

// Drivers refuse extensions that are only the layer's, and their features.
static void keep_of_driver(VkDeviceCreateInfo *info, const char *names[MAX_EXTENSIONS])
{
    const uint32_t num = info->enabledExtensionCount;
    info->enabledExtensionCount = 0;
    for (uint32_t i = 0; i < num && i < MAX_EXTENSIONS; i++) {
        if (!is_of_layer(info->ppEnabledExtensionNames[i])) {
            names[info->enabledExtensionCount++] = info->ppEnabledExtensionNames[i];
        }
    }
    info->ppEnabledExtensionNames = names;
    VkBaseOutStructure *at = (void *)info; // begins as each struct of the chain
    while (at->pNext) {
        if (at->pNext->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR ||
            at->pNext->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR) {
            at->pNext = at->pNext->pNext;
        } else {
            at = at->pNext;
        }
    }
}

static VkResult create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkDevice *out)
{
    VkLayerDeviceCreateInfo *link = find_link(info->pNext,
                                              VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    vk.device_proc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const char *names[MAX_EXTENSIONS];
    VkDeviceCreateInfo kept = *info;
    keep_of_driver(&kept, names);
    TRY(((PFN_vkCreateDevice)vk.instance_proc(NULL, "vkCreateDevice"))(physical, &kept, allocator,
                                                                       out));
    vk.physical = physical;
    vk.device = *out;
#define LOAD(name) vk.name = (PFN_vk##name)vk.device_proc(*out, "vk" #name);
    DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    return VK_SUCCESS;
}

static void get_queue(VkDevice device, uint32_t family, uint32_t index, VkQueue *out)
{
    vk.GetDeviceQueue(device, family, index, out);
    vk.queue = vk.queue ? vk.queue : *out;
}

static PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char *name);
static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name);

static const struct function {
    const char *name;
    PFN_vkVoidFunction function;
} functions[] = {
    FUNCTION("vkAcquireNextImageKHR", acquire),
    FUNCTION("vkCreateDevice", create_device),
    FUNCTION("vkCreateHeadlessSurfaceEXT", create_surface),
    FUNCTION("vkCreateImageView", create_view),
    FUNCTION("vkCreateInstance", create_instance),
    FUNCTION("vkCreateSharedSwapchainsKHR", create_shared),
    FUNCTION("vkCreateSwapchainKHR", create_swapchain),
    FUNCTION("vkDestroySurfaceKHR", destroy_surface),
    FUNCTION("vkDestroySwapchainKHR", destroy_swapchain),
    FUNCTION("vkGetDeviceProcAddr", get_device_proc),
    FUNCTION("vkGetDeviceQueue", get_queue),
    FUNCTION("vkGetInstanceProcAddr", get_instance_proc),
    FUNCTION("vkGetPhysicalDeviceSurfaceCapabilitiesKHR", get_capabilities),
    FUNCTION("vkGetPhysicalDeviceSurfaceFormatsKHR", get_formats),
    FUNCTION("vkGetPhysicalDeviceSurfacePresentModesKHR", get_modes),
    FUNCTION("vkGetPhysicalDeviceSurfaceSupportKHR", get_support),
    FUNCTION("vkGetSwapchainImagesKHR", get_images),
    FUNCTION("vkQueuePresentKHR", present),
    FUNCTION("vkWaitForPresentKHR", wait_for_present),
};

static PFN_vkVoidFunction find(const char *name)
{
    for (size_t i = 0; i < NUM(functions); i++) {
        if (strcmp(functions[i].name, name) == 0) {
            return functions[i].function;
        }
    }
    return NULL;
}

static PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char *name)
{
    const PFN_vkVoidFunction function = find(name);
    return function || !instance ? function : vk.instance_proc(instance, name);
}

static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name)
{
    const PFN_vkVoidFunction function = find(name);
    return function ? function : vk.device_proc(device, name);
}

__attribute__((visibility("default"))) VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface)
{
    enum { VERSION = 2 };
    if (interface->loaderLayerInterfaceVersion < VERSION) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    interface->loaderLayerInterfaceVersion = VERSION;
    interface->pfnGetInstanceProcAddr = get_instance_proc;
    interface->pfnGetDeviceProcAddr = get_device_proc;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
