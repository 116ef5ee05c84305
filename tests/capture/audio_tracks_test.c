// SPDX-License-Identifier: MIT
// Sound tracks of every format in one movie, closed and killed: each sample comes back bit by bit,
// with rate, channels and language, and players play it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <libavcodec/avcodec.h>

#include "recording.h"
#include "reference.h"
#include "testing.h"

#define SECOND_NS INT64_C(1000000000)
enum { RATE = 48000 };

// Tracks of every format and their languages: each sample comes back bit by bit, also from a movie
// that was not closed.
static const struct weir_audio_track all_tracks[] = {
    {.sample_rate = RATE, .num_channels = 2, .format = WEIR_SAMPLE_S16, .language = "eng"},
    {.sample_rate = 44100, .num_channels = 1, .format = WEIR_SAMPLE_S24, .language = "deu"},
    {.sample_rate = 96000, .num_channels = 6, .format = WEIR_SAMPLE_S32, .language = "jpn"},
    {.sample_rate = 8000, .num_channels = 8, .format = WEIR_SAMPLE_F32},
    {.sample_rate = 192000, .num_channels = 2, .format = WEIR_SAMPLE_F32},
};
enum { NUM_TRACKS = sizeof(all_tracks) / sizeof(all_tracks[0]), NUM_SECONDS = 1 };
static const enum AVCodecID codecs[] = {AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S24LE,
                                        AV_CODEC_ID_PCM_S32LE, AV_CODEC_ID_PCM_F32LE};

static size_t track_size(int i)
{
    return (size_t)all_tracks[i].sample_rate * NUM_SECONDS *
           weir_audio_sample_size(all_tracks[i].format, all_tracks[i].num_channels);
}

static uint8_t *contents[NUM_TRACKS];

static void record_tracks(struct recording *recording, const char *path)
{
    recording_open(recording,
                   &(struct weir_capture_params){
                       .path = path, .audio = {.tracks = all_tracks, .num_tracks = NUM_TRACKS}});
    for (int i = 0; i < NUM_SECONDS * 50; i++) {
        recording_present(recording, i * SECOND_NS / 50, i % 50 == 0);
        for (int track = 0; track < NUM_TRACKS; track++) {
            const uint32_t num = all_tracks[track].sample_rate / 50;
            const size_t size = track_size(track) / (NUM_SECONDS * 50);
            weir_capture_audio(recording->capture, (uint32_t)track,
                               contents[track] + (size_t)i * size, num, i * SECOND_NS / 50);
        }
    }
}

static void record_all(const char *path)
{
    struct recording recording;
    record_tracks(&recording, path);
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_OK);
    test_expect(stats.audio.silence == 0 && stats.audio.dropped == 0, "tracks: nothing changed");
}

// Written to the last frame, and not closed. At most two tenths of a second of sound, and what
// belongs to a frame, wait to be a fragment.
static void record_to_the_end(void *user)
{
    struct recording recording;
    uint64_t num_waiting = 0;
    for (int i = 0; i < NUM_TRACKS; i++) {
        num_waiting += all_tracks[i].sample_rate / 4;
    }
    record_tracks(&recording, user);
    recording_wait_written(&recording, NUM_SECONDS * 50);
    while (weir_capture_get_stats(recording.capture).audio.in_flight > num_waiting) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

// Check each track. `slack`: how many samples may be missing at its end [parts of a second].
static void expect_tracks(const char *path, uint32_t slack)
{
    struct reference reference;
    reference_open(&reference, path);
    for (int i = 0; i < NUM_TRACKS; i++) {
        const struct weir_audio_track *track = &all_tracks[i];
        const struct reference_stream *sound = reference_stream(&reference, AVMEDIA_TYPE_AUDIO,
                                                                (unsigned)i);
        const AVStream *facts = sound->facts;
        if (!test_expect(facts, "track %d is missing", i)) {
            continue;
        }
        const AVCodecParameters *codec = facts->codecpar;
        test_expect(codec->codec_id == codecs[track->format] &&
                        codec->sample_rate == (int)track->sample_rate &&
                        codec->ch_layout.nb_channels == (int)track->num_channels &&
                        facts->start_time == 0 &&
                        strcmp(reference_tag(sound, "language"), track->language) == 0,
                    "track %d: %s, %d Hz, %d channels, from %lld on, '%s'", i,
                    avcodec_get_name(codec->codec_id), codec->sample_rate,
                    codec->ch_layout.nb_channels, (long long)facts->start_time,
                    reference_tag(sound, "language"));
        const size_t least = slack > 0 ? track_size(i) - track_size(i) / NUM_SECONDS / slack
                                       : track_size(i);
        test_expect(sound->size >= least && sound->size <= track_size(i) &&
                        memcmp(sound->bytes, contents[i], sound->size) == 0,
                    "track %d: %zu bytes of %zu", i, sound->size, track_size(i));
    }
    test_expect(slack > 0 || !reference.complaint[0], "FFmpeg says %s", reference.complaint);
    reference_close(&reference);
}

static void expect_player(const char *name, const char *format, const char *path)
{
    char output[2048];
    if (test_run(output, sizeof(output), "command -v %s", name) != 0) {
        printf("%s is not installed: not tried\n", name);
        return;
    }
    const int status = test_run(output, sizeof(output), format, path);
    test_expect(status == 0 && output[0] == '\0', "%s: %d, %s", name, status, output);
}

// `is_killed`: the last fragment may be torn, which FFmpeg says.
static void expect_players(const char *path, bool is_killed)
{
    expect_player(
        "ffmpeg",
        is_killed ? "{ ffmpeg -nostdin -v error -i '%s' -map 0 -c copy -f null - || echo failed; } "
                    "2>&1 | sed '/partial file$/d; /corrupt input packet/d'"
                  : "ffmpeg -nostdin -v error -xerror -i '%s' -map 0 -f null -",
        path);
    expect_player("mpv",
                  "mpv --no-config --msg-level=all=warn,cplayer=error --vo=null --ao=null "
                  "--untimed --ao-null-untimed '%s'",
                  path);
}

static void test_tracks(void)
{
    char *path = strdup(test_path("tracks.mov"));
    for (int i = 0; i < NUM_TRACKS; i++) {
        contents[i] = malloc(track_size(i));
        for (size_t at = 0; at < track_size(i); at += 4) {
            // Floats that are none would not be copied alike by a player.
            const float value = (float)((double)test_random() / (double)UINT64_MAX - 0.5);
            memcpy(contents[i] + at, &value, 4);
        }
    }
    record_all(path);
    expect_tracks(path, 0);
    expect_players(path, false);
    test_run_killed(record_to_the_end, path);
    expect_tracks(path, 4);
    expect_players(path, true);
    for (int i = 0; i < NUM_TRACKS; i++) {
        free(contents[i]);
    }
    unlink(path);
    free(path);
}

int main(void)
{
    test_tracks();
    return test_finish();
}
