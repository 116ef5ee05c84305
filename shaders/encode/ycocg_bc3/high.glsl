// SPDX-License-Identifier: MIT
// Scaled YCoCg in BC3 at effort high: improves the block that effort default found. A part of
// ycocg_bc3.glsl. Integer arithmetic.
//
// The endpoints that effort default finds are a candidate too, so no block is worse than its own,
// by the error
//   2 eo^2 + 3 (eg - ey/3)^2 + (8/3) ey^2
// with each value as the decoder has it; but where a texel of Y lies half way between two values,
// it may get the other one here.

// The bounds of a block's Y, Co and Cg, in the units of its texels.
struct Bounds {
    vec3 lo, hi;
    bool grey;      // no texel has chroma
    bool falling;   // Cg falls where Co rises
    bool wide;      // Co or Cg reach over WIDE codes or more
    int scale_code; // the largest whose scale every texel fits
};

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

uint block_error(LumaFit luma, ChromaFit chroma, bool wide)
{
    if (wide)
        return chroma.error;
    return 6u * luma.error / (luma.steps == 7 ? 49u : 25u) + chroma.error;
}

uvec4 high_pack(LumaFit f, ChromaFit chroma, int y[16], ChromaTexels c)
{
    const uint blue = (1u << chroma.scale_code) - 1u;
    uint word0 = uint(chroma.code0.x << 11 | chroma.code0.y << 5) | blue;
    uint word1 = uint(chroma.code1.x << 11 | chroma.code1.y << 5) | blue;
    if (word0 < word1) {
        chroma = ChromaFit(chroma.scale_code, chroma.code1, chroma.code0, 0u);
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

Bounds block_bounds(float y[16], float co[16], float cg[16])
{
    Bounds b = Bounds(vec3(1e4), vec3(-1e4), false, false, false, 0);
    vec3 sum = vec3(0.0);
    float product = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const vec3 v = vec3(y[t], co[t], cg[t]);
        b.lo = min(b.lo, v);
        b.hi = max(b.hi, v);
        sum += v;
        product += v.y * v.z;
    }
    const vec2 extreme = max(abs(b.lo.yz), abs(b.hi.yz));
    const float largest = max(2.0 * extreme.x, extreme.y);
    b.grey = largest == 0.0;
    b.wide = max(2.0 * (b.hi.y - b.lo.y), b.hi.z - b.lo.z) >= 4.0 * WIDE;
    b.falling = 16 * int(product) < int(sum.y) * int(sum.z);
    b.scale_code = largest <= 4.0 * 31.0 ? 2 : largest <= 4.0 * 63.0 ? 1 : 0;
    return b;
}

uvec4 encode_high(float planes_y[16], float co[16], float cg[16], Luma start_luma,
                  Chroma start_chroma, int scale_code)
{
    const Bounds b = block_bounds(planes_y, co, cg);
    int y[16];
    [[unroll]] for (int t = 0; t < 16; t++)
        y[t] = int(planes_y[t]);
    const int a0 = int(start_luma.a0), a1 = int(start_luma.a1);
    LumaFit luma = luma_fit(y, a0, a1, a0 > a1 ? 7 : 5);
    ChromaFit chroma = chroma_fit_of(whole_model(scale_code),
                                     chroma_texels(luma, b.wide, y, co, cg), scale_code,
                                     ivec2(start_chroma.code0), ivec2(start_chroma.code1));

    const LumaFit found_luma = high_luma(y, int(b.lo.x), int(b.hi.x), b.grey);
    const ChromaFit found_chroma = high_chroma(chroma_texels(found_luma, b.wide, y, co, cg), b);
    if (block_error(found_luma, found_chroma, b.wide) < block_error(luma, chroma, b.wide)) {
        luma = found_luma;
        chroma = found_chroma;
    }
    return high_pack(luma, chroma, y, chroma_texels(luma, b.wide, y, co, cg));
}
