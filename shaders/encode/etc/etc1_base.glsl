// SPDX-License-Identifier: MIT
// A base of ETC1 with a table: its four colours, and what error half a block has with it. See
// etc1.glsl.

#include "encode/etc/etc.glsl"
#include "encode/rounding.glsl"

const vec2 ETC1_MODIFIERS[8] = vec2[8](vec2(2.0, 8.0), vec2(5.0, 17.0), vec2(9.0, 29.0),
                                       vec2(13.0, 42.0), vec2(18.0, 60.0), vec2(24.0, 80.0),
                                       vec2(33.0, 106.0), vec2(47.0, 183.0));

struct Etc1Half {
    vec3 rgb[8];
    uint opaque;     // a bit for each opaque texel of this half
    bool all_opaque; // all texels of the block are opaque
    float count;     // opaque texels of this half
    vec3 sum;
    float square;    // sum of the squares of this half's texels
    bool is_flat;    // all opaque texels have one colour
    bool has_rival;  // lo and hi are near the other half's base, which 4 bits need not be
    bool is_fine;    // a channel of the base has 5 bits, else 4
    vec3 lo, hi;     // range of the base's codes
};

struct Etc1Base {
    vec3 code;
    int table;
    float error;
};

// Small and large.
vec2 modifiers_of(int table, bool all_opaque)
{
    const vec2 m = ETC1_MODIFIERS[table];
    return vec2(all_opaque ? m.x : 0.0, m.y);
}

// Of 5 bits x * 8 + x / 4, of 4 bits x * 17. Quarters are rounded down.
vec3 etc1_value_of(vec3 code, bool is_fine)
{
    precise vec3 quarters = fma(code, vec3(is_fine ? 8.25 : 17.0), vec3(-0.375));
    return nearest(quarters);
}

// Get the codes nearest to x / (255 count), in lo .. hi, halves rounded up. A fraction has a
// denominator of 4080 at most, so one below a half is farther below it than what is added, and that
// is more than it is off by.
vec3 etc1_code_of(Etc1Half h, vec3 x)
{
    const float scale = (h.is_fine ? 62.0 : 30.0) / (510.0 * h.count);
    precise vec3 codes = fma(max(x, vec3(0.0)), vec3(scale), vec3(1.0 / 8192.0));
    return clamp(nearest(codes), h.lo, h.hi);
}

EtcPalette palette_of(vec3 code, bool is_fine, vec2 m, bool all_opaque)
{
    const vec3 color = etc1_value_of(code, is_fine);
    return etc_palette(min(color + m.x, 255.0), min(color + m.y, 255.0), max(color - m.x, 0.0),
                       max(color - m.y, 0.0), !all_opaque);
}

Etc1Base make_base(Etc1Half h, vec3 code, int table)
{
    const vec2 m = modifiers_of(table, h.all_opaque);
    const EtcPalette p = palette_of(code, h.is_fine, m, h.all_opaque);
    float sum = 0.0;
    [[unroll]] for (int i = 0; i < 8; i++) {
        const float least = etc_least(etc_distances(p, h.rgb[i]));
        sum += is_opaque(h.opaque, i) ? least : 0.0;
    }
    return Etc1Base(code, table, h.square + 2.0 * sum);
}

// Also get the sum of the modifiers that the texels choose.
Etc1Base make_base(Etc1Half h, vec3 code, int table, out float shift)
{
    const vec2 m = modifiers_of(table, h.all_opaque);
    const EtcPalette p = palette_of(code, h.is_fine, m, h.all_opaque);
    float sum = 0.0;
    shift = 0.0;
    [[unroll]] for (int i = 0; i < 8; i++) {
        const vec4 d = etc_distances(p, h.rgb[i]);
        const vec2 least = min(d.xz, d.yw);
        const float above = d.y < d.x ? m.y : m.x;
        const float below = d.w < d.z ? m.y : m.x;
        sum += is_opaque(h.opaque, i) ? min(least.x, least.y) : 0.0;
        shift += is_opaque(h.opaque, i) ? (least.y < least.x ? -below : above) : 0.0;
    }
    return Etc1Base(code, table, h.square + 2.0 * sum);
}

// As make_base(), of a half whose opaque texels have one colour.
Etc1Base make_flat_base(Etc1Half h, vec3 rgb, vec3 code, int table)
{
    const vec2 m = modifiers_of(table, h.all_opaque);
    const EtcPalette p = palette_of(code, h.is_fine, m, h.all_opaque);
    return Etc1Base(code, table, h.square + 2.0 * h.count * etc_least(etc_distances(p, rgb)));
}
