// SPDX-License-Identifier: MIT
// The planar mode of ETC2. See etc2.glsl.

#include "encode/etc/etc.glsl"
#include "encode/rounding.glsl"

// Of 6 bits x * 4 + x / 16, of 7 bits x * 2 + x / 64.
vec3 planar_value_of(vec3 code, int size)
{
    precise vec3 fine = fma(code, vec3(size == 6 ? 4.0625 : 2.015625), vec3(-63.0 / 128.0));
    return nearest(fine);
}

// Get the error of a channel. `v` are its values, `size` is the number of bits of its codes, and
// `code` are the codes of the origin, the horizontal and the vertical colour.
float channel_error(float v[16], int size, vec3 code)
{
    const vec3 value = planar_value_of(code, size);
    const float x = 0.25 * (value.y - value.x);
    const float y = 0.25 * (value.z - value.x);
    float error = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        // An eighth, as halves are rounded up.
        precise float plane = value.x + 0.125 + float(t % 4) * x + float(t / 4) * y;
        const float e = v[t] - clamp(nearest(plane), 0.0, 255.0);
        error += e * e;
    }
    return error;
}

vec3 fit_plane(float v[16], int size)
{
    float sum = 0.0, along_x = 0.0, along_y = 0.0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        sum += v[t];
        along_x += float(2 * (t % 4) - 3) * v[t];
        along_y += float(2 * (t / 4) - 3) * v[t];
    }
    const float origin = 5.0 * sum - 3.0 * (along_x + along_y);
    return vec3(etc_code_of(ivec3(origin, origin + 8.0 * along_x, origin + 8.0 * along_y), 80, size,
                            ivec3(0), ivec3((1 << size) - 1)));
}

// Get the codes of the origin, the horizontal and the vertical colour of a channel, and its error.
vec4 fit_channel(vec3 rgb[16], uint channel)
{
    const int size = channel == 1u ? 7 : 6;
    float v[16];
    [[unroll]] for (int t = 0; t < 16; t++) {
        v[t] = channel == 0u ? rgb[t].r : channel == 1u ? rgb[t].g : rgb[t].b;
    }
    const vec3 center = fit_plane(v, size);
    const float most = float((1 << size) - 1);
    vec4 best = vec4(center, channel_error(v, size, center));
    if (EFFORT != WEIR_ENCODE_EFFORT_FAST) {
        [[dont_unroll]] for (int k = 0; k < 26; k++) {
            const int i = k < 13 ? k : k + 1; // without the centre
            const vec3 way = vec3(i % 3, i / 3 % 3, i / 9) - 1.0;
            const vec3 moved = clamp(center + way, 0.0, most);
            const float error = channel_error(v, size, moved);
            if (error < best.w) {
                best = vec4(moved, error);
            }
        }
    }
    return best;
}

uvec2 pack_planar(vec4 r, vec4 g, vec4 b)
{
    const uvec3 o = uvec3(r.x, g.x, b.x), h = uvec3(r.y, g.y, b.y), v = uvec3(r.z, g.z, b.z);
    uint head = o.r << 25 | o.g >> 6 << 24 | (o.g & 63u) << 17 | o.b >> 5 << 16 |
                (o.b >> 3 & 3u) << 11 | (o.b & 7u) << 7 | h.r >> 1 << 2 | 2u | h.r & 1u;
    // R and G must not overflow: a negative difference needs a base in the upper half. B must
    // overflow.
    head |= (head >> 26 & 1u) << 31 | (head >> 18 & 1u) << 23;
    head |= (o.b >> 3 & 3u) + (o.b >> 1 & 3u) >= 4u ? 0xe000u : 0x0400u;
    return uvec2(swap_bytes(head), swap_bytes(h.g << 25 | h.b << 19 | v.r << 13 | v.g << 6 | v.b));
}
