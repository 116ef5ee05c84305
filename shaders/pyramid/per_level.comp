// SPDX-License-Identifier: MIT
// Makes one level from the level before it.
//
// An invocation makes one texel. A workgroup is 16x16 texels. z is the layer. No shared memory.
// Requires shaderStorageImageWriteWithoutFormat. Seed of the method: "Mipmap", three strategies
// (stripe2933). Defined by tests/ref/pyramid.c.

#include "pyramid/constants.h"

layout(local_size_x = WEIR_PYRAMID_GROUP_SIDE, local_size_y = WEIR_PYRAMID_GROUP_SIDE) in;

#include "pyramid/interface.glsl"
#include "pyramid/reduction.glsl"
#include "pyramid/taps.glsl"
#include "pyramid/base.glsl"

void main()
{
    const uvec2 position = gl_GlobalInvocationID.xy;
    const Slice slice = slice_of(gl_GlobalInvocationID.z);
    if (all(lessThan(position, max(push.size >> 1, 1u)))) {
        store(slice, 1u, ivec2(position), reduce_base(slice, position));
    }
}
