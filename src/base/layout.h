// SPDX-License-Identifier: MIT
// Asserts that a C struct has the layout that GLSL has. The headers of constants in shaders/ have
// the offsets.
#ifndef WEIR_BASE_LAYOUT_H
#define WEIR_BASE_LAYOUT_H

#include <stddef.h>

#define WEIR_ASSERT_OFFSET(type, member, bytes)                                                    \
    _Static_assert(offsetof(type, member) == (bytes), #type "." #member ": GLSL has it elsewhere")
#define WEIR_ASSERT_SIZE(type, bytes)                                                              \
    _Static_assert(sizeof(type) == (bytes), #type ": GLSL has another size")

#endif
