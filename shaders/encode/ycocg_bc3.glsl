// SPDX-License-Identifier: MIT
// Scaled YCoCg in BC3 (HapY): an invocation encodes one block of 4x4 texels, all by itself.
//
//   uvec4 encode_ycocg_bc3(vec3 codes[16])
//
// takes the 8-bit codes of R, G and B, 0 to 255, row-major, and returns the 16 bytes of the block, in
// memory order.
// A subgroup and a workgroup do nothing together: no shared memory, no subgroup operation.
//
// Requires: GL_EXT_control_flow_attributes and GL_GOOGLE_include_directive. The includer declares
//   layout(constant_id = N) const bool FFMPEG_MODEL = false;
// a specialization constant which tunes for FFmpeg's integer decoder in place of a GPU's.
//
// Source: J.M.P. van Waveren, I. Castano, "Real-Time YCoCg-DXT Compression" (2007). tests/ref/
// ycocg_bc3*.c defines every bit of the result and explains the steps; names are the same here.
//
// The result is the same on every device. Floats below hold integers under 2^24, or quarters of
// small ones, so neither rounding nor contraction of a multiply and an add changes them; products
// with powers of two are exact too. Where a quotient is needed, divide() and the constant
// reciprocals say why they are exact. nearest() alone rests on additions rounding to nearest, as they
// do on every driver known (Vulkan also allows rounding to zero).
//
// Conversions between int and float, and floor(), have an eighth of an addition's rate on NVIDIA
// hardware: texels stay floats, and nearest() rounds by two additions.

struct Model {
    float luma_bias;     // [1/16 code]
    vec2 chroma_bias;    // [texel's unit: 1/2 code of Co, 1/4 code of Cg]
    ivec2 codes;         // Co and Cg codes in 1/4 stored code, times 2^16
    ivec2 quarters;      // 1/4 stored codes in a code, times 2^12
    int zero;            // stored 128, in those units of 2^-12
};

// The integer nearest to x, |x| < 2^22 and not halfway between two: to a sum as large as this, an
// addition leaves no fraction.
float nearest(float x)
{
    const float large = 12582912.0; // 1.5 * 2^23
    precise float sum = x + large;
    precise float integer = sum - large;
    return integer;
}

#include "encode/divide.glsl"
#include "encode/ycocg_bc3_luma.glsl"
#include "encode/ycocg_bc3_chroma.glsl"

// tests/ref/ycocg_bc3.c derives the numbers.
Model decoder_model(int scale_code)
{
    if (FFMPEG_MODEL)
        return Model(6.0, vec2(0.25, 0.5) * float(scale_code == 2 ? 3 : 2 * scale_code),
                     ivec2(1992, 4048), ivec2(134771, 66316), 2097152);
    if (scale_code == 2)
        return Model(3.0, vec2(0.0), ivec2(2013, 4091), ivec2(133359, 65622), 2075186);
    if (scale_code == 1)
        return Model(3.0, vec2(0.0), ivec2(2006, 4076), ivec2(133826, 65852), 2082457);
    return Model(3.0, vec2(0.0), ivec2(1992, 4048), ivec2(134771, 66316), 2097152);
}

uvec4 encode_ycocg_bc3(vec3 codes[16])
{
    // Y and Cg times 4, Co times 2.
    float y[16], co[16], cg[16];
    vec3 lo = vec3(1e4), hi = vec3(-1e4), sum = vec3(0.0);
    float product = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const vec3 rgb = codes[t];
        y[t] = rgb.r + rgb.b + 2.0 * rgb.g;
        co[t] = rgb.r - rgb.b;
        cg[t] = 4.0 * rgb.g - y[t];
        const vec3 v = vec3(y[t], co[t], cg[t]);
        lo = min(lo, v);
        hi = max(hi, v);
        sum += v;
        product += v.y * v.z;
    }
    const vec2 extreme = max(abs(lo.yz), abs(hi.yz));
    const float largest = max(2.0 * extreme.x, extreme.y);
    const int scale_code = largest <= 4.0 * 31.0 ? 2 : largest <= 4.0 * 63.0 ? 1 : 0;
    const Model m = decoder_model(scale_code);

    Luma l = luma_box(m, int(lo.x), int(hi.x), largest == 0.0);
    l = luma_refine(m, y, sum.x, l);
    l = luma_refine(m, y, sum.x, l);

    // The indices of Y; and Cg, for FFmpeg also Co, become what they are fitted to.
    float indices[2] = float[2](0.0, 0.0);
    vec2 target_sum = vec2(0.0);
    [[unroll]] for (int t = 15; t >= 0; t--) {
        const float q = luma_index(l, y[t]);
        indices[t / 8] = 8.0 * indices[t / 8] + q;
        cg[t] += luma_third(l, q, y[t]);
        if (FFMPEG_MODEL) {
            co[t] += sign(co[t]) * m.chroma_bias.x;
            cg[t] += sign(cg[t]) * m.chroma_bias.y;
        }
        target_sum += vec2(co[t], cg[t]);
    }
    if (!FFMPEG_MODEL)
        target_sum.x = sum.y; // Co is as it was
    const uint luma0 = luma_pack(indices[0]), luma1 = luma_pack(indices[1]);

    const ivec2 to_quarters = ivec2(2, 1) << scale_code;
    const bool falling = 16 * int(product) < int(sum.y) * int(sum.z);
    Chroma c = chroma_box(m, ivec2(lo.yz) * to_quarters, ivec2(hi.yz) * to_quarters, falling);
    c = chroma_refine(m, co, cg, target_sum, to_quarters, c);
    uint word0 = uint(c.code0.x << 11 | c.code0.y << 5 | (1 << scale_code) - 1);
    uint word1 = uint(c.code1.x << 11 | c.code1.y << 5 | (1 << scale_code) - 1);
    if (word0 < word1) {
        c = Chroma(c.code1, c.code0, c.value1, c.value0);
        const uint word = word0;
        word0 = word1;
        word1 = word;
    }
    const ChromaLine line = chroma_line(c, to_quarters);
    const uint chroma0 = chroma_pack(line, co, cg, 0), chroma1 = chroma_pack(line, co, cg, 8);

    return uvec4(uint(l.a0) | uint(l.a1) << 8 | luma0 << 16, luma0 >> 16 | luma1 << 8,
                 word0 | word1 << 16, chroma0 | chroma1 << 16);
}
