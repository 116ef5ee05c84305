// SPDX-License-Identifier: MIT
// Gets the loader's vkGetInstanceProcAddr() in a preloaded library that defines its own.
#pragma once

#include <dlfcn.h>
#include <string.h>
#include <vulkan/vulkan.h>

static PFN_vkVoidFunction real_instance_proc(VkInstance instance, const char *name)
{
    static PFN_vkGetInstanceProcAddr real;
    if (!real) {
        void *symbol = dlsym(RTLD_NEXT, "vkGetInstanceProcAddr");
        memcpy(&real, &symbol, sizeof(real));
    }
    return real(instance, name);
}
