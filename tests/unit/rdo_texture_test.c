// SPDX-License-Identifier: MIT
// Each block of BC1 in a texture becomes what has the least D + lambda * R of all that it may be,
// as a search of the whole window finds, and is smaller by Zstandard than one in a movie at the
// same error. WEIR_SEED repeats a run.
#include "capture/files/texture/texture.h"
#include "tests/unit/rdo_pictures.h"

enum { BLOCK = 8, ENDS = 4, FITTED_BITS = 32 };

static const struct subject texture = {WEIR_CODEC_BC1, 1, {{0, 3}}, true};
static const struct subject movie = {WEIR_CODEC_BC1, 1, {{0, 3}}, false};

// The copy before: its offset, and whether it ends here.
struct stream {
    int offset;
    bool goes_on;
};

enum choice { KEEP, COPY, TAKE_ENDS };

// Write a block. Returns how many bits it takes.
static int write_block(enum choice choice, int offset, struct stream *stream)
{
    int bits = 8 * BLOCK;
    if (choice != KEEP) {
        const int far = 8 + (int)floor(log2(offset));
        bits = stream->offset != offset ? far : stream->goes_on ? 1 : 7;
        stream->offset = offset;
    }
    stream->goes_on = choice == COPY;
    return bits + (choice > COPY ? FITTED_BITS : 0);
}

// What a block costs but for its bits, in 1/16: the error of the mean counts twice.
static int64_t cost_of(picture from, int block, const uint8_t *bytes, int64_t *error)
{
    double decoded[16][4];
    int64_t means = 0;
    decode(&texture, bytes, decoded);
    *error = 0;
    for (int c = 0; c < 3; c++) {
        int64_t sum = 0;
        for (int t = 0; t < 16; t++) {
            const int64_t e = (int64_t)decoded[t][c] - texel_of(from, block, t)[c];
            sum += e;
            *error += 16 * e * e;
        }
        means += sum * sum;
    }
    return *error + means;
}

// Give a block the nearest of its colours for each texel; of three the fourth is transparent.
static void choose_codes(picture from, int block, uint8_t *bytes)
{
    double colors[16][4];
    const bool is_four = (bytes[0] | bytes[1] << 8) > (bytes[2] | bytes[3] << 8);
    memset(bytes + ENDS, 0xe4, BLOCK - ENDS);
    decode(&texture, bytes, colors);
    memset(bytes + ENDS, 0, BLOCK - ENDS);
    for (int t = 0; t < 16; t++) {
        double least = INFINITY;
        int nearest = 0;
        for (int k = 0; k < (is_four ? 4 : 3); k++) {
            double error = 0;
            for (int c = 0; c < 3; c++) {
                const double e = colors[k][c] - texel_of(from, block, t)[c];
                error += e * e;
            }
            nearest = error < least ? k : nearest;
            least = fmin(least, error);
        }
        bytes[ENDS + t / 4] |= (uint8_t)(nearest << 2 * (t % 4));
    }
}

static void test_least(void)
{
    static picture drawn;
    static blocks before, after;
    const int quality = 1 + seeded_below(98);
    const int frame_lambda = (int)weir_rdo_lambda(quality);
    draw(drawn, seeded_below(2));
    encode_alone(&texture, drawn, before);
    memcpy(after, before, sizeof(blocks));
    const struct weir_rdo_result result = optimise(&texture, drawn, quality, NULL, after);
    int num_bits = 0, num_choices[3] = {0};
    struct stream stream = {0};
    for (int block = 0; block < NUM_BLOCKS; block++) {
        if (block % COLUMNS % TILE == 0) {
            stream = (struct stream){0};
        }
        uint8_t found[BLOCK];
        enum choice choice = KEEP;
        int64_t error;
        int offset = 0;
        const int64_t activity = llrint(16 * deviation_of(&texture.measures[0], drawn, block));
        const int64_t a = activity / 96 < 2047 ? activity / 96 : 2047;
        const int64_t scaled = frame_lambda * (256 * a * a / (a * a + 16)) / 256;
        const int64_t lambda = scaled > 0 ? scaled : 1;
        memcpy(found, block_of(&texture, before, block), BLOCK);
        struct stream next = stream;
        int64_t least = cost_of(drawn, block, found, &error) + lambda * write_block(KEEP, 0, &next);
        const int64_t most = error + MAX_ADDED * activity;
        for (int i = 0; i < 2 * WINDOW; i++) {
            const int other = block_before(block, i % WINDOW + 1);
            if (other < 0) {
                continue;
            }
            uint8_t tried[BLOCK];
            const enum choice as = COPY + i / WINDOW;
            memcpy(tried, block_of(&texture, after, other), BLOCK);
            if (as == TAKE_ENDS) {
                choose_codes(drawn, block, tried);
            }
            next = stream;
            const int64_t cost = cost_of(drawn, block, tried, &error) +
                                 lambda * write_block(as, BLOCK * (block - other), &next);
            if (error <= most && cost < least) {
                least = cost;
                choice = as;
                offset = BLOCK * (block - other);
                memcpy(found, tried, BLOCK);
            }
        }
        EXPECT(memcmp(block_of(&texture, after, block), found, BLOCK) == 0, "not the least: choice",
               choice, offset);
        num_bits += write_block(choice, offset, &stream);
        num_choices[choice]++;
    }
    EXPECT(llabs((int64_t)result.num_bytes - num_bits / 8) < 8, "its bytes", result.num_bytes,
           num_bits / 8);
    EXPECT(quality > 80 || num_choices[TAKE_ENDS] > 0, "no block takes endpoints", 0, 1);
}

static double zstd_size(const blocks encoded)
{
    const struct weir_texture levels = {.num_levels = 1,
                                        .levels = {{encoded, (size_t)NUM_BLOCKS * BLOCK}}};
    struct weir_texture out;
    TEST_MUST(weir_zstd_compress(&levels, &out));
    const double size = (double)out.levels[0].size;
    weir_texture_finish(&out);
    return size;
}

// Noise of any brightness and little colour, whose blocks hardly repeat.
static void draw_noise(picture out)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        uint8_t *texel = out[i / WIDTH][i % WIDTH];
        const double y = 128 + 80 * sin(i % WIDTH / 19.0) * cos(i / WIDTH / 23.0) + 12 * noise();
        for (int c = 0; c < 3; c++) {
            texel[c] = clamp8(y + 20 * (c - 1) + noise());
        }
        texel[3] = 255;
    }
}

// At an error within half a percent of a movie's, a texture takes fewer bytes.
static void test_bytes(void)
{
    static picture drawn;
    static blocks before, in_movie, in_texture;
    draw_noise(drawn);
    encode_alone(&movie, drawn, before);
    memcpy(in_movie, before, sizeof(blocks));
    memcpy(in_texture, before, sizeof(blocks));
    optimise(&movie, drawn, 1, NULL, in_movie);
    optimise(&texture, drawn, 94, NULL, in_texture);
    const double error = squared_error(&texture, drawn, in_texture);
    const double most = squared_error(&movie, drawn, in_movie);
    EXPECT(error < 1.005 * most, "the error of a texture", error, most);
    EXPECT(zstd_size(in_texture) < 0.99 * zstd_size(in_movie), "bytes of a texture",
           zstd_size(in_texture), zstd_size(in_movie));
}

int main(void)
{
    seeded_start();
    for (int i = 0; i < 4; i += SANITIZED_STRIDE) {
        test_least();
        test_bytes();
    }
    return test_finish();
}
