// SPDX-License-Identifier: MIT
// Where samples of sound go by their times: calls of a host that is late, early, silent, or whose
// clock drifts, against a model of what a track should hold; and the buffer under two threads.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/stream/audio/audio.h"
#include "recording.h"
#include "testing.h"
#include "tests/sanitized.h"

#define SECOND_NS INT64_C(1000000000)

// A sink that keeps the samples of a mono track of 32 bits.
static struct {
    int32_t *samples;
    uint64_t num, room;
} kept;

static enum weir_result ignore_packet(void *user, const struct weir_capture_packet *packet)
{
    (void)user;
    (void)packet;
    return WEIR_OK;
}

static enum weir_result keep_audio(void *user, const struct weir_capture_audio_packet *audio)
{
    (void)user;
    test_expect(audio->pts == (int64_t)kept.num, "samples at %lld behind %llu",
                (long long)audio->pts, (unsigned long long)kept.num);
    while (kept.num + audio->num_samples > kept.room) {
        kept.room = kept.room * 2 + 65536;
        kept.samples = realloc(kept.samples, kept.room * sizeof(kept.samples[0]));
    }
    memcpy(kept.samples + kept.num, audio->data, audio->size);
    kept.num += audio->num_samples;
    return WEIR_OK;
}

static void open_kept(struct recording *recording, uint32_t sample_rate, enum weir_policy policy)
{
    const struct weir_audio_track track = {
        .sample_rate = sample_rate, .num_channels = 1, .format = WEIR_SAMPLE_S32};
    kept.num = 0;
    recording_open_size(recording, RECORDING_SIDE, RECORDING_SIDE,
                        &(struct weir_capture_params){
                            .sink = WEIR_SINK_CALLBACK,
                            .callbacks = {.packet = ignore_packet, .audio = keep_audio},
                            .codec = WEIR_MOVIE_CODEC_HAP_Q,
                            .audio = {.tracks = &track, .num_tracks = 1},
                            .policy = policy,
                            .num_slots = 63,
                        });
}

// The model: a track as a row of numbers, in which each call is put by the rules of the header.
struct model {
    int32_t *samples;
    int64_t num;
    bool has_call;
    uint64_t num_silent, num_cut;
};

static void model_put(struct model *model, int64_t position, const int32_t *samples, int64_t num,
                      int64_t tolerance)
{
    const int64_t off = position - model->num;
    if (model->has_call && off <= tolerance && off >= -tolerance) {
        position = model->num;
    }
    int64_t first = 0;
    while (first < num && position + first < model->num) {
        first++;
    }
    model->num_cut += (uint64_t)first;
    if (first == num) {
        return;
    }
    model->has_call = true;
    for (; model->num < position; model->num++, model->num_silent++) {
        model->samples[model->num] = 0;
    }
    for (; first < num; first++) {
        model->samples[model->num++] = samples[first];
    }
}

static void test_random_calls(void)
{
    enum { MAX_CALL = 3000, NUM_CALLS = 60 };
    static const uint32_t rates[] = {8000, 44100, 48000, 96000};
    const uint32_t sample_rate = rates[(uint32_t)test_below(4)];
    struct model model = {.samples = calloc(NUM_CALLS * (MAX_CALL + 96000), 4)};
    struct recording recording;
    int32_t samples[MAX_CALL], next = 1;
    const int64_t zero_ns = (int64_t)(test_random() >> 2) - (INT64_MAX >> 2);
    open_kept(&recording, sample_rate, WEIR_POLICY_WAIT);
    recording_present(&recording, zero_ns, false);
    int64_t position = (int64_t)test_below(sample_rate) - sample_rate / 2;
    for (int i = 0; i < NUM_CALLS; i++) {
        const uint32_t num = 1 + (uint32_t)test_below((uint32_t)test_below(2) ? 64 : MAX_CALL);
        // Mostly in turn and off by less than is heard; at times a gap, or once more what was.
        const uint32_t kind = (uint32_t)test_below(16);
        const int64_t jitter = (int64_t)test_below(sample_rate / 30) - sample_rate / 60;
        position += kind == 0   ? (uint32_t)test_below(sample_rate / 2)
                    : kind == 1 ? -(int64_t)test_below(6000)
                                : 0;
        const int64_t at = position + ((uint32_t)test_below(2) ? jitter : 0);
        for (uint32_t n = 0; n < num; n++) {
            samples[n] = next++;
        }
        // A position's time, rounded down or up to a nanosecond.
        const int64_t since = at * SECOND_NS / sample_rate + (uint32_t)test_below(2);
        weir_capture_audio(recording.capture, 0, samples, num, zero_ns + since);
        model_put(&model, at, samples, num, sample_rate / 25);
        position += num;
    }
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_OK);
    test_expect((int64_t)kept.num == model.num && stats.audio.silence == model.num_silent &&
                    stats.audio.dropped_by_reason[WEIR_AUDIO_DROP_TIME] == model.num_cut &&
                    stats.audio.dropped == model.num_cut && stats.audio.written == kept.num,
                "%llu samples of %lld, %llu silent of %llu, %llu cut of %llu",
                (unsigned long long)kept.num, (long long)model.num,
                (unsigned long long)stats.audio.silence, (unsigned long long)model.num_silent,
                (unsigned long long)stats.audio.dropped, (unsigned long long)model.num_cut);
    for (uint64_t i = 0; i < kept.num; i++) {
        if (!test_expect(kept.samples[i] == model.samples[i], "sample %llu is %d, not %d",
                         (unsigned long long)i, kept.samples[i], model.samples[i])) {
            break;
        }
    }
    free(model.samples);
}

// Times that are rounded, to whatever, neither add nor take away a sample.
static void test_rounding(void)
{
    static const int64_t steps_ns[] = {1, 100, 1000, 1000000, 10000000};
    static const uint32_t rates[] = {44100, 48000, 96000};
    for (int i = 0; i < 15; i++) {
        const uint32_t sample_rate = rates[i % 3];
        const int64_t step_ns = steps_ns[i / 3];
        struct weir_audio_timeline timeline;
        weir_audio_timeline_init(&timeline, sample_rate, UINT64_C(3600000000000));
        int64_t position = 0;
        bool is_changed = false;
        while (position < 600 * (int64_t)sample_rate) {
            const uint32_t num = 1 + (uint32_t)test_below(2048);
            int64_t time_ns = position / sample_rate * SECOND_NS +
                              position % sample_rate * SECOND_NS / sample_rate;
            time_ns -= time_ns % step_ns;
            const struct weir_audio_call call = {.time_ns = time_ns, .num_samples = num};
            const struct weir_audio_place place = weir_audio_timeline_place(&timeline, &call);
            is_changed |= place.silence > 0 || place.cut > 0 || place.drift != 0;
            position += num;
        }
        test_expect(!is_changed && timeline.next == (uint64_t)position,
                    "times in steps of %lld ns at %u Hz", (long long)step_ns, sample_rate);
    }
}

// The clock of the sound is off by some parts in a million from that of the frames, and calls come
// late by up to 5 ms. The sound stays with the frames, by single samples.
static void test_drift(int parts)
{
    enum { RATE = 48000, CALL = 480, SECONDS = 1800 };
    struct weir_audio_timeline timeline;
    weir_audio_timeline_init(&timeline, RATE, UINT64_C(3600000000000));
    int64_t position = 0, most_off = 0, num_steps = 0;
    bool has_seam = false;
    while (position < (int64_t)SECONDS * RATE) {
        const int64_t true_ns = position * (SECOND_NS / 1000000) * (1000000 + parts) / RATE;
        const int64_t off = (int64_t)timeline.next - weir_audio_position(true_ns, RATE);
        most_off = llabs(off) > most_off ? llabs(off) : most_off;
        const struct weir_audio_call call = {
            .time_ns = true_ns + (uint32_t)test_below(position > 0 ? 5000000 : 1),
            .num_samples = CALL};
        const struct weir_audio_place place = weir_audio_timeline_place(&timeline, &call);
        has_seam |= place.silence > 0 || place.cut > 0;
        num_steps += place.drift;
        position += CALL;
    }
    const int64_t want = (int64_t)SECONDS * RATE / 1000000 * parts;
    test_expect(!has_seam && most_off <= RATE / 80 && llabs(num_steps - want) <= RATE / 80,
                "drift of %d ppm: off by %lld samples, %lld steps of %lld", parts,
                (long long)most_off, (long long)num_steps, (long long)want);
}

// Samples that come twice and not at all, as they are written.
static void test_drift_samples(int parts)
{
    enum { RATE = 8000, CALL = 80, NUM_CALLS = 6000 };
    struct recording recording;
    int32_t samples[CALL], next = 1;
    open_kept(&recording, RATE, WEIR_POLICY_WAIT);
    recording_present(&recording, 0, false);
    for (int64_t i = 0; i < NUM_CALLS; i++) {
        for (int n = 0; n < CALL; n++) {
            samples[n] = next++;
        }
        weir_capture_audio(recording.capture, 0, samples, CALL,
                           i * CALL * 1000 * (1000000 + parts) / RATE);
    }
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_OK);
    uint64_t num_twice = 0, num_missing = 0;
    bool is_in_order = kept.num > 0 && kept.samples[0] == 1;
    for (uint64_t i = 1; i < kept.num; i++) {
        const int32_t step = kept.samples[i] - kept.samples[i - 1];
        num_twice += step == 0;
        num_missing += step == 2;
        is_in_order &= step >= 0 && step <= 2;
    }
    const uint64_t num_changed = parts > 0 ? num_twice : num_missing;
    test_expect(is_in_order && num_changed > 50 && num_twice == stats.audio.silence &&
                    num_missing == stats.audio.dropped && num_twice + num_missing == num_changed,
                "drift of %d ppm: %llu twice, %llu missing", parts, (unsigned long long)num_twice,
                (unsigned long long)num_missing);
}

// A buffer that is full: what had no room becomes silence of the same length.
static void test_full(void)
{
    enum { RATE = 8000, CALL = 800 };
    struct recording recording;
    static int32_t samples[20 * RATE];
    for (int i = 0; i < 20 * RATE; i++) {
        samples[i] = i + 1;
    }
    const int num_told = test_log_count(WEIR_LOG_CODE_AUDIO_DROPPED);
    open_kept(&recording, RATE, WEIR_POLICY_DROP);
    // Before the first frame nothing is written, and the latest half stays.
    test_expect(weir_capture_audio(recording.capture, 0, samples, 20 * RATE, 0) == WEIR_DROPPED,
                "too much");
    const struct weir_capture_stats before = weir_capture_get_stats(recording.capture);
    const uint64_t num_dropped = before.audio.dropped_by_reason[WEIR_AUDIO_DROP_BUFFER_FULL];
    test_expect(num_dropped > 15 * RATE && num_dropped < 17 * RATE, "%llu dropped",
                (unsigned long long)num_dropped);
    test_expect(test_log_count(WEIR_LOG_CODE_AUDIO_DROPPED) == num_told + 1, "it is told");
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_OK);
    test_expect(kept.num == 0 && stats.audio.received == 20 * RATE &&
                    stats.audio.dropped == 20 * RATE,
                "without a frame there is no sound");
}

// A track without sound follows the frames, and sound that comes too late for its time is cut.
static void test_silent_track(void)
{
    enum { RATE = 8000, SECONDS = 20 };
    struct recording recording;
    int32_t samples[RATE / 10];
    memset(samples, 1, sizeof(samples));
    open_kept(&recording, RATE, WEIR_POLICY_DROP);
    for (int i = 0; i <= SECONDS * 10; i++) {
        recording_present(&recording, i * SECOND_NS / 10, false);
        recording_wait_written(&recording, (uint64_t)i + 1);
    }
    weir_capture_audio(recording.capture, 0, samples, RATE / 10,
                       10 * SECOND_NS); // its time has passed
    weir_capture_audio(recording.capture, 0, samples, RATE / 10, 18 * SECOND_NS);
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_OK);
    const uint64_t end = 18 * RATE + RATE / 10;
    test_expect(kept.num == end && kept.samples[end - 1] != 0 && kept.samples[18 * RATE - 1] == 0 &&
                    stats.audio.dropped_by_reason[WEIR_AUDIO_DROP_TIME] == RATE / 10,
                "a silent track: %llu samples, %llu dropped", (unsigned long long)kept.num,
                (unsigned long long)stats.audio.dropped);
}

// Two threads: every sample arrives once, in order, whole.
struct pipe {
    struct weir_audio_buffer buffer;
    uint32_t num_lost;
    atomic_bool is_done;
};

static void *produce(void *user)
{
    struct pipe *pipe = user;
    uint32_t next = 0, samples[512];
    for (int i = 0; i < 40000; i++) {
        const uint32_t num = 1 + (uint32_t)i * 2654435761u % 512;
        for (uint32_t n = 0; n < num; n++) {
            samples[n] = next + n;
        }
        const struct weir_audio_call call = {.time_ns = next, .num_samples = num};
        next += weir_audio_buffer_push(&pipe->buffer, &call, (const uint8_t *)samples);
    }
    pipe->num_lost = next;
    atomic_store(&pipe->is_done, true);
    return NULL;
}

static void test_buffer(void)
{
    static struct pipe pipe;
    pthread_t producer;
    struct weir_audio_call call;
    uint32_t expected = 0, samples[512];
    bool is_right = true;
    weir_audio_buffer_init(&pipe.buffer, 3000, 4);
    pthread_create(&producer, NULL, produce, &pipe);
    for (;;) {
        const bool is_done = atomic_load(&pipe.is_done);
        if (!weir_audio_buffer_begin(&pipe.buffer, &call)) {
            if (is_done) {
                break;
            }
            continue;
        }
        is_right &= call.time_ns == expected && call.num_samples <= 512;
        const uint32_t left_out = call.num_samples / 3;
        weir_audio_buffer_read(&pipe.buffer, NULL, left_out);
        weir_audio_buffer_read(&pipe.buffer, (uint8_t *)samples, call.num_samples - left_out);
        for (uint32_t n = 0; n < call.num_samples - left_out; n++) {
            is_right &= samples[n] == expected + left_out + n;
        }
        expected += call.num_samples;
    }
    pthread_join(producer, NULL);
    test_expect(is_right && expected == pipe.num_lost, "%u samples of %u arrive", expected,
                pipe.num_lost);
    weir_audio_buffer_finish(&pipe.buffer);
}

int main(void)
{
    for (int i = 0; i < 200; i += SANITIZED_STRIDE) {
        test_random_calls();
    }
    test_rounding();
    static const int drifts[] = {-150, -50, 20, 100, 300};
    for (int i = 0; i < 5; i += SANITIZED_STRIDE) {
        test_drift(drifts[i]);
    }
    test_drift_samples(500);
    test_drift_samples(-500);
    test_full();
    test_silent_track();
    test_buffer();
    free(kept.samples);
    return test_finish();
}
