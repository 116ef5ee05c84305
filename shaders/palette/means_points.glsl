// SPDX-License-Identifier: MIT
// Colours as points of k-means, and points as colours.

const uint SHIFT_OF_LATTICE = WEIR_PALETTE_LATTICE_BITS - WEIR_PALETTE_MEAN_BITS;
const uint SHIFT_OF_CODES = WEIR_PALETTE_MEAN_BITS - 8u;

uvec3 mean_of_color(uint color)
{
    const uvec3 codes = uvec3(color >> 16 & 255u, color >> 8 & 255u, color & 255u);
    return OKLAB ? uvec3(point_of(color) + (1 << SHIFT_OF_LATTICE - 1u)) >> SHIFT_OF_LATTICE
                 : codes << SHIFT_OF_CODES;
}

uint color_of_mean(uvec3 mean)
{
    const uvec3 codes = min(mean + (1u << SHIFT_OF_CODES - 1u) >> SHIFT_OF_CODES, 255u);
    return OKLAB ? color_of(ivec3(mean << SHIFT_OF_LATTICE))
                 : codes.r << 16 | codes.g << 8 | codes.b;
}
