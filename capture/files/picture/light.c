// SPDX-License-Identifier: MIT
// The meaning of the values in a picture, a pyramid's level or a file, and the conversions between
// them.
#include "capture/files/picture/light.h"

#include <math.h>
#include <stddef.h>

// IEC 61966-2-1.
static float decode(float code)
{
    return code <= 0.04045f ? code / 12.92f : powf((code + 0.055f) / 1.055f, 2.4f);
}

static float encode(float light)
{
    if (!(light > 0)) {
        return 0;
    }
    if (light >= 1) {
        return 1;
    }
    return light <= 0.0031308f ? 12.92f * light : 1.055f * powf(light, 1 / 2.4f) - 0.055f;
}

void weir_values_convert(float *row, uint32_t width, enum weir_values from, enum weir_values to)
{
    if (from == to || from == WEIR_VALUES_DATA || to == WEIR_VALUES_DATA) {
        return;
    }
    for (size_t i = 0; i < 4 * (size_t)width; i++) {
        if (i % 4 != 3) {
            row[i] = to == WEIR_VALUES_LINEAR ? decode(row[i]) : encode(row[i]);
        }
    }
}
