// SPDX-License-Identifier: MIT
// Blocks of BC1 that take the endpoints of another, with codes of their own: those of its nearest
// colours. Integer arithmetic.

// The colours of a block by their codes, packed.
shared uvec4 batch_colors[BATCH];
shared uvec4 window_colors[WEIR_RDO_WINDOW];

// The codes of a block that takes the endpoints of this invocation's, and its sums.
uint own_codes;
Sums own_sums;

// Get the colour of a code. Of three colours the fourth is transparent: the third is in its place.
uint color_of(uvec2 words, uint code)
{
    const bool is_four = (words.x & 65535u) > words.x >> 16;
    return pack_texel(decoded_codes(uvec2(words.x, is_four ? code : min(code, 2u)), 0u));
}

int dot3(ivec3 a, ivec3 b)
{
    return a.r * b.r + a.g * b.g + a.b * b.b;
}

// Get the key of a copy of the endpoints of the block at `place` in the window. An error times four
// has its code below, so that the least one tells the code.
uint key_of_ends(uint i, uint place, uint rate, uint distance)
{
    ivec3 colors[4], others[4]; // and what they differ in from the first
    ivec4 squares;
    [[unroll]] for (uint k = 0u; k < 4u; k++) {
        colors[k] = unpack_texel(window_colors[place][k]).rgb;
        others[k] = 4 * (colors[k] - colors[0]);
        squares[k] = 16 * dot3(colors[k], colors[k]);
    }
    const ivec4 starts = 4 * (squares - squares.x) + ivec4(0, 1, 2, 3);
    uint codes = 0u;
    int error = 0;
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        const ivec3 f = batch_factors[i][t].rgb;
        const int least = min(min(0, starts.y + dot3(f, others[1])),
                              min(starts.z + dot3(f, others[2]), starts.w + dot3(f, others[3])));
        error += least >> 2;
        codes |= uint(least & 3) << 2u * t;
    }
    const uint low = codes & 0x55555555u, high = codes >> 1 & 0x55555555u;
    const int threes = bitCount(low & high);
    const ivec3 num = ivec3(bitCount(low) - threes, bitCount(high) - threes, threes);
    const int zeros = 16 - num.x - num.y - num.z;
    const ivec3 sum = zeros * colors[0] + num.x * colors[1] + num.y * colors[2] + num.z * colors[3];
    const int square = zeros * squares.x + dot3(num, squares.yzw);
    own_codes = codes;
    own_sums = Sums(ivec2(square, 0), ivec4(sum, 0));
    const int products = error + 16 * squares.x - square -
                         32 * dot3(batch[i].source_sum.rgb, colors[0]);
    const Loss loss = loss_of(i, ivec4(products, 0, 0, 0), own_sums);
    return loss.is_allowed.x
               ? key_of(loss.costs.x + batch[i].lambda * rate, COPY_FIRST, distance)
               : ~0u;
}

// Put a block that takes the endpoints of this invocation's.
void put_codes(uint place, uint index)
{
    const uint from = gl_LocalInvocationIndex;
    const uvec4 colors = window_colors[from];
    [[unroll]] for (uint q = 0u; q < 4u; q++) {
        [[unroll]] for (uint t = 0u; t < 4u; t++)
            window_texels[q][place][t] = colors[own_codes >> 8u * q + 2u * t & 3u];
    }
    window_words[place] = uvec2(window_words[from].x, own_codes);
    window_sums[place] = own_sums;
    destination.blocks[index] = window_words[place];
}
