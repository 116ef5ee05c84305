// SPDX-License-Identifier: MIT
// The proxy of an image by a kernel of its own, which reads the image a second time: what
// weir-bench encode --proxy holds encoders against that write it on their way.
//
// An invocation makes one texel of SIDE x SIDE, the mean of light as encoders make it. A workgroup
// reads 16x32 texels, as those of encoders do: with 32x32 it takes twice as long on an H200. No
// shared memory.
// Requires shaderStorageImageWriteWithoutFormat.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x_id = 1, local_size_y_id = 2) in;

layout(constant_id = 0) const uint SIDE = 4u;

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
    if (any(greaterThan(SIDE * place, last))) {
        return;
    }
    vec3 sum = vec3(0.0);
    [[unroll]] for (uint i = 0u; i < SIDE * SIDE; i++) {
        const uvec2 position = min(SIDE * place + uvec2(i % SIDE, i / SIDE), last);
        sum += curve(texelFetch(source, ivec2(position), 0).rgb);
    }
    imageStore(proxy, ivec2(place), vec4(uncurve(sum / float(SIDE * SIDE)), 1.0));
}
