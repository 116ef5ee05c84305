// SPDX-License-Identifier: MIT
// Blocks of mode 6 of BC7, whose texels are on one line: indices that fit a line, and a line that
// fits indices. Integer arithmetic.
//
// The second half of such a block has a digit of four bits for each texel: its index, or, of texel
// 0, the anchor, the second end's p-bit and three bits of an index.

// The line between the endpoints of a block. `scale`: from the square of its length, in the
// channels that count, to the highest index, times 2^27.
struct Line {
    uint first, second; // packed texels
    uint scale;
};
shared Line batch_lines[BATCH]; // of blocks that have one
shared Line window_lines[WEIR_RDO_WINDOW];

const ivec4 COUNTED = FIRST + SECOND; // 1 for channels that count

bool has_line(uvec4 words)
{
    return (words.x & 127u) == 64u;
}

Line line_between(uvec4 first, uvec4 second)
{
    const ivec4 way = COUNTED * (ivec4(second) - ivec4(first));
    const uint square = uint(total(way * way));
    return Line(pack_texel(first), pack_texel(second), square > 0u ? (15u << 27) / square : 0u);
}

Line line_of(uvec4 words)
{
    const Fields f = fields_of(words, 6u);
    return line_between(endpoint_of(words, f, 0u), endpoint_of(words, f, 1u));
}

// How texels are projected onto a line.
struct Projection {
    ivec4 first, way;
    ivec4 counted_way; // in the channels that count
    int start, square;
    uint scale;
};

Projection projection_of(Line line)
{
    Projection p;
    p.first = unpack_texel(line.first);
    p.way = unpack_texel(line.second) - p.first;
    p.counted_way = COUNTED * p.way;
    p.start = total(p.counted_way * p.first);
    p.square = total(p.counted_way * p.counted_way);
    p.scale = line.scale;
    return p;
}

// Get the index of texel `t` of block `i` of the batch: of the value that is nearest on the line,
// but for its rounding. That of the anchor has no highest bit.
uint index_on(Projection p, uint i, uint t)
{
    const int along = (-total(p.counted_way * batch_factors[i][t]) >> 5) - p.start; // exact
    const uint index = uint(clamp(along, 0, p.square)) * p.scale + (1u << 26) >> 27;
    return t == 0u ? min(index, 7u) : index;
}

ivec4 value_on(Projection p, uint index)
{
    return p.first + (int(weight_of_index(index, 4u)) * p.way + 32 >> 6);
}

// Get the index of texel `t` in a second half.
uint index_in(uvec2 half_words, uint t)
{
    return half_words[t >> 3] >> 4u * (t & 7u) + (t == 0u ? 1u : 0u) & (t == 0u ? 7u : 15u);
}

// What values on a line are for block `i` of the batch: the products with its texels, and the sums.
struct Fit {
    ivec4 products, squares, texels;
};

void add_value(inout Fit fit, uint i, uint t, ivec4 value)
{
    fit.products += batch_factors[i][t] * value;
    fit.squares += value * value;
    fit.texels += value;
}

Sums sums_of(Fit fit)
{
    return Sums(16 * by_part(fit.squares), fit.texels);
}

// Fit indices to a line. Returns the second half of the block.
uvec2 fit_indices(uint i, Line line, out Fit fit)
{
    const Projection p = projection_of(line);
    uvec2 half_words = uvec2(0u);
    fit = Fit(ivec4(0), ivec4(0), ivec4(0));
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        const uint index = index_on(p, i, t);
        const uint digit = t == 0u ? index << 1 | line.second & 1u : index;
        half_words[t >> 3] |= digit << 4u * (t & 7u);
        add_value(fit, i, t, value_on(p, index));
    }
    return half_words;
}

// Get the ends of a channel in quarters of a code, by the numerators and the determinant of the
// normal equations.
ivec4 quarters_of(ivec4 numerators, int determinant, uint scale)
{
    uvec4 high, low;
    umulExtended(uvec4(clamp(numerators, 0, 17 * determinant)) << 6, uvec4(scale), high, low);
    return ivec4(high);
}

// Get the codes of seven bits that are nearest with a p-bit, and the p-bit below them.
ivec4 codes_of(ivec4 quarters, int p)
{
    return 2 * min(quarters + 4 - 4 * p >> 3, 127) + p;
}

int rounding_error(ivec4 codes, ivec4 quarters)
{
    const ivec4 e = 4 * codes - quarters;
    return total(COUNTED * e * e);
}

// Fit a line to the indices of a second half, whose lowest bit is the second end's p-bit. Returns
// false where all indices are the same.
bool fit_line(uint i, uvec2 half_words, out Line line)
{
    int sum = 0, squares = 0;
    ivec4 products = ivec4(0);
    [[unroll]] for (uint t = 0u; t < 16u; t++) {
        const int index = int(index_in(half_words, t));
        sum += index;
        squares += index * index;
        products += index * batch_factors[i][t];
    }
    const int aa = 16 * 15 * 15 - 2 * 15 * sum + squares, ab = 15 * sum - squares, bb = squares;
    const int determinant = aa * bb - ab * ab;
    const uint scale = determinant > 0 ? (15u << 28) / uint(determinant) : 0u;
    const ivec4 b = -products >> 5, a = 15 * batch[i].source_sum - b;
    const ivec4 first = quarters_of(a * bb - b * ab, determinant, scale);
    const ivec4 second = quarters_of(b * aa - a * ab, determinant, scale);
    const ivec4 even = codes_of(first, 0), odd = codes_of(first, 1);
    const bool is_opaque = COUNTED.a != 0 && batch[i].source_sum.a == 16 * 255;
    const bool is_odd = is_opaque || rounding_error(odd, first) < rounding_error(even, first);
    ivec4 ends[2] = ivec4[2](is_odd ? odd : even, codes_of(second, int(half_words.x & 1u)));
    if (COUNTED.a == 0) {
        ends[0].a = 254 | ends[0].r & 1;
        ends[1].a = 254 | ends[1].r & 1;
    }
    line = line_between(uvec4(ends[0]), uvec4(ends[1]));
    return determinant > 0;
}

// Get what a line with the indices of a second half is for block `i` of the batch.
Fit fit_of(uint i, Line line, uvec2 half_words)
{
    const Projection p = projection_of(line);
    Fit fit = Fit(ivec4(0), ivec4(0), ivec4(0));
    [[unroll]] for (uint t = 0u; t < 16u; t++)
        add_value(fit, i, t, value_on(p, index_in(half_words, t)));
    return fit;
}

// Get the first half of a block: the mode, the ends of each channel without p-bits, and the first
// end's p-bit.
uvec2 first_half_of(Line line)
{
    const uvec4 a = uvec4(unpack_texel(line.first)) >> 1;
    const uvec4 b = uvec4(unpack_texel(line.second)) >> 1;
    return uvec2(64u | a.r << 7 | b.r << 14 | a.g << 21 | b.g << 28,
                 b.g >> 4 | a.b << 3 | b.b << 10 | a.a << 17 | b.a << 24 |
                     (line.first & 1u) << 31);
}
