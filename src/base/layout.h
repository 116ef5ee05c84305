// SPDX-License-Identifier: MIT
// What C and GLSL share: the types of GLSL, for the push constants (push.glsl in shaders/), and
// asserts that a C struct has the layout that GLSL has, by offsets in the headers of constants.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef uint32_t uint;
typedef struct {
    _Alignas(8) uint32_t x;
    uint32_t y;
} uvec2;
typedef struct {
    _Alignas(16) uint32_t x;
    uint32_t y, z, w;
} uvec4;
typedef struct {
    _Alignas(16) float x;
    float y, z, w;
} vec4;

#define WEIR_ASSERT_OFFSET(type, member, bytes)                                                    \
    _Static_assert(offsetof(type, member) == (bytes), #type "." #member ": GLSL has it elsewhere")
#define WEIR_ASSERT_SIZE(type, bytes)                                                              \
    _Static_assert(sizeof(type) == (bytes), #type ": GLSL has another size")
