// SPDX-License-Identifier: MIT
// Makes the tables of codes and light. Defined by tests/ref/palette.c.
#include "palette/tables.h"

#include <math.h>

// The light of a code, 2^31 to a unit; decoded by IEC 61966-2-1 if it is sRGB.
static uint32_t light_of(double code, bool srgb)
{
    const double x = code / 255;
    const double light = !srgb ? x : x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
    return (uint32_t)floor(light * 2147483648.0 + 0.5);
}

void weir_palette_tables_init(struct weir_palette_tables *tables, bool srgb)
{
    for (uint32_t code = 0; code < WEIR_PALETTE_NUM_CODES; code++) {
        tables->linear[code] = light_of(code, srgb);
        tables->thresholds[code] = code > 0 ? light_of(code - 0.5, srgb) : 0;
    }
}
