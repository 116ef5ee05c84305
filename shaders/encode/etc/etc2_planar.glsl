// SPDX-License-Identifier: MIT
// The planar mode of ETC2. tests/ref/etc2_planar.c defines every bit of it; names are the same
// here. See etc2.glsl.

#include "encode/etc/etc.glsl"

struct Planar {
    ivec3 origin, horizontal, vertical;
    float error;
};

int planar_value_of(int code, int size)
{
    return code << 8 - size | code >> 2 * size - 8;
}

// Get the error of a channel. `v` are its values, `size` is the number of bits of its codes, and
// `code` are the codes of the origin, the horizontal and the vertical colour.
int channel_error(int v[16], int size, ivec3 code)
{
    const int origin = planar_value_of(code.x, size);
    const int x = planar_value_of(code.y, size) - origin;
    const int y = planar_value_of(code.z, size) - origin;
    int error = 0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        const int e = v[t] - clamp(t % 4 * x + t / 4 * y + 4 * origin + 2 >> 2, 0, 255);
        error += e * e;
    }
    return error;
}

ivec3 fit_plane(int v[16], int size)
{
    int sum = 0, along_x = 0, along_y = 0;
    [[unroll]] for (int t = 0; t < 16; t++) {
        sum += v[t];
        along_x += (2 * (t % 4) - 3) * v[t];
        along_y += (2 * (t / 4) - 3) * v[t];
    }
    const int origin = 5 * sum - 3 * (along_x + along_y);
    return etc_code_of(ivec3(origin, origin + 8 * along_x, origin + 8 * along_y), 80, size,
                       ivec3(0), ivec3((1 << size) - 1));
}

Planar fit_planar(vec3 rgb[16])
{
    Planar f = Planar(ivec3(0), ivec3(0), ivec3(0), 0.0);
    [[dont_unroll]] for (int c = 0; c < 3; c++) {
        const int size = c == 1 ? 7 : 6;
        int v[16];
        [[unroll]] for (int t = 0; t < 16; t++) {
            v[t] = int(c == 0 ? rgb[t].r : c == 1 ? rgb[t].g : rgb[t].b);
        }
        const ivec3 center = fit_plane(v, size);
        ivec3 code = center;
        int error = channel_error(v, size, code);
        if (EFFORT != WEIR_ENCODE_EFFORT_FAST) {
            [[dont_unroll]] for (int i = 0; i < 27; i++) {
                const ivec3 way = ivec3(i % 3, i / 3 % 3, i / 9) - 1;
                const ivec3 moved = clamp(center + way, ivec3(0), ivec3((1 << size) - 1));
                const int moved_error = channel_error(v, size, moved);
                if (moved_error < error) {
                    error = moved_error;
                    code = moved;
                }
            }
        }
        const ivec3 axis = ivec3(c == 0, c == 1, c == 2);
        f.origin += code.x * axis;
        f.horizontal += code.y * axis;
        f.vertical += code.z * axis;
        f.error += float(error);
    }
    return f;
}

uvec2 pack_planar(Planar f)
{
    const uvec3 o = uvec3(f.origin);
    const uvec3 h = uvec3(f.horizontal);
    const uvec3 v = uvec3(f.vertical);
    uint head = o.r << 25 | o.g >> 6 << 24 | (o.g & 63u) << 17 | o.b >> 5 << 16 |
                (o.b >> 3 & 3u) << 11 | (o.b & 7u) << 7 | h.r >> 1 << 2 | 2u | h.r & 1u;
    // R and G must not overflow: a negative difference needs a base in the upper half. B must
    // overflow.
    head |= (head >> 26 & 1u) << 31 | (head >> 18 & 1u) << 23;
    head |= (o.b >> 3 & 3u) + (o.b >> 1 & 3u) >= 4u ? 0xe000u : 0x0400u;
    return uvec2(swap_bytes(head), swap_bytes(h.g << 25 | h.b << 19 | v.r << 13 | v.g << 6 | v.b));
}
