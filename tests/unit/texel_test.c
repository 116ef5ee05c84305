// SPDX-License-Identifier: MIT
// The texels that weir mips packs and unpacks, against the reference of formats: every format,
// drawn extremes.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "capture/files/picture/picture.h"
#include "tests/expect.h"
#include "tests/ref/texel.h"
#include "tests/seeded.h"

enum { NUM_TEXELS = 4096, MAX_TEXEL_SIZE = 16 };
// Codes near ties, what is out of range, powers of two down to denormals, and any float at all.
static float draw_value(void)
{
    const double sign = seeded_below(8) == 0 ? -1 : 1, fraction = seeded_below(1000003) / 1000003.0;
    switch (seeded_below(6)) {
    case 0:
        return (float)(sign * fraction);
    case 1:
        return (float)(sign * (seeded_below(2048) + 0.5) / (seeded_below(2) == 0 ? 255 : 1023));
    case 2:
        return ldexpf((float)(sign * (1 + fraction)), seeded_below(60) - 36);
    case 3:
        return ldexpf((float)(sign * seeded_below(4097)), seeded_below(40) - 30);
    case 4:
        return seeded_below(2) == 0 ? (float)sign * INFINITY : (float)sign * 0;
    default:
        return (float)(sign * (64000 + 3000 * fraction));
    }
}

#define EXPECT(is_so, name, what, from, got, wanted)                                               \
    test_expect(is_so, "%s: %s of %.9g is %.9g and should be %.9g", name, what, (double)(from),    \
                (double)(got), (double)(wanted))

// A value above the range of a 16-bit float becomes the largest one here, and infinity in the
// reference.
static double clamped(const struct ref_texel_format *format, double value)
{
    const bool half = format->kind == REF_TEXEL_FLOAT && format->bits[0] == 16;
    return half && isfinite(value) ? fmin(fmax(value, -65504), 65504) : value;
}

static double stored(const struct ref_texel_format *format, uint32_t channel, double value)
{
    // The reference packs light; here a row holds codes.
    return format->kind == REF_TEXEL_SRGB && channel < 3 ? ref_srgb_encode(value) : value;
}

static void check_format(const struct weir_pyramid_format_info *entry)
{
    static float row[NUM_TEXELS][4], back[NUM_TEXELS][4];
    static double values[NUM_TEXELS][4], wanted[NUM_TEXELS][4];
    static uint8_t packed[NUM_TEXELS * MAX_TEXEL_SIZE], reference[NUM_TEXELS * MAX_TEXEL_SIZE];
    const struct ref_texel_format *format = ref_texel_get_format(entry->format);
    if (!test_expect(format && format->texel_size == entry->texel_size, "%s is in the reference",
                     entry->name)) {
        return;
    }
    for (int i = 0; i < NUM_TEXELS; i++) {
        for (uint32_t c = 0; c < 4; c++) {
            row[i][c] = draw_value();
            const double code = fmin(fmax(row[i][c], 0), 1);
            values[i][c] = format->kind == REF_TEXEL_SRGB && c < 3 ? ref_srgb_decode(code)
                                                                   : clamped(format, row[i][c]);
        }
    }
    weir_texel_pack(entry, row[0], NUM_TEXELS, packed);
    weir_texel_unpack(entry, packed, NUM_TEXELS, back[0]);
    ref_texel_pack(format, (const double(*)[4])values, NUM_TEXELS, reference);
    ref_texel_unpack(format, packed, NUM_TEXELS, wanted);
    // Ties of integers may go either way: the row is of floats and the reference of doubles.
    const uint32_t bar = format->kind == REF_TEXEL_FLOAT ? 0 : 1;
    uint32_t num_apart = 0;
    for (int i = 0; i < NUM_TEXELS; i++) {
        const size_t at = (size_t)i * entry->texel_size;
        const uint32_t apart = ref_texel_distance(format, packed + at, reference + at);
        EXPECT(apart <= bar, entry->name, "the texel, and its distance,", row[i][0], apart, bar);
        num_apart += apart > 0;
        for (uint32_t c = 0; c < 4; c++) {
            const double want = stored(format, c, wanted[i][c]);
            EXPECT(fabs(back[i][c] - want) <= 1e-6 * fabs(want) || (double)back[i][c] == want,
                   entry->name, "unpacking", row[i][c], back[i][c], want);
        }
    }
    EXPECT(num_apart <= NUM_TEXELS / 4, entry->name, "the number of other roundings", NUM_TEXELS,
           num_apart, 0);
}

int main(void)
{
    seeded_start();
    size_t num_formats;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num_formats);
    for (size_t i = 0; i < num_formats; i++) {
        check_format(&formats[i]);
    }
    printf("%zu formats, ", num_formats);
    return test_finish();
}
