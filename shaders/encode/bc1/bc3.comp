// SPDX-License-Identifier: MIT
// Encodes an image as BC3: A as BC4, RGB as BC1, blocks in rows from the top left.
//
// An invocation encodes a block of 4x4 texels or, if there are two workgroups in z, half of one: z
// is 0 for A and 1 for RGB. A workgroup is 4x8 blocks. No shared memory. Requires nothing beyond
// Vulkan 1.2.
//
// STEADY and PROXY: as in bc1.comp. Each half is kept or not. That of RGB writes the proxy.

#include "encode/texture.glsl"

const uint BC1_MODE = WEIR_ENCODE_BC1_OPAQUE; // BC3 has no other
const bool HAS_THREE = false;

#include "encode/bc1/bc1.glsl"
#include "encode/bc1/dither.glsl"
#include "encode/bc4/bc4.glsl"
#ifdef STEADY
#include "encode/bc1/steady.glsl"
#include "encode/bc4/steady.glsl"
#endif
#ifdef PROXY
#include "encode/proxy.glsl"
#endif

// Get a half of a block, 0 for A and 1 for RGB.
uvec2 encode_half(uvec2 block, uint part, float alpha[16], vec3 rgb[16])
{
    uvec2 words = part == 0u ? encode_bc4(alpha) : encode_bc1(rgb, 0u);
#ifdef STEADY
    const uint place = 2u * history_index(block) + part;
    const uvec2 previous = history.blocks[place];
    words = part == 0u ? keep_bc4(alpha, previous, words) : keep_bc1(rgb, previous, words);
    history.blocks[place] = words;
#endif
    return words;
}

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    vec4 texels[16];
    fetch_block(block, texels);
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    const uint first = gl_WorkGroupID.z, last = gl_NumWorkGroups.z == 1u ? 1u : first;
#ifdef PROXY
    if (last == 1u) {
        write_proxy(block, texels, true);
    }
#endif
    float alpha[16];
    vec3 rgb[16];
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        alpha[i] = alpha_code(texels[i].a);
        rgb[i] = dithered(texels[i], texel_position(block, i)).rgb;
    }
    [[dont_unroll]] for (uint part = first; part <= last; part++) {
        destination.blocks[2u * block_index(block) + part] = encode_half(block, part, alpha, rgb);
    }
}
