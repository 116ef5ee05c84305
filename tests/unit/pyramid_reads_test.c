// SPDX-License-Identifier: MIT
// Between which formats the sampler may average: its error, as measured on an NVIDIA H200, stays
// within half of what a level may be off (tests/ref/pyramid_compare.h), wherever it may.
#include "pyramid/pyramid.h"

#include <math.h>
#include <stdio.h>

#include "tests/expect.h"

#define EXPECT(is_so, base, levels, what)                                                          \
    test_expect(is_so, "from %s to %s: %s", (base)->name, (levels)->name, what)

// The most that a mean near `value` is off.
static double error_at(const struct weir_pyramid_format_info *base, double value)
{
    if (base->is_float) {
        return value * (base->red_bits == 32 ? 0x1p-23 : 0x1.3p-11);
    }
    return (base->red_bits == 10 ? 1.3 : 0.51) / 65535;
}

// The least distance of two codes of levels near `value`, which is not below 2^-14.
static double step_at(const struct weir_pyramid_format_info *levels, double value)
{
    int exponent;
    frexp(value, &exponent);
    if (!levels->is_float) {
        const double step = 1 / (ldexp(1, (int)levels->red_bits) - 1);
        return levels->is_srgb ? step / 12.92 : step; // where the curve is steepest
    }
    const int mantissa = levels->red_bits == 32 ? 19 : levels->red_bits == 16 ? 10 : 6;
    return ldexp(1, exponent - 1 - mantissa); // of 32 bits: 2e-6
}

static bool is_asked_about(const struct weir_pyramid_format_info *format)
{
    return !format->is_srgb && !(format->is_float && format->red_bits == 16);
}

// Return true if the error is below a step of the levels at every magnitude.
static bool is_hidden(const struct weir_pyramid_format_info *base,
                      const struct weir_pyramid_format_info *levels)
{
    for (int exponent = -14; exponent <= 0; exponent++) {
        const double value = ldexp(1, exponent);
        if (error_at(base, value) >= step_at(levels, value)) {
            return false;
        }
    }
    return true;
}

int main(void)
{
    size_t num;
    uint32_t num_well = 0;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num);
    for (size_t i = 0; i < num; i++) {
        for (size_t j = 0; j < num && is_asked_about(&formats[i]); j++) {
            const bool is_well = weir_pyramid_averages_well(&formats[i], &formats[j]);
            num_well += is_well;
            EXPECT(!is_well || is_hidden(&formats[i], &formats[j]), &formats[i], &formats[j],
                   "the sampler's error shows");
            EXPECT(is_well || i != j, &formats[i], &formats[j], "not by the sampler");
        }
    }
    printf("%u pairs of formats by the sampler\n", num_well);
    return test_finish();
}
