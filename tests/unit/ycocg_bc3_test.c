// SPDX-License-Identifier: MIT
// The kernel of YCoCg BC3: exact where it can be, else within a bound. WEIR_SEED repeats a run.
#include "tests/ref/ycocg_bc3_decode.h"
#include "tests/unit/blocks.h"

static int effort; // that is tested

// ---- What a block says ----

// The encoder rounds to 1/4 stored code, so near a tie of two codes it may take the one that is
// worse, by 1/5 on an axis; in the norm of the cost, for one texel.
static const double tie_slack = 0.2 * 2.2360679775;

static int blue(const uint8_t block[16])
{
    return block[8] & 31;
}

// What chroma is divided by, between whole scales and exact fractions, as the effort has it.
static double ratio(const uint8_t block[16])
{
    return 1 + blue(block) * (1 + (effort == FAST ? 0.5 : 0.55) * 7 / 248);
}

static unsigned word(const uint8_t block[16], int endpoint)
{
    return (unsigned)block[8 + 2 * endpoint] | (unsigned)block[9 + 2 * endpoint] << 8;
}

// Y, and Co and Cg as the gpu model of the encoder sees them.
static void planes(const uint8_t block[16], double v[16][3])
{
    double rgb[16][3];
    ref_ycocg_bc3_decode_block_exact(block, rgb);
    const double shader = 1 + 255.0 / 248 * blue(block), correct = shader / ratio(block);
    for (int t = 0; t < 16; t++) {
        v[t][0] = (rgb[t][0] + 2 * rgb[t][1] + rgb[t][2]) / 4;
        v[t][1] = (rgb[t][0] - rgb[t][2]) / 2 * correct;
        v[t][2] = (2 * rgb[t][1] - rgb[t][0] - rgb[t][2]) / 4 * correct;
    }
}

// The Co and Cg to which a texel is fitted if its Y is decoded as `y`.
static void target(const uint8_t rgb[3], double y, double *co, double *cg)
{
    const double ey = y - (rgb[0] + 2 * rgb[1] + rgb[2]) / 4.0;
    const double third[] = {0, floor(ey * 4 / 3 + 0.5) / 4, ey / 3}; // of each effort
    *co = (rgb[0] - rgb[2]) / 2.0;
    *cg = (2 * rgb[1] - rgb[0] - rgb[2]) / 4.0 + third[effort];
}

static double chroma_cost(rgb_block texels, const uint8_t block[16])
{
    double v[16][3], cost = 0;
    planes(block, v);
    for (int t = 0; t < 16; t++) {
        double co, cg;
        target(texels[t], v[t][0], &co, &cg);
        cost += 2 * (v[t][1] - co) * (v[t][1] - co) + 3 * (v[t][2] - cg) * (v[t][2] - cg);
    }
    return cost;
}

// ---- Checks that hold for any block ----

static void check_form(rgb_block texels, const uint8_t block[16])
{
    int largest = 0;
    for (int t = 0; t < 16; t++) {
        const int co = 2 * abs(texels[t][0] - texels[t][2]);
        const int cg = abs(2 * texels[t][1] - texels[t][0] - texels[t][2]);
        largest = co > largest ? co : largest;
        largest = cg > largest ? cg : largest;
    }
    EXPECT_BLOCK(blue(block) != 2 && blue(block) <= 3, "the scale is 1, 2 or 4", texels);
    // By the ends of the axis, beyond which texels may lie.
    EXPECT_BLOCK(largest > 4 * 16 || blue(block) == 3, "small chroma has scale 4", texels);
    EXPECT_BLOCK((word(block, 1) & 31) == (word(block, 0) & 31),
                 "both endpoints hold the scale code", texels);
    static const uint8_t zero[6];
    EXPECT_BLOCK(effort == HIGH || (block[0] >= block[1] &&
                                    (block[0] != block[1] || memcmp(block + 2, zero, 6) == 0)),
                 "a0 > a1, or all indices 0", texels);
    EXPECT_BLOCK(word(block, 0) >= word(block, 1) &&
                     (word(block, 0) != word(block, 1) || memcmp(block + 12, zero, 4) == 0),
                 "c0 > c1, or all indices 0", texels);
}

static void encode_for(rgb_block texels, bool ffmpeg, uint8_t block[16])
{
    encode_rgb(
        &(struct weir_encoder_params){.decoder = ffmpeg ? WEIR_DECODER_FFMPEG : WEIR_DECODER_GPU,
                                      .effort = kernel_efforts[effort]},
        texels, block);
}

static void encode(rgb_block texels, uint8_t block[16])
{
    encode_for(texels, true, block);
    check_form(texels, block);
    encode_for(texels, false, block);
    check_form(texels, block);
}

static void check_lossless(rgb_block texels)
{
    uint8_t block[16], decoded[16][3];
    encode(texels, block);
    for (int model = 0; model < 2; model++) {
        encode_for(texels, model, block);
        for (int decoder = 0; decoder < 2; decoder++) {
            ref_ycocg_bc3_decode_block(block, decoder, decoded);
            EXPECT_BLOCK(memcmp(decoded, texels, sizeof(decoded)) == 0,
                         decoder ? "lossless by FFmpeg's decoder" : "lossless on a GPU", texels);
        }
    }
}

// ---- Cases ----

static void fill(rgb_block texels, unsigned mask, const int a[3], const int b[3])
{
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3; c++) {
            texels[t][c] = clamp8(mask >> t & 1 ? b[c] : a[c]);
        }
    }
}

static void test_grey(void)
{
    rgb_block texels;
    static const int steps[] = {0, 1, 2, 4, 8}; // quarters of a code a texel
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        for (int v = 0; v < 256; v++) {
            for (int t = 0; t < 16; t++) { // across, then down
                memset(texels[t], clamp8(v + t % 4 * steps[i] / 4), 3);
            }
            check_lossless(texels);
            for (int t = 0; t < 16; t++) {
                memset(texels[t], clamp8(v + t / 4 * steps[i] / 4), 3);
            }
            check_lossless(texels);
        }
    }
    for (int i = 0; i < 4000; i++) { // any two greys
        const int a = seeded_below(256), b = seeded_below(256);
        fill(texels, (unsigned)seeded_below(65536), (int[]){a, a, a}, (int[]){b, b, b});
        check_lossless(texels);
    }
}

// Bytes worked out by hand: 128 grey is Y 128, and CoCg a third of the way between two codes:
// (2 * 16 + 15) / 93 * 255 = 128.9, (2 * 32 + 31) / 189 * 255 = 128.2.
static void test_bytes(void)
{
    static const uint8_t want[16] = {128,  128,  0,    0,    0,    0,    0,    0, // Y
                                     0x03, 0x84, 0xE3, 0x7B, 0xAA, 0xAA, 0xAA, 0xAA};
    rgb_block texels;
    uint8_t block[16];
    memset(texels, 128, sizeof(texels));
    encode(texels, block);
    EXPECT_BLOCK(memcmp(block, want, 16) == 0, "128 grey gives the bytes worked out by hand",
                 texels);
}

// The distance of the nearest third of a code to the stored value of c.
static double nearest_third(double c, double scale, int levels)
{
    double best = 1e9;
    for (int k = 0; k <= 3 * levels; k++) {
        best = fmin(best, fabs(k * 255.0 / (3 * levels) - 128 - c * scale));
    }
    return best / scale;
}

static void check_flat(int r, int g, int b)
{
    rgb_block texels;
    uint8_t block[16];
    double v[16][3], co, cg;
    fill(texels, 0, (int[]){r, g, b}, (int[]){0, 0, 0});
    encode(texels, block);
    planes(block, v);
    const double y = (r + 2 * g + b) / 4.0, scale = ratio(block);
    // A seventh from the nearest, and the lean of 3/16 towards FFmpeg's decoder.
    EXPECT_BLOCK(fabs(v[0][0] - y) <= (y > floor(y) ? 1 / 14.0 + 3 / 16.0 : 0) + 1e-9,
                 "Y of a flat block is the nearest seventh", texels);
    target(texels[0], v[0][0], &co, &cg);
    const double best_co = nearest_third(co, scale, 31), best_cg = nearest_third(cg, scale, 63);
    const double cost = sqrt(chroma_cost(texels, block) / 16);
    // High rounds endpoints to 1/8 code.
    const double slack = effort == HIGH ? sqrt(5) / 8 : tie_slack / scale;
    EXPECT_BLOCK(cost <= sqrt(2 * best_co * best_co + 3 * best_cg * best_cg) + slack,
                 "CoCg of a flat block are the nearest thirds", texels);
}

static void test_flat(void)
{
    for (int v = 0; v < 256; v++) {
        check_flat(v, v, v);
    }
    for (int i = 0; i < 8; i++) {
        check_flat(i & 1 ? 255 : 0, i & 2 ? 255 : 0, i & 4 ? 255 : 0);
    }
    for (int i = 0; i < 20000; i += SANITIZED_STRIDE) {
        check_flat(seeded_below(256), seeded_below(256), seeded_below(256));
    }
}

// Two colours: each is as near as endpoints of their own can come.
static void check_two(unsigned mask, const int a[3], const int b[3])
{
    rgb_block texels;
    uint8_t block[16];
    double v[16][3], best = 0, lo[2] = {1e9, 1e9}, hi[2] = {-1e9, -1e9};
    fill(texels, mask, a, b);
    encode(texels, block);
    planes(block, v);
    const double scale = ratio(block);
    for (int t = 0; t < 16; t++) {
        double co, cg;
        const double y = (texels[t][0] + 2 * texels[t][1] + texels[t][2]) / 4.0;
        // Endpoints of their own: half a code, and the lean.
        EXPECT_BLOCK(fabs(v[t][0] - y) <= 0.75, "Y of two colours is that of the endpoints",
                     texels);
        target(texels[t], v[t][0], &co, &cg);
        const double r = (128 + scale * co) * 31 / 255, g = (128 + scale * cg) * 63 / 255;
        const double dr = (fmin(floor(r + 0.5), 31) - r) * 255 / 31 / scale;
        const double dg = (fmin(floor(g + 0.5), 63) - g) * 255 / 63 / scale;
        best += 2 * dr * dr + 3 * dg * dg;
        lo[0] = fmin(lo[0], r), hi[0] = fmax(hi[0], r);
        lo[1] = fmin(lo[1], g), hi[1] = fmax(hi[1], g);
    }
    // Near colours may begin with other indices than the ends of the line.
    if (hi[0] - lo[0] < 3 && hi[1] - lo[1] < 3) {
        return;
    }
    EXPECT_BLOCK(sqrt(chroma_cost(texels, block)) <= sqrt(best) + 4 * tie_slack / scale,
                 "CoCg of two colours are those of the endpoints", texels);
}

static void test_two(void)
{
    static const int red[3] = {200, 0, 0}, green[3] = {0, 100, 0}; // both Y 50
    check_two(0xCCCC, red, green);
    check_two(0xFF00, green, red);
    for (int i = 0; i < 64; i++) { // saturated primaries, and one texel among fifteen
        const int a[3] = {i & 1 ? 255 : 0, i & 2 ? 255 : 0, i & 4 ? 255 : 0};
        const int b[3] = {i & 8 ? 255 : 0, i & 16 ? 255 : 0, i & 32 ? 255 : 0};
        check_two(0x33CC, a, b);
        check_two(1u << seeded_below(16), a, b);
    }
    for (int i = 0; i < 20000; i += SANITIZED_STRIDE) {
        const int a[3] = {seeded_below(256), seeded_below(256), seeded_below(256)};
        const int b[3] = {seeded_below(256), seeded_below(256), seeded_below(256)};
        check_two(i % 2 ? 1u << seeded_below(16) : (unsigned)seeded_below(65536), a, b);
    }
}

// Chroma about the limits of the scales, of both signs and on both axes. Exactly at the first one,
// floats may lead to either.
static void test_limits(void)
{
    static const int cases[][2] = {{61, 3},  {63, 1},  {64, 1},  {126, 1},
                                   {127, 0}, {128, 0}, {254, 0}, {255, 0}};
    for (int i = 0; i < 32; i++) {
        rgb_block texels;
        uint8_t block[16], decoded[16][3];
        const int step = cases[i / 4][0]; // twice |C|
        const int lo = (255 - step) / 2, a = i & 1 ? lo : lo + step, b = i & 1 ? lo + step : lo;
        memset(texels, 128, sizeof(texels));
        uint8_t *texel = texels[seeded_below(16)];
        texel[0] = (uint8_t)a;
        texel[1] = (uint8_t)(i & 2 ? b : lo + step / 2);
        texel[2] = (uint8_t)(i & 2 ? a : b);
        encode(texels, block);
        EXPECT_BLOCK(effort == HIGH || blue(block) == cases[i / 4][1],
                     "the scale code at the limit", texels);
        ref_ycocg_bc3_decode_block(block, true, decoded);
        for (int k = 0; k < 48; k++) {
            // Fast keeps the inset: a sixteenth of both chromas.
            const int bound = effort == FAST ? 12 + 16 : 12;
            EXPECT_BLOCK(abs(decoded[k / 3][k % 3] - texels[k / 3][k % 3]) <= bound,
                         "chroma at the limit comes back", texels);
        }
    }
}

static void test_random(int num)
{
    for (int i = 0; i < num; i++) {
        rgb_block texels;
        uint8_t block[16];
        const int amplitude = 1 << seeded_below(9),
                  base[3] = {seeded_below(256), seeded_below(256), seeded_below(256)};
        const int ramp[3] = {seeded_below(33) - 16, seeded_below(33) - 16, seeded_below(33) - 16};
        for (int t = 0; t < 16; t++) {
            for (int c = 0; c < 3; c++) {
                texels[t][c] = clamp8(base[c] + (t % 4 + t / 4) * ramp[c] * (i % 2) +
                                      seeded_below(amplitude) - amplitude / 2);
            }
        }
        encode(texels, block);
    }
}

int main(void)
{
    seeded_start();
    for (effort = FAST; effort <= HIGH; effort++) {
        printf("effort %d\n", effort);
        test_grey();
        test_flat();
        test_limits();
        test_random(effort == HIGH ? 2000 : 40000);
    }
    effort = DEFAULT;
    test_bytes();
    test_two();
    return test_finish();
}
