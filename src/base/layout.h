// SPDX-License-Identifier: MIT
// Holds a struct to where GLSL has its members: the headers of constants in shaders/ say where.
#ifndef WEIR_BASE_LAYOUT_H
#define WEIR_BASE_LAYOUT_H

#include <stddef.h>

#define WEIR_ASSERT_OFFSET(type, member, bytes)                                                    \
    _Static_assert(offsetof(type, member) == (bytes), #type "." #member ": GLSL has it elsewhere")
#define WEIR_ASSERT_SIZE(type, bytes)                                                              \
    _Static_assert(sizeof(type) == (bytes), #type ": GLSL has another size")

#endif
