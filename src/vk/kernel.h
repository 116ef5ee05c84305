// SPDX-License-Identifier: MIT
// An embedded kernel. The file of each one includes this, which is why it includes no Vulkan.
#pragma once

#include <stdint.h>

struct weir_vk_kernel {
    const char *name;
    const uint32_t *code, *code_end; // NULL where the build left it out
};
