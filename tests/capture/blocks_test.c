// SPDX-License-Identifier: MIT
// Movies of blocks: those of every codec hold what was handed over, by FFmpeg's libraries, with
// lost frames and frames of another size.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/movie/hap.h"
#include "capture/stream/packet/packet.h"
#include "movies.h"
#include "recording.h"
#include "reference.h"
#include "testing.h"

enum { MAX_SIDE = 70 };
static const int64_t FRAME_NS = 1000000000 / 60;

static struct recording host;

static uint32_t side(void)
{
    return 1 + (uint32_t)(test_random() % MAX_SIDE);
}

static void expect_layout(enum weir_movie_codec codec, uint32_t width, uint32_t height)
{
    const struct weir_movie_codec_info *info = weir_movie_codec_get_info(codec);
    const struct weir_blocks_layout layout = weir_blocks_get_layout(codec, width, height);
    const uint32_t last = info->num_textures - 1;
    const uint64_t sum = layout.sizes[0] + layout.sizes[1];
    test_expect(layout.num_textures == info->num_textures &&
                    sum == weir_movie_codec_frame_size(codec, width, height),
                "%s, %ux%u: %" PRIu64 " bytes", info->name, width, height, sum);
    test_expect(layout.offsets[0] % 16 == 0 && layout.offsets[0] >= WEIR_PACKET_HEADROOM,
                "%s: the first one begins at %" PRIu64, info->name, layout.offsets[0]);
    test_expect(last == 0 ||
                    layout.offsets[1] == layout.offsets[0] + layout.sizes[0] +
                                             weir_hap_header_size((uint32_t)layout.sizes[1]),
                "%s: the second one begins at %" PRIu64, info->name, layout.offsets[1]);
    const uint64_t end = layout.offsets[last] + layout.sizes[last];
    test_expect(layout.size % 16 == 0 && layout.size >= end && layout.size < end + 16,
                "%s: %" PRIu64 " bytes in all", info->name, layout.size);
}

static void test_layout(void)
{
    static const struct {
        enum weir_movie_codec codec;
        uint32_t width, height;
    } wrong[] = {{WEIR_MOVIE_CODEC_HAP, 0, 4},
                 {WEIR_MOVIE_CODEC_HAP, 4, 0},
                 {WEIR_MOVIE_CODEC_HAP, 65536, 4},
                 {WEIR_MOVIE_CODEC_HAP, 4, UINT32_MAX},
                 {(enum weir_movie_codec)99, 4, 4}};
    static const struct weir_blocks_layout none;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        const struct weir_blocks_layout layout = weir_blocks_get_layout(
            wrong[i].codec, wrong[i].width, wrong[i].height);
        test_expect(memcmp(&layout, &none, sizeof(none)) == 0, "no layout of case %zu", i);
    }
    for (int codec = 0; codec <= (int)WEIR_MOVIE_CODEC_HAP_HDR; codec++) {
        expect_layout((enum weir_movie_codec)codec, 1, 1);
        expect_layout((enum weir_movie_codec)codec, 3840, 2160);
        expect_layout((enum weir_movie_codec)codec, 16384, 8192); // sections with long headers
        expect_layout((enum weir_movie_codec)codec, 65535, 65535);
        expect_layout((enum weir_movie_codec)codec, side(), side());
    }
}

static struct weir_capture_params any_params(enum weir_movie_codec codec, const char *path)
{
    return (struct weir_capture_params){
        .path = path,
        .codec = codec,
        .rate = {.compression = test_random() % 2 ? WEIR_COMPRESSION_SNAPPY : WEIR_COMPRESSION_NONE,
                 .num_chunks = 1 + (uint32_t)(test_random() % 4)},
        .policy = WEIR_POLICY_WAIT,
        .num_slots = 2 + (uint32_t)(test_random() % 3),
        .movie = {.pad = test_random() % 2, .sync_ms = WEIR_SYNC_NEVER},
    };
}

// Check a movie of `num` frames from frame `first` on.
static void expect_movie(const struct weir_capture_params *params, const char *path, uint32_t first,
                         size_t num)
{
    const struct recording_frame *frame = &host.frames[first];
    const uint32_t unit = params->movie.pad ? 4 : 1;
    struct reference reference;
    reference_open(&reference, path);
    const struct reference_stream *movie = reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0);
    test_expect(movie->facts && movie->num_packets == num && !reference.complaint[0],
                "%s: %zu of %zu packets, %s", path, movie->num_packets, num, reference.complaint);
    test_expect(movie->facts &&
                    movie->facts->codecpar->width == (int)((frame->width + unit - 1) / unit * unit),
                "%s: its width", path);
    struct packet_model model;
    packet_model_init(&model, &host, params, frame->width, frame->height);
    for (size_t i = 0; i < movie->num_packets && i < num; i++) {
        const struct reference_packet *packet = &movie->packets[i];
        packet_model_check(&model, first + (uint32_t)i, movie->bytes + packet->offset,
                           packet->size);
    }
    packet_model_finish(&model);
    reference_close(&reference);
    if (weir_movie_codec_get_info(params->codec)->ffmpeg_decodes) {
        reference_expect_frames("decoded", path, (int)num);
    }
}

// Frames of every codec, of which some are lost.
static void test_codec(enum weir_movie_codec codec)
{
    const char *path = test_path("codec.mov");
    struct weir_capture_params params = any_params(codec, path);
    params.movie.sidecar = true;
    const uint32_t width = side(), height = side();
    recording_open_size(&host, width, height, &params);
    uint64_t num_lost = 0;
    for (int i = 0; i < 24; i++) {
        const int64_t time_ns = i * FRAME_NS - 77;
        if (test_random() % 4 == 0) {
            num_lost++;
            test_expect(recording_lose(&host, width, height, time_ns) == WEIR_DROPPED, "lost");
        } else {
            test_expect(recording_present_random(&host, width, height, time_ns) == WEIR_OK,
                        "frame %d", i);
        }
    }
    const struct weir_capture_stats stats = recording_end(&host, WEIR_OK);
    test_expect(stats.dropped == num_lost && stats.written == host.num_accepted &&
                    stats.dropped_by_reason[WEIR_DROP_RING_FULL] == num_lost,
                "%" PRIu64 " of %" PRIu64 " lost", stats.dropped, num_lost);
    if (host.num_accepted > 0) {
        char sidecar[256];
        snprintf(sidecar, sizeof(sidecar), "%s.json", path);
        test_expect(test_count_lines(sidecar, "\"reason\": \"ring_full\"") == (int)num_lost,
                    "%" PRIu64 " in the sidecar", num_lost);
        expect_movie(&params, path, 0, host.num_accepted);
        unlink(path);
        unlink(sidecar);
    }
    recording_finish(&host);
}

// Frames that FFmpeg shows in the colours of their blocks.
static void test_colors(void)
{
    enum { NUM = 20 };
    uint8_t greens[NUM] = {0};
    const char *path = test_path("green.mov");
    const struct weir_capture_params params = any_params(WEIR_MOVIE_CODEC_HAP, path);
    recording_open_size(&host, 33, 17, &params);
    for (int i = 0; i < NUM; i++) {
        test_expect(recording_present_green(&host, 33, 17, i * FRAME_NS) == WEIR_OK, "frame %d", i);
    }
    recording_end(&host, WEIR_OK);
    test_expect(reference_read_greens(path, greens, NUM) == NUM, "%d frames", NUM);
    for (uint32_t i = 0; i < NUM; i++) {
        test_expect(greens[i] == recording_green(i), "frame %u is %d", i, greens[i]);
    }
    recording_finish(&host);
    unlink(path);
}

// A host beside the movies.
struct beside {
    uint32_t num_opened, num_packets, num_closed;
};

static enum weir_result open_beside(void *user, const struct weir_capture_track *track)
{
    test_expect(track->width > 0, "a size");
    ((struct beside *)user)->num_opened++;
    return WEIR_OK;
}

static enum weir_result take_beside(void *user, const struct weir_capture_packet *packet)
{
    test_expect(packet->size > 0, "a packet");
    ((struct beside *)user)->num_packets++;
    return WEIR_OK;
}

static enum weir_result close_beside(void *user)
{
    ((struct beside *)user)->num_closed++;
    return WEIR_OK;
}

// Another size begins a segment, with packets of its own, and another movie of a host beside it.
static void test_sizes(void)
{
    enum { NUM = 40 };
    const char *path = test_path("sizes.mov");
    const enum weir_movie_codec codec = 1 + (enum weir_movie_codec)(test_random() % 7);
    struct weir_capture_params params = any_params(codec, path);
    params.segments.enable = true;
    struct beside beside = {0};
    params.callbacks = (struct weir_sink_callbacks){
        .open = open_beside, .packet = take_beside, .close = close_beside, .user = &beside};
    uint32_t width = side(), height = side(), first[NUM], num_segments = 0;
    recording_open_size(&host, width, height, &params);
    for (uint32_t i = 0; i < NUM; i++) {
        if (i == 0 || test_random() % 6 == 0) {
            first[num_segments++] = i;
            width = i > 0 ? width % MAX_SIDE + 1 : width; // another one
            height = i > 0 ? side() : height;
        }
        test_expect(recording_present_random(&host, width, height, i * FRAME_NS) == WEIR_OK,
                    "frame %u", i);
        if (test_random() % 8 == 0) { // a lost frame of another size begins none
            test_expect(recording_lose(&host, 71, 71, i * FRAME_NS + 9) == WEIR_DROPPED, "lost");
        }
    }
    const struct weir_capture_stats stats = recording_end(&host, WEIR_OK);
    test_expect(stats.segments == num_segments, "%" PRIu64 " of %u segments", stats.segments,
                num_segments);
    test_expect(beside.num_opened == num_segments && beside.num_closed == num_segments &&
                    beside.num_packets == NUM,
                "beside: %u opened, %u packets, %u closed", beside.num_opened, beside.num_packets,
                beside.num_closed);
    for (uint32_t i = 0; i < num_segments; i++) {
        const char *segment = segment_path(path, (int)i + 1);
        expect_movie(&params, segment, first[i],
                     (i + 1 < num_segments ? first[i + 1] : NUM) - first[i]);
        unlink(segment);
    }
    recording_finish(&host);
}

int main(void)
{
    test_layout();
    for (int codec = 0; codec <= (int)WEIR_MOVIE_CODEC_HAP_HDR; codec++) {
        test_codec((enum weir_movie_codec)codec);
    }
    test_colors();
    test_sizes();
    return test_finish();
}
