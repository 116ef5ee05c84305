// SPDX-License-Identifier: MIT
// Scaled YCoCg in BC3 at effort high: improves the block that effort default found. A part of
// ycocg_bc3.glsl. Integer arithmetic.
//
// The endpoints that effort default finds are a candidate too, so no block is worse than its own,
// by the error
//   2 eo^2 + 3 (eg - ey/3)^2 + (8/3) ey^2
// with each value as the decoder has it; but where a texel of Y lies half way between two values,
// it may get the other one here.

#include "encode/ycocg_bc3/high_luma.glsl"
#include "encode/ycocg_bc3/high_chroma.glsl"

// Get the chroma to fit: Cg makes up for the error of Y.
ChromaTexels chroma_texels(LumaFit f, bool wide, int y[16], float co[16], float cg[16])
{
    const int scale = luma_scale(f);
    ChromaTexels c;
    c.squares = 0u;
    c.wide = wide;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const int third = luma_choose(f, scale, y[t]).third;
        c.x[t] = ivec2(12 * int(co[t]), 6 * int(cg[t]) + third);
        c.luma[t] = 6 * y[t];
        c.cg[t] = 6 * int(cg[t]);
        c.squares += uint(2 * c.x[t].x * c.x[t].x + 3 * c.x[t].y * c.x[t].y);
    }
    return c;
}

uint luma_error(LumaFit f)
{
    return 6u * f.error / (f.steps == 7 ? 49u : 25u);
}

uint block_error(LumaFit luma, ChromaFit chroma, bool wide)
{
    if (wide)
        return chroma.error;
    return luma_error(luma) + chroma.error;
}

uvec4 high_pack(LumaFit f, ChromaFit chroma, int y[16], ChromaTexels c)
{
    const uint blue = (1u << chroma.scale_code) - 1u;
    uint word0 = uint(chroma.ends.code0.x << 11 | chroma.ends.code0.y << 5) | blue;
    uint word1 = uint(chroma.ends.code1.x << 11 | chroma.ends.code1.y << 5) | blue;
    if (word0 < word1) {
        chroma.ends = ChromaEnds(chroma.ends.code1, chroma.ends.code0);
        const uint word = word0;
        word0 = word1;
        word1 = word;
    }
    const int index[16] = chroma_indices(whole_model(chroma.scale_code), c, chroma);
    const int scale = luma_scale(f);
    uint luma[2] = uint[2](0u, 0u);
    uint colours = 0u;
    [[unroll]] for (int t = 0; t < 16; t++) {
        luma[t / 8] |= bc4_code(luma_choose(f, scale, y[t]).index, f.steps) << 3 * (t % 8);
        const int k = index[t];
        colours |= (k == 0 ? 0u : k == 3 ? 1u : uint(k) + 1u) << 2 * t;
    }
    return uvec4(uint(f.a0) | uint(f.a1) << 8 | luma[0] << 16, luma[0] >> 16 | luma[1] << 8,
                 word0 | word1 << 16, colours);
}

uvec4 encode_high(float planes_y[16], float co[16], float cg[16], Sums s, ChromaSpan span,
                  Luma start_luma, Chroma start_chroma)
{
    vec2 lo = vec2(1e4), hi = vec2(-1e4);
    [[unroll]] for (int t = 0; t < 16; t++) {
        lo = min(lo, vec2(co[t], cg[t]));
        hi = max(hi, vec2(co[t], cg[t]));
    }
    const vec2 reach = (hi - lo) * vec2(0.5, 0.25), middle = 0.5 * (lo + hi);
    const bool wide = max(reach.x, reach.y) >= WIDE;
    const ChromaSpan across = 4.0 * reach.x > 5.0 * reach.y
                                  ? ChromaSpan(vec2(hi.x, middle.y), vec2(lo.x, middle.y))
                                  : ChromaSpan(vec2(middle.x, hi.y), vec2(middle.x, lo.y));
    const int scale_code = chroma_scale_code(span);
    int y[16];
    [[unroll]] for (int t = 0; t < 16; t++)
        y[t] = int(planes_y[t]);
    LumaFit luma = luma_fit(y, int(start_luma.a0), int(start_luma.a1), 7);
    ChromaFit chroma = chroma_fit_of(whole_model(scale_code),
                                     chroma_texels(luma, wide, y, co, cg), scale_code,
                                     ends_of(start_chroma));

    const LumaFit found_luma = high_luma(y, int(s.lo), int(s.hi), s.squares == vec2(0.0));
    const ChromaTexels found_texels = chroma_texels(found_luma, wide, y, co, cg);
    const ChromaFit found_chroma = high_chroma(found_texels, span, across);
    if (block_error(found_luma, found_chroma, wide) < block_error(luma, chroma, wide)) {
        luma = found_luma;
        chroma = found_chroma;
    }
    return high_pack(luma, chroma, y, chroma_texels(luma, wide, y, co, cg));
}
