// SPDX-License-Identifier: MIT
// The commands of the stand-in: held to what Vulkan allows, and forgotten.
#ifndef WEIR_TESTS_FUZZ_API_STUB_COMMANDS_H
#define WEIR_TESTS_FUZZ_API_STUB_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <vulkan/vulkan_core.h>

// A table of functions by their names.
struct stub_entry {
    const char *name;
    PFN_vkVoidFunction function;
};
// clang-format off
#define STUB_ENTRY(function) {"vk" #function, (PFN_vkVoidFunction)function}
// clang-format on
PFN_vkVoidFunction stub_find(const struct stub_entry *entries, size_t num, const char *name);

// Get the function vkCmdX of that name, or NULL.
PFN_vkVoidFunction stub_command_proc(const char *name);

// True if an image may have such levels and layers.
bool stub_has_range(const VkImageSubresourceRange *range);

#endif
