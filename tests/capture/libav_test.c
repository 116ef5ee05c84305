// SPDX-License-Identifier: MIT
// What libweir-libav writes: containers that FFmpeg's libraries read back packet by packet, files,
// pipes and sockets, receivers that come late and go away, and a movie that nothing of it harms.
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <weir/libav.h>

#include "recording.h"
#include "reference.h"
#include "testing.h"

enum { NUM_FRAMES = 24, RATE = 48000, NUM_SAMPLES = RATE / 60 };
static const int64_t FRAME_NS = 1000000000 / 60;

static struct recording host;

static weir_libav *make(const char *url, const char *format, enum weir_libav_policy policy,
                        const struct weir_audio_track *tracks, uint32_t num_tracks)
{
    weir_libav *libav = NULL;
    const enum weir_result result = weir_libav_create(
        weir_libav_params(.url = url, .format = format, .policy = policy, .audio_tracks = tracks,
                          .num_audio_tracks = num_tracks, .log = test_log),
        &libav);
    test_expect(result == WEIR_OK && libav, "%s: %s", url, weir_result_name(result));
    return libav;
}

// Random frames and noise, a sixtieth of a second of each in turn.
static void present(uint32_t width, uint32_t height, uint8_t *audio, size_t sample)
{
    for (int i = 0; i < NUM_FRAMES; i++) {
        test_expect(recording_present_random(&host, width, height, i * FRAME_NS) == WEIR_OK,
                    "frame %d", i);
        if (sample > 0) {
            uint8_t *piece = audio + (size_t)i * NUM_SAMPLES * sample;
            for (size_t j = 0; j < NUM_SAMPLES * sample; j++) {
                piece[j] = (uint8_t)test_random();
            }
            test_expect(weir_capture_audio(host.capture, 0, piece, NUM_SAMPLES, i * FRAME_NS) ==
                            WEIR_OK,
                        "audio %d", i);
        }
    }
}

// Check that a file holds the frames, and the audio if `size` is not 0.
static void expect_file(const char *path, const struct weir_capture_params *params, uint32_t width,
                        uint32_t height, const uint8_t *audio, size_t size)
{
    struct reference reference;
    if (!reference_open(&reference, path)) {
        return;
    }
    const struct reference_stream *movie = reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0);
    // Of some of HAP FFmpeg knows no tag.
    const bool is_known = weir_movie_codec_get_info(params->codec)->ffmpeg_decodes;
    test_expect(movie->facts && movie->num_packets == NUM_FRAMES &&
                    (!is_known || !reference.complaint[0]),
                "%s: %zu packets, %s", path, movie->num_packets, reference.complaint);
    struct packet_model model;
    packet_model_init(&model, &host, params, width, height);
    for (size_t i = 0; i < movie->num_packets && i < NUM_FRAMES; i++) {
        const struct reference_packet *packet = &movie->packets[i];
        packet_model_check(&model, (uint32_t)i, movie->bytes + packet->offset, packet->size);
        const double seconds = (double)packet->pts * av_q2d(movie->facts->time_base);
        const double want = (double)(i * FRAME_NS) / 1e9;
        test_expect(seconds > want - 0.0006 && seconds < want + 0.0006, "%s: frame %zu at %f", path,
                    i, seconds);
    }
    packet_model_finish(&model);
    const struct reference_stream *sound = reference_stream(&reference, AVMEDIA_TYPE_AUDIO, 0);
    test_expect(sound->size == size && (size == 0 || memcmp(sound->bytes, audio, size) == 0),
                "%s: %zu of %zu bytes of audio", path, sound->size, size);
    reference_close(&reference);
}

static void test_container(const char *format, enum weir_movie_codec codec, bool is_piped)
{
    static const enum weir_sample_format formats[] = {WEIR_SAMPLE_S16, WEIR_SAMPLE_S24,
                                                      WEIR_SAMPLE_S32, WEIR_SAMPLE_F32};
    const struct weir_audio_track track = {.sample_rate = RATE,
                                           .num_channels = 1 + (uint32_t)(test_random() % 2),
                                           .format = formats[test_random() % 4]};
    const bool has_audio = test_random() % 2;
    const uint32_t width = 1 + (uint32_t)(test_random() % 70),
                   height = 1 + (uint32_t)(test_random() % 70);
    const char *path = test_path("libav.movie");
    const size_t sample = has_audio ? weir_audio_sample_size(track.format, track.num_channels) : 0;
    uint8_t *audio = calloc(NUM_FRAMES * NUM_SAMPLES, sample + 1);
    char url[300];
    FILE *pipe_end = NULL;
    snprintf(url, sizeof(url), "%s", path);
    if (is_piped) {
        char command[300];
        snprintf(command, sizeof(command), "cat >'%s'", path);
        pipe_end = popen(command, "we");
        snprintf(url, sizeof(url), "pipe:%d", fileno(pipe_end));
    }
    weir_libav *libav = make(url, format, WEIR_LIBAV_WAIT, &track, has_audio);
    const struct weir_capture_params params =
        TEST_LIST(.sink = WEIR_SINK_CALLBACK, .callbacks = weir_libav_callbacks(libav),
                  .codec = codec,
                  .rate = {.compression = test_random() % 2 ? WEIR_COMPRESSION_SNAPPY
                                                            : WEIR_COMPRESSION_NONE},
                  .policy = WEIR_POLICY_WAIT, .audio = {.tracks = &track, .num_tracks = has_audio});
    recording_open_size(&host, width, height, &params);
    present(width, height, audio, sample);
    recording_end(&host, WEIR_OK);
    const struct weir_libav_stats stats = weir_libav_get_stats(libav);
    test_expect(stats.written >= NUM_FRAMES && stats.dropped == 0 && stats.connections == 1 &&
                    !stats.is_connected,
                "%s: %" PRIu64 " written, %" PRIu64 " dropped", format, stats.written,
                stats.dropped);
    weir_libav_destroy(&libav);
    if (pipe_end) {
        pclose(pipe_end);
    }
    expect_file(path, &params, width, height, audio, NUM_FRAMES * NUM_SAMPLES * sample);
    free(audio);
    recording_finish(&host);
    unlink(path);
}

enum { NUM_RECEIVED = 20, MAX_PRESENTED = 60 * 60 };

// A receiver of FFmpeg's, which goes away when it has NUM_RECEIVED packets.
struct receiver {
    char url[64];
    pthread_t thread;
    atomic_int num_packets;
};

static void *receive(void *user)
{
    struct receiver *receiver = user;
    AVFormatContext *format = NULL;
    AVPacket *packet = av_packet_alloc();
    for (int i = 0; i < 1000 && !format; i++) { // until somebody listens
        if (avformat_open_input(&format, receiver->url, NULL, NULL) < 0) {
            nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        }
    }
    while (format && receiver->num_packets < NUM_RECEIVED && av_read_frame(format, packet) >= 0) {
        receiver->num_packets++;
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    avformat_close_input(&format);
    return NULL;
}

static int present_one(int number)
{
    test_expect(recording_present(&host, number * FRAME_NS, number % 2) == WEIR_OK, "frame %d",
                number);
    nanosleep(&(struct timespec){.tv_nsec = FRAME_NS}, NULL);
    return number + 1;
}

// Present frames until a receiver that comes now has its packets. Returns the number of the next.
static int present_to_receiver(int port, int number)
{
    struct receiver receiver = {.num_packets = 0};
    snprintf(receiver.url, sizeof(receiver.url), "tcp://127.0.0.1:%d", port);
    pthread_create(&receiver.thread, NULL, receive, &receiver);
    while (receiver.num_packets < NUM_RECEIVED && number < MAX_PRESENTED) {
        number = present_one(number);
    }
    test_expect(receiver.num_packets == NUM_RECEIVED, "%d packets received", receiver.num_packets);
    pthread_join(receiver.thread, NULL);
    return number;
}

// A movie with a receiver beside it that comes late, goes away, and another that comes later.
static void test_receivers(void)
{
    const int port = 20000 + (int)(test_random() % 20000);
    const char *path = test_path("beside.mov");
    char url[64];
    snprintf(url, sizeof(url), "tcp://127.0.0.1:%d?listen", port);
    weir_libav *libav = make(url, NULL, WEIR_LIBAV_DROP, NULL, 0);
    recording_open(&host, &(struct weir_capture_params){.path = path,
                                                        .callbacks = weir_libav_callbacks(libav)});
    int num = 0;
    while (num < 2 * 32) { // more than can wait
        num = present_one(num);
    }
    num = present_to_receiver(port, num);
    num = present_to_receiver(port, num);
    recording_end(&host, WEIR_OK);
    const struct weir_libav_stats stats = weir_libav_get_stats(libav);
    weir_libav_destroy(&libav);
    test_expect(stats.connections == 2 && stats.dropped > 0 &&
                    stats.written + stats.dropped == (uint64_t)num,
                "%" PRIu64 " connections, %" PRIu64 " written, %" PRIu64 " dropped of %d",
                stats.connections, stats.written, stats.dropped, num);
    test_expect(test_log_count(WEIR_LOG_CODE_RECEIVER) > 0, "the log says so");
    reference_expect_frames("the movie", path, num);
    recording_finish(&host);
    unlink(path);
}

// The end does not wait for a receiver that reads nothing, nor for one that never comes.
static void test_stuck(bool is_pipe)
{
    int ends[2];
    char url[64] = "tcp://127.0.0.1:9?listen";
    const char *path = test_path("stuck.mov");
    test_expect(pipe2(ends, O_CLOEXEC) == 0, "a pipe");
    if (is_pipe) {
        snprintf(url, sizeof(url), "pipe:%d", ends[1]);
    } else {
        snprintf(url, sizeof(url), "unix:%s?listen=1", test_path("socket"));
    }
    weir_libav *libav = make(url, "nut", WEIR_LIBAV_DROP, NULL, 0);
    const struct weir_capture_params params = {.path = path,
                                               .policy = WEIR_POLICY_WAIT,
                                               .codec = WEIR_MOVIE_CODEC_HAP_Q,
                                               .callbacks = weir_libav_callbacks(libav)};
    recording_open_size(&host, 256, 256, &params);
    present(256, 256, NULL, 0);
    recording_end(&host, WEIR_OK);
    test_expect(weir_libav_get_stats(libav).dropped > 0, "packets were dropped");
    weir_libav_destroy(&libav);
    close(ends[0]);
    close(ends[1]);
    reference_expect_frames("the movie", path, NUM_FRAMES);
    recording_finish(&host);
    unlink(path);
}

static enum weir_result present_until_refused(void)
{
    enum weir_result result = WEIR_OK;
    for (int i = 0; i < 300 && result == WEIR_OK; i++) {
        result = recording_present(&host, i * FRAME_NS, false);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return result;
}

// Where everything has to arrive, what fails is the capture's failure.
static void test_failures(void)
{
    int ends[2];
    char pipe_url[32], full[] = "/dev/full", missing[] = "/nowhere/x.nut";
    test_expect(pipe2(ends, O_CLOEXEC) == 0, "a pipe");
    snprintf(pipe_url, sizeof(pipe_url), "pipe:%d", ends[1]);
    close(ends[0]);
    const struct {
        const char *url;
        enum weir_result want;
    } cases[] = {{pipe_url, WEIR_ERROR_IO}, {full, WEIR_ERROR_DISK_FULL}, {missing, WEIR_ERROR_IO}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        weir_libav *libav = make(cases[i].url, "nut", WEIR_LIBAV_WAIT, NULL, 0);
        recording_open(&host,
                       &(struct weir_capture_params){.sink = WEIR_SINK_CALLBACK,
                                                     .callbacks = weir_libav_callbacks(libav)});
        test_expect(present_until_refused() == cases[i].want, "%s", cases[i].url);
        recording_end(&host, cases[i].want);
        recording_finish(&host);
        weir_libav_destroy(&libav);
    }
    close(ends[1]);
}

static void test_refusals(void)
{
    const struct {
        struct weir_libav_params params;
        enum weir_result want;
    } cases[] = {
        {{.url = NULL}, WEIR_ERROR_INVALID},
        {{.url = ""}, WEIR_ERROR_INVALID},
        {{.url = "x", .num_packets = 5000}, WEIR_ERROR_INVALID},
        {{.url = "x", .num_audio_tracks = 9}, WEIR_ERROR_INVALID},
        {{.url = "x", .num_audio_tracks = 1}, WEIR_ERROR_INVALID},
        {{.url = "x", .policy = (enum weir_libav_policy)7}, WEIR_ERROR_INVALID},
        {{.url = "x", .format = "no such muxer"}, WEIR_ERROR_UNSUPPORTED},
        {{.url = "nonsense://x"}, WEIR_ERROR_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        weir_libav *libav = (weir_libav *)&cases;
        test_expect(weir_libav_create(&cases[i].params, &libav) == cases[i].want && !libav,
                    "case %zu", i);
    }
    test_expect(weir_libav_create(NULL, NULL) == WEIR_ERROR_INVALID, "NULL");
    test_expect(!weir_libav_callbacks(NULL).user, "callbacks of NULL");
    test_expect(weir_libav_get_stats(NULL).written == 0, "no statistics of NULL");
    weir_libav_destroy(NULL);
}

int main(void)
{
    static const char *const formats[] = {"nut", "matroska", "avi", "mov"};
    av_log_set_level(AV_LOG_QUIET);
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        test_container(formats[i], (enum weir_movie_codec)(test_random() % 8), false);
        test_container(formats[i], (enum weir_movie_codec)(test_random() % 8), true);
    }
    test_receivers();
    test_stuck(true);
    test_stuck(false);
    test_failures();
    test_refusals();
    return test_finish();
}
