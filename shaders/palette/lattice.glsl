// SPDX-License-Identifier: MIT
// Colours and points: Oklab (Ottosson 2020) in integers, 2^21 to a unit. Defined by
// tests/ref/palette.c.
//
// A point is packed into 64 bits: 22 of L, 21 of a and 21 of b, the latter two moved up by half of
// their range.

const int HALF_AXIS = 1 << (WEIR_PALETTE_LATTICE_BITS - 1);
const uint64_t AXIS_MASK = (uint64_t(1) << WEIR_PALETTE_LATTICE_BITS) - 1;

uint64_t pack_point(ivec3 lab)
{
    return uint64_t(uint(lab.x)) << 2 * WEIR_PALETTE_LATTICE_BITS |
           uint64_t(uint(lab.y)) << WEIR_PALETTE_LATTICE_BITS | uint64_t(uint(lab.z));
}

ivec3 unpack_point(uint64_t point)
{
    return ivec3(int(uint(point >> 2 * WEIR_PALETTE_LATTICE_BITS)),
                 int(uint(point >> WEIR_PALETTE_LATTICE_BITS & AXIS_MASK)),
                 int(uint(point & AXIS_MASK)));
}

// Get the integer nearest to the cube root. The loops correct any error of the estimate.
int nearest_cube_root(uint64_t n)
{
    const float estimate = exp2(log2(max(float(n), 1.0)) * (1.0 / 3.0));
    uint64_t x = uint64_t(min(estimate, 2097152.0));
    while (x * x * x > n) {
        x--;
    }
    while ((x + 1) * (x + 1) * (x + 1) <= n) {
        x++;
    }
    // Half a unit up: n >= (x + 1/2)^3.
    return int(uint(x)) + (8 * (n - x * x * x) >= 12 * x * x + 6 * x + 1 ? 1 : 0);
}

// Get the sum of three integers times coefficients, rounded. `coefficients` are multiplied by 2^32.
int weigh(i64vec3 coefficients, ivec3 v)
{
    const int64_t sum = coefficients.x * v.x + coefficients.y * v.y + coefficients.z * v.z;
    return int(sum + 2147483648l >> 32);
}

ivec3 point_of(uint color)
{
    const uint64_t r = linear[color >> 16 & 255u], g = linear[color >> 8 & 255u],
                   b = linear[color & 255u];
    const ivec3 lms = ivec3(
        nearest_cube_root(1770477736ul * r + 2303530703ul * g + 220958857ul * b),
        nearest_cube_root(910118595ul * r + 2923582285ul * g + 461266416ul * b),
        nearest_cube_root(379256186ul * r + 1209973194ul * g + 2705737916ul * b));
    return ivec3(weigh(i64vec3(903894144l, 3408562432l, -17489308l), lms),
                 weigh(i64vec3(8495438848l, -10430724096l, 1935285248l), lms) + HALF_AXIS,
                 weigh(i64vec3(111256992l, 3361979136l, -3473235968l), lms) + HALF_AXIS);
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
    const int64_t one = int64_t(1) << 32;
    const ivec3 lms = clamp(ivec3(weigh(i64vec3(one, 1702257792l, 926870080l), v),
                                  weigh(i64vec3(one, -453382528l, -274251584l), v),
                                  weigh(i64vec3(one, -384331616l, -5546888192l), v)),
                            ivec3(0), ivec3(1 << WEIR_PALETTE_LATTICE_BITS));
    const i64vec3 roots = i64vec3(lms);
    const i64vec3 cubes = roots * roots * roots; // at most 2^63, so they are shifted unsigned
    const int64_t l = int64_t(uint64_t(cubes.x) >> 31);
    const int64_t m = int64_t(uint64_t(cubes.y) >> 31);
    const int64_t s = int64_t(uint64_t(cubes.z) >> 31);
    const uint r = code_of(1094342007l * l - 887907069l * m + 62000518l * s);
    const uint g = code_of(-340493734l * l + 700551418l * m - 91622228l * s);
    const uint b = code_of(-1126378l * l - 188822497l * m + 458384331l * s);
    return r << 16 | g << 8 | b;
}
