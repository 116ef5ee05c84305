// SPDX-License-Identifier: MIT
// Encodes an image as BC3: A as BC4, RGB as BC1, blocks in rows from the top left.
//
// An invocation encodes half a block of 4x4 texels: z is 0 for A and 1 for RGB. A workgroup is 4x8
// blocks. No shared memory. Requires nothing beyond Vulkan 1.2.
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

// Get the half of a block that has alpha. `previous` is that of the frame before, where blocks are
// steady.
uvec2 alpha_words(uvec2 block, uvec2 previous)
{
    vec4 texels[16];
    float alpha[16];
    fetch_block(block, texels);
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        alpha[i] = alpha_code(texels[i].a);
    }
    const uvec2 words = encode_bc4(alpha);
#ifdef STEADY
    return keep_bc4(alpha, previous, words);
#else
    return words;
#endif
}

// Get the half that has RGB.
uvec2 color_words(uvec2 block, uvec2 previous)
{
    vec3 rgb[16];
#ifdef PROXY
    vec4 texels[16];
#endif
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        // With gathers here too, where other workgroups gather alpha, BC3 is slower.
        const uvec2 position = texel_position(block, i);
        const vec4 texel = fetch_texel(position);
        rgb[i] = dithered(texel, position).rgb;
#ifdef PROXY
        texels[i] = texel;
#endif
    }
#ifdef PROXY
    write_proxy(block, texels, true);
#endif
    const uvec2 words = encode_bc1(rgb, 0u);
#ifdef STEADY
    return keep_bc1(rgb, previous, words);
#else
    return words;
#endif
}

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    const uint part = gl_WorkGroupID.z;
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    uvec2 previous = uvec2(0u);
#ifdef STEADY
    const uint place = 2u * history_index(block) + part;
    previous = history.blocks[place];
#endif
    const uvec2 words = part == 0u ? alpha_words(block, previous) : color_words(block, previous);
#ifdef STEADY
    history.blocks[place] = words;
#endif
    destination.blocks[2u * block_index(block) + part] = words;
}
