// SPDX-License-Identifier: MIT
// Constant rate: a frame at every point of the grid, the right one, by FFmpeg and a model.
// blocks_faults_test.c has failures while packets are repeated.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/stream/clock/clock.h"
#include "recording.h"
#include "reference.h"
#include "testing.h"

#define SECOND_NS UINT64_C(1000000000)

// The point of a rate that is nearest to a time of at most some minutes.
static uint64_t nearest(uint64_t time_ns, uint32_t num, uint32_t den)
{
    const uint64_t frame_ns = den * SECOND_NS; // times num
    return (time_ns * num + frame_ns / 2) / frame_ns;
}

// Frames on points of a constant rate, up to half a frame off, and a second one on each of them.
static void test_points(void)
{
    static const uint32_t rates[][2] = {{60, 1},       {30000, 1001}, {24000, 1001}, {25, 1},
                                        {60000, 1001}, {1000, 1},     {1, 1},        {999999, 1000},
                                        {144, 1},      {2997, 50}};
    struct weir_pauses pauses;
    test_expect(weir_pauses_init(&pauses), "memory");
    for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
        const uint32_t num = rates[r][0], den = rates[r][1];
        struct weir_times times;
        weir_times_init(&times, &(struct weir_times_params){.rate_num = num,
                                                            .rate_den = den,
                                                            .constant_rate = true,
                                                            .pauses = &pauses});
        test_expect(weir_ticks_fit(num, den), "%u/%u fits", num, den);
        struct weir_times_place place = weir_times_place(&times, 0);
        weir_times_record(&times, &place);
        uint64_t point = 0;
        for (int i = 0; i < 10000; i++) {
            point += 1 + test_below(3);
            // Up to half a frame off, less what the rounding to ticks may take.
            const uint64_t half_ns = den * SECOND_NS / num / 2 - SECOND_NS / times.ticks_per_second;
            const uint64_t exact_ns = point / num * den * SECOND_NS +
                                      point % num * den * SECOND_NS / num;
            const uint64_t time_ns = exact_ns - half_ns + test_below(2 * half_ns);
            place = weir_times_place(&times, (int64_t)time_ns);
            test_expect(place.verdict == WEIR_TIMES_RECORD &&
                            weir_ticks_from_ns(place.movie_ns, times.ticks_per_second) ==
                                point * times.ticks_per_frame,
                        "%u/%u: frame %" PRIu64 " at %" PRIu64 " ns", num, den, point,
                        place.movie_ns);
            weir_times_record(&times, &place);
            test_expect(weir_times_place(&times, (int64_t)time_ns + 1).verdict == WEIR_TIMES_SKIP,
                        "%u/%u: the second one of frame %" PRIu64, num, den, point);
        }
    }
    test_expect(!weir_ticks_fit(1000003, 1000), "a rate that no ticks say");
    weir_pauses_finish(&pauses);
}

// True where the rounding to ticks may decide between two points.
static bool is_between(uint64_t time_ns, uint32_t num, uint32_t den)
{
    const uint64_t tick_ns = 20000;
    return nearest(time_ns - tick_ns, num, den) != nearest(time_ns + tick_ns, num, den);
}

enum { MOST_POINTS = 40000 };

// What the movie should hold: the colour of each point.
struct model {
    uint8_t colors[MOST_POINTS];
    uint64_t num_points, num_taken;
};

// The last colour stays from the points that the model has up to another one.
static void fill_up(struct model *model, uint64_t point)
{
    for (; model->num_points > 0 && model->num_points < point; model->num_points++) {
        model->colors[model->num_points] = model->colors[model->num_points - 1];
    }
}

// Frames that jitter, come in bursts, and stay away, for less than `left` points. Returns the time
// of a movie that begins at 0.
static int64_t hand_over(struct recording *recording, struct model *model,
                         const struct weir_capture_params *params, uint64_t left)
{
    const uint64_t frame_ns = SECOND_NS * params->timing.frame_rate.den /
                              params->timing.frame_rate.num;
    const int64_t zero_ns = -(int64_t)test_below(100 * SECOND_NS);
    uint64_t time_ns = 0, point = 0;
    while (point < left) {
        const bool is_white = test_random() % 2;
        const bool is_first = model->num_points <= point;
        test_expect(recording_present(recording, zero_ns + (int64_t)time_ns, is_white) ==
                        (is_first ? WEIR_OK : WEIR_SKIPPED),
                    "frame at %" PRIu64 " ns", time_ns);
        if (is_first) {
            fill_up(model, point);
            model->colors[model->num_points++] = is_white ? 255 : 0;
            model->num_taken++;
        }
        const uint64_t kind = test_below(100);
        time_ns += kind < 60   ? frame_ns / 2 + test_below(frame_ns)
                   : kind < 90 ? 1 + test_below(frame_ns / 2)
                   : kind < 99 ? test_below(10 * frame_ns) + 1
                               : test_below(100 * frame_ns) + 1;
        while (is_between(time_ns, params->timing.frame_rate.num, params->timing.frame_rate.den)) {
            time_ns += 1000;
        }
        point = nearest(time_ns, params->timing.frame_rate.num, params->timing.frame_rate.den);
    }
    return zero_ns;
}

// Close at a time of up to 200 points behind the last frame. There is one at each before it.
static struct weir_capture_stats end_later(struct recording *recording, struct model *model,
                                           const struct weir_capture_params *params,
                                           int64_t zero_ns)
{
    const struct weir_ratio rate = params->timing.frame_rate;
    const uint64_t before = model->num_points, frame_ns = SECOND_NS * rate.den / rate.num;
    const uint64_t tick_ns = 20000;
    uint64_t end_ns = before * SECOND_NS * rate.den / rate.num + test_below(200 * frame_ns);
    if (test_below(4) == 0) {
        end_ns = (before - 1) * SECOND_NS * rate.den / rate.num; // the last frame begins there
    } else if ((end_ns + tick_ns) * rate.num / (SECOND_NS * rate.den) !=
               (end_ns - tick_ns) * rate.num / (SECOND_NS * rate.den)) {
        end_ns += 3 * tick_ns; // the rounding to ticks decides nothing
    }
    fill_up(model, (end_ns * rate.num + SECOND_NS * rate.den - 1) / (SECOND_NS * rate.den));
    return recording_end_at(recording, zero_ns + (int64_t)end_ns, WEIR_OK);
}

static bool is_rate(AVRational rate, const struct weir_capture_params *params)
{
    return rate.num == (int)params->timing.frame_rate.num &&
           rate.den == (int)params->timing.frame_rate.den;
}

// A packet a point, and FFmpeg takes it for a movie of that rate.
static void check_packets(const struct weir_capture_params *params, const struct model *model)
{
    const int64_t duration = weir_ticks_per_frame(
        params->timing.frame_rate.num, params->timing.frame_rate.den,
        weir_ticks_per_second(params->timing.frame_rate.num, params->timing.frame_rate.den));
    struct reference reference;
    reference_open(&reference, params->path);
    const struct reference_stream *frames = reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0);
    test_expect(frames->facts && is_rate(frames->facts->r_frame_rate, params) &&
                    is_rate(frames->facts->avg_frame_rate, params),
                "FFmpeg reads the rate %u/%u", params->timing.frame_rate.num,
                params->timing.frame_rate.den);
    for (size_t i = 0; i < frames->num_packets; i++) {
        const struct reference_packet *packet = &frames->packets[i];
        if (!test_expect(packet->pts == (int64_t)i * duration && packet->duration == duration,
                         "packet %zu at %" PRId64 " for %" PRId64, i, packet->pts,
                         packet->duration)) {
            break;
        }
    }
    test_expect(!reference.complaint[0] && frames->num_packets == model->num_points,
                "%zu packets of %" PRIu64 ": %s", frames->num_packets, model->num_points,
                reference.complaint);
    reference_close(&reference);
}

static void check_colors(const char *path, const struct model *model)
{
    static uint8_t greens[MOST_POINTS];
    const int num = reference_read_greens(path, greens, MOST_POINTS);
    test_expect((uint64_t)num == model->num_points, "%d frames of %" PRIu64, num,
                model->num_points);
    for (int i = 0; i < num && (uint64_t)i < model->num_points; i++) {
        test_expect(abs(greens[i] - model->colors[i]) <= 2, "frame %d is %u, want %u", i, greens[i],
                    model->colors[i]);
    }
}

static void test_rate(uint32_t num, uint32_t den, bool snappy, uint64_t num_points)
{
    static struct recording recording;
    static struct model model;
    const struct weir_capture_params params = {.path = test_path("constant.mov"),
                                               .timing.frame_rate = {num, den},
                                               .timing.constant_rate = true,
                                               .rate.compression = snappy ? WEIR_COMPRESSION_SNAPPY
                                                                          : WEIR_COMPRESSION_NONE};
    model.num_points = model.num_taken = 0;
    recording_open(&recording, &params);
    const int64_t zero_ns = hand_over(&recording, &model, &params, num_points);
    const struct weir_capture_stats stats = end_later(&recording, &model, &params, zero_ns);
    test_expect(stats.written == model.num_taken && stats.in_flight == 0 &&
                    stats.written + stats.repeated == model.num_points &&
                    stats.received == stats.written + stats.skipped,
                "%u/%u: %" PRIu64 " written, %" PRIu64 " repeated, %" PRIu64 " skipped", num, den,
                stats.written, stats.repeated, stats.skipped);
    check_packets(&params, &model);
    check_colors(params.path, &model);
}

// A program that takes packets of both kinds, and sees that each is where it belongs.
struct taker {
    int64_t num_packets, num_samples;
    int32_t first; // the number of the first sample
};

static enum weir_result accept_frame(void *user, const struct weir_capture_packet *packet)
{
    struct taker *taker = user;
    test_expect(packet->pts == 1800 * taker->num_packets &&
                    packet->time_ns == (uint64_t)taker->num_packets * SECOND_NS / 50,
                "packet %" PRId64 " at %" PRId64, taker->num_packets, packet->pts);
    taker->num_packets++;
    return WEIR_OK;
}

static enum weir_result accept_sound(void *user, const struct weir_capture_audio_packet *packet)
{
    struct taker *taker = user;
    int32_t sample;
    test_expect(packet->pts == taker->num_samples, "sound at %" PRId64, packet->pts);
    for (uint32_t i = 0; i < packet->num_samples; i++) {
        memcpy(&sample, packet->data + i * sizeof(sample), sizeof(sample));
        taker->first = taker->num_samples == 0 ? sample : taker->first;
        test_expect(sample == taker->first + (int32_t)taker->num_samples, "sample %" PRId32,
                    sample);
        taker->num_samples++;
    }
    return WEIR_OK;
}

// Sound goes on where frames are missing, and stays beside them.
static void test_sound(void)
{
    enum { RATE = 8000, NUM_FRAMES = 400 };
    static const struct weir_audio_track mono = {
        .sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S32};
    static struct recording recording;
    struct taker taker = {.num_packets = 0};
    recording_open(&recording,
                   &(struct weir_capture_params){
                       .sink = WEIR_SINK_CALLBACK,
                       .callbacks = {.packet = accept_frame, .audio = accept_sound, .user = &taker},
                       .audio = {.tracks = &mono, .num_tracks = 1},
                       .timing.frame_rate = {50, 1},
                       .timing.constant_rate = true,
                   });
    int64_t point = 0;
    int32_t position = -RATE / 10;
    for (int i = 0; i < NUM_FRAMES; i++) {
        const int64_t frame_ns = (int64_t)SECOND_NS / 50;
        const int64_t jitter_ns = i > 0 ? (int64_t)test_below(10000000) - 5000000 : 0;
        recording_present(&recording, point * frame_ns + jitter_ns, false);
        int32_t samples[RATE / 50];
        for (; position < (point + 5) * RATE / 50; position += RATE / 50) {
            for (int32_t k = 0; k < RATE / 50; k++) {
                samples[k] = position + k + 1;
            }
            weir_capture_audio(recording.capture, 0, samples, RATE / 50,
                               position * (int64_t)SECOND_NS / RATE);
        }
        point += 1 + (int64_t)(i < NUM_FRAMES - 1 && test_below(10) == 0 ? test_below(200) : 0);
    }
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_OK);
    test_expect(taker.num_packets == point && stats.written == NUM_FRAMES &&
                    stats.written + stats.repeated == (uint64_t)point,
                "%" PRId64 " packets of %" PRId64, taker.num_packets, point);
    test_expect(taker.first == 1 && stats.audio.silence == 0 && taker.num_samples == position,
                "%" PRId64 " samples from %" PRId32 " on", taker.num_samples, taker.first);
}

int main(void)
{
    test_points();
    test_rate(60, 1, false, 20000);
    test_rate(30000, 1001, true, 5000);
    test_rate(24000, 1001, false, 5000);
    test_rate(25, 1, true, 5000);
    test_rate(60000, 1001, false, 5000);
    test_sound();
    return test_finish();
}
