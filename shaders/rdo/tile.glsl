// SPDX-License-Identifier: MIT
// The walk over a tile of blocks.
//
// Each block keeps its bytes, or takes one of its halves or all of it from one of the blocks before
// it, whichever has the least D + lambda * R; of BC7, and of BC1 in textures, the other half is
// made anew then. D is the squared error of its channels; R is what Snappy needs for the block
// [bytes], or Zstandard for one of BC1 in textures [bits]. As in the rate-distortion optimisation
// of video encoders (G. Sullivan and T. Wiegand, "Rate-distortion optimization for video
// compression", 1998), and for block compression first in R. Geldreich's bc7enc_rdo.
//
// A workgroup does a tile of 32x32 blocks in rows, block after block, since a block may only copy
// what stays. Each invocation holds one of the last 128 blocks, and works out what copies of that
// one cost. The least cost is found by an atomic minimum.
//
// With CONTROL it reads lambda from memory, and writes what the tile has come to there: the squared
// error of its texels, an invocation a texel of each batch, and the bytes that it counted on.
//
// The includer has the memory of the batch and of the window, and these:
// - begin_tile(): what comes before the first barrier;
// - read_texel(): reads a texel of a block of the batch, and decodes it;
// - sum_up() and make_factors(): prepare a block, and a texel of it;
// - is_open(): whether a byte weighs anything in a block;
// - key_of_keeping() and least_key_of_copies(): the least costs, with their choices;
// - put(): puts a block into the window and the buffer;
// - squared_error(): of two texels.

// The least cost of a block with its choice: block b uses best[b % 3].
shared uint best[3];

#include "rdo/control.glsl"

// Get where block `b` of a tile of that width is: the quotient is exact below 1024.
uvec2 place_in_tile(uint b, uint width)
{
    const uint row = b * ((65535u + width) / width) >> 16;
    return uvec2(b - row * width, row);
}

void main()
{
    const uint lane = gl_LocalInvocationIndex;
    const uvec2 first = gl_WorkGroupID.xy * WEIR_RDO_TILE_SIDE;
    const uvec2 extent = min(uvec2(push.columns, push.rows) - first, WEIR_RDO_TILE_SIDE);
    const uint num_blocks = extent.x * extent.y;
    const uint first_index = push.first_block + first.y * push.columns + first.x;
    uint held = 0u; // the index in the buffer of the block at this invocation's place
    uint error = 0u, bytes = 0u; // of this invocation's texels, and of the tile
    frame_lambda = CONTROL ? lambda_of_control() : push.lambda;
    Stream stream = UNKNOWN_STREAM, counted = UNKNOWN_STREAM;
    if (lane < 3u)
        best[lane] = ~0u;
    if (CONTROL)
        begin_report();
    begin_tile();
    for (uint begin = 0u; begin < num_blocks; begin += BATCH) {
        const uint end = min(begin + BATCH, num_blocks);
        barrier();
        const uint to_read = begin + lane / 16u;
        if (CONTROL && begin > 0u)
            error += error_in_window(first + place_in_tile(to_read - BATCH, extent.x), lane / 16u,
                                     (to_read - BATCH) % WEIR_RDO_WINDOW, lane % 16u);
        if (to_read < end)
            read_texel(first + place_in_tile(to_read, extent.x), lane / 16u, lane % 16u);
        barrier();
        if (lane < end - begin)
            sum_up(lane);
        barrier();
        make_factors(lane / 16u, lane % 16u);
        for (uint b = begin; b < end; b++) {
            const uint i = b - begin;
            const uvec2 block = place_in_tile(b, extent.x);
            const uint index = first_index + block.y * push.columns + block.x;
            if (block.x == 0u)
                counted = stream = UNKNOWN_STREAM; // what the tile beside it ends with
            const uint distance = (b - 1u - lane) % WEIR_RDO_WINDOW + 1u;
            const uint offset = BLOCK_SIZE * (index - held);
            barrier();
            const uint kept = key_of_keeping(i, stream);
            if (is_open(i) && distance <= b && offset <= MAX_OFFSET) {
                const uint key = least_key_of_copies(i, lane, offset, distance, stream);
                if (key < kept)
                    atomicMin(best[b % 3u], key);
            }
            if (CONTROL && !is_open(i) && distance <= b && offset <= MAX_OFFSET)
                note_equal(i, b, distance);
            barrier();
            const uint key = min(best[b % 3u], kept);
            if (lane == 0u)
                best[(b + 2u) % 3u] = ~0u; // which nobody reads any more
            const uint choice = key >> 7 & 3u;
            const uint copied = b - key % WEIR_RDO_WINDOW - 1u;
            put(i, b % WEIR_RDO_WINDOW, copied % WEIR_RDO_WINDOW, choice, index);
            if (lane == b % WEIR_RDO_WINDOW)
                held = index;
            const uvec2 copied_block = place_in_tile(copied, extent.x);
            const uint copied_offset = BLOCK_SIZE * ((block.y - copied_block.y) * push.columns +
                                                     block.x - copied_block.x);
            stream = after_block(stream, choice, copied_offset);
            if (CONTROL) {
                const uint equal = equal_distance(b);
                const uvec2 equal_block = place_in_tile(b - equal, extent.x);
                const uint equal_offset = BLOCK_SIZE * ((block.y - equal_block.y) * push.columns +
                                                        block.x - equal_block.x);
                const bool repeats = choice == KEEP && equal > 0u;
                count_block(counted, repeats ? COPY_BLOCK : choice,
                            repeats ? equal_offset : copied_offset, bytes);
            }
        }
    }
    if (CONTROL) {
        barrier();
        const uint last = (num_blocks - 1u) / BATCH * BATCH + lane / 16u;
        if (last < num_blocks)
            error += error_in_window(first + place_in_tile(last, extent.x), lane / 16u,
                                     last % WEIR_RDO_WINDOW, lane % 16u);
        report(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, error, bytes);
    }
}
