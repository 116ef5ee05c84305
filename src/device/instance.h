// SPDX-License-Identifier: MIT
// The device helper's instance, its messenger, and the functions called on both.
#pragma once

#include <stdatomic.h>

#include <weir/device.h>

#include "base/alloc.h"

enum { WEIR_MAX_EXTENSIONS = 32 };

// Names of extensions, copied. Points into itself: do not copy.
struct weir_extensions {
    const char *names[WEIR_MAX_EXTENSIONS];
    char storage[WEIR_MAX_EXTENSIONS][VK_MAX_EXTENSION_NAME_SIZE];
    uint32_t num;
};
// Add a name, once. False when the list is full, or the name is longer than an extension's can be.
bool weir_extensions_add(struct weir_extensions *extensions, const char *name);

struct weir_instance {
    PFN_vkGetInstanceProcAddr get_proc;
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    struct weir_extensions extensions;
    struct weir_log log;
    atomic_uint num_messages; // warnings and errors of the validation layer so far
};

// The function `name` of the instance, cast by the caller.
#define WEIR_INSTANCE_PROC(self, name)                                                             \
    ((PFN_vk##name)(self)->get_proc((self)->instance, "vk" #name))

// True if a physical device, or with NULL the instance, has an extension.
bool weir_device_has_extension(const struct weir_instance *instance, VkPhysicalDevice handle,
                               const char *name);

enum weir_result weir_instance_init(struct weir_instance *self, PFN_vkGetInstanceProcAddr get_proc,
                                    const struct weir_log *log, const char *const *extensions,
                                    uint32_t num_extensions, bool validation);
void weir_instance_finish(struct weir_instance *self);
