// SPDX-License-Identifier: MIT
// What kernels over colours, points, cells or slots begin with. A workgroup is 256 invocations; an
// invocation takes every NUM_INVOCATIONS-th element, unless the kernel says otherwise.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_GROUP_SIZE) in;

#include "palette/memory.glsl"
