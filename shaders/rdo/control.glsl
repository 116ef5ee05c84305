// SPDX-License-Identifier: MIT
// What a kernel of rate-distortion optimisation shares with the host: lambda, and what each tile
// has come to.
//
// The includer has `push`, with `size` and `first_in_control`, the batch's texels of the source and
// the window's, and squared_error() of two of them.

layout(set = WEIR_RDO_SET_CONTROL, binding = 0, std430) buffer Control {
    uvec4 words[];
} control;

// The squared error of the tile, its lower and its upper word.
shared uint tile_error[2];

// Blocks that are not looked for have equal ones before them all the same, which Snappy finds: the
// distance of the nearest. Block b uses nearest_equal[b % 3].
shared uint nearest_equal[3];

int lambda_of_control()
{
    return int(min(control.words[push.first_in_control].x, WEIR_RDO_MAX_LAMBDA));
}

// Count the bytes, with TEXTURE the bits, of a block behind a stream, which goes on with it.
void count_block(inout Stream stream, uint choice, uint offset, inout uint bytes)
{
    const bool first = copies_first(choice);
    bytes += first ? copy_rate(stream, offset) : literal_rate(stream);
    bytes += takes_ends(choice) ? CODES_RATE : 0u;
    if (BLOCK_SIZE > HALF_SIZE) {
        const Stream between = first ? after_copy(stream, offset) : LITERAL;
        bytes += copies_second(choice) ? copy_rate(between, offset) : literal_rate(between);
    }
    stream = after_block(stream, choice, offset);
}

// Note that the invocation's block, at that distance, may be equal to block `i` of the batch, which
// is block `b` of the tile.
void note_equal(uint i, uint b, uint distance)
{
    if (window_words[gl_LocalInvocationIndex] == batch[i].words)
        atomicMin(nearest_equal[b % 3u], distance);
}

// Get the distance of the nearest block that was noted, 0 for none, behind the barrier after that.
uint equal_distance(uint b)
{
    const uint distance = nearest_equal[b % 3u];
    if (gl_LocalInvocationIndex == 0u)
        nearest_equal[(b + 2u) % 3u] = ~0u; // which nobody reads any more
    return distance == ~0u ? 0u : distance;
}

// Get the squared error of texel `t` of block `i` of the batch, which is at `place` in the window.
// Texels beyond the image have none.
uint error_in_window(uvec2 block, uint i, uint place, uint t)
{
    const uvec2 position = 4u * block + uvec2(t & 3u, t >> 2);
    const uint decoded = window_texels[t >> 2][place][t & 3u];
    return all(lessThan(position, push.size)) ? squared_error(decoded, batch_source[i][t]) : 0u;
}

// Before the first barrier in front of all the others.
void begin_report()
{
    if (gl_LocalInvocationIndex < 2u)
        tile_error[gl_LocalInvocationIndex] = 0u;
    if (gl_LocalInvocationIndex < 3u)
        nearest_equal[gl_LocalInvocationIndex] = ~0u;
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
            uvec4(tile_error[0], tile_error[1], TEXTURE ? bytes / 8u : bytes, 0u);
}
