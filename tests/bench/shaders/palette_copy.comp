// SPDX-License-Identifier: MIT
// The floor of weir-bench palette: reads each texel of an image once, and writes it to another.
//
// An invocation copies TILES texels, a workgroup TILES tiles of 32x8 texels that lie below each
// other. The bench takes the fastest of a few. No shared memory. Requires nothing beyond Vulkan
// 1.2.
#version 460
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 32, local_size_y = 8) in;

layout(constant_id = 0) const uint TILES = 1u;

layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 0, binding = 1, rgba8) writeonly uniform image2D target;

layout(push_constant) uniform Push {
    uvec2 size; // [texels]
} push;

void main()
{
    const uint first = TILES * 8u * gl_WorkGroupID.y + gl_LocalInvocationID.y;
    for (uint i = 0u; i < TILES; i++) {
        const uvec2 position = uvec2(gl_GlobalInvocationID.x, first + 8u * i);
        if (all(lessThan(position, push.size))) {
            imageStore(target, ivec2(position), texelFetch(source, ivec2(position), 0));
        }
    }
}
