// SPDX-License-Identifier: MIT
// Each block of BC4 and BC5 becomes what has the least D + lambda * R of all that it may be, as a
// search of the whole window finds. WEIR_SEED repeats a run.
#include "tests/unit/rdo_pictures.h"

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

int main(void)
{
    seeded_start();
    for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
        const bool is_searched = subjects[i].codec == WEIR_CODEC_BC4 ||
                                 subjects[i].codec == WEIR_CODEC_BC5;
        for (int k = 0; k < 4 && is_searched; k++) {
            test_least(&subjects[i]);
        }
    }
    return test_finish();
}
