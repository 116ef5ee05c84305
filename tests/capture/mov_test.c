// SPDX-License-Identifier: MIT
// Movies written from random blocks, judged by FFmpeg's programs: what they are, every frame, every
// time stamp; and the null and hash sinks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/stream/clock/clock.h"
#include "capture/stream/packet/packet.h"
#include "reference.h"
#include "testing.h"

struct movie {
    struct weir_mux_params params;
    bool snappy;
    uint32_t num_chunks;
    int num_frames;
    uint64_t *ticks; // of every frame; NULL: a constant rate
};

// Half of the blocks repeat, so that Snappy has something to do.
static void fill(uint8_t *bytes, uint32_t size)
{
    test_random_bytes(bytes, size);
    for (uint32_t i = 0; i < size / 2; i += 16) {
        memcpy(bytes + i, bytes + size - 16, 16);
    }
}

static bool write_movie(const struct movie *movie)
{
    const uint32_t size = test_texture_size(movie->params.format.width,
                                            movie->params.format.height);
    uint8_t *room = malloc(size + WEIR_PACKET_HEADROOM);
    const struct weir_packer_params packer_params = TEST_LIST(.codec = movie->params.codec,
                                                              .width = movie->params.format.width,
                                                              .height = movie->params.format.height,
                                                              .snappy = movie->snappy,
                                                              .num_chunks = movie->num_chunks);
    struct weir_packer *packer;
    struct weir_mux *mux;
    test_must(room && weir_packer_create(&packer_params, &test_log, &packer) == WEIR_OK &&
                  weir_mux_mov.open(&movie->params, &mux) == WEIR_OK,
              "a movie");
    bool is_good = true;
    fill(room + WEIR_PACKET_HEADROOM, size);
    for (int i = 0; i < movie->num_frames; i++) {
        const struct weir_packet packet = weir_packer_pack(packer, room + WEIR_PACKET_HEADROOM);
        const struct weir_mux_packet frame = {
            .data = packet.data,
            .size = packet.size,
            .ticks = movie->ticks ? movie->ticks[i] : (uint64_t)i * movie->params.ticks_per_frame,
        };
        is_good &= mux->ops->write(mux, &frame) == WEIR_OK;
    }
    is_good &= mux->ops->close(mux) == WEIR_OK;
    weir_packer_destroy(&packer);
    free(room);
    return is_good;
}

static void test_sizes(void)
{
    static const struct {
        uint32_t width, height;
        int num_frames;
    } sizes[] = {{1, 1, 30}, {3, 5, 30}, {33, 17, 30}, {1918, 1078, 2}, {3840, 2160, 2}};
    for (int i = 0; i < 15; i++) {
        const uint32_t width = sizes[i / 3].width, height = sizes[i / 3].height;
        const char *path = test_path("size.mov");
        const struct movie movie = {
            .params = test_movie(path, width, height),
            .snappy = i % 3 > 0,
            .num_chunks = i % 3 == 2 ? 8 : 1,
            .num_frames = sizes[i / 3].num_frames,
        };
        test_expect(write_movie(&movie), "%ux%u: written", width, height);
        struct reference reference;
        reference_open(&reference, path);
        const AVStream *facts = reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0)->facts;
        const AVCodecParameters *codec = facts ? facts->codecpar : NULL;
        test_expect(facts && codec->codec_id == AV_CODEC_ID_HAP &&
                        codec->codec_tag == MKTAG('H', 'a', 'p', 'Y') &&
                        codec->width == (int)width && codec->height == (int)height &&
                        codec->color_space == AVCOL_SPC_RGB &&
                        codec->color_trc == AVCOL_TRC_IEC61966_2_1 &&
                        codec->color_primaries == AVCOL_PRI_BT709 &&
                        facts->avg_frame_rate.num == 60 && facts->avg_frame_rate.den == 1 &&
                        facts->r_frame_rate.num == 60 && facts->r_frame_rate.den == 1,
                    "%ux%u: FFmpeg reads another movie", width, height);
        reference_close(&reference);
        reference_expect_frames("size", path, movie.num_frames);
    }
}

static void test_times(uint32_t rate_num, uint32_t rate_den)
{
    enum { NUM = 200 };
    uint64_t ticks[NUM] = {0};
    const uint32_t per_second = weir_ticks_per_second(rate_num, rate_den);
    for (int i = 1; i < NUM; i++) {
        // Bursts, ordinary frames, pauses, and once the longest gap that there may be.
        const uint64_t gaps[] = {1, 1 + test_random() % 10, test_random() % 4000 + 1,
                                 test_random() % 10000000 + 1};
        ticks[i] = ticks[i - 1] + (i == 100 ? INT32_MAX : gaps[test_random() % 4]);
    }
    const char *path = test_path("times.mov");
    struct movie movie = {.params = test_movie(path, 16, 16), .num_frames = NUM, .ticks = ticks};
    movie.params.rate_num = rate_num;
    movie.params.rate_den = rate_den;
    movie.params.ticks_per_second = per_second;
    movie.params.ticks_per_frame = weir_ticks_per_frame(rate_num, rate_den, per_second);
    test_expect(write_movie(&movie), "times: written");
    struct reference reference;
    reference_open(&reference, path);
    const struct reference_stream *frames = reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0);
    test_expect(frames->num_packets == NUM && frames->facts->time_base.num == 1 &&
                    frames->facts->time_base.den == (int)per_second,
                "times: %zu frames", frames->num_packets);
    for (size_t i = 0; i < NUM && i < frames->num_packets; i++) {
        const int64_t got = frames->packets[i].pts;
        if (!test_expect(got == (int64_t)ticks[i], "frame %zu at %lld, not %llu", i, (long long)got,
                         (unsigned long long)ticks[i])) {
            break;
        }
    }
    reference_close(&reference);
}

static void test_other_sinks(void)
{
    const char *path = test_path("hashes.txt");
    const struct weir_mux_params params = test_movie(path, 4, 4);
    struct weir_mux *mux;
    test_expect(weir_mux_hash.open(&params, &mux) == WEIR_OK, "hash: open");
    const char *texts[] = {"", "a", "foobar"};
    for (int i = 0; i < 3; i++) {
        const struct weir_mux_packet packet = {
            .data = (const uint8_t *)texts[i],
            .size = (uint32_t)strlen(texts[i]),
            .time_ns = (uint64_t)i * 1000,
        };
        test_expect(mux->ops->write(mux, &packet) == WEIR_OK, "hash: write");
    }
    test_expect(mux->ops->close(mux) == WEIR_OK, "hash: close");
    char output[512];
    test_read_text(path, output, sizeof(output));
    // The values that the hash's authors publish for these texts.
    test_expect(strcmp(output, "0 0 cbf29ce484222325\n1000 1 af63dc4c8601ec8c\n"
                               "2000 6 85944171f73967e8\n") == 0,
                "hash: %s", output);
    test_expect(weir_mux_null.open(&params, &mux) == WEIR_OK, "null: open");
    const struct weir_mux_packet packet = {.data = NULL};
    test_expect(mux->ops->write(mux, &packet) == WEIR_OK && mux->ops->close(mux) == WEIR_OK,
                "null: write, close");
}

// mpv decodes every frame of every size: it writes them out raw, and their bytes are counted. Its
// player may warn of itself; what it warns of the file comes from other modules.
static void test_mpv(void)
{
    static const uint32_t sizes[][2] = {{640, 360}, {1, 1}, {3, 5}, {33, 17}, {1918, 1078}};
    char output[4096];
    if (test_run(output, sizeof(output), "mpv --version") != 0) {
        printf("mpv is not installed: not tried\n");
        return;
    }
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        const uint32_t width = sizes[i][0], height = sizes[i][1];
        const char *path = test_path("mpv.mov");
        const struct movie movie = {.params = test_movie(path, width, height), .num_frames = 7};
        write_movie(&movie);
        const int status = test_run(
            output, sizeof(output),
            "mpv --no-config --msg-level=all=warn,cplayer=error --vf=format=rgb24 "
            "--ovc=rawvideo --of=rawvideo --o='%s.rgb' '%s' && "
            "wc -c <'%s.rgb'; rm -f '%s.rgb'",
            path, path, path, path);
        const unsigned long long bytes = strtoull(output, NULL, 10);
        test_expect(status == 0 && bytes == 7ull * width * height * 3, "mpv, %ux%u: %d, %s", width,
                    height, status, output);
    }
}

int main(void)
{
    test_sizes();
    test_times(60, 1);
    test_times(60000, 1001);
    test_other_sinks();
    test_mpv();
    return test_finish();
}
