// SPDX-License-Identifier: MIT
// Rate-distortion optimisation keeps its promises on drawn pictures for every codec, judged by the
// blocks alone and by other decoders: halves are copies from the window, or fit one, errors stay
// within the bound, what is smooth stays smooth, bytes fall with quality, and blocks of BC4
// and BC5 have the least D + lambda * R of all. WEIR_SEED repeats a run.
#include "tests/kernels/rdo.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/block/block.h"
#include "capture/movie/snappy.h"
#include "tests/expect.h"
#include "tests/kernels/kernels.h"
#include "tests/ref/ycocg_bc3_decode.h"
#include "tests/seeded.h"

enum {
    WIDTH = 148, // a tile of 32 blocks, and one of 5
    HEIGHT = 140,
    COLUMNS = WIDTH / 4,
    ROWS = HEIGHT / 4,
    NUM_BLOCKS = COLUMNS * ROWS,
    TILE = 32,
    WINDOW = 128,
    HALF = 8,
    MAX_BLOCK_SIZE = 16,
    MAX_ADDED = 3, // to a block's squared error, of the squared deviation of its texels
};

typedef uint8_t picture[HEIGHT][WIDTH][4];
typedef uint8_t blocks[NUM_BLOCKS * MAX_BLOCK_SIZE]; // without gaps

// A codec, and the channels whose error is bounded together.
static const struct subject {
    enum weir_codec codec;
    int num_measures;
    struct measure {
        int first, num;
    } measures[2];
} subjects[] = {
    {WEIR_CODEC_YCOCG_BC3, 1, {{0, 3}}},   {WEIR_CODEC_BC1, 1, {{0, 3}}},
    {WEIR_CODEC_BC3, 2, {{3, 1}, {0, 3}}}, {WEIR_CODEC_BC4, 1, {{0, 1}}},
    {WEIR_CODEC_BC5, 2, {{0, 1}, {1, 1}}}, {WEIR_CODEC_BC7, 2, {{3, 1}, {0, 3}}},
};

#define EXPECT(is_so, what, value, bound)                                                          \
    test_expect(is_so, "%s: %.3f, not %.3f", what, (double)(value), (double)(bound))

static uint8_t clamp8(double v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : lrint(v));
}

static double uniform(void)
{
    return (seeded_below(1 << 24) + 0.5) / (1 << 24);
}

// About Gaussian, of a deviation of 1.
static double noise(void)
{
    return (uniform() + uniform() + uniform() + uniform() - 2) * sqrt(3);
}

// Slopes and edges, in cells of which some or all have grain. Grain comes again after eight texels,
// with noise. Alpha has one value in half of the cells.
static void draw(picture out, bool all_have_grain)
{
    double base[4], slope[4][2], grain[5], pattern[8][8];
    for (int c = 0; c < 4; c++) {
        base[c] = 40 + seeded_below(120);
        slope[c][0] = (uniform() - 0.5) / 4;
        slope[c][1] = (uniform() - 0.5) / 4;
    }
    for (int i = 0; i < 5; i++) {
        const bool has_grain = all_have_grain || i == 0 || seeded_below(2) == 0;
        grain[i] = has_grain ? 2 + uniform() * 8 : 0;
    }
    for (int i = 0; i < 64; i++) {
        pattern[i / 8][i % 8] = noise();
    }
    const int side = 5 + seeded_below(40);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const int cell = (x / side + 2 * (y / side)) % 5;
            const double bright = (pattern[y % 8][x % 8] + noise() / 4) * grain[cell] + 20 * cell;
            for (int c = 0; c < 4; c++) {
                out[y][x][c] = clamp8(base[c] + slope[c][0] * x + slope[c][1] * y + bright);
            }
            out[y][x][3] = cell % 2 == 0 ? 255 : out[y][x][3];
        }
    }
}

static int block_size_of(const struct subject *s)
{
    return (int)weir_codec_get_info(s->codec)->block_size;
}

static const uint8_t *block_of(const struct subject *s, const blocks encoded, int block)
{
    return encoded + (size_t)block * (size_t)block_size_of(s);
}

// Decode by exact fractions, in codes; those that the optimiser rounds are rounded.
static void decode(const struct subject *s, const uint8_t *bytes, double out[16][4])
{
    if (s->codec == WEIR_CODEC_YCOCG_BC3) {
        double rgb[16][3];
        ref_ycocg_bc3_decode_block_exact(bytes, rgb);
        for (int t = 0; t < 16; t++) {
            memcpy(out[t], rgb[t], sizeof(rgb[t]));
        }
        return;
    }
    float texels[16][4];
    weir_block_get_format(weir_codec_get_info(s->codec)->format)->decode(bytes, texels);
    for (int i = 0; i < 64; i++) {
        out[i / 4][i % 4] = floor(255 * (double)texels[i / 4][i % 4] + 0.5);
    }
}

static const uint8_t *texel_of(picture from, int block, int t)
{
    return from[4 * (block / COLUMNS) + t / 4][4 * (block % COLUMNS) + t % 4];
}

// Get the root of a block's squared error.
static double error_of(const struct subject *s, const struct measure *m, picture from, int block,
                       const uint8_t *bytes)
{
    double decoded[16][4], sum = 0;
    decode(s, bytes, decoded);
    for (int t = 0; t < 16; t++) {
        const uint8_t *want = texel_of(from, block, t);
        for (int c = m->first; c < m->first + m->num; c++) {
            sum += (decoded[t][c] - want[c]) * (decoded[t][c] - want[c]);
        }
    }
    return sqrt(sum);
}

static double deviation_of(const struct measure *m, picture from, int block)
{
    double sum = 0;
    for (int c = m->first; c < m->first + m->num; c++) {
        double all = 0, squares = 0;
        for (int t = 0; t < 16; t++) {
            const int v = texel_of(from, block, t)[c];
            all += v;
            squares += (double)v * v;
        }
        sum += squares - all * all / 16;
    }
    return sum;
}

static double squared_error(const struct subject *s, picture from, const blocks encoded)
{
    double sum = 0;
    for (int i = 0; i < s->num_measures * NUM_BLOCKS; i++) {
        const int b = i / s->num_measures;
        const struct measure *m = &s->measures[i % s->num_measures];
        const double error = error_of(s, m, from, b, block_of(s, encoded, b));
        sum += floor(error * error + 0.001); // whole, but for YCoCg
    }
    return sum;
}

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

static void encode_alone(const struct subject *s, picture from, blocks out)
{
    kernel_encode_image(&(struct weir_encoder_params){.codec = s->codec}, from[0][0], 4,
                        sizeof(from[0]), WIDTH, HEIGHT, out);
}

// Optimise blocks, and hold what the kernel says of their error against a decoder.
static struct weir_rdo_result optimise(const struct subject *s, picture from, int quality,
                                       uint8_t *history, blocks out)
{
    const struct kernel_picture p = {&from[0][0][0], sizeof(from[0]), 4, WIDTH, HEIGHT};
    const struct weir_rdo_result result = kernel_rdo(&(struct weir_rdo_params){.codec = s->codec},
                                                     &p, weir_rdo_lambda(quality), history, out);
    const double want = squared_error(s, from, out);
    const bool is_rounded = s->codec == WEIR_CODEC_YCOCG_BC3; // to quarters of a code
    const double slack = is_rounded ? 0.01 * want + WIDTH * HEIGHT : 0;
    EXPECT(fabs((double)result.squared_error / 16 - want) <= slack, "the error that it says",
           (double)result.squared_error / 16, want);
    return result;
}

static void encode(const struct subject *s, picture from, int quality, blocks out)
{
    encode_alone(s, from, out);
    optimise(s, from, quality, NULL, out);
}

// Get the block so many before another in its tile, -1 for none.
static int block_before(int block, int distance)
{
    const int x = block % COLUMNS, y = block / COLUMNS;
    const int left = x - x % TILE, top = y - y % TILE;
    const int width = COLUMNS - left < TILE ? COLUMNS - left : TILE;
    const int place = (y - top) * width + x - left - distance;
    return place < 0 ? -1 : (top + place / width) * COLUMNS + left + place % width;
}

// True if a half of a block stands in one of the blocks before it in its tile.
static bool is_in_window(const struct subject *s, const blocks encoded, int block, int half)
{
    const uint8_t *own = block_of(s, encoded, block) + half;
    for (int distance = 1; distance <= WINDOW; distance++) {
        const int other = block_before(block, distance);
        if (other >= 0 && memcmp(block_of(s, encoded, other) + half, own, HALF) == 0) {
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

// A row of blocks of a tile as Snappy has it up to now: a literal, or a copy of `run` bytes.
struct stream {
    bool is_literal;
    int offset, run;
};

// Write a block whose halves in `copied` are copies. Returns how many bytes it takes.
static int write_block(const struct subject *s, int copied, int offset, struct stream *stream)
{
    int bytes = 0;
    for (int half = 0; half < block_size_of(s) / HALF; half++) {
        const bool goes_on = !stream->is_literal && stream->offset == offset && stream->run < 64;
        const bool is_near = offset <= 2047;
        if (!(copied >> half & 1)) {
            bytes += HALF + (stream->is_literal ? 0 : 1);
            *stream = (struct stream){.is_literal = true};
        } else if (goes_on) {
            bytes += stream->run == HALF && is_near ? 1 : 0;
            stream->run += HALF;
        } else {
            bytes += is_near ? 2 : 3;
            *stream = (struct stream){.offset = offset, .run = HALF};
        }
    }
    return bytes;
}

// What a half costs as that of these bytes, but for bytes: the error of the mean counts twice.
static double cost_of(const struct subject *s, picture from, int block, int half,
                      const uint8_t *bytes, double *error)
{
    double decoded[16][4], sum = 0;
    decode(s, bytes, decoded);
    *error = 0;
    for (int t = 0; t < 16; t++) {
        const double e = decoded[t][half] - texel_of(from, block, t)[half];
        sum += e;
        *error += e * e;
    }
    return 16 * *error + sum * sum;
}

// The weight of a byte in a half: little where it is smooth.
static int lambda_at(const struct subject *s, picture from, int block, int half, int lambda)
{
    const int activity = (int)(deviation_of(&s->measures[half], from, block) / 2);
    const int64_t a = activity < 2047 ? activity : 2047;
    const int here = (int)(lambda * (256 * a * a / (a * a + 16)) / 256);
    return here > 0 ? here : 1;
}

// What a block may be: the halves that are copies, a bit each, and from so many blocks before.
struct choice {
    int copied, distance;
};

// A block before it chooses: what its halves cost, and at most.
struct candidate {
    double costs[2], max_errors[2], max_costs[2];
    int lambda;
};

static struct candidate candidate_of(const struct subject *s, picture from, int block,
                                     const uint8_t *own, int frame_lambda)
{
    struct candidate c = {.lambda = 0};
    for (int half = 0; half < s->num_measures; half++) {
        const int lambda = lambda_at(s, from, block, half, frame_lambda);
        double error;
        c.costs[half] = cost_of(s, from, block, half, own, &error);
        c.max_errors[half] = error + MAX_ADDED * deviation_of(&s->measures[half], from, block);
        c.max_costs[half] = s->num_measures == 2 ? c.costs[half] + 6 * lambda : INFINITY;
        c.lambda = lambda > c.lambda ? lambda : c.lambda;
    }
    return c;
}

// Find what costs least: of equal ones none, the block, its second half, its first, the nearest.
static struct choice least_of(const struct subject *s, picture from, int block,
                              const struct candidate *c, const blocks after, struct stream stream)
{
    struct choice found = {0, 0};
    struct stream next = stream;
    double least = c->costs[0] + c->costs[1] + c->lambda * write_block(s, 0, 0, &next);
    for (int distance = 1; distance <= WINDOW && block_before(block, distance) >= 0; distance++) {
        const int other = block_before(block, distance);
        double costs[2] = {0};
        bool is_allowed[2] = {false, true};
        for (int half = 0; half < s->num_measures; half++) {
            double error;
            costs[half] = cost_of(s, from, block, half, block_of(s, after, other), &error);
            is_allowed[half] = error <= c->max_errors[half] + 0.001 &&
                               costs[half] <= c->max_costs[half];
        }
        for (int copied = 3; copied >= (s->num_measures == 2 ? 1 : 3); copied--) {
            next = stream;
            const int bytes = write_block(s, copied, HALF * s->num_measures * (block - other),
                                          &next);
            const double cost = (copied & 1 ? costs[0] : c->costs[0]) +
                                (copied & 2 ? costs[1] : c->costs[1]) + c->lambda * bytes;
            const bool is_right = (!(copied & 1) || is_allowed[0]) &&
                                  (!(copied & 2) || is_allowed[1]);
            if (is_right &&
                (cost < least || (cost <= least && found.copied > 0 && copied > found.copied))) {
                least = cost;
                found = (struct choice){copied, distance};
            }
        }
    }
    return found;
}

// Each block of BC4 and BC5 becomes what costs least of all that it may be, and the sum of the
// bytes is right. In the order of the picture all that a block may copy comes before it.
static void test_least(const struct subject *s)
{
    static picture drawn;
    static blocks before, after;
    const int quality = 1 + seeded_below(98);
    const size_t size = (size_t)block_size_of(s);
    draw(drawn, seeded_below(2));
    encode_alone(s, drawn, before);
    memcpy(after, before, sizeof(blocks));
    const struct weir_rdo_result result = optimise(s, drawn, quality, NULL, after);
    int num_bytes = 0;
    struct stream stream = {.run = 0};
    for (int block = 0; block < NUM_BLOCKS; block++) {
        if (block % COLUMNS % TILE == 0) {
            stream = (struct stream){.run = 0};
        }
        uint8_t want[MAX_BLOCK_SIZE];
        memcpy(want, block_of(s, before, block), size);
        const struct candidate c = candidate_of(s, drawn, block, want,
                                                (int)weir_rdo_lambda(quality));
        const struct choice choice = least_of(s, drawn, block, &c, after, stream);
        const int other = block_before(block, choice.distance);
        for (int half = 0; half < s->num_measures; half++) {
            if (choice.copied >> half & 1) {
                memcpy(want + half * HALF, block_of(s, after, other) + half * HALF, HALF);
            }
        }
        EXPECT(memcmp(block_of(s, after, block), want, size) == 0, "not the least cost: choice",
               choice.copied, choice.distance);
        num_bytes += write_block(s, choice.copied, (int)size * (block - other), &stream);
    }
    EXPECT(result.num_bytes == (uint64_t)num_bytes, "its bytes", result.num_bytes, num_bytes);
}

// At 100 blocks stay. Below, bytes fall, and so does quality.
static void test_qualities(const struct subject *s)
{
    static picture drawn;
    static blocks alone, encoded;
    draw(drawn, true);
    encode_alone(s, drawn, alone);
    // A choice changes what later ones find, so a step may be a little the wrong way.
    const double slack = 0.01 * (double)bytes_of(s);
    double last_size = packed_size(s, alone), last_psnr = psnr(s, drawn, alone);
    for (int quality = 100; quality >= 20; quality -= 20) {
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
    const double most = (s->codec == WEIR_CODEC_YCOCG_BC3 ? 0.9 : 0.95) * packed_size(s, alone);
    EXPECT(last_size < most, "bytes at 20", last_size, most);
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

// A sky of steps of one code keeps 51 dB, or what it has without; on a grey ramp of up to a code a
// texel, what has every code keeps them, which is all of it but for BC1.
static void test_smooth(const struct subject *s)
{
    static picture drawn;
    static blocks alone, encoded;
    const int quality = 1 + seeded_below(99);
    draw_sky(drawn);
    encode(s, drawn, quality, encoded);
    encode_alone(s, drawn, alone);
    const double least = fmin(51, psnr(s, drawn, alone) - 0.1);
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
        for (int k = 0; k < 2; k++) {
            test_blocks(s);
        }
        test_qualities(s);
        test_smooth(s);
        test_steady(s);
        for (int k = 0; k < 4 && (s->codec == WEIR_CODEC_BC4 || s->codec == WEIR_CODEC_BC5); k++) {
            test_least(s);
        }
        if (test_num_failures() > before) {
            printf("codec %s\n", weir_codec_get_info(s->codec)->name);
        }
    }
    return test_finish();
}
