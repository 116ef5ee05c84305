// SPDX-License-Identifier: MIT
// Encodes an image as scaled YCoCg in BC3, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks: its fetches of one step fall
// into few cache lines, which on an H200 is 4 to 8 % faster than 8 or more blocks side by side.
// Requires nothing beyond Vulkan 1.2. Defined by tests/ref/ycocg_bc3.c; see the body for the paper.
//
// Level fast is limited by its fetches, so there a workgroup fetches its texels together, neighbours by
// neighbouring invocations, and deals them out through shared memory. At other levels an invocation
// fetches the texels of its own block.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 4, local_size_y = 8) in;

layout(constant_id = 0) const uint SOURCE_KIND = 0u;
layout(constant_id = 1) const bool FFMPEG_MODEL = false;
layout(constant_id = 2) const bool DITHER = true;

const uint LEVEL_DEFAULT = 0u; // enum weir_level
const uint LEVEL_FAST = 1u;
const uint LEVEL_HIGH = 2u;
layout(constant_id = 3) const uint LEVEL = LEVEL_DEFAULT;

layout(set = 1, binding = 0, std430) writeonly buffer Target { uvec4 blocks[]; } target;

#include "encode/region.glsl"
#include "color/source.glsl"
#include "encode/ycocg_bc3.glsl"

const bool SHARED_FETCH = LEVEL == LEVEL_FAST;

// Texel t of the workgroup's block i is at t * STRIDE + i: neither writes nor reads have bank conflicts.
const uint STRIDE = 34u;
const uint NUM_SHARED = SHARED_FETCH ? 16u * STRIDE : 1u;
shared float shared_y_co[NUM_SHARED]; // Y + 2048 * Co
shared float shared_cg[NUM_SHARED];

// Y, Co and Cg of a texel of the region, times 4, 2 and 4. Those past the edge repeat it.
vec3 fetch_ycocg(uvec2 local)
{
    const uvec2 position = push.origin + min(local, push.size - 1u);
    const vec3 rgb = source_codes(fetch_texel(position).rgb, position);
    const float y = rgb.r + rgb.b + 2.0 * rgb.g;
    return vec3(y, rgb.r - rgb.b, 4.0 * rgb.g - y);
}

// In each step the workgroup fetches two blocks side by side, 8x4 texels.
void fetch_shared(out float y[16], out float co[16], out float cg[16])
{
    const uint lane = gl_LocalInvocationIndex;
    const uvec2 in_step = uvec2(lane & 7u, lane >> 3);
    const uint slot = (4u * in_step.y + (lane & 3u)) * STRIDE + ((lane >> 2) & 1u);
    const uvec2 first = uvec2(16, 32) * gl_WorkGroupID.xy + in_step;
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        const vec3 texel = fetch_ycocg(first + uvec2(8u * (i & 1u), 4u * (i >> 1)));
        shared_y_co[slot + 2u * i] = texel.x + 2048.0 * texel.y;
        shared_cg[slot + 2u * i] = texel.z;
    }
    barrier();
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        const float packed = shared_y_co[t * STRIDE + lane];
        co[t] = nearest(packed * (1.0 / 2048.0));
        y[t] = packed - 2048.0 * co[t];
        cg[t] = shared_cg[t * STRIDE + lane];
    }
}

void fetch_own(uvec2 first, out float y[16], out float co[16], out float cg[16])
{
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        const vec3 texel = fetch_ycocg(first + uvec2(i & 3u, i >> 2));
        y[i] = texel.x;
        co[i] = texel.y;
        cg[i] = texel.z;
    }
}

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    const uvec2 first = 4u * block;
    float y[16], co[16], cg[16];
    if (SHARED_FETCH)
        fetch_shared(y, co, cg);
    if (any(greaterThanEqual(first, push.size))) {
        return;
    }
    if (!SHARED_FETCH)
        fetch_own(first, y, co, cg);
    target.blocks[block_index(block)] = encode_ycocg_bc3(y, co, cg);
}
