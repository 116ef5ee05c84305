// SPDX-License-Identifier: MIT
// Surfaces without a window, and what a program asks about them.
#include "tests/e2e/record/stand_in/surface.h"

#include <pthread.h>
#include <stdlib.h>

#include "tests/e2e/record/stand_in/extensions.h"
#include "tests/e2e/record/stand_in/instance.h"

#define NUM(array) (sizeof(array) / sizeof((array)[0]))

static pthread_mutex_t owner_mutex = PTHREAD_MUTEX_INITIALIZER;

static const VkSurfaceFormatKHR formats[] = {
    {VK_FORMAT_B8G8R8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
    {VK_FORMAT_B8G8R8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
    {VK_FORMAT_R8G8B8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
    {VK_FORMAT_R8G8B8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR},
    {VK_FORMAT_R16G16B16A16_SFLOAT, VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT},
};

static const VkPresentModeKHR modes[] = {VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR,
                                         VK_PRESENT_MODE_IMMEDIATE_KHR};

// A kind of use of an image, and the feature that a format must have for it.
static const struct {
    VkImageUsageFlags usage;
    VkFormatFeatureFlags feature;
} uses[] = {
    {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT},
    {VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT},
    {VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT},
    {VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT},
};

bool stand_in_surface_own(struct stand_in_surface *surface, const void *owner, const void *old)
{
    pthread_mutex_lock(&owner_mutex);
    const bool is_free = !surface->owner || surface->owner == old;
    surface->owner = is_free ? owner : surface->owner;
    pthread_mutex_unlock(&owner_mutex);
    return is_free;
}

void stand_in_surface_disown(struct stand_in_surface *surface, const void *owner)
{
    pthread_mutex_lock(&owner_mutex);
    surface->owner = surface->owner == owner ? NULL : surface->owner;
    pthread_mutex_unlock(&owner_mutex);
}

VkResult stand_in_create_headless_surface(VkInstance instance,
                                          const VkHeadlessSurfaceCreateInfoEXT *info,
                                          const VkAllocationCallbacks *allocator, VkSurfaceKHR *out)
{
    (void)instance, (void)info, (void)allocator;
    struct stand_in_surface *surface = calloc(1, sizeof(*surface));
    *out = (VkSurfaceKHR)(uintptr_t)surface;
    return surface ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void stand_in_destroy_surface(VkInstance instance, VkSurfaceKHR surface,
                              const VkAllocationCallbacks *allocator)
{
    (void)instance, (void)allocator;
    free(stand_in_surface_of(surface));
}

VkResult stand_in_get_surface_support(VkPhysicalDevice physical, uint32_t family,
                                      VkSurfaceKHR surface, VkBool32 *out)
{
    (void)physical, (void)family, (void)surface;
    *out = VK_TRUE; // a present is a submission without commands, which every queue takes
    return VK_SUCCESS;
}

static VkFormatFeatureFlags features_of(VkPhysicalDevice physical, VkFormat format)
{
    VkFormatProperties properties;
    stand_in_instance_of(physical)->GetPhysicalDeviceFormatProperties(physical, format,
                                                                      &properties);
    return properties.optimalTilingFeatures;
}

// Get the formats that the driver renders to. Half floats are among them only if the environment
// asks for them.
static uint32_t list_formats(VkPhysicalDevice physical, VkSurfaceFormatKHR list[NUM(formats)])
{
    const char *extended = getenv("WEIR_STAND_IN_EXTENDED");
    uint32_t num = 0;
    for (size_t i = 0; i < NUM(formats); i++) {
        const bool is_wanted = formats[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR ||
                               (extended && *extended);
        if (is_wanted &&
            (features_of(physical, formats[i].format) & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT)) {
            list[num++] = formats[i];
        }
    }
    return num;
}

static VkImageUsageFlags list_uses(VkPhysicalDevice physical)
{
    VkSurfaceFormatKHR list[NUM(formats)];
    VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    const uint32_t num = list_formats(physical, list);
    for (uint32_t i = 0; i < num; i++) {
        const VkFormatFeatureFlags features = features_of(physical, list[i].format);
        for (size_t j = 0; j < NUM(uses); j++) {
            usage |= features & uses[j].feature ? uses[j].usage : 0;
        }
    }
    return usage;
}

VkResult stand_in_get_surface_capabilities(VkPhysicalDevice physical, VkSurfaceKHR surface,
                                           VkSurfaceCapabilitiesKHR *out)
{
    (void)surface;
    VkPhysicalDeviceProperties device;
    stand_in_instance_of(physical)->GetPhysicalDeviceProperties(physical, &device);
    const uint32_t side = device.limits.maxImageDimension2D;
    *out = (VkSurfaceCapabilitiesKHR){
        .minImageCount = STAND_IN_MIN_IMAGES,
        .maxImageCount = STAND_IN_MAX_IMAGES,
        .currentExtent = {UINT32_MAX, UINT32_MAX}, // what the swapchain has
        .minImageExtent = {1, 1},
        .maxImageExtent = {side, side},
        .maxImageArrayLayers = 1,
        .supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
        .currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
        .supportedCompositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR |
                                   VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
        .supportedUsageFlags = list_uses(physical),
    };
    return VK_SUCCESS;
}

VkResult stand_in_get_surface_capabilities_2(VkPhysicalDevice physical,
                                             const VkPhysicalDeviceSurfaceInfo2KHR *info,
                                             VkSurfaceCapabilities2KHR *out)
{
    return stand_in_get_surface_capabilities(physical, info->surface, &out->surfaceCapabilities);
}

VkResult stand_in_get_surface_formats(VkPhysicalDevice physical, VkSurfaceKHR surface,
                                      uint32_t *count, VkSurfaceFormatKHR *out)
{
    (void)surface;
    VkSurfaceFormatKHR list[NUM(formats)];
    const uint32_t num = list_formats(physical, list);
    return stand_in_copy(list, num, sizeof(list[0]), count, out);
}

VkResult stand_in_get_surface_formats_2(VkPhysicalDevice physical,
                                        const VkPhysicalDeviceSurfaceInfo2KHR *info,
                                        uint32_t *count, VkSurfaceFormat2KHR *out)
{
    VkSurfaceFormatKHR list[NUM(formats)];
    const VkResult result = stand_in_get_surface_formats(physical, info->surface, count,
                                                         out ? list : NULL);
    for (uint32_t i = 0; out && i < *count; i++) {
        out[i].surfaceFormat = list[i];
    }
    return result;
}

VkResult stand_in_get_surface_present_modes(VkPhysicalDevice physical, VkSurfaceKHR surface,
                                            uint32_t *count, VkPresentModeKHR *out)
{
    (void)physical, (void)surface;
    return stand_in_copy(modes, NUM(modes), sizeof(modes[0]), count, out);
}

VkResult stand_in_get_present_rectangles(VkPhysicalDevice physical, VkSurfaceKHR surface,
                                         uint32_t *count, VkRect2D *out)
{
    (void)physical, (void)surface;
    const VkRect2D all = {{0, 0}, {UINT32_MAX, UINT32_MAX}};
    return stand_in_copy(&all, 1, sizeof(all), count, out);
}
