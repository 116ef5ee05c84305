// SPDX-License-Identifier: MIT
// Movies with sound, judged by FFmpeg's programs: sound that stays with the frames, kills, full
// disks, and the program's own sink.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "recording.h"
#include "reference.h"
#include "testing.h"

#define SECOND_NS INT64_C(1000000000)
enum { RATE = 48000 };

static const struct weir_audio_track stereo = {.sample_rate = RATE, .num_channels = 2};

// A sine with a click at each whole second: the loudest sample there is.
static int16_t tone(int64_t position)
{
    return position % RATE == 0 ? INT16_MAX
                                : (int16_t)lrint(6000 * sin((double)(position % RATE) * 0.0575));
}

static void fill_tone(int16_t *samples, int64_t position, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++) {
        samples[2 * i] = samples[2 * i + 1] = tone(position + i);
    }
}

static int64_t time_of(int64_t position)
{
    return position / RATE * SECOND_NS + position % RATE * SECOND_NS / RATE;
}

// A host whose frames flash at whole seconds, and whose sound clicks then. Sound comes in calls of
// odd lengths, with times that are off by up to `jitter_ns`, and begins before the first frame.
struct host {
    struct recording *recording;
    int64_t zero_ns; // of its clock
    int64_t position;
    int64_t jitter_ns;
};

static void hand_over_sound(struct host *host, int64_t until)
{
    int16_t samples[2 * 2000];
    while (host->position < until) {
        const uint32_t num = 1 + (uint32_t)test_below(2000);
        const int64_t jitter = host->jitter_ns > 0 ? (uint32_t)test_below((uint32_t)host->jitter_ns)
                                                   : 0;
        fill_tone(samples, host->position, num);
        weir_capture_audio(host->recording->capture, 0, samples, num,
                           host->zero_ns + time_of(host->position) + jitter);
        host->position += num;
    }
}

static void record(struct host *host, int num_frames, int fps)
{
    for (int i = 0; i < num_frames; i++) {
        recording_present(host->recording, host->zero_ns + (int64_t)i * SECOND_NS / fps,
                          i % fps == 0);
        hand_over_sound(host, (int64_t)(i + 1) * RATE / fps);
    }
}

// The left one of two channels.
static int16_t left_at(const struct reference_stream *track, size_t position)
{
    int16_t sample;
    memcpy(&sample, track->bytes + position * 2 * sizeof(sample), sizeof(sample));
    return sample;
}

// Ten minutes: every flash and its click, by FFmpeg's decoders.
static void test_sync(void)
{
    enum { SECONDS = 600, FPS = 10 };
    const char *path = test_path("sync.mov");
    struct recording recording;
    recording_open(&recording, &(struct weir_capture_params){
                                   .path = path, .audio = {.tracks = &stereo, .num_tracks = 1}});
    struct host host = {.recording = &recording,
                        .zero_ns = 5 * SECOND_NS + 123456789,
                        .position = -RATE / 2,
                        .jitter_ns = 1000000};
    record(&host, SECONDS * FPS, FPS);
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_OK);
    // The first call that the movie keeps is where its own time says, jitter and all. Those after
    // it follow.
    test_expect(stats.audio.silence <= RATE / 1000, "sync: %llu samples of silence",
                (unsigned long long)stats.audio.silence);
    uint8_t *grey = malloc((size_t)SECONDS * FPS);
    struct reference reference;
    reference_open(&reference, path);
    const struct reference_stream *track = reference_stream(&reference, AVMEDIA_TYPE_AUDIO, 0);
    const size_t num = track->size / (2 * sizeof(int16_t));
    const int num_grey = reference_read_greens(path, grey, SECONDS * FPS);
    test_expect(num >= (size_t)SECONDS * RATE && num_grey == SECONDS * FPS,
                "sync: %zu samples, %d frames", num, num_grey);
    size_t first = 0;
    while (first < num && left_at(track, first) < 30000) {
        first++;
    }
    test_expect(first < num && first <= RATE / 1000 + 1, "sync: the first click at %zu", first);
    for (size_t second = 0; second < SECONDS && (second + 1) * RATE <= num; second++) {
        const size_t at = second * RATE + first;
        if (!test_expect(left_at(track, at) > 30000 && grey[second * FPS] > 200 &&
                             grey[second * FPS + 1] < 50,
                         "sync: second %zu: click %d, frames %u %u", second, left_at(track, at),
                         grey[second * FPS], grey[second * FPS + 1])) {
            break;
        }
    }
    reference_close(&reference);
    free(grey);
    unlink(path);
}

// What FFmpeg finds in a movie: frames, and samples of the one sound track. A killed one may end
// with a torn fragment, of which it complains.
struct found {
    long num_frames, num_samples;
};

static struct found count_content(const char *path)
{
    struct reference reference;
    reference_open(&reference, path);
    const struct found found = {
        .num_frames = (long)reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0)->num_packets,
        .num_samples = (long)reference_stream(&reference, AVMEDIA_TYPE_AUDIO, 0)->size / 4,
    };
    reference_close(&reference);
    return found;
}

static void open_stereo(struct recording *recording, const char *path)
{
    recording_open(recording, &(struct weir_capture_params){
                                  .path = path, .audio = {.tracks = &stereo, .num_tracks = 1}});
}

enum { FPS = 50 };

struct killed_recording {
    const char *path;
    int num_frames;
    long wait_ns;
};

static void record_and_wait(void *user)
{
    const struct killed_recording *killed = user;
    struct recording recording;
    open_stereo(&recording, killed->path);
    struct host host = {.recording = &recording};
    record(&host, killed->num_frames, FPS);
    nanosleep(&(struct timespec){.tv_nsec = killed->wait_ns}, NULL);
}

// Killed anywhere: frames and sound are there, and end together.
static void test_kills(void)
{
    enum { NUM_KILLS = 12 };
    const char *path = test_path("killed.mov");
    for (int i = 0; i < NUM_KILLS; i++) {
        struct killed_recording killed = {.path = path,
                                          .num_frames = 20 + (int)test_below(100),
                                          .wait_ns = (uint32_t)test_below(3000000)};
        test_run_killed(record_and_wait, &killed);
        const struct found found = count_content(path);
        const double frames_end = (double)found.num_frames / FPS;
        const double sound_end = (double)found.num_samples / RATE;
        // A tenth of a second waits to be a fragment, a call is shorter than a twentieth, and
        // frames and sound of some slots are on their way.
        const double apart = 0.1 + 0.05 + (double)(RECORDING_NUM_SLOTS + 2) / FPS;
        test_expect(found.num_frames >= killed.num_frames - RECORDING_NUM_SLOTS - 2 &&
                        fabs(frames_end - sound_end) <= apart,
                    "killed after %d frames: %ld frames, sound of %f s", killed.num_frames,
                    found.num_frames, sound_end);
    }
    unlink(path);
}

// A disk that is full while sound is written, or frames.
static void test_disk_full(void)
{
    const char *path = test_path("full.mov");
    for (int i = 0; i < 10; i++) {
        struct recording recording;
        open_stereo(&recording, path);
        const uint64_t limit = 30000 + test_below(300000);
        test_limit_files(limit);
        struct host host = {.recording = &recording};
        record(&host, 200, 50);
        const struct weir_capture_stats stats = recording_end(&recording, WEIR_ERROR_DISK_FULL);
        test_limit_files(0);
        const struct found found = count_content(path);
        test_expect(found.num_frames == (long)stats.written &&
                        found.num_samples == (long)stats.audio.written &&
                        stats.audio.dropped_by_reason[WEIR_AUDIO_DROP_SINK] > 0,
                    "full after %ld bytes: %ld frames of %ld, %ld samples of %ld", (long)limit,
                    found.num_frames, (long)stats.written, found.num_samples,
                    (long)stats.audio.written);
    }
    unlink(path);
}

// The program's own sink gets the samples that a movie has.
static struct {
    uint64_t num_samples;
    bool is_right;
} given;

static enum weir_result accept_packet(void *user, const struct weir_capture_packet *packet)
{
    (void)user;
    (void)packet;
    return WEIR_OK;
}

static enum weir_result accept_audio(void *user, const struct weir_capture_audio_packet *packet)
{
    (void)user;
    int16_t first[2];
    memcpy(first, packet->data, sizeof(first));
    given.is_right = given.is_right && packet->track == 0 &&
                     packet->pts == (int64_t)given.num_samples &&
                     packet->size == packet->num_samples * (size_t)4 &&
                     first[0] == tone(packet->pts);
    given.num_samples += packet->num_samples;
    return given.num_samples < 4 * RATE ? WEIR_OK : WEIR_ERROR_IO;
}

static void test_callback(void)
{
    struct recording recording;
    recording_open(&recording, &(struct weir_capture_params){
                                   .sink = WEIR_SINK_CALLBACK,
                                   .callbacks = {.packet = accept_packet, .audio = accept_audio},
                                   .audio = {.tracks = &stereo, .num_tracks = 1}});
    given.is_right = true;
    struct host host = {.recording = &recording};
    record(&host, 250, 50);
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_ERROR_IO);
    test_expect(given.is_right && given.num_samples >= 4 * RATE && stats.audio.written < 4 * RATE &&
                    stats.audio.dropped > 0,
                "callback: %llu samples", (unsigned long long)given.num_samples);
}

int main(void)
{
    test_callback();
    test_kills();
    test_disk_full();
    test_sync();
    return test_finish();
}
