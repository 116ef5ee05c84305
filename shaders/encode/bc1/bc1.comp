// SPDX-License-Identifier: MIT
// Encodes an image as BC1, opaque or with an alpha of one bit, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks. No shared memory.
// Requires nothing beyond Vulkan 1.2.
//
// STEADY: keeps blocks of the frame before where that costs little. An invocation reads and then
// writes its block's place in the history, which no other one uses. PROXY: writes the proxy too,
// whose texels are the means of blocks (tests/ref/proxy.c). Requires
// shaderStorageImageWriteWithoutFormat.

#include "encode/texture.glsl"

layout(constant_id = WEIR_ENCODE_CONSTANT_BC1_MODE) const uint BC1_MODE = WEIR_ENCODE_BC1_OPAQUE;
const bool HAS_THREE = true;

#include "encode/bc1/bc1.glsl"
#include "encode/bc1/dither.glsl"
#include "encode/bc1/live.glsl"
#ifdef STEADY
#include "encode/bc1/steady.glsl"
#endif
#ifdef PROXY
#include "encode/proxy.glsl"
#endif

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
#ifdef PROXY
    write_proxy(block, texels, BC1_MODE == WEIR_ENCODE_BC1_ALPHA);
#endif
    vec3 rgb[16];
    uint transparent = 0u; // a bit a texel
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        const vec4 codes = dithered(texels[i], texel_position(block, i));
        rgb[i] = codes.rgb;
        transparent |= uint(codes.a < 128.0) << i;
    }
    // A constant where there is no alpha, so that the compiler folds all that depends on it.
    uvec2 words = EFFORT == WEIR_ENCODE_EFFORT_LIVE
                      ? encode_bc1_live(rgb)
                      : encode_bc1(rgb, BC1_MODE == WEIR_ENCODE_BC1_ALPHA ? transparent : 0u);
#ifdef STEADY
    words = keep_bc1(rgb, history.blocks[history_index(block)], words);
    history.blocks[history_index(block)] = words;
#endif
    destination.blocks[block_index(block)] = words;
}
