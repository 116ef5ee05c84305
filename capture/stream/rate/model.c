// SPDX-License-Identifier: MIT
// The model of a rate: how large a frame becomes at a lambda, learned from the frames of late.
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

double weir_rate_scale_of(double quality)
{
    return log((100 - quality) * (100 - quality) / 40 + OFFSET);
}

double weir_rate_quality_of(double scale)
{
    return 100 - sqrt(40 * fmax(exp(scale) - OFFSET, 0));
}

// Get the size of photographs, as a logarithm of its share in that of their blocks.
static double shape(double scale)
{
    const double quality = weir_rate_quality_of(scale);
    int i = 1;
    while (i < NUM_IN_CURVE - 1 && quality < curve[i].quality) {
        i++;
    }
    const double share = (curve[i - 1].quality - quality) /
                         (curve[i - 1].quality - curve[i].quality);
    return log((curve[i - 1].size + share * (curve[i].size - curve[i - 1].size)) / 100);
}

void weir_rate_model_init(struct weir_rate_model *model, double raw_size)
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

double weir_rate_model_size(const struct weir_rate_model *model, uint64_t ahead, double scale)
{
    return exp(log_size(model, scale) + (double)ahead * model->trend);
}

double weir_rate_model_find(const struct weir_rate_model *model, uint64_t ahead, double size,
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

void weir_rate_model_shift(struct weir_rate_model *model, double change)
{
    model->level += change;
    model->last_size += change;
}

bool weir_rate_model_learn(struct weir_rate_model *model, double scale, double bytes)
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
