// SPDX-License-Identifier: MIT
// The end of a movie that is closed at a time: how long its last frame is shown, to the tick, as
// FFmpeg reads it, also of a movie that libavformat writes. constant_rate_test.c, segments_test.c
// and chapters_test.c have ends of their own.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recording.h"
#include "reference.h"
#include "testing.h"

#define SECOND_NS INT64_C(1000000000)
enum { TICKS = 90000, NOMINAL = TICKS / 60 };

static int64_t ticks_of(int64_t time_ns)
{
    return (time_ns * 9 + 50000) / 100000;
}

// The last frame and its track last as long as they should.
static void expect_last(const char *what, const char *path, int64_t pts, int64_t duration)
{
    struct reference reference;
    reference_open(&reference, path);
    const struct reference_stream *frames = reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0);
    const struct reference_packet *last = &frames->packets[frames->num_packets - 1];
    if (test_expect(frames->num_packets > 0 && !reference.complaint[0], "%s: FFmpeg says %s", what,
                    reference.complaint)) {
        test_expect(last->pts == pts && last->duration == duration,
                    "%s: the last frame at %" PRId64 " for %" PRId64 ", want %" PRId64
                    " for %" PRId64,
                    what, last->pts, last->duration, pts, duration);
        test_expect(frames->facts->duration == pts + duration,
                    "%s: the track has %" PRId64 " ticks", what, frames->facts->duration);
    }
    reference_close(&reference);
}

// A recording of random frames with a pause, which is closed at a random time: in the pause that
// is open, behind one, before the last frame, a nanosecond after it, or hours.
static void test_any(int run)
{
    const char *path = test_path("end.mov");
    const int64_t zero_ns = (int64_t)test_below(1000 * SECOND_NS) - 500 * SECOND_NS;
    int64_t now_ns = zero_ns, paused_ns = 0;
    struct recording recording;
    recording_open(&recording, &(struct weir_capture_params){.path = path});
    for (uint64_t left = test_below(10); left > 0; left--) {
        recording_present(&recording, now_ns, left % 2);
        now_ns += 100000 + (int64_t)test_below(SECOND_NS);
    }
    recording_present(&recording, now_ns, true);
    const int64_t last_ns = now_ns, spans_ns[] = {1, 5000, 20000, SECOND_NS, 3600 * SECOND_NS};
    int64_t end_ns = now_ns + (int64_t)test_below((uint64_t)spans_ns[run % 5]) + 1;
    const int64_t movie_end_ns = end_ns;
    const bool is_early = run % 7 == 0;
    if (run % 3 > 0) {
        weir_capture_pause(recording.capture, end_ns);
        end_ns += (int64_t)test_below(SECOND_NS);
        paused_ns = end_ns - movie_end_ns;
    }
    if (run % 3 == 2) {
        weir_capture_resume(recording.capture, end_ns);
        end_ns += run % 2 ? SECOND_NS : 0;
    }
    const int64_t stop_ns = is_early ? last_ns - (int64_t)test_below(SECOND_NS) : end_ns;
    recording_end_at(&recording, stop_ns, WEIR_OK);
    const int64_t pts = ticks_of(last_ns - zero_ns);
    const int64_t end = ticks_of(end_ns - paused_ns - zero_ns);
    char what[32];
    snprintf(what, sizeof(what), "run %d", run);
    expect_last(what, path, pts, is_early || end <= pts ? NOMINAL : end - pts);
}

// Times that no movie has, one that is later than a movie can say, and movies without a frame.
static void test_extremes(void)
{
    static const struct {
        int64_t end_ns, want;
        bool is_logged;
    } cases[] = {
        {INT64_MIN, NOMINAL, false},
        {0, NOMINAL, false},
        {(INT32_MAX - 2) * SECOND_NS / TICKS, INT32_MAX - 2, false},
        {30000 * SECOND_NS, INT32_MAX - 1, true},
        {INT64_MAX, INT32_MAX - 1, true},
    };
    const char *path = test_path("end.mov");
    struct recording recording;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const int told = test_log_count(WEIR_LOG_CODE_TIME_GAP);
        recording_open(&recording, &(struct weir_capture_params){.path = path});
        recording_present(&recording, 0, true);
        recording_end_at(&recording, cases[i].end_ns, WEIR_OK);
        expect_last("an extreme", path, 0, cases[i].want);
        test_expect(test_log_count(WEIR_LOG_CODE_TIME_GAP) == told + cases[i].is_logged,
                    "case %zu: %s", i, test_log_text());
    }
    remove(path);
    recording_open(&recording, &(struct weir_capture_params){.path = path});
    recording_end_at(&recording, SECOND_NS, WEIR_OK);
    recording_open(&recording, &(struct weir_capture_params){.path = path});
    recording_lose(&recording, RECORDING_SIDE, RECORDING_SIDE, 0);
    recording_end_at(&recording, SECOND_NS, WEIR_OK);
    test_expect(!test_file_exists(path), "no frame, no movie");
}

// Constant rate: no more than a minute is filled.
static void test_constant(void)
{
    const char *path = test_path("end.mov");
    struct recording recording;
    const int told = test_log_count(WEIR_LOG_CODE_TIME_GAP);
    recording_open(&recording, &(struct weir_capture_params){
                                   .path = path,
                                   .timing = {.frame_rate = {2, 1}, .constant_rate = true},
                               });
    recording_present(&recording, 0, true);
    const struct weir_capture_stats stats = recording_end_at(&recording, 100 * SECOND_NS, WEIR_OK);
    test_expect(stats.repeated == 119 && test_log_count(WEIR_LOG_CODE_TIME_GAP) == told + 1,
                "%" PRIu64 " repeated: %s", stats.repeated, test_log_text());
    expect_last("a minute", path, 119 * TICKS / 2, TICKS / 2);
}

// Time code lasts as long as the picture. Audio is as it is.
static void test_tracks(void)
{
    enum { RATE = 8000 };
    static const struct weir_audio_track mono = {
        .sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S16};
    static const int16_t samples[8 * RATE];
    const char *path = test_path("end.mov");
    for (uint32_t seconds = 1; seconds <= 8; seconds += 7) {
        struct recording recording;
        struct reference reference;
        recording_open(&recording, &(struct weir_capture_params){
                                       .path = path,
                                       .timing.timecode = "01:00:00:00",
                                       .audio = {.tracks = &mono, .num_tracks = 1},
                                   });
        recording_present(&recording, 0, true);
        weir_capture_audio(recording.capture, 0, samples, seconds * RATE, 0);
        recording_end_at(&recording, 5 * SECOND_NS, WEIR_OK);
        expect_last("beside audio", path, 0, 5 * TICKS);
        reference_open(&reference, path);
        const struct reference_stream *audio = reference_stream(&reference, AVMEDIA_TYPE_AUDIO, 0);
        const struct reference_stream *code = reference_stream(&reference, AVMEDIA_TYPE_DATA, 0);
        test_expect(audio->size == seconds * RATE * sizeof(samples[0]), "%zu bytes of audio",
                    audio->size);
        test_expect(code->facts && code->facts->duration == 5 * TICKS, "time code");
        reference_close(&reference);
    }
}

// A replay that is being written, and the movie around it.
static void test_replay(void)
{
    const char *path = test_path("end.mov"), *replay = test_path("replay.mov");
    struct recording recording;
    recording_open(&recording,
                   &(struct weir_capture_params){.path = path, .replay = {.length_ms = 10000}});
    test_expect(weir_capture_save_replay(recording.capture, replay, 0) == WEIR_NOT_READY, "empty");
    recording_present(&recording, 0, true);
    recording_present(&recording, SECOND_NS, false);
    recording_wait_written(&recording, 2);
    test_expect(weir_capture_save_replay(recording.capture, "", 0) == WEIR_ERROR_INVALID, "name");
    TEST_OK(weir_capture_save_replay(recording.capture, replay, 0));
    recording_end_at(&recording, 5 * SECOND_NS, WEIR_OK);
    expect_last("with a replay", path, TICKS, 4 * TICKS);
    expect_last("the replay", replay, TICKS, NOMINAL);
}

// Replays of 2 s that are saved while nothing is presented, after frames at 10 s and 11 s.
static void test_idle_replay(void)
{
    enum { RATE = 8000, TENTH = TICKS / 10 };
    static const struct {
        int64_t time_ms;
        bool constant_rate, pauses; // at 11.2 s
        int num, begin, duration;   // frames; of the last one [ticks]
        int num_samples;
    } cases[] = {
        {11050, false, false, 2, 10 * TENTH, TENTH / 2, 105 * RATE / 100},
        {11500, false, false, 2, 10 * TENTH, 5 * TENTH, 15 * RATE / 10},
        {12500, false, false, 2, 5 * TENTH, 15 * TENTH, 2 * RATE},
        {3600000, false, false, 1, 0, 20 * TENTH, 0},
        {3600000, false, true, 2, 10 * TENTH, 2 * TENTH, 12 * RATE / 10},
        {11050, true, false, 11, 10 * TENTH, TENTH, 105 * RATE / 100},
        {11500, true, false, 15, 14 * TENTH, TENTH, 15 * RATE / 10},
        {12500, true, false, 20, 19 * TENTH, TENTH, 2 * RATE},
        {3600000, true, false, 20, 19 * TENTH, TENTH, 0},
    };
    static const struct weir_audio_track mono = {
        .sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S16};
    static const int16_t samples[3 * RATE];
    const char *replay = test_path("replay.mov");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char what[32];
        struct recording recording;
        struct reference reference;
        snprintf(what, sizeof(what), "idle replay %zu", i);
        recording_open(
            &recording,
            &(struct weir_capture_params){
                .sink = WEIR_SINK_NULL,
                .timing = {.frame_rate = {10, 1}, .constant_rate = cases[i].constant_rate},
                .audio = {.tracks = &mono, .num_tracks = 1, .buffer_ms = 5000},
                .replay = {.length_ms = 2000}});
        recording_present(&recording, 10 * SECOND_NS, true);
        weir_capture_audio(recording.capture, 0, samples, 3 * RATE, 10 * SECOND_NS);
        recording_present(&recording, 11 * SECOND_NS, false);
        recording_wait_written(&recording, 2);
        if (cases[i].pauses) {
            weir_capture_pause(recording.capture, 11 * SECOND_NS + SECOND_NS / 5);
        }
        weir_capture_save_replay(recording.capture, replay, cases[i].time_ms * (SECOND_NS / 1000));
        recording_end(&recording, WEIR_OK);
        reference_expect_frames(what, replay, cases[i].num);
        expect_last(what, replay, cases[i].begin, cases[i].duration);
        reference_open(&reference, replay);
        const size_t size = reference_stream(&reference, AVMEDIA_TYPE_AUDIO, 0)->size;
        test_expect(size == sizeof(samples[0]) * (size_t)cases[i].num_samples,
                    "%s: %zu bytes of audio", what, size);
        reference_close(&reference);
    }
    unlink(replay);
}

// A host that writes a packet by libavformat when the next one comes, or the end.
struct host {
    const char *path;
    AVFormatContext *format;
    AVPacket *kept;
    AVRational time_base;
    int num_packets, num_ends, most_packets;
};

static enum weir_result open_movie(void *user, const struct weir_capture_track *track)
{
    struct host *host = user;
    avformat_alloc_output_context2(&host->format, NULL, NULL, host->path);
    AVStream *stream = avformat_new_stream(host->format, NULL);
    reference_describe(stream, track);
    host->time_base = stream->time_base;
    host->kept = av_packet_alloc();
    AVDictionary *options = NULL;
    av_dict_set_int(&options, "video_track_timescale", track->time_base_den, 0);
    const bool is_open = avio_open(&host->format->pb, host->path, AVIO_FLAG_WRITE) >= 0 &&
                         avformat_write_header(host->format, &options) >= 0;
    av_dict_free(&options);
    return is_open ? WEIR_OK : WEIR_ERROR_IO;
}

static void write_kept(struct host *host, int64_t until)
{
    host->kept->duration = until - host->kept->pts;
    av_packet_rescale_ts(host->kept, host->time_base, host->format->streams[0]->time_base);
    test_expect(av_write_frame(host->format, host->kept) >= 0, "%s: a frame", host->path);
    av_packet_unref(host->kept);
}

static enum weir_result write_packet(void *user, const struct weir_capture_packet *packet)
{
    struct host *host = user;
    if (host->num_packets++ > 0) {
        write_kept(host, packet->pts);
    }
    av_new_packet(host->kept, (int)packet->size);
    memcpy(host->kept->data, packet->data, packet->size);
    host->kept->pts = host->kept->dts = packet->pts;
    host->kept->flags = AV_PKT_FLAG_KEY;
    return WEIR_OK;
}

static void end_movie(void *user, int64_t pts)
{
    struct host *host = user;
    host->num_ends++;
    write_kept(host, pts);
}

static enum weir_result close_movie(void *user)
{
    struct host *host = user;
    test_expect(host->num_ends == 1 && av_write_trailer(host->format) >= 0, "%s", host->path);
    avio_closep(&host->format->pb);
    avformat_free_context(host->format);
    av_packet_free(&host->kept);
    return WEIR_OK;
}

static void test_muxed(const char *name)
{
    struct host host = {.path = test_path(name)};
    struct recording recording;
    struct reference reference;
    recording_open(&recording, &(struct weir_capture_params){
                                   .sink = WEIR_SINK_CALLBACK,
                                   .callbacks = {.open = open_movie,
                                                 .packet = write_packet,
                                                 .end = end_movie,
                                                 .close = close_movie,
                                                 .user = &host},
                               });
    recording_present(&recording, 7000, true);
    recording_present(&recording, SECOND_NS + 7000, false);
    recording_end_at(&recording, 4 * SECOND_NS + 7000, WEIR_OK);
    reference_open(&reference, host.path);
    test_expect(reference.format && reference.format->duration == 4 * AV_TIME_BASE,
                "%s lasts %" PRId64 " us", name,
                reference.format ? reference.format->duration : -1);
    reference_close(&reference);
}

// A sink that fails while the last frame is repeated, and one that does not.
static enum weir_result count_packet(void *user, const struct weir_capture_packet *packet)
{
    struct host *host = user;
    (void)packet;
    return ++host->num_packets > host->most_packets ? WEIR_ERROR_DISK_FULL : WEIR_OK;
}

static void test_failure(void)
{
    for (int most = 1; most <= 100; most += 33) {
        struct host host = {.most_packets = most};
        struct recording recording;
        recording_open(&recording, &(struct weir_capture_params){
                                       .sink = WEIR_SINK_CALLBACK,
                                       .callbacks = {.packet = count_packet, .user = &host},
                                       .timing = {.frame_rate = {50, 1}, .constant_rate = true},
                                   });
        recording_present(&recording, 0, true);
        const struct weir_capture_stats stats = recording_end_at(
            &recording, 2 * SECOND_NS, most < 100 ? WEIR_ERROR_DISK_FULL : WEIR_OK);
        test_expect(stats.written == 1 && stats.repeated == (uint64_t)most - 1,
                    "%" PRIu64 " repeated of %d", stats.repeated, most);
    }
}

int main(void)
{
    for (int run = 0; run < 105; run++) {
        test_any(run);
    }
    test_extremes();
    test_constant();
    test_tracks();
    test_replay();
    test_idle_replay();
    test_muxed("end_host.mov");
    test_muxed("end_host.mkv");
    test_failure();
    return test_finish();
}
