// SPDX-License-Identifier: MIT
// What a kernel of rate-distortion optimisation shares with the host: lambda, and what each tile
// has come to.
//
// The includer has `push`, with `size` and `first_in_control`, the batch's texels of the source and
// the window's, and which halves a choice copies.

layout(set = WEIR_RDO_SET_CONTROL, binding = 0, std430) buffer Control {
    uvec4 words[];
} control;

// The squared error of the tile, its lower and its upper word.
shared uint tile_error[2];

int lambda_of_control()
{
    return int(min(control.words[push.first_in_control].x, WEIR_RDO_MAX_LAMBDA));
}

// Get the bytes of a block behind a stream.
uint block_bytes(Stream stream, uint choice, uint offset)
{
    const bool luma = copies_luma(choice);
    const uint bytes = luma ? copy_bytes(stream, offset) : literal_bytes(stream);
    stream = luma ? after_copy(stream, offset) : LITERAL;
    return bytes + (copies_chroma(choice) ? copy_bytes(stream, offset) : literal_bytes(stream));
}

// Get the squared error of texel `t` of block `i` of the batch, which is at `place` in the window.
// Texels beyond the image have none.
uint error_in_window(uvec2 block, uint i, uint place, uint t)
{
    const uvec2 position = 4u * block + uvec2(t & 3u, t >> 2);
    const ivec3 decoded = unpack_texel(window_texels[t >> 2][place][t & 3u]);
    return all(lessThan(position, push.size))
               ? squared(decoded - unpack_texel(batch_source[i][t]))
               : 0u;
}

// Before the first barrier in front of report().
void clear_report()
{
    if (gl_LocalInvocationIndex < 2u)
        tile_error[gl_LocalInvocationIndex] = 0u;
}

// Write the sum of all invocations' errors, and the bytes of the tile, which each of them knows.
void report(uint tile, uint error, uint bytes)
{
    const uint before = atomicAdd(tile_error[0], error);
    if (before + error < before)
        atomicAdd(tile_error[1], 1u);
    barrier();
    if (gl_LocalInvocationIndex == 0u)
        control.words[push.first_in_control + WEIR_RDO_CONTROL_HEAD + tile] =
            uvec4(tile_error[0], tile_error[1], bytes, 0u);
}
