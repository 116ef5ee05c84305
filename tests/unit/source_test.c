// SPDX-License-Identifier: MIT
// The colour conversion's reference against float64, and the kernels' against the reference.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shaders/color/constants.h"
#include "tests/expect.h"
#include "tests/kernels/kernels.h"
#include "tests/ref/source.h"
#include "tests/ref/texel.h"
#include "tests/sanitized.h"

#define EXPECT(is_so, what, value) test_expect(is_so, "%s at %.9g", what, (double)(value))

static uint8_t alpha_of(uint32_t kind, float value)
{
    const bool is_10 = kind == WEIR_SOURCE_CODES10 || kind == WEIR_SOURCE_LINEAR10;
    return is_10 ? (uint8_t)(85 * (int)(value * 3 + 0.5f)) : ref_source_alpha(value);
}

// The blocks of 8x8 texels of one value are those of the codes that the reference makes of it: BC1
// dithers them, to codes or to its own steps, and BC4, of R or of alpha, and EAC take the nearest.
static void expect_kernel(uint32_t kind, float value, uint32_t fine)
{
    const bool is_signed = kind == WEIR_SOURCE_SIGNED_FLOAT;
    const enum weir_codec codecs[] = {is_signed ? WEIR_CODEC_BC4_SNORM : WEIR_CODEC_BC4,
                                      is_signed ? WEIR_CODEC_EAC_R11_SNORM : WEIR_CODEC_EAC_R11,
                                      WEIR_CODEC_BC1, WEIR_CODEC_BC1, WEIR_CODEC_BC4};
    for (int i = 0; i < (is_signed ? 2 : 5); i++) {
        const struct weir_encoder_params params = {.codec = codecs[i],
                                                   .effort = WEIR_EFFORT_FAST,
                                                   .bc1_dither = i == 3,
                                                   .bc4_alpha = i == 4};
        uint8_t codes[64][3], got[32], want[32];
        float values[64][4], nearest[64][4];
        for (uint32_t t = 0; t < 64; t++) {
            const uint32_t threshold = i == 2 || i == 3 ? ref_source_dither(t % 8, t / 8) : 512;
            for (int c = 0; c < 4; c++) {
                values[t][c] = value;
                nearest[t][c] = is_signed ? (float)ref_source_round11_signed(fine) / 1023
                                          : (float)ref_source_round11(fine) / 2047;
            }
            memset(codes[t], ref_source_round(fine, threshold) - (is_signed ? 127 : 0), 3);
            if (i == 3) {
                ref_source_dither_bc1((const uint32_t[3]){fine, fine, fine}, threshold, codes[t]);
            } else if (i == 4) {
                memset(codes[t], alpha_of(kind, value), 3);
            }
        }
        kernel_encode_source(&params, kind, (const float(*)[4])values, 8, 8, got);
        if (i == 1) {
            kernel_encode_source(&params, is_signed ? kind : WEIR_SOURCE_FLOAT,
                                 (const float(*)[4])nearest, 8, 8, want);
        } else {
            kernel_encode_image(
                &(struct weir_encoder_params){.codec = codecs[i], .effort = WEIR_EFFORT_FAST},
                codes[0], 3, 24, 8, 8, want);
        }
        EXPECT(memcmp(got, want, 32) == 0, "a kernel converts otherwise", value);
    }
}

static void test_kernels(void)
{
    for (uint32_t bits = 0; bits < 65536; bits += 7 * SANITIZED_STRIDE) {
        const float half = ref_half_to_float((uint16_t)bits), word = (float)bits / 65535;
        expect_kernel(WEIR_SOURCE_FLOAT, half, ref_source_float(half));
        expect_kernel(WEIR_SOURCE_LINEAR, half, ref_source_linear(half));
        expect_kernel(WEIR_SOURCE_SIGNED_FLOAT, half, ref_source_signed_float(half));
        expect_kernel(WEIR_SOURCE_CODES16, word, ref_source_codes16(bits));
        expect_kernel(WEIR_SOURCE_LINEAR16, word, ref_source_linear((float)bits * (1 / 65535.0f)));
    }
    for (uint32_t code = 0; code < 1024; code += SANITIZED_STRIDE) {
        const float value = (float)code / 1023;
        expect_kernel(WEIR_SOURCE_CODES10, value, ref_source_codes10(code));
        expect_kernel(WEIR_SOURCE_LINEAR10, value, ref_source_linear((float)code * (1 / 1023.0f)));
    }
    for (uint32_t code = 0; code < 256; code += SANITIZED_STRIDE) {
        const float value = (float)code / 255;
        expect_kernel(WEIR_SOURCE_CODES8, value, code * 1024);
        expect_kernel(WEIR_SOURCE_LINEAR8, value, ref_source_linear((float)code * (1 / 255.0f)));
    }
}

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
    test_kernels();
    return test_finish();
}
