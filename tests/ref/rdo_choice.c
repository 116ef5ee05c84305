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
    HOLD_HALF = 8,       // a half of the frame before stays if it costs no more than these bytes
    HOLD_BLOCK = 12,     // both, where they are measured together
    CHANGE_BYTES = 8,    // that others cost than what is held
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

// True if a measure takes in a half.
static bool measures_half(const struct ref_rdo_codec *codec, int measure, int half)
{
    return codec->num_measures == 1 || codec->refit || measure == half;
}

// True if what a measure takes in of a block is zero.
static bool is_none(const struct ref_rdo_codec *codec, int measure, const uint8_t *block)
{
    static const uint8_t none[HALF_SIZE] = {0};
    bool result = true;
    for (int half = 0; half < codec->num_halves; half++) {
        result = result && (!measures_half(codec, measure, half) ||
                            memcmp(block + half * HALF_SIZE, none, HALF_SIZE) == 0);
    }
    return result;
}

// Find out whether what a measure takes in of the frame before costs little. Returns what it loses.
static bool is_held(const struct ref_rdo_codec *codec, int measure, int lambda,
                    const struct ref_rdo_texels *source, const uint8_t *before,
                    const struct ref_rdo_loss *kept, struct ref_rdo_loss *loss)
{
    struct ref_rdo_texels decoded;
    codec->decode(before, &decoded);
    const struct ref_rdo_texels *const halves[2] = {&decoded, &decoded};
    *loss = loss_of(codec, measure, source, halves);
    const int bytes = codec->num_halves > codec->num_measures ? HOLD_BLOCK : HOLD_HALF;
    const int64_t limit = kept->error + REF_RDO_MAX_HELD * activity_of(codec, measure, source);
    return !is_none(codec, measure, before) && loss->cost <= kept->cost + (int64_t)lambda * bytes &&
           loss->error <= limit;
}

// Let a block keep the bytes of the frame before where that costs little: a half by itself, but
// where halves are no channels all of it or nothing.
static void hold(const struct ref_rdo_codec *codec, const int lambdas[2],
                 const struct ref_rdo_texels *source, const uint8_t *before,
                 struct ref_rdo_block *own, struct ref_rdo_candidate *candidate)
{
    struct ref_rdo_loss losses[2];
    for (int m = 0; m < codec->num_measures; m++) {
        candidate->is_held[m] = is_held(codec, m, lambdas[m], source, before, &candidate->kept[m],
                                        &losses[m]);
    }
    if (codec->refit && !(candidate->is_held[0] && candidate->is_held[1])) {
        candidate->is_held[0] = candidate->is_held[1] = false;
    }
    for (int m = 0; m < codec->num_measures; m++) {
        if (!candidate->is_held[m]) {
            continue;
        }
        candidate->kept[m] = losses[m];
        for (int half = 0; half < codec->num_halves; half++) {
            if (measures_half(codec, m, half)) {
                memcpy(own->bytes + half * HALF_SIZE, before + half * HALF_SIZE, HALF_SIZE);
            }
        }
        codec->decode(own->bytes, &own->decoded);
    }
}

struct ref_rdo_candidate ref_rdo_prepare(const struct ref_rdo_codec *codec,
                                         struct ref_rdo_block *own,
                                         const struct ref_rdo_texels *source, int lambda,
                                         const uint8_t *before)
{
    const struct ref_rdo_texels *const halves[2] = {&own->decoded, &own->decoded};
    struct ref_rdo_candidate result = {.lambda = 0};
    int lambdas[2] = {0};
    for (int m = 0; m < codec->num_measures; m++) {
        const int64_t activity = activity_of(codec, m, source);
        result.kept[m] = loss_of(codec, m, source, halves);
        lambdas[m] = lambda_at(codec, m, activity, lambda);
        result.lambda = lambdas[m] > result.lambda ? lambdas[m] : result.lambda;
        result.limits[m] = result.kept[m].error + REF_RDO_MAX_ADDED * activity;
        result.cost_limits[m] = codec->num_measures > 1
                                    ? result.kept[m].cost + (int64_t)lambdas[m] * codec->worth_bytes
                                    : INT64_MAX;
    }
    if (before) {
        hold(codec, lambdas, source, before, own, &result);
    }
    return result;
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

// True if a copy leaves the bytes that a measure takes in as they are.
static bool is_same(const struct ref_rdo_codec *codec, int measure, const struct copy *copy)
{
    bool same = !codec->refit || copy->choice == REF_RDO_COPY_BLOCK; // else the rest is made anew
    for (int half = 0; half < codec->num_halves; half++) {
        const int at = half * HALF_SIZE;
        same = same &&
               (!measures_half(codec, measure, half) || !ref_rdo_copies(copy->choice, half) ||
                memcmp(copy->own->bytes + at, copy->other->bytes + at, HALF_SIZE) == 0);
    }
    return same;
}

// Get what a copy costs. Returns whether there is such a copy within the limits. To change what is
// held costs more, and to leave it is always allowed.
static bool measure_copy(const struct ref_rdo_codec *codec,
                         const struct ref_rdo_candidate *candidate, const struct copy *copy,
                         int64_t *cost)
{
    const struct ref_rdo_texels *halves[2];
    for (int half = 0; half < 2; half++) {
        halves[half] = ref_rdo_copies(copy->choice, half) ? &copy->other->decoded
                                                          : &copy->own->decoded;
    }
    bool is_allowed = true;
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
    for (int m = 0; m < codec->num_measures; m++) {
        const bool stays = codec->num_measures > 1 && !is_refitted &&
                           !ref_rdo_copies(copy->choice, m);
        const struct ref_rdo_loss loss = stays ? candidate->kept[m]
                                               : loss_of(codec, m, copy->source, halves);
        const bool same = candidate->is_held[m] && is_same(codec, m, copy);
        *cost += loss.cost;
        *cost += candidate->is_held[m] && !same ? (int64_t)candidate->lambda * CHANGE_BYTES : 0;
        // What has no error shows one as steps, as ramps do.
        const bool was_exact = is_refitted && candidate->kept[m].error == 0;
        is_allowed = is_allowed && (stays || same ||
                                    (loss.error <= (was_exact ? 0 : candidate->limits[m]) &&
                                     loss.cost <= candidate->cost_limits[m]));
    }
    return is_allowed;
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
            if (measure_copy(codec, candidate, &copy, &cost)) {
                try_choice(&best, cost, choice, distance);
            }
        }
    }
    return best;
}
