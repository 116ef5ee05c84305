// SPDX-License-Identifier: MIT
// An embedded kernel. The file of each one includes this, which is why it includes no Vulkan.
#ifndef WEIR_VK_KERNEL_H
#define WEIR_VK_KERNEL_H

#include <stdint.h>

struct weir_vk_kernel {
    const char *name;
    const uint32_t *code, *code_end; // NULL where the build left it out
};

#endif
