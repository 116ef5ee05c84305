// SPDX-License-Identifier: MIT
// Colours and points: Oklab (Ottosson 2020) in integers, 2^24 to a unit. a and b are moved up by
// half a unit, so that none is negative. Defined by tests/ref/palette.c.

const int HALF_AXIS = 1 << WEIR_PALETTE_LATTICE_BITS - 1;
const int ROOT_BITS = 29; // fraction of a cube root

// Get the cube root of a number in Q63 as the nearest one in Q29.
int nearest_cube_root(uint64_t n)
{
    // The root in Q21, rounded down. The loops correct any error of the estimate.
    const float estimate = exp2(log2(max(float(n), 1.0)) * (1.0 / 3.0));
    uint64_t x = uint64_t(min(estimate, 2097152.0));
    while (x * x * x > n) {
        x--;
    }
    while ((x + 1) * (x + 1) * (x + 1) <= n) {
        x++;
    }
    // Digit after digit, where x^3 + rest is n, and one more digit to round by.
    uint64_t rest = n - x * x * x;
    for (int bits = 21; bits <= ROOT_BITS; bits++) {
        rest <<= 3;
        x <<= 1;
        const uint64_t more = 3 * x * (x + 1) + 1; // (x + 1)^3 - x^3
        if (rest >= more) {
            rest -= more;
            x++;
        }
    }
    return int(uint(x + 1 >> 1));
}

// Get the sum of three integers times coefficients that are multiplied by 2^32, without its last
// `shift` bits, rounded.
int64_t weigh(i64vec3 coefficients, ivec3 v, int shift)
{
    const int64_t sum = coefficients.x * v.x + coefficients.y * v.y + coefficients.z * v.z;
    return sum + (int64_t(1) << shift - 1) >> shift;
}

ivec3 point_of(uint color)
{
    const uint64_t r = linear[color >> 16 & 255u], g = linear[color >> 8 & 255u],
                   b = linear[color & 255u];
    const ivec3 lms = ivec3(
        nearest_cube_root(1770477736ul * r + 2303530703ul * g + 220958857ul * b),
        nearest_cube_root(910118595ul * r + 2923582285ul * g + 461266416ul * b),
        nearest_cube_root(379256186ul * r + 1209973194ul * g + 2705737916ul * b));
    const int shift = 32 + ROOT_BITS - WEIR_PALETTE_LATTICE_BITS;
    return ivec3(weigh(i64vec3(903894144l, 3408562432l, -17489308l), lms, shift),
                 weigh(i64vec3(8495438848l, -10430724096l, 1935285248l), lms, shift) + HALF_AXIS,
                 weigh(i64vec3(111256992l, 3361979136l, -3473235968l), lms, shift) + HALF_AXIS);
}

// Get the code of linear light in Q60.
uint code_of(int64_t light)
{
    const uint v = uint(clamp(light >> 29, int64_t(0), int64_t(1) << 31));
    uint code = 0u; // the largest whose threshold is not above
    for (uint step = 128u; step > 0u; step >>= 1) {
        code += thresholds[code + step] <= v ? step : 0u;
    }
    return code;
}

uint color_of(ivec3 lab)
{
    const ivec3 v = ivec3(lab.x, lab.yz - HALF_AXIS);
    const int shift = 32 + WEIR_PALETTE_LATTICE_BITS - 31;
    const int64_t one = int64_t(1) << 32;
    const i64vec3 lms = i64vec3(weigh(i64vec3(one, 1702257792l, 926870080l), v, shift),
                                weigh(i64vec3(one, -453382528l, -274251584l), v, shift),
                                weigh(i64vec3(one, -384331616l, -5546888192l), v, shift));
    const i64vec3 roots = clamp(lms, i64vec3(0), i64vec3(2147483648l)); // Q31
    const i64vec3 cubes = (roots * roots >> 31) * roots >> 30;          // Q32
    const int64_t l = cubes.x, m = cubes.y, s = cubes.z;
    const uint r = code_of(1094342007l * l - 887907069l * m + 62000518l * s);
    const uint g = code_of(-340493734l * l + 700551418l * m - 91622228l * s);
    const uint b = code_of(-1126378l * l - 188822497l * m + 458384331l * s);
    return r << 16 | g << 8 | b;
}
