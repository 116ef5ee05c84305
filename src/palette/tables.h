// SPDX-License-Identifier: MIT
// The tables by which a palette reduction turns codes into light, and light into codes.
#ifndef WEIR_PALETTE_TABLES_H
#define WEIR_PALETTE_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "shaders/palette/constants.h"

// Tables of shaders/palette/memory.glsl, 2^31 to a unit.
struct weir_palette_tables {
    uint32_t linear[WEIR_PALETTE_NUM_CODES]; // the light of each code
    // The least light that becomes each code, halfway up from the code before; [0] is 0.
    uint32_t thresholds[WEIR_PALETTE_NUM_CODES];
};

void weir_palette_tables_init(struct weir_palette_tables *tables, bool srgb);

#endif
