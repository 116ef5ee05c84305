// SPDX-License-Identifier: MIT
// Fills level 0 for weir-bench pyramid: a ramp with noise, so that no device finds anything to
// compress.
//
// One invocation a texel, 16x16 a workgroup, layers in z. No shared memory.
// Requires shaderStorageImageWriteWithoutFormat.
#version 460

layout(local_size_x = 16, local_size_y = 16) in;

layout(set = 0, binding = 1) writeonly uniform image2DArray levels[16];

layout(push_constant) uniform Push {
    uvec2 size; // of level 0 [texels]
    uint seed;
} push;

// Integer hash (lowbias32, C. Wellons, 2018).
uint hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

void main()
{
    uvec3 position = gl_GlobalInvocationID;
    if (all(lessThan(position.xy, push.size))) {
        uint noise = hash(hash(hash(push.seed + position.z) + position.y) + position.x);
        vec2 ramp = vec2(position.xy) / vec2(push.size);
        vec4 texel = vec4(ramp, 1.0 - ramp.x, 0.5) * 0.5 + unpackUnorm4x8(noise) * 0.5;
        imageStore(levels[0], ivec3(position), texel);
    }
}
