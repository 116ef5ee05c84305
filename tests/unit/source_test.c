// SPDX-License-Identifier: MIT
// The colour conversion's reference against float64.
#include <math.h>
#include <stdio.h>

#include "tests/expect.h"
#include "tests/ref/source.h"
#include "tests/ref/texel.h"

#define EXPECT(is_so, what, value) test_expect(is_so, "%s at %.9g", what, (double)(value))

int main(void)
{
    double worst = 0;
    for (unsigned half = 0; half <= 0x3c00; half++) { // every binary16 in 0 .. 1
        const double x = ref_half_to_float((uint16_t)half);
        const double error = fabs(ref_source_linear((float)x) / 1024.0 - 255 * ref_srgb_encode(x));
        worst = error > worst ? error : worst;
    }
    printf("sRGB encoding: at most %.4f of a code off\n", worst);
    EXPECT(worst < 0.002, "the sRGB encoding is off", worst);
    for (int code = 0; code < 256; code++) {
        const double c = code / 255.0;
        EXPECT(ref_source_round(ref_source_linear((float)ref_srgb_decode(c)), 512) == code,
               "a decoded code does not come back", code);
    }
    unsigned seen[64] = {0};
    for (unsigned i = 0; i < 64; i++) {
        seen[(ref_source_dither(i % 8, i / 8) - 8) / 16]++;
    }
    for (unsigned i = 0; i < 64; i++) {
        EXPECT(seen[i] == 1, "a dither rank is missing", i);
    }
    EXPECT(ref_source_linear(NAN) == 0 && ref_source_float(NAN) == 0, "NaN", 0);
    EXPECT(ref_source_linear(INFINITY) == 261120 && ref_source_linear(-1) == 0, "infinity", 0);
    EXPECT(ref_source_round(ref_source_codes10(1023), 1016) == 255, "white", 1023);
    EXPECT(ref_source_round(ref_source_codes10(0), 1016) == 0, "black", 0);
    EXPECT(ref_source_round(ref_source_codes16(65535), 1016) == 255, "white", 65535);
    for (uint32_t code = 0; code < 65536; code++) {
        EXPECT(fabs(ref_source_round11(ref_source_codes16(code)) - code * 2047 / 65535.0) < 0.51,
               "11 bits of 16 are off", code);
    }
    for (uint32_t code = 0; code < 256; code++) {
        EXPECT(ref_source_round11(code * 1024) == (code * 2047 + 127) / 255,
               "11 bits of 8 are not the nearest", code);
    }
    EXPECT(ref_source_signed_float(NAN) == 127 * 1024, "signed NaN", 0);
    EXPECT(ref_source_signed_float(-INFINITY) == 0, "signed -infinity", 0);
    EXPECT(ref_source_signed_float(2) == 2 * 127 * 1024, "signed 2", 2);
    for (int code = -127; code <= 127; code++) {
        const uint32_t fine = (uint32_t)(code + 127) * 1024;
        EXPECT((int)(ref_source_signed_float((float)code / 127) + 512) >> 10 == code + 127,
               "a signed code does not come back", code);
        EXPECT(fabs(ref_source_round11_signed(fine) - code * 1023 / 127.0) < 0.51,
               "11 bits of a signed code are off", code);
    }
    return test_finish();
}
