// SPDX-License-Identifier: MIT
// The control of a rate: chooses the quality of each frame, so that a movie has so many bytes a
// second.
//
// A frame's share of the rate, and what the packets before it have too much or too little, give the
// size that it should have, and the model gives the lambda for that. For frames on their way, of
// which nothing is known yet, the model stands in; so the control does not swing.
#include "capture/stream/rate/control.h"

#include <math.h>
#include <stddef.h>

#define OFFSET 2.0     // of lambda, below which it changes little
#define PART 0.25      // of the scale, that has a point
#define FIND_STEP 0.02 // of the scale

// What a new frame changes of the level, its trend and a point.
#define LEVEL_SHARE 0.4
#define TREND_SHARE 0.02
#define MAX_TREND 0.02
#define POINT_SHARE 0.15

// A frame that differs from the one before it by more than this, and by more than noise and its
// lambda may change it, is behind a cut.
#define CUT 0.1
#define CUT_BY_NOISE 5.0 // of the mean difference
#define NOISE_SHARE 0.1
#define SAME_SCALE 0.06 // between neighbours whose difference is noise
#define MAX_SLOPE 3.0

// Sizes of eight photographs in percent of their blocks (docs/rate.md).
static const struct {
    double quality, size;
} curve[] = {{100, 96.8}, {95, 94.5}, {90, 92.3}, {85, 88.5}, {80, 83.2}, {75, 77.4}, {70, 72.4},
             {65, 68.3},  {60, 64.9}, {50, 60.2}, {40, 56.7}, {20, 51.4}, {1, 47.7}};
enum { NUM_IN_CURVE = sizeof(curve) / sizeof(curve[0]) };

static double scale_of(double quality)
{
    return log((100 - quality) * (100 - quality) / 40 + OFFSET);
}

static double quality_of(double scale)
{
    return 100 - sqrt(40 * fmax(exp(scale) - OFFSET, 0));
}

// Get the size of photographs, as a logarithm of its share in that of their blocks.
static double shape(double scale)
{
    const double quality = quality_of(scale);
    int i = 1;
    while (i < NUM_IN_CURVE - 1 && quality < curve[i].quality) {
        i++;
    }
    const double share = (curve[i - 1].quality - quality) /
                         (curve[i - 1].quality - curve[i].quality);
    return log((curve[i - 1].size + share * (curve[i].size - curve[i - 1].size)) / 100);
}

// Begin with what photographs come to. `raw_size`: of a frame's blocks [bytes].
static void model_init(struct weir_rate_model *model, double raw_size)
{
    *model = (struct weir_rate_model){.level = log(raw_size)};
}

// Find the known points around a place. NULL: there is none on that side.
static void find_points(const struct weir_rate_model *model, double scale,
                        const struct weir_rate_point **below, const struct weir_rate_point **above)
{
    *below = *above = NULL;
    for (int i = 0; i < WEIR_RATE_NUM_POINTS && !*above; i++) {
        const struct weir_rate_point *point = &model->points[i];
        if (point->is_known && point->scale <= scale) {
            *below = point;
        } else if (point->is_known) {
            *above = point;
        }
    }
}

static double log_size(const struct weir_rate_model *model, double scale)
{
    const struct weir_rate_point *below, *above;
    find_points(model, scale, &below, &above);
    if (below && above) {
        const double share = (scale - below->scale) / (above->scale - below->scale);
        return model->level + below->value + share * (above->value - below->value);
    }
    const struct weir_rate_point *one = below ? below : above;
    return model->level + shape(scale) + (one ? one->value - shape(one->scale) : 0);
}

// Get the size of the frame that comes so many frames behind the last one that was learned [bytes].
static double model_size(const struct weir_rate_model *model, uint64_t ahead, double scale)
{
    return exp(log_size(model, scale) + (double)ahead * model->trend);
}

// Get where that frame has a size [bytes]: the next place from `from` on, within `least` and
// `most`.
static double model_find(const struct weir_rate_model *model, uint64_t ahead, double size,
                         double from, double least, double most)
{
    const double want = log(size) - (double)ahead * model->trend;
    double at = log_size(model, from) - want;
    const double step = at > 0 ? FIND_STEP : -FIND_STEP;
    for (double next = from;
         at * step > 0 && next > least - FIND_STEP && next < most + FIND_STEP;) {
        next += step;
        const double there = log_size(model, next) - want;
        if (there * step <= 0) {
            return fmin(fmax(next - step * there / (there - at), least), most);
        }
        at = there;
    }
    return at * step > 0 ? (step > 0 ? most : least) : from;
}

static struct weir_rate_point *point_at(struct weir_rate_model *model, double scale)
{
    const int part = (int)floor((scale - log(OFFSET)) / PART);
    const int most = WEIR_RATE_NUM_POINTS - 1;
    return &model->points[part < 0 ? 0 : part > most ? most : part];
}

static void begin_picture(struct weir_rate_model *model, double scale, double size)
{
    *model = (struct weir_rate_model){
        .has_frame = true,
        .level = size - shape(scale),
        .noise = model->noise,
        .last_scale = scale,
        .last_size = size,
    };
    *point_at(model, scale) = (struct weir_rate_point){true, scale, shape(scale)};
}

// True if a frame differs from the one before it by more than noise and lambda explain.
static bool is_cut(const struct weir_rate_model *model, double scale, double size)
{
    const double most = fmax(CUT, CUT_BY_NOISE * model->noise) +
                        MAX_SLOPE * fabs(scale - model->last_scale);
    return !model->has_frame || fabs(size - model->last_size) > most;
}

// Sizes are found to be larger by this, as a logarithm.
static void model_shift(struct weir_rate_model *model, double change)
{
    model->level += change;
    model->last_size += change;
}

// Learn from a frame, in the order of frames. Returns true at a cut: the size is not one that
// pictures as before can have.
static bool model_learn(struct weir_rate_model *model, double scale, double bytes)
{
    const double size = log(fmax(bytes, 1));
    model->level += model->trend;
    const double error = size - log_size(model, scale);
    if (is_cut(model, scale, size)) {
        begin_picture(model, scale, size);
        return true;
    }
    if (fabs(scale - model->last_scale) < SAME_SCALE) {
        model->noise += NOISE_SHARE * (fabs(size - model->last_size) - model->noise);
    }
    model->last_scale = scale;
    model->last_size = size;
    struct weir_rate_point *point = point_at(model, scale);
    if (!point->is_known) {
        *point = (struct weir_rate_point){true, scale, size - model->level};
        return false;
    }
    model->level += LEVEL_SHARE * error;
    model->trend = fmin(fmax(model->trend + TREND_SHARE * error, -MAX_TREND), MAX_TREND);
    point->value += POINT_SHARE * (size - model->level - point->value);
    point->scale += POINT_SHARE * (scale - point->scale);
    return false;
}

#define WINDOW 2.0 // in which the rate is to hold [s]

// What packets have too much is taken back within about this time [s], but by no more than this
// part of the rate, so that the windows behind it do not have too little. What is more than
// MAX_DEBT is never taken back [s of the rate].
#define PAYBACK 1.0
#define MAX_PAYBACK 0.012
#define MAX_DEBT (0.05 * WINDOW)
#define MAX_CREDIT (0.02 * WINDOW)

// The most that lambda changes by between neighbours, on its scale: half a decibel in noise, a
// tenth of that in photographs. It stays where the size is within the dead band. Behind a cut, for
// so long at most [s], the right lambda is looked for by larger steps.
#define MAX_STEP 0.055        // 0.44 dB in noise
#define MAX_STEP_OF_BC4 0.02  // 0.48 dB
#define MAX_STEP_OF_BC7 0.038 // 0.48 dB
#define DEAD_BAND 0.01
#define MAX_SEARCH_STEP 0.9
#define MAX_SEARCH 0.5

#define INTERVAL_SHARE 0.1
#define GAP 4 // intervals: of one such gap nothing is learned
#define RATIO_SHARE 0.2
#define NS 1e-9

void weir_rate_init(struct weir_rate *rate, const struct weir_rate_params *params)
{
    *rate = (struct weir_rate){
        .params = *params,
        .least = scale_of(params->max_quality),
        .most = scale_of(1),
        .interval = 1 / params->frame_rate,
    };
    model_init(&rate->model, params->raw_size);
    rate->scale = model_find(&rate->model, 0, params->rate * rate->interval, rate->least,
                             rate->least, rate->most);
}

static struct weir_rate_frame *frame_at(struct weir_rate *rate, uint64_t number)
{
    return &rate->frames[number % WEIR_RATE_MAX_FRAMES];
}

// Get how many frames one is behind the last that was learned.
static uint64_t ahead_of(const struct weir_rate *rate, uint64_t number)
{
    return number + 1 - rate->num_learned;
}

static double size_of(struct weir_rate *rate, uint64_t number)
{
    const struct weir_rate_frame *frame = frame_at(rate, number);
    return frame->num_coded > 0 ? frame->num_coded * exp(rate->ratio)
                                : model_size(&rate->model, ahead_of(rate, number), frame->scale);
}

static void advance_time(struct weir_rate *rate, uint64_t time_ns)
{
    const double passed = (double)(time_ns - rate->time_ns) * NS;
    if (rate->end > 0) {
        const bool is_gap = passed > GAP * rate->interval;
        rate->debt -= passed * rate->params.rate;
        if (rate->end == 1) {
            rate->interval = passed;
        } else if (!is_gap || rate->is_gap) {
            rate->interval += INTERVAL_SHARE * (passed - rate->interval);
        }
        rate->is_gap = is_gap;
    }
    rate->time_ns = time_ns;
}

// Get how many packets a frame becomes.
static double packets_of(const struct weir_rate *rate)
{
    return rate->params.fills ? fmax(rate->interval * rate->params.frame_rate, 1) : 1;
}

// Get the debt with what is on its way. What is beyond its bounds is forgiven: no later window has
// to make up for it. Of a picture that does not need the rate there is no credit.
static double get_debt(struct weir_rate *rate)
{
    const double share = rate->params.rate * rate->interval;
    const double least = rate->is_short ? 0 : -MAX_CREDIT * rate->params.rate - share;
    double debt = rate->debt;
    for (uint64_t i = rate->begin; i < rate->end; i++) {
        debt += size_of(rate, i) * packets_of(rate);
    }
    const double bounded = fmin(fmax(debt, least), MAX_DEBT * rate->params.rate);
    rate->debt += bounded - debt;
    return bounded;
}

// Get the size that the next frame should have.
static double get_goal(struct weir_rate *rate)
{
    const double back = get_debt(rate) / (PAYBACK * rate->params.rate);
    return rate->params.rate * rate->interval / packets_of(rate) *
           (1 - fmin(fmax(back, -MAX_PAYBACK), MAX_PAYBACK));
}

static double max_step(const struct weir_rate *rate)
{
    const enum weir_codec codec = rate->params.codec;
    return codec == WEIR_CODEC_BC4   ? MAX_STEP_OF_BC4
           : codec == WEIR_CODEC_BC7 ? MAX_STEP_OF_BC7
                                     : MAX_STEP;
}

// True if the last frame that was learned had about the lambda of now.
static bool has_shown(const struct weir_rate *rate)
{
    return fabs(rate->learned_scale - rate->scale) < max_step(rate);
}

// Choose lambda for a size.
static double choose(struct weir_rate *rate, double goal)
{
    const uint64_t ahead = ahead_of(rate, rate->end);
    const double size = model_size(&rate->model, ahead, rate->scale);
    double wanted = rate->scale;
    if (fabs(log(size / goal)) > DEAD_BAND) {
        wanted = model_find(&rate->model, ahead, goal, wanted, rate->least, rate->most);
    }
    const bool is_settled = fabs(wanted - rate->scale) < max_step(rate) && has_shown(rate) &&
                            !rate->is_new_picture;
    rate->num_searched = is_settled || rate->num_searched == 0 ? 0 : rate->num_searched - 1;
    const double step = rate->num_searched > 0 ? MAX_SEARCH_STEP : max_step(rate);
    return fmin(fmax(wanted, rate->scale - step), rate->scale + step);
}

// See whether lambda is at an end of its range, as frames there have shown.
static void follow_ends(struct weir_rate *rate, double goal)
{
    const double size = model_size(&rate->model, ahead_of(rate, rate->end), rate->scale);
    const bool is_known = rate->num_searched == 0 && has_shown(rate);
    rate->is_short = is_known && rate->scale <= rate->least && size < goal;
    rate->is_over = is_known && rate->scale >= rate->most && size > goal;
}

double weir_rate_next(struct weir_rate *rate, uint64_t time_ns)
{
    advance_time(rate, time_ns);
    const double goal = get_goal(rate);
    if (rate->model.has_frame) {
        rate->scale = choose(rate, goal);
    }
    follow_ends(rate, goal);
    *frame_at(rate, rate->end++) = (struct weir_rate_frame){.scale = rate->scale};
    return quality_of(rate->scale);
}

static void learn(struct weir_rate *rate, uint64_t number, double size)
{
    const struct weir_rate_frame *frame = frame_at(rate, number);
    if (number < rate->num_learned) {
        return;
    }
    if (model_learn(&rate->model, frame->scale, size)) {
        rate->num_searched = 1 + (uint32_t)(MAX_SEARCH / rate->interval);
        rate->first_of_picture = number;
        rate->is_new_picture = true;
    }
    rate->learned_scale = frame->scale;
    rate->num_learned = number + 1;
}

void weir_rate_coded(struct weir_rate *rate, uint64_t number, double num_bytes)
{
    if (number >= rate->begin && number < rate->end) {
        frame_at(rate, number)->num_coded = fmax(num_bytes, 1);
        learn(rate, number, size_of(rate, number));
    }
}

void weir_rate_packed(struct weir_rate *rate, uint64_t number, double size)
{
    if (number < rate->begin || number >= rate->end) {
        return;
    }
    const struct weir_rate_frame *frame = frame_at(rate, number);
    if (frame->num_coded > 0) {
        const double before = rate->ratio;
        const double ratio = log(fmax(size, 1) / frame->num_coded);
        const bool is_first = rate->is_new_picture && number >= rate->first_of_picture;
        rate->ratio += (is_first || !rate->has_ratio ? 1 : RATIO_SHARE) * (ratio - before);
        model_shift(&rate->model, rate->ratio - before); // it is of packets
        rate->has_ratio = true;
        rate->is_new_picture = rate->is_new_picture && !is_first;
    }
    learn(rate, number, size);
    rate->debt += size;
    rate->begin = number + 1;
}

void weir_rate_repeated(struct weir_rate *rate, double size)
{
    rate->debt += size;
}
