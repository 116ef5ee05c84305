// SPDX-License-Identifier: MIT
// Scaled YCoCg in BC3: what a block keeps of the one in the frame before.
//
//   uvec4 keep_previous(float y[16], float co[16], float cg[16], uvec4 previous, uvec4 block)
//
// takes the texels as encode_ycocg_bc3() does and the block that it made of them, and returns it
// with the endpoints of Y, or those of Co and Cg, of the previous block where these cost little.
//
// The rule of encode/steady.glsl, for Y, and then for Co and Cg, in integers. Units are those of
// effort high: y in 1/4 code, values of Y in 1/(16 * steps) code, Co and Cg in 1/24 code.

#define HISTORY_BLOCK uvec4
#include "encode/steady.glsl"

const uint MAX_LUMA_ERROR = 1u << 29;

// A half of a block: its endpoints, and the 8 bytes that store them with the texels' indices.
struct LumaHalf {
    LumaFit fit;
    uvec2 words;
};
struct ChromaHalf {
    ChromaFit fit;
    uvec2 words;
};

int luma_value(LumaFit f, int index)
{
    if (index <= f.steps)
        return luma_decoded(f, index);
    return index == 6 ? 0 : f.steps * LARGEST;
}

uint luma_square(LumaFit f, int index, int y)
{
    return square(luma_value(f, index) - f.steps * luma_lean(4 * y));
}

// Get the half with the indices that the texels of this frame keep or get.
LumaHalf keep_luma_indices(float y[16], uvec2 words)
{
    const int a0 = int(words.x & 255u), a1 = int(words.x >> 8 & 255u);
    LumaHalf l = LumaHalf(LumaFit(a0, a1, a0 > a1 ? 7 : 5, 0u), words);
    const int scale = luma_scale(l.fit);
    const uint slack = slack_of(square(16 * (a0 - a1)));
    uint codes[2] = uint[2](0u, 0u);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const int nearest_index = luma_choose(l.fit, scale, int(y[t])).index;
        const uint least = luma_square(l.fit, nearest_index, int(y[t]));
        int index = bc4_index(l.words, l.fit.steps, t);
        uint error = luma_square(l.fit, index, int(y[t]));
        if (error > least + slack) {
            index = nearest_index;
            error = least;
        }
        l.fit.error = min(l.fit.error + error, MAX_LUMA_ERROR);
        codes[t / 8] |= bc4_code(index, l.fit.steps) << 3 * (t % 8);
    }
    l.words = uvec2((words.x & 0xffffu) | codes[0] << 16, codes[0] >> 16 | codes[1] << 8);
    return l;
}

int chroma_index_of(uint codes, int t)
{
    const uint code = codes >> 2 * t & 3u;
    return code == 0u ? 0 : code == 1u ? 3 : int(code) - 1;
}

int chroma_distance_of(ChromaPalette p, int index, ivec2 x)
{
    int distance = chroma_distance(p, 0, x);
    [[unroll]] for (int k = 1; k < 4; k++)
        distance = index == k ? chroma_distance(p, k, x) : distance;
    return distance;
}

ChromaHalf keep_chroma_indices(ChromaTexels c, uvec2 words)
{
    const int scale_code = int(min((words.x & 31u) + 1u, 4u) >> 1); // blue is 0, 1 or 3
    const ivec2 code0 = ivec2(words.x >> 11 & 31u, words.x >> 5 & 63u);
    const ivec2 code1 = ivec2(words.x >> 27, words.x >> 21 & 63u);
    const WholeModel m = whole_model(scale_code);
    ChromaHalf h = ChromaHalf(ChromaFit(scale_code, ChromaEnds(code0, code1), c.squares), words);
    const ChromaPalette p = chroma_palette(m, h.fit);
    const ivec2 line = chroma_value(m, h.fit, 3) - chroma_value(m, h.fit, 0);
    const uint squared = uint(2 * line.x * line.x + 3 * line.y * line.y); // of three steps
    const int slack = int(slack_of(squared / 9u));
    h.words.y = 0u;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const int nearest_index = chroma_nearest(p, c.x[t]);
        const int least = chroma_distance_of(p, nearest_index, c.x[t]);
        int index = chroma_index_of(words.y, t);
        int distance = chroma_distance_of(p, index, c.x[t]);
        if (distance > least + slack) {
            index = nearest_index;
            distance = least;
        }
        h.fit.error += uint(distance);
        h.words.y |= (index == 0 ? 0u : index == 3 ? 1u : uint(index) + 1u) << 2 * t;
    }
    const uint blue = (1u << scale_code) - 1u;
    h.words.x = (words.x & 0xffe0ffe0u) | blue << 16 | blue;
    return h;
}

// Get the chroma to fit: Cg makes up for the error of Y.
ChromaTexels kept_chroma_texels(LumaHalf l, float y[16], float co[16], float cg[16])
{
    const int twice = 2 * l.fit.steps;
    const float inverse = 1.0 / float(twice);
    ChromaTexels c;
    c.squares = 0u;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const int value = luma_value(l.fit, bc4_index(l.words, l.fit.steps, t));
        const int error = value - 4 * l.fit.steps * int(y[t]);
        const int third = divide(error + l.fit.steps, twice, inverse);
        c.x[t] = ivec2(12 * int(co[t]), 6 * int(cg[t]) + third);
        c.squares += uint(2 * c.x[t].x * c.x[t].x + 3 * c.x[t].y * c.x[t].y);
    }
    return c;
}

uvec4 keep_previous(float y[16], float co[16], float cg[16], uvec4 previous, uvec4 block)
{
    const bool is_first = previous.z == 0u; // which it is in no block
    if (is_first || block == previous)
        return block;
    LumaHalf luma = keep_luma_indices(y, block.xy);
    const LumaHalf luma_before = keep_luma_indices(y, previous.xy);
    const bool keeps_luma = is_kept(luma_error(luma_before.fit), luma_error(luma.fit));
    if (keeps_luma)
        luma = luma_before;

    const ChromaTexels texels = kept_chroma_texels(luma, y, co, cg);
    ChromaHalf chroma = keep_chroma_indices(texels, block.zw);
    const ChromaHalf chroma_before = keep_chroma_indices(texels, previous.zw);
    const bool keeps_chroma = is_kept(chroma_before.fit.error, chroma.fit.error);
    if (keeps_chroma)
        chroma = chroma_before;
    return keeps_luma || keeps_chroma ? uvec4(luma.words, chroma.words) : block;
}
