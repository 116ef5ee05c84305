// SPDX-License-Identifier: MIT
// The proxy of an image by a kernel of its own, which reads the image a second time: what
// weir-bench encode --proxy holds encoders against that write it on their way.
//
// An invocation makes one texel of 4x4, the mean of light as encoders make it. A workgroup makes
// 4x8, as the blocks of encoders: of 8x8 it takes twice as long on an H200. No shared memory.
// Requires shaderStorageImageWriteWithoutFormat.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 4, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 0, binding = 1) uniform writeonly image2D proxy;

#include "encode/proxy_curve.glsl"

layout(push_constant) uniform Push {
    uvec2 size; // of the source [texels]
} push;

void main()
{
    const uvec2 place = gl_GlobalInvocationID.xy;
    const uvec2 last = push.size - 1u;
    if (any(greaterThan(4u * place, last))) {
        return;
    }
    vec3 sum = vec3(0.0);
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        const uvec2 position = min(4u * place + uvec2(i & 3u, i >> 2), last);
        sum += curve(texelFetch(source, ivec2(position), 0).rgb);
    }
    imageStore(proxy, ivec2(place), vec4(uncurve(sum / 16.0), 1.0));
}
