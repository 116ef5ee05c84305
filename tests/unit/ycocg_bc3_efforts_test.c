// SPDX-License-Identifier: MIT
// The efforts of the kernel of YCoCg BC3 against each other, by what decoders make of their blocks.
// WEIR_SEED repeats a run.
#include "tests/ref/ycocg_bc3_decode.h"
#include "tests/unit/blocks.h"

// ---- The error of a block ----

// Whether Co or Cg reach over 32 codes.
static bool is_wide(rgb_block texels)
{
    int lo[2] = {1024, 1024}, hi[2] = {-1024, -1024}; // [1/4 code]
    for (int t = 0; t < 16; t++) {
        const int r = texels[t][0], g = texels[t][1], b = texels[t][2];
        const int v[2] = {2 * (r - b), 2 * g - r - b};
        for (int i = 0; i < 2; i++) {
            lo[i] = v[i] < lo[i] ? v[i] : lo[i];
            hi[i] = v[i] > hi[i] ? v[i] : hi[i];
        }
    }
    return hi[0] - lo[0] >= 128 || hi[1] - lo[1] >= 128;
}

// Beside wide Co and Cg, texels without chroma count four times.
static double weight_of(const uint8_t rgb[3], bool wide)
{
    return wide && rgb[0] == rgb[1] && rgb[1] == rgb[2] ? 4 : 1;
}

// On a GPU, by the measure of the encoder: Y leans by 3/16 where Co and Cg are narrow, and scales 2
// and 4 are between the two that decoders have.
static double gpu_error(rgb_block texels, const uint8_t block[16])
{
    const bool wide = is_wide(texels);
    const double lean = wide ? 0 : 3 / 16.0;
    const int blue = block[8] & 31;
    const double between = 1 + blue * (1 + 0.55 * 7 / 248);
    const double correct = (1 + 255.0 / 248 * blue) / between;
    double rgb[16][3], sum = 0;
    ref_ycocg_bc3_decode_block_exact(block, rgb);
    for (int t = 0; t < 16; t++) {
        double e[3];
        const int r = texels[t][0], g = texels[t][1], b = texels[t][2];
        e[0] = (rgb[t][0] + 2 * rgb[t][1] + rgb[t][2] - r - 2 * g - b) / 4;
        e[1] = (rgb[t][0] - rgb[t][2]) / 2 * correct - (r - b) / 2.0;
        e[2] = (2 * rgb[t][1] - rgb[t][0] - rgb[t][2]) / 4 * correct - (2 * g - r - b) / 4.0;
        sum += weight_of(texels[t], wide) *
               (8 / 3.0 * (e[0] - lean) * (e[0] - lean) + 2 * e[1] * e[1] +
                3 * (e[2] - e[0] / 3) * (e[2] - e[0] / 3));
    }
    return sum;
}

static double decoded_error(rgb_block texels, const uint8_t block[16], bool ffmpeg)
{
    const bool wide = is_wide(texels);
    uint8_t decoded[16][3];
    double sum = 0;
    ref_ycocg_bc3_decode_block(block, ffmpeg, decoded);
    for (int i = 0; i < 48; i++) {
        const double e = decoded[i / 3][i % 3] - texels[i / 3][i % 3];
        sum += weight_of(texels[i / 3], wide) * e * e;
    }
    return sum;
}

static void encode(rgb_block texels, bool ffmpeg, enum weir_effort effort, uint8_t block[16])
{
    encode_rgb(
        &(struct weir_encoder_params){.decoder = ffmpeg ? WEIR_DECODER_FFMPEG : WEIR_DECODER_GPU,
                                      .effort = effort},
        texels, block);
}

static double error_at(rgb_block texels, bool ffmpeg, enum weir_effort effort)
{
    uint8_t block[16];
    encode(texels, ffmpeg, effort, block);
    return ffmpeg ? decoded_error(texels, block, true) : gpu_error(texels, block);
}

// ---- Cases ----

// Away from 0 and 255, where a decoder's clamping does not forgive an error.
static void draw(rgb_block texels, int i)
{
    const int amplitude = 1 << seeded_below(7);
    int base[3], ramp[3];
    for (int c = 0; c < 3; c++) {
        base[c] = 100 + seeded_below(56);
        ramp[c] = i % 2 ? seeded_below(17) - 8 : 0;
    }
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3; c++) {
            texels[t][c] = clamp8(base[c] + (t % 4 - t / 4) * ramp[c] + seeded_below(amplitude) -
                                  amplitude / 2);
        }
    }
}

// How much worse than default's block, in the root of its error, one with the same endpoints may be
// whose indices high chose. Chroma has the nearest values by high, so only Y counts. Where a texel
// lies half way between two values, each effort rounds its place in its own precision and may take
// either: default has it within 8 * 7 * range / 2^19 of an index and high within half of that.
// Going from an error e of Y to e' takes the error 2 eo^2 + 3 (eg - ey/3)^2 + (8/3) ey^2 of a texel
// no farther than (8/3) (|e'| - |e|)^2 + (e' - e)^2 / 3, as Co and Cg could stay.
static double slack_of_ties(rgb_block texels, const uint8_t block[16], bool ffmpeg)
{
    const int a0 = block[0], range = block[0] - block[1];
    const double lean = ffmpeg ? 6 / 16.0 : 3 / 16.0;
    const bool wide = is_wide(texels);
    double sum = 0;
    for (int t = 0; t < 16 && range > 0; t++) {
        const double y = (texels[t][0] + 2 * texels[t][1] + texels[t][2]) / 4.0;
        const double place = 7 * (a0 - lean - y) / range, q = floor(place);
        if (q < 0 || q > 6 || fabs(place - q - 0.5) > 1.5 * 56 * range / (1 << 19)) {
            continue;
        }
        double e[2];
        for (int i = 0; i < 2; i++) {
            const double value = a0 - (q + i) * range / 7;
            e[i] = (ffmpeg ? floor(value + 1e-9) : value) - y;
        }
        const double measured = ffmpeg || wide ? 0 : lean; // how far Y leans by the measure
        const double change = fabs(e[0] - measured) - fabs(e[1] - measured);
        sum += weight_of(texels[t], wide) *
               (8 / 3.0 * change * change + (e[0] - e[1]) * (e[0] - e[1]) / 3);
    }
    return sqrt(sum);
}

// The errors that effort high compares are exact for FFmpeg's whole values. They are not for a
// GPU's: in each of two blocks a third of the error of Y is rounded to 1/24 code, of which wide
// blocks get Y back, and the endpoints of Co and Cg are rounded to 1/8 code, from constants that
// leave them within 0.0015.
static double slack_of_rounding(rgb_block texels)
{
    const bool wide = is_wide(texels);
    const double luma = wide ? 3 / 48.0 : 1 / 48.0, chroma = 1 / 16.0 + 0.0015;
    double sum = 0;
    for (int t = 0; t < 16; t++) {
        sum += weight_of(texels[t], wide);
    }
    return 2 * sqrt(sum) * (sqrt(3) * luma + sqrt(5) * chroma);
}

static void expect_high(rgb_block texels, bool ffmpeg, const double error[3])
{
    uint8_t block[16];
    const double slack = ffmpeg ? 0 : slack_of_rounding(texels);
    encode(texels, ffmpeg, WEIR_EFFORT_DEFAULT, block);
    EXPECT_BLOCK(sqrt(error[2]) <= sqrt(error[1]) + slack + slack_of_ties(texels, block, ffmpeg),
                 "high is no worse than default", texels);
}

// High is no worse than default in any block, and every effort better than the one before it in the
// mean of blocks of noise. Each effort fits lines to Co and Cg, also where they are wide: with a
// diagonal of their box, fast would leave default 0.83 of its error, and default high 0.93.
static void test_order(bool ffmpeg)
{
    double sum[2][3] = {{0, 0, 0}, {0, 0, 0}}; // [is_wide()]
    for (int i = 0; i < 10000; i++) {
        // Of the first one, Y is half way between two values: high takes the other one.
        rgb_block texels = {{112, 178, 118}, {153, 175, 89},  {90, 119, 77},   {103, 118, 113},
                            {107, 138, 132}, {144, 151, 92},  {133, 157, 88},  {110, 132, 105},
                            {114, 185, 82},  {143, 160, 90},  {160, 175, 113}, {139, 123, 114},
                            {168, 188, 108}, {136, 153, 109}, {162, 154, 108}, {150, 178, 121}};
        if (i > 0) {
            draw(texels, i);
        }
        double error[3];
        for (int effort = 0; effort < 3; effort++) {
            error[effort] = error_at(texels, ffmpeg, kernel_efforts[effort]);
            sum[is_wide(texels)][effort] += error[effort];
        }
        expect_high(texels, ffmpeg, error);
    }
    // Of default to fast, and of high to default.
    static const double narrow_most[2] = {0.98, 0.97}, wide_least[2] = {0.95, 0.95};
    for (int e = 0; e < 2; e++) {
        const double narrow = sum[0][e + 1] / sum[0][e], wide = sum[1][e + 1] / sum[1][e];
        printf("effort %d takes %.3f of the error of the one before it, %.3f where wide\n", e + 1,
               narrow, wide);
        test_expect(narrow <= narrow_most[e] && wide < 1,
                    "an effort is better than the one before it in the mean");
        test_expect(wide >= wide_least[e], "an effort fits Co and Cg that are wide");
    }
}

// Texels of 0, 255 and a narrow range: six values and the two that every block has.
static void test_six(void)
{
    for (int i = 0; i < 1000; i++) {
        rgb_block texels;
        const int base = 60 + seeded_below(120);
        for (int t = 0; t < 16; t++) {
            memset(texels[t], t == 0 ? 0 : t == 1 ? 255 : base + seeded_below(12), 3);
        }
        for (int model = 0; model < 2; model++) {
            uint8_t block[16], decoded[16][3];
            encode(texels, model, WEIR_EFFORT_HIGH, block);
            ref_ycocg_bc3_decode_block(block, model, decoded);
            EXPECT_BLOCK(block[0] <= block[1], "high takes six values where there are 0 and 255",
                         texels);
            for (int k = 0; k < 48; k++) {
                EXPECT_BLOCK(abs(decoded[k / 3][k % 3] - texels[k / 3][k % 3]) <= 3,
                             "six values, 0 and 255 come back", texels);
            }
        }
    }
}

// One texel a little past what scale 4 holds: the others gain more from it than that texel loses.
static void test_scale(void)
{
    int num_finer = 0;
    for (int i = 0; i < 1000; i++) {
        rgb_block texels;
        uint8_t block[16];
        for (int t = 0; t < 16; t++) {
            const int co = t == 0 ? 33 : seeded_below(17) - 8, y = 128 + seeded_below(3);
            for (int c = 0; c < 3; c++) {
                texels[t][c] = clamp8(y + (c == 0 ? co : c == 2 ? -co : 0));
            }
        }
        encode(texels, false, WEIR_EFFORT_HIGH, block);
        num_finer += (block[8] & 31) == 3;
    }
    test_expect(num_finer >= 100, "high takes a finer scale than fits where that is better");
}

// Black strokes on white, smoothed by the subpixels of a display, as text is.
static void draw_strokes(rgb_block texels)
{
    const double left = seeded_below(100) / 25.0, width = 0.7 + seeded_below(100) / 80.0;
    const double slant = seeded_below(100) / 100.0 - 0.5;
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3; c++) {
            const double x = t % 4 + c / 3.0 - slant * (t / 4);
            const double inside = width / 2 - fabs(x - left) + 0.5;
            const double ink = inside < 0 ? 0 : inside > 1 ? 1 : inside;
            texels[t][c] = (uint8_t)(255 - floor(255 * ink + 0.5));
        }
    }
}

// White stays white beside colours: how far apart its channels come back.
static void test_tint(void)
{
    static const double most[3] = {10.5, 7, 4.4}; // of each effort [codes]
    double sum[3] = {0};
    int num = 0;
    for (int i = 0; i < 2000; i++) {
        rgb_block texels;
        draw_strokes(texels);
        for (int effort = 0; effort < 3; effort++) {
            uint8_t block[16], decoded[16][3];
            encode(texels, false, kernel_efforts[effort], block);
            ref_ycocg_bc3_decode_block(block, false, decoded);
            for (int t = 0; t < 16; t++) {
                if (texels[t][0] + texels[t][1] + texels[t][2] < 3 * 255) {
                    continue;
                }
                const int rg = decoded[t][0] - decoded[t][1], gb = decoded[t][1] - decoded[t][2];
                sum[effort] += rg * rg + gb * gb + (rg + gb) * (rg + gb);
                num += effort == 0;
            }
        }
    }
    for (int effort = 0; effort < 3; effort++) {
        printf("effort %d: white comes back with a tint of %.2f codes\n", effort,
               sqrt(sum[effort] / (3 * num)));
        test_expect(sqrt(sum[effort] / (3 * num)) <= most[effort],
                    "white stays white beside colours");
    }
}

int main(void)
{
    seeded_start();
    test_order(true);
    test_order(false);
    test_six();
    test_scale();
    test_tint();
    return test_finish();
}
