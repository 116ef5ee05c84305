// SPDX-License-Identifier: MIT
// Encodes R or A of an image as BC4, or R and G as BC5, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks. No shared memory.
// Requires nothing beyond Vulkan 1.2.
//
// NUM_CHANNELS: 1u for BC4, 2u for BC5. STEADY: as in bc1.comp.

#include "encode/texture.glsl"
#include "encode/bc4/bc4.glsl"
#ifdef STEADY
#include "encode/bc4/steady.glsl"
#endif

layout(constant_id = WEIR_ENCODE_CONSTANT_BC4_ALPHA) const bool BC4_ALPHA = false;

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    vec4 texels[16];
    fetch_block(block, texels);
    if (EFFORT == WEIR_ENCODE_EFFORT_FAST) {
        // Nobody needs to wait here. It keeps drivers from computing between the fetches, which
        // takes 8 % longer on an H100 (docs/encoders.md).
        barrier();
    }
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    float red[16], green[16];
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        // Dither would cost more than it gains.
        red[i] = BC4_ALPHA ? float(source_alpha(texels[i].a)) : nearest_code(texels[i].r);
        green[i] = nearest_code(texels[i].g);
    }
    [[dont_unroll]] for (uint channel = 0u; channel < NUM_CHANNELS; channel++) {
        uvec2 words = encode_bc4(red);
#ifdef STEADY
        const uint place = NUM_CHANNELS * history_index(block) + channel;
        words = keep_bc4(red, history.blocks[place], words);
        history.blocks[place] = words;
#endif
        destination.blocks[NUM_CHANNELS * block_index(block) + channel] = words;
        red = green;
    }
}
