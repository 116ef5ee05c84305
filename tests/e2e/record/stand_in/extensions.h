// SPDX-License-Identifier: MIT
// Extensions: the layer has those of windows in place of the driver.
#ifndef WEIR_TESTS_STAND_IN_EXTENSIONS_H
#define WEIR_TESTS_STAND_IN_EXTENSIONS_H

#include <stdbool.h>
#include <vulkan/vulkan_core.h>

bool stand_in_enables(const char *const *names, uint32_t num, const char *name);

// Get the names without those that the layer has, in memory that the caller frees, and change
// `*num`. NULL: no memory.
const char **stand_in_strip(const char *const *names, uint32_t *num);

// Copy a list to a program that asks for it in two calls.
VkResult stand_in_copy(const void *items, uint32_t num, size_t size, uint32_t *count, void *out);

// The layer's form of the function.
VkResult stand_in_enumerate_device_extensions(VkPhysicalDevice physical, const char *layer,
                                              uint32_t *count, VkExtensionProperties *out);

#endif
