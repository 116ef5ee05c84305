// SPDX-License-Identifier: MIT
// Scaled YCoCg in BC3 (HapY): an invocation encodes one block of 4x4 texels, all by itself.
//
//   uvec4 encode_ycocg_bc3(float y[16], float co[16], float cg[16])
//
// takes, row-major, R + 2G + B, R - B and 2G - R - B of the 8-bit codes, 0 to 255, which is Y and
// Cg times 4 and Co times 2, and returns the 16 bytes of the block, in memory order.
// Invocations are independent: there is no shared memory and no subgroup operation.
//
// Requires: GL_EXT_control_flow_attributes. The includer declares
//   layout(constant_id = N) const bool FFMPEG_MODEL = false;
// a specialization constant which tunes for FFmpeg's integer decoder in place of a GPU's, and
//   const uint EFFORT // encode/effort.glsl
// which is default, fast or high: a kernel has the code of its own effort only.
//
// Source: J.M.P. van Waveren, I. Castano, "Real-Time YCoCg-DXT Compression" (2007): the planes, the
// scale and the inset. Added to it: the axis of greatest variance in place of a diagonal of the
// box, a least-squares step that moves the endpoints of given indices, chroma that makes up for the
// error of Y, and a pair of endpoints for blocks of nearly one chroma.
//
// The error to minimise. With ey, eo, eg the errors of Y, Co and Cg,
//   dR^2 + dG^2 + dB^2 = 2 eo^2 + 3 (eg - ey/3)^2 + (8/3) ey^2.
// So Y is coded first and alone; then Co is fitted to Co and Cg to Cg + ey/3, weighed 2 to 3.
//
// The result is the same on every device. Floats below hold integers under 2^24, or quarters of
// small ones, so neither rounding nor contraction of a multiply and an add changes them; products
// with powers of two are exact too. What is neither is `precise`, or is rounded to an index from
// which its error cannot lead away. encode/rounding.glsl says what is assumed of additions.
//
// Conversions between int and float, and floor(), have an eighth of an addition's rate on NVIDIA
// hardware: texels stay floats, and nearest() rounds by two additions.

struct Model {
    vec2 codes;          // codes of Co and Cg in 1/4 stored code, times 2^16
    vec2 quarters;       // 1/4 stored codes in a code of Co and of Cg, times 2^12
    float zero;          // the stored code 128, in 1/4 stored code, times 2^12
};

const bool IS_FAST = EFFORT == WEIR_ENCODE_EFFORT_FAST;

// A block whose Co or Cg reach as far as this is far from its best line [codes].
const float WIDE = 32.0;

// FFmpeg truncates the sevenths of Y, 3/7 of a code on average [1/16 code].
const int LUMA_BIAS = FFMPEG_MODEL ? 6 : 3;

// Sums over the texels of a block, and the range of Y.
struct Sums {
    vec3 sum;     // of Y, Co and Cg
    vec2 squares; // of Co and of Cg
    float product;
    float lo, hi;
};

#include "encode/bc1/codes.glsl"
#include "encode/bc4/codes.glsl"
#include "encode/divide.glsl"
#include "encode/rounding.glsl"
#include "encode/ycocg_bc3/luma.glsl"

// Get the number of 1/4 stored codes in a unit of a texel's Co and Cg.
vec2 quarters_of_units(int scale_code)
{
    return vec2(ivec2(2, 1) << scale_code);
}

#include "encode/ycocg_bc3/chroma.glsl"

// The model of the decoder. The HAP shader reads the scale as 1 + 255/8 * blue. From exact
// fractions of 31 it gets 2.028 and 4.085 for the codes 1 and 3; from a blue expanded to 8 bit by
// repeating bits it gets 2 and 4, as FFmpeg does. Both exist, so the model of a GPU takes the
// middle: 999/496 and 2005/496. On pictures that costs 0.03 dB; soft gradients gain 1.5 dB where
// the scale is whole. For Y the model of a GPU leans towards FFmpeg by 3/16, which costs 0.03 dB on
// a GPU and gains 0.12 dB there.
//
// Between exact and whole scales a better fit may be a worse one by either. So that default has
// no less than fast by exact fractions, the others lean to these by 5 % of the difference.
//
// codes = (31 or 63) / 1020 * ratio, quarters = 1020 / (31 or 63) / ratio, zero = 512 / ratio with
// ratio = what the decoder divides by / scale: 1, 999/992 and 2005/1984 for a GPU.
Model decoder_model(int scale_code)
{
    if (FFMPEG_MODEL)
        return Model(vec2(1992.0, 4048.0), vec2(134771.0, 66316.0), 2097152.0);
    const bool leans = !IS_FAST;
    if (scale_code == 2)
        return leans ? Model(vec2(2015.0, 4095.0), vec2(133221.0, 65553.0), 2073016.0)
                     : Model(vec2(2013.0, 4091.0), vec2(133359.0, 65622.0), 2075186.0);
    if (scale_code == 1)
        return leans ? Model(vec2(2007.0, 4079.0), vec2(133734.0, 65805.0), 2080999.0)
                     : Model(vec2(2006.0, 4076.0), vec2(133826.0, 65852.0), 2082457.0);
    return Model(vec2(1992.0, 4048.0), vec2(134771.0, 66316.0), 2097152.0);
}

#include "encode/ycocg_bc3/high.glsl"

Sums sums_of(float y[16], float co[16], float cg[16])
{
    precise vec3 sum = vec3(0.0);
    precise vec2 squares = vec2(0.0);
    precise float product = 0.0;
    float lo = 1e4, hi = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        lo = min(lo, y[t]);
        hi = max(hi, y[t]);
        sum += vec3(y[t], co[t], cg[t]);
        squares.x = fma(co[t], co[t], squares.x);
        squares.y = fma(cg[t], cg[t], squares.y);
        product = fma(co[t], cg[t], product);
    }
    return Sums(sum, squares, product, lo, hi);
}

float num_neutral(float co[16], float cg[16])
{
    float num = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++)
        num += co[t] == 0.0 && cg[t] == 0.0 ? 1.0 : 0.0;
    return num;
}

uvec4 pack_block(Luma l, uint indices[2], Chroma c, int scale_code, float co[16], float cg[16])
{
    const uint luma0 = bc4_codes(indices[0] - LARGE_BITS * 0x249249u);
    const uint luma1 = bc4_codes(indices[1] - LARGE_BITS * 0x249249u);
    const uint blue = (1u << scale_code) - 1u;
    uint word0 = uint(2048.0 * c.code0.x + 32.0 * c.code0.y) | blue;
    uint word1 = uint(2048.0 * c.code1.x + 32.0 * c.code1.y) | blue;
    if (word0 < word1) {
        c = Chroma(c.code1, c.code0, c.value1, c.value0);
        const uint word = word0;
        word0 = word1;
        word1 = word;
    }
    const ChromaLine line = chroma_line(c, quarters_of_units(scale_code));
    return uvec4(uint(l.a0) | uint(l.a1) << 8 | luma0 << 16, luma0 >> 16 | luma1 << 8,
                 word0 | word1 << 16, chroma_pack(line, co, cg));
}

// FFmpeg's decoder drops the fractions of Co and Cg, towards zero: by half a unit, they are coded
// farther out.
void lean_out(inout float co[16], inout float cg[16], inout Sums s)
{
    float largest = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++)
        largest = max(largest, max(2.0 * abs(co[t]), abs(cg[t])));
    const vec2 bias = vec2(0.25, 0.5) * (largest <= 124.0 ? 3.0 : largest <= 252.0 ? 2.0 : 0.0);
    [[unroll]] for (int t = 0; t < 16; t++) {
        const vec2 more = sign(vec2(co[t], cg[t])) * bias;
        co[t] += more.x;
        cg[t] += more.y;
        s.sum += vec3(0.0, more);
    }
}

uvec4 encode_ycocg_bc3(float y[16], float co[16], float cg[16])
{
    Sums s = sums_of(y, co, cg);
    Luma l = luma_box(s.lo, s.hi, s.squares == vec2(0.0));
    if (!IS_FAST)
        l = luma_refine(y, s.sum.x, 1.5, l);
    l = luma_refine(y, s.sum.x, 1.0, l);

    const vec2 axis = chroma_axis(s);

    // The indices of Y, and the targets to which Co and Cg are fitted.
    uint indices[2] = uint[2](0u, 0u);
    float co_target[16], cg_target[16];
    co_target = co;
    cg_target = cg;
    [[unroll]] for (int t = 15; t >= 0; t--) {
        precise float large = luma_large_index(l, y[t]);
        indices[t / 8] = 8u * indices[t / 8] + floatBitsToUint(large);
        if (!IS_FAST) {
            precise float q = large - LARGE;
            const float third = luma_third(l, q, y[t]);
            cg_target[t] += third;
            s.sum.z += third;
        }
    }
    if (FFMPEG_MODEL)
        lean_out(co_target, cg_target, s);
    const ChromaSpan span = chroma_span(axis, s, co_target, cg_target);
    const int scale_code = chroma_scale_code(span);
    const Model m = decoder_model(scale_code);
    Chroma c = chroma_start(m, scale_code, span);
    const bool wide = is_wide(span);
    const float num_added = wide && !IS_FAST ? num_neutral(co, cg) : 0.0;
    const int num_steps = wide ? (IS_FAST ? 1 : 3) : IS_FAST ? 0 : 1;
    float cost = 0.0;
    [[dont_unroll]] for (int i = 0; i < num_steps; i++)
        c = chroma_step(m, scale_code, s, co_target, cg_target, num_added, c, cost);
    if (IS_FAST)
        c = chroma_flat_if_near(m, scale_code, s, c);
    else if (!wide)
        c = chroma_or_flat(m, scale_code, s, c, cost);
    if (EFFORT == WEIR_ENCODE_EFFORT_HIGH)
        return encode_high(y, co, cg, s, span, l, c);
    return pack_block(l, indices, c, scale_code, co_target, cg_target);
}
