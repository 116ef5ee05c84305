// SPDX-License-Identifier: MIT
// Rate-distortion optimisation keeps its promises on drawn pictures for every codec, judged by the
// blocks alone and by other decoders: halves are copies from the window, or fit one, errors stay
// within the bound, what is smooth stays smooth, and bytes fall with quality. WEIR_SEED repeats a
// run.
#include "capture/movie/snappy.h"
#include "tests/unit/rdo_pictures.h"

static double psnr(const struct subject *s, picture from, const blocks encoded)
{
    int num_channels = 0;
    for (int m = 0; m < s->num_measures; m++) {
        num_channels += s->measures[m].num;
    }
    const double error = fmax(squared_error(s, from, encoded), 1e-9);
    return 10 * log10(65025.0 * WIDTH * HEIGHT * num_channels / error);
}

static size_t bytes_of(const struct subject *s)
{
    return (size_t)(NUM_BLOCKS * block_size_of(s));
}

static double packed_size(const struct subject *s, const blocks encoded)
{
    static uint8_t room[2 * sizeof(blocks)];
    return (double)weir_snappy_compress(encoded, (uint32_t)bytes_of(s), WEIR_SNAPPY_HALVES, room);
}

static void encode(const struct subject *s, picture from, int quality, blocks out)
{
    encode_alone(s, from, out);
    optimise(s, from, quality, NULL, out);
}

// True if a half of a block stands in one of the blocks before it in its tile, or in a texture its
// endpoints or its codes.
static bool is_in_window(const struct subject *s, const blocks encoded, int block, int half)
{
    const uint8_t *own = block_of(s, encoded, block) + half;
    for (int distance = 1; distance <= WINDOW; distance++) {
        const int other = block_before(block, distance);
        const uint8_t *bytes = other < 0 ? NULL : block_of(s, encoded, other) + half;
        if (bytes &&
            (s->is_texture ? memcmp(bytes, own, 4) == 0 || memcmp(bytes + 4, own + 4, 4) == 0
                           : memcmp(bytes, own, HALF) == 0)) {
            return true;
        }
    }
    return false;
}

// True if a half that was changed is a copy. In mode 6 of BC7 one half is made for the other.
static bool is_copied(const struct subject *s, const blocks encoded, int block, int half)
{
    const bool is_made = s->codec == WEIR_CODEC_BC7 &&
                         (block_of(s, encoded, block)[0] & 127) == 64 &&
                         is_in_window(s, encoded, block, HALF - half);
    return is_made || is_in_window(s, encoded, block, half);
}

// What the optimiser's rounding moves a texel by: Y, Co and Cg by 1/8 at most, R, G and B by 3/8.
static double rounding_of(const struct subject *s)
{
    return s->codec == WEIR_CODEC_YCOCG_BC3 ? 0.375 * sqrt(48) : 0;
}

static void test_bound(const struct subject *s, picture drawn, const blocks before,
                       const blocks after)
{
    const double rounding = rounding_of(s);
    for (int i = 0; i < s->num_measures * NUM_BLOCKS; i++) {
        const int b = i / s->num_measures;
        const struct measure *m = &s->measures[i % s->num_measures];
        const double own = error_of(s, m, drawn, b, block_of(s, before, b)) + rounding;
        const double most = sqrt(own * own + MAX_ADDED * deviation_of(m, drawn, b) + 0.2);
        const double got = error_of(s, m, drawn, b, block_of(s, after, b));
        EXPECT(got <= most + rounding, "the error of a block grew", got, most);
    }
}

static void test_blocks(const struct subject *s)
{
    static picture drawn;
    static blocks before, after;
    const int quality = 1 + seeded_below(40); // near 100 nothing may change
    draw(drawn, false);
    encode(s, drawn, 100, before);
    encode(s, drawn, quality, after);
    int num_changed = 0;
    for (int b = 0; b < NUM_BLOCKS; b++) {
        for (int half = 0; half < block_size_of(s); half += HALF) {
            if (memcmp(block_of(s, before, b) + half, block_of(s, after, b) + half, HALF) != 0) {
                num_changed++;
                EXPECT(is_copied(s, after, b, half), "a half is not in the window", b, half);
            }
        }
    }
    test_bound(s, drawn, before, after);
    EXPECT(num_changed > 0, "nothing changed at quality", quality, 100);
}

// At 100 blocks stay. Below, bytes fall, and so does quality.
static void test_qualities(const struct subject *s)
{
    static picture drawn;
    static blocks alone, encoded;
    draw(drawn, true);
    encode_alone(s, drawn, alone);
    // A choice changes what later ones find, so of few blocks a smaller step may be the wrong way.
    const double slack = 0.01 * (double)bytes_of(s);
    double last_size = packed_size(s, alone), last_psnr = psnr(s, drawn, alone);
    for (int quality = 100; quality >= 20; quality -= SANITIZED_STRIDE > 1 ? 80 : 40) {
        encode(s, drawn, quality, encoded);
        if (quality == 100) {
            EXPECT(memcmp(alone, encoded, bytes_of(s)) == 0, "100 changes blocks", 0, 0);
            continue;
        }
        const double size = packed_size(s, encoded), quality_db = psnr(s, drawn, encoded);
        EXPECT(size < last_size + slack, "bytes grow", size, last_size);
        EXPECT(quality_db < last_psnr + 0.05, "PSNR grows", quality_db, last_psnr);
        last_size = size;
        last_psnr = quality_db;
    }
    // Blocks of BC1 are the smallest: where all grain is the strongest, one picture of 80 saved
    // 5 %.
    const double share = s->codec == WEIR_CODEC_YCOCG_BC3 ? 0.9
                         : s->codec == WEIR_CODEC_BC1     ? 1
                                                          : 0.95;
    EXPECT(last_size < share * packed_size(s, alone), "bytes at 20", last_size,
           packed_size(s, alone));
}

static void draw_sky(picture out)
{
    const double steps[3] = {18 + seeded_below(30), 18 + seeded_below(30), 18 + seeded_below(30)};
    const int lean = seeded_below(16);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            for (int c = 0; c < 3; c++) {
                out[y][x][c] = clamp8(floor(60 + 50 * c + (y + lean * x / 16.0) / steps[c]));
            }
            out[y][x][3] = out[y][x][0];
        }
    }
}

static void draw_ramp(picture out)
{
    const int step = 1 + seeded_below(4);
    const bool is_upright = seeded_below(2) == 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            memset(out[y][x], (is_upright ? y : x) / step, 4);
        }
    }
}

// True if a block has every code.
static bool is_exact(const struct subject *s, picture from, int block, const blocks encoded)
{
    double decoded[16][4];
    bool exact = true;
    decode(s, block_of(s, encoded, block), decoded);
    for (int i = 0; i < 16 * 4; i++) {
        const int t = i / 4, c = i % 4;
        for (int m = 0; m < s->num_measures; m++) {
            const struct measure *measure = &s->measures[m];
            const bool is_held = c >= measure->first && c < measure->first + measure->num;
            exact = exact &&
                    (!is_held || floor(decoded[t][c] + 0.5) == texel_of(from, block, t)[c]);
        }
    }
    return exact;
}

// A sky of steps of one code keeps 51 dB, or nearly what it has without; on a grey ramp of up to a
// code a texel, what has every code keeps them, which is all of it but for BC1.
static void test_smooth(const struct subject *s)
{
    static picture drawn;
    static blocks alone, encoded;
    const int quality = 1 + seeded_below(99);
    draw_sky(drawn);
    encode(s, drawn, quality, encoded);
    encode_alone(s, drawn, alone);
    const double least = fmin(51, psnr(s, drawn, alone) - 0.2); // a sky of BC1 lost 0.105
    EXPECT(psnr(s, drawn, encoded) >= least, "the sky's PSNR", psnr(s, drawn, encoded), least);
    draw_ramp(drawn);
    encode(s, drawn, quality, encoded);
    encode_alone(s, drawn, alone);
    const bool may_lose = s->codec == WEIR_CODEC_BC1 || s->codec == WEIR_CODEC_BC3;
    for (int b = 0; b < NUM_BLOCKS; b++) {
        const bool was_exact = is_exact(s, drawn, b, alone);
        EXPECT(was_exact || may_lose, "the encoder loses codes of a ramp", b, 0);
        EXPECT(!was_exact || is_exact(s, drawn, b, encoded), "a ramp's code", b, 0);
    }
}

// Add noise of one code to a picture, and encode it. `history` as the reference takes it.
static void encode_noisy(const struct subject *s, picture from, int quality, uint8_t *history,
                         blocks out)
{
    static picture noisy;
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++) {
        const int x = i / 3 % WIDTH, y = i / 3 / WIDTH;
        noisy[y][x][i % 3] = clamp8(from[y][x][i % 3] + noise());
    }
    encode_alone(s, noisy, out);
    optimise(s, noisy, quality, history, out);
}

static int count_different(const struct subject *s, const blocks a, const blocks b)
{
    const size_t size = (size_t)block_size_of(s);
    int num = 0;
    for (int i = 0; i < NUM_BLOCKS; i++) {
        num += memcmp(block_of(s, a, i), block_of(s, b, i), size) != 0;
    }
    return num;
}

// With a history, what stands still keeps its bytes; another picture has the bytes that it has
// without one.
static void test_steady(const struct subject *s)
{
    static picture drawn;
    static blocks first, second, alone, history;
    const int quality = 30 + seeded_below(40);
    draw(drawn, false);
    memset(history, 0, sizeof(blocks));
    encode_noisy(s, drawn, quality, history, first);
    EXPECT(count_different(s, first, history) == 0, "the history is not the frame", 0, 0);
    encode_noisy(s, drawn, quality, history, second);
    encode_noisy(s, drawn, quality, NULL, alone);
    const int changed = count_different(s, first, second);
    EXPECT(changed < 0.5 * count_different(s, first, alone), "blocks that change", changed,
           count_different(s, first, alone));

    for (int i = 0; i < WIDTH * HEIGHT * 4; i++) {
        uint8_t *code = &drawn[i / 4 / WIDTH][i / 4 % WIDTH][i % 4];
        *code = (uint8_t)(*code < 128 ? *code + 40 : *code - 40);
    }
    encode(s, drawn, quality, alone);
    encode_alone(s, drawn, second);
    optimise(s, drawn, quality, history, second);
    const int different = count_different(s, alone, second);
    EXPECT(different < NUM_BLOCKS / 20, "blocks of another picture", different, NUM_BLOCKS / 20);
}

int main(void)
{
    seeded_start();
    for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
        const struct subject *s = &subjects[i];
        const int before = test_num_failures();
        for (int k = 0; k < 2; k += SANITIZED_STRIDE) {
            test_blocks(s);
        }
        test_qualities(s);
        test_smooth(s);
        if (!s->is_texture && (SANITIZED_STRIDE == 1 || i == 0)) {
            test_steady(s);
        }
        if (test_num_failures() > before) {
            printf("codec %s\n", weir_codec_get_info(s->codec)->name);
        }
    }
    return test_finish();
}
