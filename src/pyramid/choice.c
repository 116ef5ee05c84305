// SPDX-License-Identifier: MIT
// Chooses between the methods for AUTO.
#include "pyramid/choice.h"

// A whole chain from a square of a power of two is made by HYBRID in two or three dispatches that
// have little to do beside reading and writing, which can be faster than the one of SINGLE; large
// texels by SUBGROUP, whose workgroups wait less. It depends on what limits these: a row for the
// texels and ways to read them for which it is so, and from which to which size.
// tests/unit/pyramid_choice_test.c holds the table against times of one NVIDIA H200, up to
// 8192x8192.
static const struct {
    enum weir_pyramid_reads reads;
    uint32_t texel_size; // [bytes]
    uint32_t num_channels;
    bool is_srgb;
    uint32_t from, to; // log2 of the side, both included
    enum weir_pyramid_method method;
} rows[] = {
    {WEIR_PYRAMID_FILTERED, 1, 1, false, 8, 14, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FILTERED, 1, 1, true, 9, 14, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FILTERED, 2, 1, false, 9, 14, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FILTERED, 2, 2, false, 8, 14, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FILTERED, 4, 1, false, 8, 10, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FILTERED, 4, 2, false, 9, 10, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FILTERED, 4, 3, false, 8, 10, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FILTERED, 4, 3, false, 12, 14, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FILTERED, 4, 4, false, 9, 14, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FILTERED, 4, 4, true, 9, 9, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FILTERED, 8, 2, false, 9, 9, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FILTERED, 8, 2, false, 11, 11, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FILTERED, 8, 2, false, 12, 14, WEIR_PYRAMID_SUBGROUP},
    {WEIR_PYRAMID_FILTERED, 8, 4, false, 9, 9, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FILTERED, 8, 4, false, 12, 14, WEIR_PYRAMID_SUBGROUP},
    {WEIR_PYRAMID_GATHERED, 1, 1, false, 9, 14, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_GATHERED, 1, 1, true, 9, 14, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_GATHERED, 2, 1, false, 8, 14, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_GATHERED, 4, 1, false, 8, 9, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FETCHED, 2, 2, false, 9, 10, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FETCHED, 4, 2, false, 9, 9, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FETCHED, 8, 4, false, 6, 14, WEIR_PYRAMID_HYBRID},
    {WEIR_PYRAMID_FETCHED, 16, 4, false, 7, 9, WEIR_PYRAMID_SUBGROUP},
    {WEIR_PYRAMID_FETCHED, 16, 4, false, 13, 14, WEIR_PYRAMID_SUBGROUP},
};

enum weir_pyramid_method weir_pyramid_choose(const struct weir_pyramid_geometry *geometry,
                                             const struct weir_pyramid_format_info *format,
                                             enum weir_pyramid_reads reads)
{
    const uint32_t side_log2 = geometry->num_levels;
    const bool is_power = geometry->width == 1u << side_log2 && geometry->height == 1u << side_log2;
    for (size_t i = 0; is_power && i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].reads == reads && rows[i].texel_size == format->texel_size &&
            rows[i].num_channels == format->num_channels && rows[i].is_srgb == format->is_srgb &&
            side_log2 >= rows[i].from && side_log2 <= rows[i].to) {
            return rows[i].method;
        }
    }
    return WEIR_PYRAMID_SINGLE;
}
