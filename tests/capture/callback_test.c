// SPDX-License-Identifier: MIT
// The callback sink: a host that muxes the packets itself with libavformat gets the movie that the
// capture writes, bit for bit; and its errors stop the capture as those of a disk do.
#include <weir/capture.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libavformat/avformat.h>
#include <vulkan/vulkan.h>

#include "fixture.h"
#include "movies.h"
#include "reference.h"
#include "testing.h"

#define NUM_FRAMES 24

// A muxer of the host's own, by libavformat's public calls and the track's facts alone.
struct host {
    const char *path;
    AVFormatContext *format;
    AVPacket *packet;
    AVRational time_base; // of the packets
    pthread_t caller;
    int num_opened, num_packets, num_closed;
    uint64_t size, last_ns; // of all packets [bytes]; of the last one
    int64_t last_pts;
};

static void must(int error, const char *what)
{
    if (error < 0) {
        char text[AV_ERROR_MAX_STRING_SIZE];
        printf("FAILED: %s: %s\n", what, av_make_error_string(text, sizeof(text), error));
        exit(1);
    }
}

static enum weir_result open_movie(void *user, const struct weir_capture_track *track)
{
    struct host *host = user;
    test_expect(pthread_equal(pthread_self(), host->caller), "open() is on the caller's thread");
    host->num_opened++;
    must(avformat_alloc_output_context2(&host->format, NULL, "mov", host->path), "a muxer");
    AVStream *stream = avformat_new_stream(host->format, NULL);
    host->packet = av_packet_alloc();
    must(stream && host->packet ? 0 : AVERROR(ENOMEM), "a stream");
    reference_describe(stream, track);
    host->time_base = stream->time_base;
    stream->avg_frame_rate = (AVRational){(int)track->frame_rate_num, (int)track->frame_rate_den};
    must(avio_open(&host->format->pb, host->path, AVIO_FLAG_WRITE), host->path);
    AVDictionary *options = NULL;
    av_dict_set(&options, "movflags", "write_colr", 0);
    av_dict_set_int(&options, "video_track_timescale", track->time_base_den, 0);
    must(avformat_write_header(host->format, &options), "a head");
    av_dict_free(&options);
    return WEIR_OK;
}

static enum weir_result write_packet(void *user, const struct weir_capture_packet *given)
{
    struct host *host = user;
    test_expect(!pthread_equal(pthread_self(), host->caller), "packet() is on another thread");
    test_expect(given->is_key && given->duration > 0, "every packet is a key frame");
    test_expect(host->num_packets > 0
                    ? given->pts > host->last_pts && given->time_ns > host->last_ns
                    : given->pts == 0 && given->time_ns == 0,
                "packet %d at %" PRId64, host->num_packets, given->pts);
    host->num_packets++;
    host->last_pts = given->pts;
    host->last_ns = given->time_ns;
    host->size += given->size;
    must(av_new_packet(host->packet, (int)given->size), "a packet");
    memcpy(host->packet->data, given->data, given->size);
    host->packet->pts = host->packet->dts = given->pts;
    host->packet->duration = given->duration;
    host->packet->flags = given->is_key ? AV_PKT_FLAG_KEY : 0;
    av_packet_rescale_ts(host->packet, host->time_base, host->format->streams[0]->time_base);
    must(av_write_frame(host->format, host->packet), "a frame");
    av_packet_unref(host->packet);
    return WEIR_OK;
}

static enum weir_result close_movie(void *user)
{
    struct host *host = user;
    test_expect(pthread_equal(pthread_self(), host->caller), "close() is on the caller's thread");
    host->num_closed++;
    must(av_write_trailer(host->format), "an index");
    avio_closep(&host->format->pb);
    avformat_free_context(host->format);
    av_packet_free(&host->packet);
    return WEIR_OK;
}

// Fill the fixture's image, so that each frame is another.
static void draw(struct fixture *fixture, int number)
{
    const VkClearColorValue color = {
        .float32 = {(float)number / NUM_FRAMES, 0.5f, 1.0f - (float)number / NUM_FRAMES, 1.0f}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkCommandBuffer cmd = harness_begin(&fixture->harness);
    vkCmdClearColorImage(cmd, fixture->own.texels.params.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1,
                         &range);
    harness_submit(&fixture->harness, cmd, &fixture->released, VK_PIPELINE_STAGE_TRANSFER_BIT);
}

// The same frames each time, at times that jitter.
static void capture_frames(struct fixture *fixture, const struct weir_capture_params *params)
{
    static const int64_t jitter[] = {0, 3000000, -5000000, 1};
    weir_capture *capture = fixture_open(fixture, params);
    for (int i = 0; i < NUM_FRAMES; i++) {
        draw(fixture, i);
        const int64_t time_ns = 777 + i * INT64_C(16666667) + jitter[i % 4];
        test_expect(fixture_present(fixture, capture, time_ns) == WEIR_OK, "frame %d", i);
    }
    fixture_expect_end(capture, WEIR_OK, NUM_FRAMES, 0);
}

// FFmpeg reads the same track, and the same packets at the same times.
static void expect_same(const char *theirs, const char *ours)
{
    static struct movies movies[2];
    struct reference references[2];
    const char *const paths[] = {theirs, ours};
    const AVStream *tracks[2];
    for (int i = 0; i < 2; i++) {
        movies_append(&movies[i], paths[i], 0);
        reference_open(&references[i], paths[i]);
        tracks[i] = reference_stream(&references[i], AVMEDIA_TYPE_VIDEO, 0)->facts;
    }
    movies_expect_same("the host's movie", &movies[0], &movies[1]);
    test_expect(movies[1].num_frames == NUM_FRAMES, "%d frames", movies[1].num_frames);
    const AVCodecParameters *a = tracks[0]->codecpar, *b = tracks[1]->codecpar;
    test_expect(a->codec_id == AV_CODEC_ID_HAP && b->codec_id == a->codec_id &&
                    a->codec_tag == MKTAG('H', 'a', 'p', 'Y') && b->codec_tag == a->codec_tag &&
                    a->width == b->width && a->height == b->height &&
                    a->color_space == b->color_space && a->color_trc == b->color_trc &&
                    a->color_primaries == b->color_primaries &&
                    av_cmp_q(tracks[0]->sample_aspect_ratio, (AVRational){4, 3}) == 0 &&
                    av_cmp_q(tracks[1]->sample_aspect_ratio, (AVRational){4, 3}) == 0 &&
                    av_cmp_q(tracks[0]->time_base, tracks[1]->time_base) == 0 &&
                    av_cmp_q(tracks[0]->r_frame_rate, tracks[1]->r_frame_rate) == 0,
                "the tracks differ");
    for (int i = 0; i < 2; i++) {
        movies_finish(&movies[i]);
        reference_close(&references[i]);
        reference_expect_frames("decoded", paths[i], NUM_FRAMES);
        unlink(paths[i]);
    }
}

static void test_muxed(struct fixture *fixture, enum weir_compression compression)
{
    const char *theirs = test_path("host.mov"), *ours = test_path("weir.mov");
    struct host host = {.path = theirs, .caller = pthread_self()};
    struct weir_capture_params params = fixture_params(fixture, NULL, WEIR_SINK_CALLBACK);
    params.rate.compression = compression;
    params.rate.packing = WEIR_PACKING_GPU;
    params.movie.pixel_aspect = (struct weir_ratio){4, 3};
    params.callbacks = (struct weir_sink_callbacks){
        .open = open_movie, .packet = write_packet, .close = close_movie, .user = &host};
    capture_frames(fixture, &params);
    test_expect(host.num_opened == 1 && host.num_packets == NUM_FRAMES && host.num_closed == 1,
                "%d opened, %d packets, %d closed", host.num_opened, host.num_packets,
                host.num_closed);
    params.sink = WEIR_SINK_MOV;
    params.callbacks = (struct weir_sink_callbacks){0};
    params.path = ours;
    capture_frames(fixture, &params);
    expect_same(theirs, ours);
}

// A host that fails.
struct failing {
    enum weir_result open, packet, close; // what it answers
    int good_packets;                     // before it does
    int num_packets, num_closed;
};

static enum weir_result fail_open(void *user, const struct weir_capture_track *track)
{
    (void)track;
    return ((struct failing *)user)->open;
}

static enum weir_result fail_packet(void *user, const struct weir_capture_packet *packet)
{
    (void)packet;
    struct failing *host = user;
    return host->num_packets++ < host->good_packets ? WEIR_OK : host->packet;
}

static enum weir_result fail_close(void *user)
{
    struct failing *host = user;
    host->num_closed++;
    return host->close;
}

static struct weir_capture_params failing_params(const struct fixture *fixture,
                                                 struct failing *host)
{
    struct weir_capture_params params = fixture_params(fixture, NULL, WEIR_SINK_CALLBACK);
    params.callbacks = (struct weir_sink_callbacks){
        .open = fail_open, .packet = fail_packet, .close = fail_close, .user = host};
    return params;
}

static void test_open_fails(struct fixture *fixture)
{
    struct failing host = {.open = WEIR_ERROR_DISK_FULL};
    const struct weir_capture_params params = failing_params(fixture, &host);
    weir_capture *capture = NULL;
    const enum weir_result result = weir_capture_open(fixture->harness.context, &params, &capture);
    test_expect(result == WEIR_ERROR_DISK_FULL && !capture && host.num_closed == 0, "open: %s",
                weir_result_name(result));
}

// An error of packet() is that of the capture, and stays; every frame is counted and comes back.
static void test_packet_fails(struct fixture *fixture, enum weir_result answer,
                              enum weir_result want)
{
    struct failing host = {.good_packets = 5, .packet = answer};
    const struct weir_capture_params params = failing_params(fixture, &host);
    const int before = fixture->harness.log_codes[WEIR_LOG_CODE_WRITE_FAILED];
    weir_capture *capture = fixture_open(fixture, &params);
    enum weir_result result = WEIR_OK;
    for (int i = 0; i < 100; i++) {
        const enum weir_result now = fixture_present(fixture, capture, i * INT64_C(16666667));
        test_expect(now == result || (result == WEIR_OK && now == want), "a failure stays: %s",
                    weir_result_name(now));
        result = now;
    }
    struct weir_capture_stats stats;
    test_expect(weir_capture_close(&capture, &stats) == want, "close");
    fixture_expect_sum(&stats);
    test_expect(stats.written == 5 && stats.dropped_by_reason[WEIR_DROP_SINK] == 95,
                "%" PRIu64 " written, %" PRIu64 " dropped", stats.written, stats.dropped);
    test_expect(host.num_packets == 6 && host.num_closed == 1, "%d packets, %d closed",
                host.num_packets, host.num_closed);
    test_expect(fixture->harness.log_codes[WEIR_LOG_CODE_WRITE_FAILED] == before + 1, "one error");
}

static void test_close_fails(struct fixture *fixture)
{
    struct failing host = {.good_packets = 100, .close = WEIR_ERROR_IO};
    const struct weir_capture_params params = failing_params(fixture, &host);
    weir_capture *capture = fixture_open(fixture, &params);
    test_expect(fixture_present(fixture, capture, 0) == WEIR_OK, "a frame");
    fixture_expect_end(capture, WEIR_ERROR_IO, 1, 0);
}

// Only packet() is required, and positive answers are no errors.
static void test_packet_alone(struct fixture *fixture)
{
    struct failing host = {.packet = WEIR_DROPPED};
    struct weir_capture_params params = failing_params(fixture, &host);
    params.callbacks.open = NULL;
    params.callbacks.close = NULL;
    weir_capture *capture = fixture_open(fixture, &params);
    test_expect(!weir_capture_get_params(capture).callbacks.packet, "pointers are NULL");
    for (int i = 0; i < 10; i++) {
        test_expect(fixture_present(fixture, capture, i) == WEIR_OK, "frame %d", i);
    }
    fixture_expect_end(capture, WEIR_OK, 10, 0);
    test_expect(host.num_packets == 10, "%d packets", host.num_packets);
}

// Beside a movie they get every packet, and what they answer is no error of the movie's.
static void test_beside(struct fixture *fixture, enum weir_result answer)
{
    struct failing host = {.good_packets = 5, .packet = answer};
    const char *path = test_path("beside.mov");
    struct weir_capture_params params = failing_params(fixture, &host);
    params.sink = WEIR_SINK_MOV;
    params.path = path;
    const int before = fixture->harness.log_codes[WEIR_LOG_CODE_WRITE_FAILED];
    capture_frames(fixture, &params);
    const bool fails = answer < WEIR_OK;
    test_expect(host.num_packets == (fails ? 6 : NUM_FRAMES) && host.num_closed == 1,
                "%d packets, %d closed", host.num_packets, host.num_closed);
    test_expect(fixture->harness.log_codes[WEIR_LOG_CODE_WRITE_FAILED] == before + fails,
                "one error");
    reference_expect_frames("the movie", path, NUM_FRAMES);
    unlink(path);
}

int main(void)
{
    struct fixture fixture;
    fixture_init(&fixture, true);
    test_muxed(&fixture, WEIR_COMPRESSION_NONE);
    test_muxed(&fixture, WEIR_COMPRESSION_SNAPPY);
    test_open_fails(&fixture);
    test_packet_fails(&fixture, WEIR_ERROR_IO, WEIR_ERROR_IO);
    test_packet_fails(&fixture, WEIR_ERROR_DISK_FULL, WEIR_ERROR_DISK_FULL);
    test_packet_fails(&fixture, WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_IO);
    test_close_fails(&fixture);
    test_packet_alone(&fixture);
    test_beside(&fixture, WEIR_OK);
    test_beside(&fixture, WEIR_ERROR_IO);
    fixture_finish(&fixture);
    return test_finish();
}
