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
// scale, the inset box and the diagonal by the sign of the covariance. Added to it: a least-squares
// step that moves the endpoints of given indices, chroma that makes up for the error of Y, and a
// pair of endpoints for blocks of nearly one chroma.
//
// The error to minimise. With ey, eo, eg the errors of Y, Co and Cg,
//   dR^2 + dG^2 + dB^2 = 2 eo^2 + 3 (eg - ey/3)^2 + (8/3) ey^2.
// So Y is coded first and alone; then Co is fitted to Co and Cg to Cg + ey/3, weighed 2 to 3.
//
// The result is the same on every device. Floats below hold integers under 2^24, or quarters of
// small ones, so neither rounding nor contraction of a multiply and an add changes them; products
// with powers of two are exact too. Where a quotient is needed, divide() and the constant
// reciprocals say why they are exact. Only nearest() assumes that additions round to nearest, as
// they do on every known driver (Vulkan also allows rounding to zero).
//
// Conversions between int and float, and floor(), have an eighth of an addition's rate on NVIDIA
// hardware: texels stay floats, and nearest() rounds by two additions.

struct Model {
    float luma_bias;     // [1/16 code]
    vec2 chroma_bias;    // [texel's unit: 1/2 code of Co, 1/4 code of Cg]
    ivec2 codes;         // codes of Co and Cg in 1/4 stored code, times 2^16
    ivec2 quarters;      // 1/4 stored codes in a code of Co and of Cg, times 2^12
    int zero;            // the stored code 128, in 1/4 stored code, times 2^12
};

// The box of Co and Cg of a block as wide as this is far from its best line, and a step pays at
// every effort. Of the blocks of photographs 1 in 80 is, so that most subgroups pass by [codes].
const float WIDE = 32.0;

// The bounds of a block's Y, Co and Cg, in the units of its texels, and the sums over its texels.
struct Bounds {
    vec3 lo, hi, sum;
    bool grey;      // no texel has chroma
    bool falling;   // Cg falls where Co rises
    bool wide;      // Co or Cg reach over WIDE codes or more
    int scale_code; // the largest whose scale every texel fits
};

#include "encode/bc4/codes.glsl"
#include "encode/divide.glsl"
#include "encode/rounding.glsl"
#include "encode/ycocg_bc3/luma.glsl"

// Get the number of 1/4 stored codes in a unit of a texel's Co and Cg.
ivec2 quarters_of_units(int scale_code)
{
    return ivec2(2, 1) << scale_code;
}

#include "encode/ycocg_bc3/chroma.glsl"

// The model of the decoder. The HAP shader reads the scale as 1 + 255/8 * blue. From exact
// fractions of 31 it gets 2.028 and 4.085 for the codes 1 and 3; from a blue expanded to 8 bit by
// repeating bits it gets 2 and 4, as FFmpeg does. Both exist, so the model of a GPU takes the
// middle: 999/496 and 2005/496. On pictures that costs 0.03 dB; soft gradients gain 1.5 dB where
// the scale is whole. FFmpeg truncates the sevenths of Y, 3/7 of a code on average, and the model
// of a GPU leans towards it by 3/16, which costs 0.03 dB on a GPU and gains 0.12 dB there.
//
// Between exact and whole scales a better fit may be a worse one by either. So that default has
// no less than fast by exact fractions, the others lean to these by 5 % of the difference.
//
// codes = (31 or 63) / 1020 * ratio, quarters = 1020 / (31 or 63) / ratio, zero = 512 / ratio with
// ratio = what the decoder divides by / scale: 1, 999/992 and 2005/1984 for a GPU.
Model decoder_model(int scale_code)
{
    if (FFMPEG_MODEL)
        return Model(6.0, vec2(0.25, 0.5) * float(scale_code == 2 ? 3 : 2 * scale_code),
                     ivec2(1992, 4048), ivec2(134771, 66316), 2097152);
    const bool leans = EFFORT != WEIR_ENCODE_EFFORT_FAST;
    if (scale_code == 2)
        return leans ? Model(3.0, vec2(0.0), ivec2(2015, 4095), ivec2(133221, 65553), 2073016)
                     : Model(3.0, vec2(0.0), ivec2(2013, 4091), ivec2(133359, 65622), 2075186);
    if (scale_code == 1)
        return leans ? Model(3.0, vec2(0.0), ivec2(2007, 4079), ivec2(133734, 65805), 2080999)
                     : Model(3.0, vec2(0.0), ivec2(2006, 4076), ivec2(133826, 65852), 2082457);
    return Model(3.0, vec2(0.0), ivec2(1992, 4048), ivec2(134771, 66316), 2097152);
}

#include "encode/ycocg_bc3/high.glsl"

Bounds block_bounds(float y[16], float co[16], float cg[16])
{
    Bounds b = Bounds(vec3(1e4), vec3(-1e4), vec3(0.0), false, false, false, 0);
    float product = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const vec3 v = vec3(y[t], co[t], cg[t]);
        b.lo = min(b.lo, v);
        b.hi = max(b.hi, v);
        b.sum += v;
        product += v.y * v.z;
    }
    const vec2 extreme = max(abs(b.lo.yz), abs(b.hi.yz));
    const float largest = max(2.0 * extreme.x, extreme.y);
    b.grey = largest == 0.0;
    b.wide = max(2.0 * (b.hi.y - b.lo.y), b.hi.z - b.lo.z) >= 4.0 * WIDE;
    b.falling = 16 * int(product) < int(b.sum.y) * int(b.sum.z);
    b.scale_code = largest <= 4.0 * 31.0 ? 2 : largest <= 4.0 * 63.0 ? 1 : 0;
    return b;
}

float num_neutral(float co[16], float cg[16])
{
    float num = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++)
        num += co[t] == 0.0 && cg[t] == 0.0 ? 1.0 : 0.0;
    return num;
}

uvec4 pack_block(Luma l, float indices[2], Chroma c, int scale_code, float co[16], float cg[16])
{
    const uint luma0 = bc4_codes(uint(indices[0])), luma1 = bc4_codes(uint(indices[1]));
    uint word0 = uint(c.code0.x << 11 | c.code0.y << 5 | (1 << scale_code) - 1);
    uint word1 = uint(c.code1.x << 11 | c.code1.y << 5 | (1 << scale_code) - 1);
    if (word0 < word1) {
        c = Chroma(c.code1, c.code0, c.value1, c.value0);
        const uint word = word0;
        word0 = word1;
        word1 = word;
    }
    const ChromaLine line = chroma_line(c, quarters_of_units(scale_code));
    const uint chroma0 = chroma_pack(line, co, cg, 0), chroma1 = chroma_pack(line, co, cg, 8);
    return uvec4(uint(l.a0) | uint(l.a1) << 8 | luma0 << 16, luma0 >> 16 | luma1 << 8,
                 word0 | word1 << 16, chroma0 | chroma1 << 16);
}

uvec4 encode_ycocg_bc3(float y[16], float co[16], float cg[16])
{
    const Bounds b = block_bounds(y, co, cg);
    const Model m = decoder_model(b.scale_code);
    Luma l = luma_box(m, int(b.lo.x), int(b.hi.x), b.grey);
    l = luma_refine(m, y, b.sum.x, l);
    if (EFFORT != WEIR_ENCODE_EFFORT_FAST)
        l = luma_refine(m, y, b.sum.x, l);

    // The indices of Y, and the targets to which Co and Cg are fitted.
    // `precise`, so that a compiler does not undo nearest() in these sums.
    precise float indices[2] = float[2](0.0, 0.0);
    float co_target[16], cg_target[16];
    vec2 target_sum = vec2(0.0);
    [[unroll]] for (int t = 15; t >= 0; t--) {
        const float q = luma_index(l, y[t]);
        indices[t / 8] = fma(8.0, indices[t / 8], q);
        co_target[t] = co[t];
        cg_target[t] = cg[t];
        if (EFFORT != WEIR_ENCODE_EFFORT_FAST)
            cg_target[t] += luma_third(l, q, y[t]);
        if (FFMPEG_MODEL) {
            co_target[t] += sign(co_target[t]) * m.chroma_bias.x;
            cg_target[t] += sign(cg_target[t]) * m.chroma_bias.y;
        }
        target_sum += vec2(co_target[t], cg_target[t]);
    }
    if (!FFMPEG_MODEL) {
        target_sum.x = b.sum.y; // Co is unchanged
        if (EFFORT == WEIR_ENCODE_EFFORT_FAST)
            target_sum.y = b.sum.z; // Cg is unchanged too
    }

    const ChromaTargets targets = ChromaTargets(co_target, cg_target, target_sum);
    Chroma c = chroma_box(m, b, b.scale_code);
    if (EFFORT != WEIR_ENCODE_EFFORT_FAST)
        c = chroma_refine(m, targets, b, b.wide ? num_neutral(co, cg) : 0.0, c);
    else if (b.wide)
        c = chroma_step(m, targets, b.scale_code, 0.0, c).ends;
    else
        c = chroma_flat_if_near(m, target_sum, b.scale_code, c);
    if (EFFORT == WEIR_ENCODE_EFFORT_HIGH)
        return encode_high(y, co, cg, b, l, c);
    return pack_block(l, indices, c, b.scale_code, co_target, cg_target);
}
