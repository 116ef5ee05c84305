// SPDX-License-Identifier: MIT
// A host that can record the same twice, and what its movies must hold.
#include "host.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/weir/commands.h"
#include "recording.h"
#include "testing.h"

const struct weir_audio_track host_tracks[HOST_NUM_TRACKS] = {
    {.sample_rate = 48000, .num_channels = 2, .format = WEIR_SAMPLE_S16},
    {.sample_rate = 44100, .num_channels = 1, .format = WEIR_SAMPLE_S24, .language = "fra"},
};

static uint32_t sample_size(int track)
{
    return weir_audio_sample_size(host_tracks[track].format, host_tracks[track].num_channels);
}

struct host host_draw(int num_frames, int64_t frame_ns, int64_t jitter_ns, bool is_thin)
{
    struct host host = {.num_frames = num_frames, .seed = test_random()};
    int64_t time_ns = (int64_t)(test_random() % (uint64_t)SECOND);
    host.audio_zero = time_ns - SECOND / 2;
    for (int i = 0; i < num_frames; i++) {
        const int64_t off = i > 0 ? (int64_t)(test_random() % (uint64_t)(jitter_ns + 1)) : 0;
        host.pauses_before[i] = is_thin && i > 0 && i % 70 == 0;
        time_ns += host.pauses_before[i] ? 5 * SECOND : 0;
        host.times[i] = time_ns + off;
        host.is_white[i] = test_random() & 1;
        time_ns += is_thin && test_random() % 5 == 0 ? 3 * frame_ns : frame_ns;
    }
    host.audio_end = host.times[num_frames - 1];
    return host;
}

static void fill(uint8_t *bytes, int track, uint64_t first, uint32_t num)
{
    const uint32_t size = sample_size(track);
    for (uint32_t i = 0; i < num; i++) {
        const uint32_t number = (uint32_t)(first + i + 1); // little endian
        memcpy(bytes + (size_t)i * size, &number, size);
    }
}

static int64_t pause_begin(const struct host *host, int frame)
{
    return host->times[frame] - 5 * SECOND - 10 * MS;
}

// Until when audio is handed over with a frame: no call that a pause divides before its begin is
// known.
static int64_t audio_until(const struct host *host, int frame, int track)
{
    const int64_t until = host->times[frame] - host->lag[track];
    int next = frame + 1;
    while (next < host->num_frames && !host->pauses_before[next]) {
        next++;
    }
    const int64_t most = next < host->num_frames ? pause_begin(host, next) - 10 * MS : INT64_MAX;
    return until < most ? until : most;
}

static void hand_audio(struct recording *recording, const struct host *host, uint64_t *position,
                       uint64_t *seed, int track, int64_t until_ns)
{
    const uint64_t rate = host_tracks[track].sample_rate, call = rate / 100;
    uint8_t bytes[480 * 4];
    for (;; *position += call) {
        const int64_t time_ns = host->audio_zero + (int64_t)(*position * SECOND / rate);
        if (time_ns > until_ns || time_ns > host->audio_end) {
            return;
        }
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        const int64_t off = (int64_t)((*seed >> 33) % (uint64_t)(host->audio_jitter + 1));
        fill(bytes, track, *position, (uint32_t)call);
        weir_capture_audio(recording->capture, (uint32_t)track, bytes, (uint32_t)call,
                           time_ns + off);
    }
}

static void expect_stats(const struct host *host, const struct weir_capture_stats *stats)
{
    const uint64_t *dropped = stats->audio.dropped_by_reason;
    test_expect(stats->received == (uint64_t)host->num_frames && stats->dropped == 0 &&
                    stats->written + stats->skipped == stats->received,
                "%" PRIu64 " written, %" PRIu64 " skipped, %" PRIu64 " dropped", stats->written,
                stats->skipped, stats->dropped);
    test_expect(stats->audio.dropped ==
                    dropped[WEIR_AUDIO_DROP_PAUSE] + dropped[WEIR_AUDIO_DROP_TIME],
                "audio is left out in pauses and before the movie");
}

struct weir_capture_stats host_record(const struct host *host,
                                      const struct weir_capture_params *params, const char *replay)
{
    struct weir_capture_params own = *params;
    struct recording recording;
    uint64_t num_taken = 0, seed = host->seed, positions[HOST_NUM_TRACKS];
    memcpy(positions, host->first, sizeof(positions));
    own.audio = (struct weir_capture_audio_params){
        .tracks = host_tracks, .num_tracks = HOST_NUM_TRACKS, .buffer_ms = 1000};
    recording_open(&recording, &own);
    for (int i = 0; i < host->num_frames; i++) {
        if (host->pauses_before[i]) {
            weir_capture_pause(recording.capture, pause_begin(host, i));
            weir_capture_resume(recording.capture, host->times[i] - 10 * MS);
        }
        num_taken += recording_present(&recording, host->times[i], host->is_white[i]) == WEIR_OK;
        recording_wait_written(&recording, 1); // before the first frame not all audio is kept
        for (int k = 0; k < HOST_NUM_TRACKS; k++) {
            hand_audio(&recording, host, &positions[k], &seed, k, audio_until(host, i, k));
        }
    }
    for (int k = 0; k < HOST_NUM_TRACKS; k++) {
        hand_audio(&recording, host, &positions[k], &seed, k, INT64_MAX);
    }
    recording_wait_written(&recording, num_taken);
    if (replay) {
        weir_capture_save_replay(recording.capture, replay, 0);
    }
    const struct weir_capture_stats stats = host->end != 0
                                                ? recording_end_at(&recording, host->end, WEIR_OK)
                                                : recording_end(&recording, WEIR_OK);
    expect_stats(host, &stats);
    return stats;
}

uint64_t host_num_samples(const struct movies *movies, int track)
{
    return movies->sound_size[track] / sample_size(track);
}

uint32_t host_sample(const struct movies *movies, int track, uint64_t position)
{
    uint32_t number = 0;
    memcpy(&number, movies->sound[track] + position * sample_size(track), sample_size(track));
    return number;
}

uint64_t host_expect_gap(const char *what, const struct movies *got, const struct movies *want,
                         int begin, int end)
{
    uint64_t num_wrong = 0, num_silent = 0;
    movies_expect_frames(what, got, want, begin, end);
    for (uint64_t i = 0; i < host_num_samples(got, 0); i++) {
        const uint32_t number = host_sample(got, 0, i);
        const uint32_t of_whole = i < host_num_samples(want, 0) ? host_sample(want, 0, i) : 0;
        num_silent += number == 0 && of_whole != 0;
        num_wrong += number != 0 && number != of_whole;
    }
    test_expect(num_wrong == 0, "%s: %" PRIu64 " samples are not in their places", what, num_wrong);
    return num_silent;
}

int host_join(char *const *files, int num, const char *option, const char *joined, bool *warns)
{
    char *arguments[HOST_MAX_SEGMENTS + 5] = {"weir", "join", "--quiet", (char *)option};
    char messages[300], said[1024];
    int count = option ? 4 : 3;
    snprintf(messages, sizeof(messages), "%s", test_path("messages.txt"));
    for (int i = 0; i < num; i++) {
        arguments[count++] = files[i];
    }
    arguments[count++] = (char *)joined;
    remove(joined);
    fflush(stderr);
    const int error = dup(STDERR_FILENO);
    test_expect(freopen(messages, "w", stderr), "messages");
    const int status = cli_program_run(&cli_weir_program, count, arguments);
    fflush(stderr);
    dup2(error, STDERR_FILENO);
    close(error);
    test_read_text(messages, said, sizeof(said));
    *warns = strstr(said, "time code");
    return status;
}
