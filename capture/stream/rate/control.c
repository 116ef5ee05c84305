// SPDX-License-Identifier: MIT
// The control of a rate: chooses the quality of each frame, so that a movie has so many bytes a
// second.
//
// A frame's share of the rate, and what the packets before it have too much or too little, give the
// size that it should have, and the model gives the lambda for that. For frames on their way, of
// which nothing is known yet, the model stands in; so the control does not swing.
#include "capture/stream/rate/control.h"

#include <math.h>

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
        .least = weir_rate_scale_of(params->max_quality),
        .most = weir_rate_scale_of(1),
        .interval = 1 / params->frame_rate,
    };
    weir_rate_model_init(&rate->model, params->raw_size);
    rate->scale = weir_rate_model_find(&rate->model, 0, params->rate * rate->interval, rate->least,
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
    return frame->num_coded > 0
               ? frame->num_coded * exp(rate->ratio)
               : weir_rate_model_size(&rate->model, ahead_of(rate, number), frame->scale);
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
    const double size = weir_rate_model_size(&rate->model, ahead, rate->scale);
    double wanted = rate->scale;
    if (fabs(log(size / goal)) > DEAD_BAND) {
        wanted = weir_rate_model_find(&rate->model, ahead, goal, wanted, rate->least, rate->most);
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
    const double size = weir_rate_model_size(&rate->model, ahead_of(rate, rate->end), rate->scale);
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
    return weir_rate_quality_of(rate->scale);
}

static void learn(struct weir_rate *rate, uint64_t number, double size)
{
    const struct weir_rate_frame *frame = frame_at(rate, number);
    if (number < rate->num_learned) {
        return;
    }
    if (weir_rate_model_learn(&rate->model, frame->scale, size)) {
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
        weir_rate_model_shift(&rate->model, rate->ratio - before); // it is of packets
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
