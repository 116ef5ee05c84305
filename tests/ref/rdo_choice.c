// SPDX-License-Identifier: MIT
// What a block may become in the reference of rate-distortion optimisation, and what that costs.
//
// Units: channels in 1/4 code, squared errors in 1/16 of a squared code.
#include "tests/ref/rdo_choice.h"

#include <string.h>

enum {
    HALF_SIZE = REF_RDO_HALF_SIZE,
    NEAR_OFFSET = 2047,  // of a copy with a byte and three bits
    MAX_RUN = 64,        // of a copy [bytes]
    MAX_COST = 0x7fffff, // larger ones count as this
    MAX_ACTIVITY = 2047, // in its unit
    MIDDLE_ACTIVITY = 4, // at which a byte has half its weight
    HOLD_BYTES = 12,     // a block of the frame before stays if it costs no more than these
    CHANGE_BYTES = 8,    // that others cost then
};

int ref_rdo_block_size(const struct ref_rdo_codec *codec)
{
    return codec->num_halves * HALF_SIZE;
}

bool ref_rdo_copies(enum ref_rdo_choice choice, int half)
{
    return choice == REF_RDO_COPY_BLOCK ||
           choice == (half == 0 ? REF_RDO_COPY_FIRST : REF_RDO_COPY_SECOND);
}

// Get the error of one block with the halves of two, and what it costs without its bytes: the error
// of the mean counts twice, since it shows more and flickers.
static struct ref_rdo_loss loss_of(const struct ref_rdo_codec *codec, int measure,
                                   const struct ref_rdo_texels *source,
                                   const struct ref_rdo_texels *const halves[2])
{
    const struct ref_rdo_squares squares = codec->measure(measure, source, halves);
    return (struct ref_rdo_loss){squares.sum, squares.sum + squares.of_sum / 16};
}

// Get the squared deviation of texels from their mean.
static int64_t activity_of(const struct ref_rdo_codec *codec, int measure,
                           const struct ref_rdo_texels *source)
{
    static const struct ref_rdo_texels none = {0};
    const struct ref_rdo_texels *const halves[2] = {&none, &none};
    const struct ref_rdo_squares squares = codec->measure(measure, source, halves);
    return squares.sum - squares.of_sum / 16;
}

// Get the weight of a byte in a block: little where it is smooth, since there it shows.
static int lambda_at(const struct ref_rdo_codec *codec, int measure, int64_t activity, int lambda)
{
    const int64_t units = activity / codec->activity_units[measure];
    const int a = units < MAX_ACTIVITY ? (int)units : MAX_ACTIVITY;
    const int share = 256 * a * a / (a * a + MIDDLE_ACTIVITY * MIDDLE_ACTIVITY);
    const int least = lambda < codec->least_lambda ? lambda : codec->least_lambda;
    const int result = lambda * share / 256;
    return result > least ? result : least;
}

// Write a half as a literal or, with an offset, as a copy. Returns the bytes that it takes.
static int write_half(struct ref_rdo_stream *stream, uint32_t offset)
{
    if (offset == 0) {
        const int tag = stream->is_literal ? 0 : 1;
        *stream = (struct ref_rdo_stream){.is_literal = true};
        return HALF_SIZE + tag;
    }
    const bool is_near = offset <= NEAR_OFFSET;
    if (!stream->is_literal && stream->offset == offset && stream->run < MAX_RUN) {
        const bool grows = is_near && stream->run == HALF_SIZE; // to the form that has any length
        stream->run += HALF_SIZE;
        return grows ? 1 : 0;
    }
    *stream = (struct ref_rdo_stream){.offset = offset, .run = HALF_SIZE};
    return is_near ? 2 : 3;
}

int ref_rdo_write(const struct ref_rdo_codec *codec, struct ref_rdo_stream *stream,
                  enum ref_rdo_choice choice, uint32_t offset)
{
    int bytes = 0;
    for (int half = 0; half < codec->num_halves; half++) {
        bytes += write_half(stream, ref_rdo_copies(choice, half) ? offset : 0);
    }
    return bytes;
}

// Let a block keep the bytes of the frame before where that costs little. There is one measure.
static void hold(const struct ref_rdo_codec *codec, struct ref_rdo_candidate *candidate,
                 struct ref_rdo_block *own, const struct ref_rdo_texels *source, int64_t limit,
                 const uint8_t *before)
{
    static const uint8_t none[REF_RDO_MAX_BLOCK_SIZE] = {0};
    const size_t size = (size_t)ref_rdo_block_size(codec);
    struct ref_rdo_texels decoded;
    codec->decode(before, &decoded);
    const struct ref_rdo_texels *const halves[2] = {&decoded, &decoded};
    const struct ref_rdo_loss loss = loss_of(codec, 0, source, halves);
    const int64_t most = candidate->kept[0].cost + (int64_t)candidate->lambda * HOLD_BYTES;
    if (memcmp(before, none, size) != 0 && loss.cost <= most && loss.error <= limit) {
        candidate->kept[0] = loss;
        candidate->is_held = true;
        memcpy(own->bytes, before, size);
        own->decoded = decoded;
    }
}

struct ref_rdo_candidate ref_rdo_prepare(const struct ref_rdo_codec *codec,
                                         struct ref_rdo_block *own,
                                         const struct ref_rdo_texels *source, int lambda,
                                         const uint8_t *before)
{
    const struct ref_rdo_texels *const halves[2] = {&own->decoded, &own->decoded};
    struct ref_rdo_candidate result = {.is_held = false};
    for (int m = 0; m < codec->num_measures; m++) {
        const int64_t activity = activity_of(codec, m, source);
        result.kept[m] = loss_of(codec, m, source, halves);
        const int own_lambda = lambda_at(codec, m, activity, lambda);
        result.lambda = own_lambda > result.lambda ? own_lambda : result.lambda;
        result.limits[m] = result.kept[m].error + REF_RDO_MAX_ADDED * activity;
        result.cost_limits[m] = codec->num_measures > 1
                                    ? result.kept[m].cost + (int64_t)own_lambda * codec->worth_bytes
                                    : INT64_MAX;
    }
    if (before) {
        const int64_t added = REF_RDO_MAX_HELD * activity_of(codec, 0, source);
        hold(codec, &result, own, source, result.kept[0].error + added, before);
    }
    return result;
}

// True if a copy gives a block the bytes that it has.
static bool is_same(const struct ref_rdo_codec *codec, const struct ref_rdo_block *own,
                    const struct ref_rdo_block *other, enum ref_rdo_choice choice)
{
    bool same = true;
    for (int half = 0; half < codec->num_halves; half++) {
        const int at = half * HALF_SIZE;
        same = same && (!ref_rdo_copies(choice, half) ||
                        memcmp(own->bytes + at, other->bytes + at, HALF_SIZE) == 0);
    }
    return same;
}

static void try_choice(struct ref_rdo_best *best, int64_t cost, enum ref_rdo_choice choice,
                       int distance)
{
    const int64_t cut = cost < MAX_COST ? cost : MAX_COST;
    if (cut < best->cost ||
        (cut == best->cost &&
         (choice < best->choice || (choice == best->choice && distance < best->distance)))) {
        *best = (struct ref_rdo_best){cut, choice, distance};
    }
}

// A copy that a block may take.
struct copy {
    const struct ref_rdo_block *own, *other;
    const struct ref_rdo_texels *source;
    enum ref_rdo_choice choice;
};

// Get what the texels of a copy cost. Returns whether there is such a copy within the limits.
static bool measure_copy(const struct ref_rdo_codec *codec,
                         const struct ref_rdo_candidate *candidate, const struct copy *copy,
                         int64_t *cost)
{
    const struct ref_rdo_texels *halves[2];
    for (int half = 0; half < 2; half++) {
        halves[half] = ref_rdo_copies(copy->choice, half) ? &copy->other->decoded
                                                          : &copy->own->decoded;
    }
    struct ref_rdo_texels refitted;
    const bool is_refitted = codec->refit && copy->choice != REF_RDO_COPY_BLOCK;
    if (is_refitted) {
        uint8_t bytes[REF_RDO_MAX_BLOCK_SIZE];
        const int half = ref_rdo_copies(copy->choice, 0) ? 0 : 1;
        if (!codec->refit(copy->source, copy->other->bytes, half, bytes)) {
            return false;
        }
        codec->decode(bytes, &refitted);
        halves[0] = halves[1] = &refitted;
    }
    bool is_within = true;
    for (int m = 0; m < codec->num_measures; m++) {
        const bool stays = codec->num_measures > 1 && !is_refitted &&
                           !ref_rdo_copies(copy->choice, m);
        const struct ref_rdo_loss loss = stays ? candidate->kept[m]
                                               : loss_of(codec, m, copy->source, halves);
        *cost += loss.cost;
        // What has no error shows one as steps, as ramps do.
        const bool was_exact = is_refitted && candidate->kept[m].error == 0;
        is_within = is_within && loss.error <= (was_exact ? 0 : candidate->limits[m]) &&
                    loss.cost <= candidate->cost_limits[m];
    }
    return is_within;
}

struct ref_rdo_best ref_rdo_choose(const struct ref_rdo_codec *codec,
                                   const struct ref_rdo_block *blocks, int b,
                                   const struct ref_rdo_texels *source,
                                   const struct ref_rdo_stream *stream,
                                   const struct ref_rdo_candidate *candidate)
{
    const struct ref_rdo_block *own = &blocks[b];
    const int last_choice = codec->num_halves > 1 ? REF_RDO_COPY_FIRST : REF_RDO_COPY_BLOCK;
    struct ref_rdo_best best = {INT64_MAX, REF_RDO_KEEP, 0};
    const int64_t kept = candidate->kept[0].cost + candidate->kept[1].cost;
    const int64_t lambda = candidate->lambda;
    struct ref_rdo_stream next = *stream;
    try_choice(&best, kept + lambda * ref_rdo_write(codec, &next, REF_RDO_KEEP, 0), REF_RDO_KEEP,
               0);
    for (int distance = 1; distance <= REF_RDO_WINDOW && distance <= b && lambda > 0; distance++) {
        const struct ref_rdo_block *other = &blocks[b - distance];
        const uint32_t offset = (own->place - other->place) * (uint32_t)ref_rdo_block_size(codec);
        if (offset > REF_RDO_MAX_OFFSET) {
            break;
        }
        for (int choice = REF_RDO_COPY_BLOCK; choice <= last_choice; choice++) {
            const struct copy copy = {own, other, source, choice};
            next = *stream;
            int64_t cost = lambda * ref_rdo_write(codec, &next, choice, offset);
            if (cost > best.cost) {
                continue; // whatever it loses
            }
            bool is_allowed = measure_copy(codec, candidate, &copy, &cost);
            if (candidate->is_held) {
                const bool same = is_same(codec, own, other, choice);
                cost += same ? 0 : lambda * CHANGE_BYTES;
                is_allowed = is_allowed || same;
            }
            if (is_allowed) {
                try_choice(&best, cost, choice, distance);
            }
        }
    }
    return best;
}
