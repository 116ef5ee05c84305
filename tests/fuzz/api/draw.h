// SPDX-License-Identifier: MIT
// Draws the numbers of the calls from the bytes of an input. After its end all of them are 0.
#ifndef WEIR_TESTS_FUZZ_API_DRAW_H
#define WEIR_TESTS_FUZZ_API_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include "tests/fuzz/api/stub_device.h"

// Draw from this input from now on.
void draw_from(const uint8_t *data, size_t size);
bool draw_is_over(void);

uint8_t draw_u8(void);
uint32_t draw_u32(void);

// Draw a number: small, at an edge, or any.
uint32_t draw_number(void);
uint64_t draw_large(void);

// Draw the value that most callers give, or any. Most calls are to get past their checks.
uint32_t draw_mostly(uint32_t usual);

// Draw a side, mostly one that images have.
uint32_t draw_side(void);

VkFormat draw_format(void);
VkImageUsageFlags draw_usage(void);

// Mostly all zeros, which is the whole level.
VkRect2D draw_rect(void);
float draw_radius(void);

// Draw a handle of the host's, or none.
#define DRAW_HANDLE(type) (draw_u8() < 252 ? STUB_HANDLE(type) : (type)VK_NULL_HANDLE)

#endif
