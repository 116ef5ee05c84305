// SPDX-License-Identifier: MIT
// The body of bc3.comp, and of bc3_steady.comp, which defines STEADY.

#include "encode/texture.glsl"

const uint BC1_MODE = WEIR_ENCODE_BC1_OPAQUE; // BC3 has no other

#include "encode/bc1/bc1.glsl"
#include "encode/bc1/dither.glsl"
#include "encode/bc4/bc4.glsl"
#ifdef STEADY
#include "encode/bc1/steady.glsl"
#include "encode/bc4/steady.glsl"
#endif

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    const uint part = gl_WorkGroupID.z;
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    vec3 rgb[16];
    float alpha[16];
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        const vec4 codes = fetch_dithered(block, i);
        rgb[i] = codes.rgb;
        alpha[i] = codes.a;
    }
    uvec2 words = part == 0u ? encode_bc4(alpha) : encode_bc1(rgb, 0u);
#ifdef STEADY
    const uint place = 2u * history_index(block) + part;
    const uvec2 previous = history.blocks[place];
    words = part == 0u ? keep_bc4(alpha, previous, words) : keep_bc1(rgb, previous, words);
    history.blocks[place] = words;
#endif
    destination.blocks[2u * block_index(block) + part] = words;
}
