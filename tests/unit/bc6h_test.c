// SPDX-License-Identifier: MIT
// The kernel of BC6H: one colour is exact, every mode is used, and hard blocks keep what they can.
// WEIR_SEED repeats a run.
#include "capture/files/block/block.h"
#include "shaders/color/constants.h"
#include "tests/ref/source.h"
#include "tests/unit/blocks.h"

typedef int16_t texels_of_block[16][3];

static unsigned num_blocks_of_mode[2][32], num_blocks_of_partition[32];

static void count(const uint8_t *block, bool is_signed)
{
    const unsigned mode = (block[0] & 3) < 2 ? block[0] & 3 : block[0] & 31;
    num_blocks_of_mode[is_signed][mode]++;
    if ((mode & 3) != 3) { // two subsets: partition in bits 77 to 81
        num_blocks_of_partition[block[9] >> 5 | (block[10] & 3) << 3]++;
    }
}

static void encode_block(texels_of_block halves, bool is_signed, enum weir_effort effort,
                         bool by_log, uint8_t *block)
{
    const struct weir_encoder_params params = {
        .codec = is_signed ? WEIR_CODEC_BC6H_SF16 : WEIR_CODEC_BC6H_UF16,
        .effort = effort,
        .bc6h_log = by_log,
    };
    float values[16][4] = {{0}};
    for (int i = 0; i < 48; i++) {
        const int half = halves[i / 3][i % 3];
        values[i / 3][i % 3] = ref_half_to_float((uint16_t)(half < 0 ? -half | 0x8000 : half));
    }
    kernel_encode_source(&params, WEIR_SOURCE_FLOAT, (const float(*)[4])values, 4, 4, block);
}

static void decode(const uint8_t *block, bool is_signed, float texels[16][4])
{
    weir_block_decode(weir_block_get_format(is_signed ? VK_FORMAT_BC6H_SFLOAT_BLOCK
                                                      : VK_FORMAT_BC6H_UFLOAT_BLOCK),
                      block, texels);
}

// Encodes a block, and gives the texels that it holds and their error.
static double encode(texels_of_block halves, bool is_signed, enum weir_effort effort,
                     texels_of_block decoded)
{
    uint8_t block[KERNEL_MAX_BLOCK_SIZE];
    float texels[16][4];
    encode_block(halves, is_signed, effort, false, block);
    decode(block, is_signed, texels);
    double error = 0;
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3; c++) {
            EXPECT_BLOCK(isfinite(texels[t][c]), "texels are finite", halves);
            decoded[t][c] = (int16_t)ref_half_of(texels[t][c], is_signed);
            const double e = halves[t][c] - decoded[t][c];
            error += e * e;
        }
    }
    count(block, is_signed);
    return error;
}

static int draw_half(bool is_signed)
{
    return is_signed ? seeded_below(2 * REF_HALF_MAX + 1) - REF_HALF_MAX
                     : seeded_below(REF_HALF_MAX + 1);
}

// Texels about a line or two of random length, so that all modes have their turn.
static void draw(texels_of_block halves, bool is_signed)
{
    int base[2][3], way[2][3];
    const int length = 2 << seeded_below(14), apart = 2 << seeded_below(15);
    const int noise = 1 << seeded_below(12), pattern = seeded_below(0x10000);
    for (int c = 0; c < 3; c++) {
        base[0][c] = draw_half(is_signed);
        base[1][c] = base[0][c] + seeded_below(apart) - apart / 2;
        way[0][c] = seeded_below(length) - length / 2;
        way[1][c] = seeded_below(length) - length / 2;
    }
    const int kind = seeded_below(4);
    for (int t = 0; t < 16; t++) {
        const int along = seeded_below(17), line = kind == 0 ? 0 : pattern >> t & 1;
        for (int c = 0; c < 3; c++) {
            const int value = base[line][c] + way[line][c] * along / 16 +
                              (kind == 3 ? seeded_below(noise) : 0);
            const int least = is_signed ? -REF_HALF_MAX : 0;
            halves[t][c] = (int16_t)(value < least          ? least
                                     : value > REF_HALF_MAX ? REF_HALF_MAX
                                                            : value);
        }
    }
}

static double level_of(double value)
{
    return copysign(log2(1 + fabs(value)), value);
}

// The sum of squares of log2(1 + value), in all blocks together, is less by that measure: 0.925 of
// it, and with so many blocks 0.008 more or less (a standard deviation).
static void test_log(bool is_signed)
{
    double sum[2] = {0};
    for (int i = 0; i < 1200; i++) {
        texels_of_block halves;
        draw(halves, is_signed);
        for (int by_log = 0; by_log < 2; by_log++) {
            uint8_t block[KERNEL_MAX_BLOCK_SIZE];
            float texels[16][4];
            encode_block(halves, is_signed, WEIR_EFFORT_DEFAULT, by_log, block);
            decode(block, is_signed, texels);
            double error = 0;
            for (int t = 0; t < 48; t++) {
                const int half = halves[t / 3][t % 3];
                const double value = (double)ref_half_to_float((uint16_t)abs(half));
                const double e = level_of(half < 0 ? -value : value) -
                                 level_of((double)texels[t / 3][t % 3]);
                error += e * e;
            }
            sum[by_log] += sqrt(error);
        }
    }
    printf("%s, by log over by octaves: %.3f\n", is_signed ? "signed" : "unsigned",
           sum[1] / sum[0]);
    test_expect(sum[1] <= 0.97 * sum[0],
                "errors of log(1 + value) are less where they are asked for");
}

static void test_efforts(bool is_signed)
{
    enum { NUM_BLOCKS = 4000 / SANITIZED_STRIDE };
    double sum[NUM_EFFORTS] = {0};
    for (int i = 0; i < NUM_BLOCKS; i++) {
        texels_of_block halves, decoded;
        draw(halves, is_signed);
        for (int effort = 0; effort < NUM_EFFORTS; effort++) {
            sum[effort] += sqrt(encode(halves, is_signed, kernel_efforts[effort], decoded));
        }
    }
    // Not block by block: what is best before it is refined may not be so after.
    expect_better_efforts(sum, NUM_BLOCKS);
}

static void test_coverage(void)
{
    static const unsigned modes[] = {0, 1, 2, 3, 6, 7, 10, 11, 14, 15, 18, 22, 26, 30};
    for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            test_expect(num_blocks_of_mode[is_signed][modes[i]] != 0,
                        "every mode has had its turn");
        }
    }
    for (int i = 0; i < 32; i++) {
        test_expect(num_blocks_of_partition[i] != 0, "every partition has had its turn");
    }
}

static void test_one_color(void)
{
    texels_of_block halves, decoded;
    for (int value = -REF_HALF_MAX; value <= REF_HALF_MAX; value += SANITIZED_STRIDE) {
        for (int t = 0; t < 16; t++) {
            halves[t][0] = (int16_t)value;
            halves[t][1] = (int16_t)-value;
            halves[t][2] = (int16_t)(value / 3);
        }
        // Live has no halves below 2^-14.
        const bool is_live = abs(value / 3) > 1024 && value & 1;
        const enum weir_effort effort = is_live ? WEIR_EFFORT_LIVE : WEIR_EFFORT_FAST;
        EXPECT_BLOCK(encode(halves, true, effort, decoded) <= 0, "one signed colour is exact",
                     halves);
        for (int t = 0; t < 16; t++) {
            for (int c = 0; c < 3; c++) {
                halves[t][c] = (int16_t)abs(halves[t][c]);
            }
        }
        EXPECT_BLOCK(encode(halves, false, effort, decoded) <= 0, "one colour is exact", halves);
    }
}

// Two colours anywhere, as far apart as 1e-4 and 6e4, are the ends of a line. With ends of ten bits
// every value is kept to half a step, where the lowest code and the next are one and a half steps
// of 32 apart. Another mode is taken only where the sum of its squared errors is less, so that sum
// has the same bound; one value alone may be farther away.
static void test_two_colors(void)
{
    for (int i = 0; i < 1500; i += SANITIZED_STRIDE) {
        const bool is_signed = i & 1;
        texels_of_block halves, decoded;
        int colors[2][3];
        for (int c = 0; c < 3; c++) {
            colors[0][c] = i < 100 ? ref_half_of(1e-4f, false) : draw_half(is_signed);
            colors[1][c] = i < 100 ? ref_half_of(6e4f, false) : draw_half(is_signed);
        }
        for (int t = 0; t < 16; t++) {
            const int color = t < 2 ? t : seeded_below(2);
            for (int c = 0; c < 3; c++) {
                halves[t][c] = (int16_t)colors[color][c];
            }
        }
        const int most = is_signed ? 49 : 25; // half a step is twice as long with a sign
        EXPECT_BLOCK(encode(halves, is_signed, WEIR_EFFORT_FAST, decoded) <= 16 * 3 * most * most,
                     "two colours are kept to half a step", halves);
    }
}

// Sixteen values in a row: each is where it was, in order.
static void test_order(void)
{
    for (int i = 0; i < 1500; i += SANITIZED_STRIDE) {
        const bool is_signed = i & 1;
        const int step = 80 + seeded_below(900);
        const int start = seeded_below(REF_HALF_MAX - 15 * step) - (is_signed ? 8 * step : 0);
        texels_of_block halves, decoded;
        int place[16];
        for (int t = 0; t < 16; t++) {
            place[t] = t;
        }
        for (int t = 15; t > 0; t--) {
            const int other = seeded_below(t + 1), old = place[t];
            place[t] = place[other];
            place[other] = old;
        }
        for (int t = 0; t < 16; t++) {
            for (int c = 0; c < 3; c++) {
                halves[place[t]][c] = (int16_t)(start + t * step);
            }
        }
        encode(halves, is_signed, kernel_efforts[i % 3], decoded);
        for (int t = 1; t < 16; t++) {
            EXPECT_BLOCK(decoded[place[t]][1] > decoded[place[t - 1]][1],
                         "sixteen values in a row stay in their order", halves);
        }
    }
}

// Texels on a line of sixteen places keep to half a step of it at effort live too.
static void test_live(void)
{
    for (int i = 0; i < 3000; i += SANITIZED_STRIDE) {
        const bool is_signed = i & 1;
        texels_of_block halves, decoded;
        int base[3], step[3], longest = 1;
        for (int c = 0; c < 3; c++) {
            step[c] = seeded_below(1400) - 700;
            longest = abs(step[c]) > longest ? abs(step[c]) : longest;
            base[c] = 12000 + seeded_below(6000);
        }
        for (int t = 0; t < 16; t++) {
            const int k = t < 2 ? 15 * t : seeded_below(16);
            for (int c = 0; c < 3; c++) {
                halves[t][c] = (int16_t)(base[c] + step[c] * k);
            }
        }
        // Half a step, and half a code of endpoints of ten bits.
        const double most = longest / 2.0 + (is_signed ? 33 : 17);
        EXPECT_BLOCK(encode(halves, is_signed, WEIR_EFFORT_LIVE, decoded) <= 48 * most * most,
                     "live keeps a line", halves);
    }
}

static void test_denormals(void)
{
    for (int i = 0; i < 1000; i += SANITIZED_STRIDE) {
        texels_of_block halves, decoded;
        for (int t = 0; t < 16; t++) {
            for (int c = 0; c < 3; c++) {
                halves[t][c] = (int16_t)(seeded_below(16) - (i & 1 ? 8 : 0));
            }
        }
        // Every texel as the middle of them would be within 8.
        EXPECT_BLOCK(encode(halves, i & 1, WEIR_EFFORT_DEFAULT, decoded) <= 48 * 8 * 8,
                     "the smallest values stay small", halves);
    }
}

static void expect_half(float value, bool is_signed, int want)
{
    const int got = ref_half_of(value, is_signed);
    test_expect(got == want, "%.9g is half %d, got %d", (double)value, want, got);
}

static void test_halves(void)
{
    for (int half = 0; half <= REF_HALF_MAX; half += SANITIZED_STRIDE) {
        const float value = ref_half_to_float((uint16_t)half);
        const float next = half < REF_HALF_MAX ? ref_half_to_float((uint16_t)(half + 1)) : 65536;
        const float middle = (value + next) / 2;
        const int above = half < REF_HALF_MAX ? half + 1 : half;
        expect_half(value, false, half);
        expect_half(-value, true, -half);
        expect_half(-value, false, 0);
        expect_half(nextafterf(middle, 0), true, half);
        expect_half(middle, false, half & 1 ? above : half);
        expect_half(nextafterf(middle, INFINITY), false, above);
        expect_half(-nextafterf(middle, INFINITY), true, -above);
    }
    expect_half(1e30f, false, REF_HALF_MAX);
    expect_half(INFINITY, false, REF_HALF_MAX);
    expect_half(-INFINITY, false, 0);
    expect_half(-INFINITY, true, -REF_HALF_MAX);
    expect_half(NAN, false, 0);
    expect_half(-NAN, true, 0);
    expect_half(1e-40f, false, 0);
}

int main(void)
{
    seeded_start();
    test_halves();
    test_one_color();
    test_two_colors();
    test_order();
    test_live();
    test_denormals();
    for (int is_signed = 0; is_signed < 2; is_signed++) {
        test_efforts(is_signed);
        test_log(is_signed);
    }
    if (SANITIZED_STRIDE == 1) {
        test_coverage();
    }
    return test_finish();
}
