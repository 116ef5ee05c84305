// SPDX-License-Identifier: MIT
// A capture refuses wrong parameters, and fills in the others. tests/gpu/null_test.c has NULL,
// handback_test.c wrong frames.
#include <weir/capture.h>

#include <limits.h>

#include <vulkan/vulkan.h>

#include "capture/stream/state.h"
#include "fixture.h"
#include "testing.h"

static void expect_not_opened(struct fixture *fixture, const struct weir_capture_params *params,
                              enum weir_result want, const char *what)
{
    weir_capture *capture = (weir_capture *)&capture;
    const enum weir_result result = weir_capture_open(fixture->harness.context, params, &capture);
    test_expect(result == want && !capture, "%s: %s", what, weir_result_name(result));
}

static void refuse(struct fixture *fixture, struct weir_capture_params params,
                   enum weir_log_code code, const char *what)
{
    const int before = fixture->harness.log_codes[code];
    expect_not_opened(fixture, &params, WEIR_ERROR_INVALID, what);
    test_expect(fixture->harness.log_codes[code] == before + 1, "%s: code %d is in the log", what,
                code);
}

static void test_params(struct fixture *fixture)
{
    const struct weir_capture_params good = fixture_params(fixture, NULL, WEIR_SINK_NULL);
#define REFUSE(code, ...)                                                                          \
    do {                                                                                           \
        struct weir_capture_params bad = good;                                                     \
        bad.__VA_ARGS__;                                                                           \
        refuse(fixture, bad, WEIR_LOG_CODE_##code, #__VA_ARGS__);                                  \
    } while (0)
    REFUSE(OUT_OF_RANGE, num_slots = 1);
    REFUSE(OUT_OF_RANGE, num_slots = 65);
    REFUSE(OUT_OF_RANGE, rate.num_chunks = 65);
    REFUSE(OUT_OF_RANGE, timing.frame_rate.num = 30);
    REFUSE(OUT_OF_RANGE, timing.frame_rate.den = 1001);
    REFUSE(OUT_OF_RANGE, timing.frame_rate.num = bad.timing.frame_rate.den = UINT32_MAX);
    REFUSE(OUT_OF_RANGE, timing.constant_rate = true, bad.num_slots = 64);
    REFUSE(OUT_OF_RANGE, timing.constant_rate = true, bad.timing.frame_rate.num = 1001,
           bad.timing.frame_rate.den = 1);
    REFUSE(OUT_OF_RANGE, timing.constant_rate = true, bad.timing.frame_rate.num = 1,
           bad.timing.frame_rate.den = 2);
    REFUSE(OUT_OF_RANGE, timing.constant_rate = true, bad.timing.frame_rate.num = 1000003,
           bad.timing.frame_rate.den = 1001);
    REFUSE(OUT_OF_RANGE, timing.timecode = "");
    REFUSE(OUT_OF_RANGE, timing.timecode = "10:00:00:60");
    REFUSE(OUT_OF_RANGE, timing.timecode = "10:00:00;00");
    REFUSE(OUT_OF_RANGE, timing.timecode = "10:00:00:00", bad.timing.frame_rate.num = 25,
           bad.timing.frame_rate.den = 2);
    REFUSE(OUT_OF_RANGE, timing.max_rate.num = 60);
    REFUSE(OUT_OF_RANGE, movie.pixel_aspect.num = 4);
    REFUSE(OUT_OF_RANGE, movie.pixel_aspect.den = 3);
    REFUSE(OUT_OF_RANGE, movie.pixel_aspect.num = bad.movie.pixel_aspect.den = UINT32_MAX);
    REFUSE(OUT_OF_RANGE, movie.title = "\xff");
    REFUSE(OUT_OF_RANGE, movie.comment = "\xff");
    REFUSE(OUT_OF_RANGE, timing.max_rate.den = 1);
    REFUSE(OUT_OF_RANGE, timing.max_rate.num = bad.timing.max_rate.den = UINT32_MAX);
    REFUSE(UNKNOWN_VALUE, sink = (enum weir_sink)4);
    REFUSE(UNKNOWN_VALUE, sink = (enum weir_sink)INT_MAX);
    REFUSE(UNKNOWN_VALUE, codec = (enum weir_movie_codec)77);
    REFUSE(UNKNOWN_VALUE, encoding.decoder = (enum weir_decoder_model)2);
    REFUSE(UNKNOWN_VALUE, encoding.effort = (enum weir_effort)77);
    REFUSE(UNKNOWN_VALUE, rate.compression = (enum weir_compression)2);
    REFUSE(UNKNOWN_VALUE, rate.packing = (enum weir_packing)3);
    REFUSE(UNKNOWN_VALUE, policy = (enum weir_policy)2);
    REFUSE(OUT_OF_RANGE, replay.length_ms = 3600001);
    REFUSE(OUT_OF_RANGE, replay.max_bytes = bad.replay.length_ms = 1000);
    REFUSE(UNKNOWN_VALUE, movie.sidecar = true);
    REFUSE(NULL_ARGUMENT, sink = WEIR_SINK_HASH; bad.path = "");
    static const struct weir_audio_track tracks[] = TEST_LIST(
        {.sample_rate = 999, .num_channels = 2}, {.sample_rate = 768001, .num_channels = 2},
        {.sample_rate = 48000, .num_channels = 0}, {.sample_rate = 48000, .num_channels = 17},
        {.sample_rate = 48000, .num_channels = 2, .format = (enum weir_sample_format)4},
        {.sample_rate = 48000, .num_channels = 2, .language = "Eng"},
        {.sample_rate = 48000, .num_channels = 2, .language = "en"},
        {.sample_rate = 48000, .num_channels = 2, .language = {'e', 'n', 'g', 'l'}},
        {.sample_rate = 48000, .num_channels = 2, .layout = 1},
        {.sample_rate = 48000, .num_channels = 2, .layout = 1u << 22 | 1},
        {.sample_rate = 48000, .num_channels = 2, .language = "eng"});
    for (int i = 0; i < 8; i++) {
        struct weir_capture_params bad = good;
        bad.audio.tracks = &tracks[i];
        bad.audio.num_tracks = 1;
        refuse(fixture, bad, i < 4 ? WEIR_LOG_CODE_OUT_OF_RANGE : WEIR_LOG_CODE_UNKNOWN_VALUE,
               "a track");
    }
    REFUSE(OUT_OF_RANGE, audio.tracks = tracks; bad.audio.num_tracks = 9);
    REFUSE(OUT_OF_RANGE, audio.buffer_ms = 199);
    REFUSE(OUT_OF_RANGE, audio.buffer_ms = 60001);
    REFUSE(NULL_ARGUMENT, audio.num_tracks = 1);
    struct weir_capture_params odd = good;
    odd.sink = WEIR_SINK_HASH;
    odd.path = "never.txt";
    odd.audio.tracks = &tracks[10];
    odd.audio.num_tracks = 1;
    expect_not_opened(fixture, &odd, WEIR_ERROR_UNSUPPORTED, "audio into hashes");
    test_expect(!test_file_exists(odd.path), "and no file is made");
    odd = good;
    odd.codec = WEIR_MOVIE_CODEC_HAP_HDR;
    expect_not_opened(fixture, &odd, WEIR_ERROR_UNSUPPORTED, "half floats of an image of 8 bits");
    odd.codec = WEIR_MOVIE_CODEC_HAP_R;
    odd.encoding.effort = WEIR_EFFORT_EXHAUSTIVE;
    expect_not_opened(fixture, &odd, WEIR_ERROR_UNSUPPORTED, "an effort that the codec has not");
    odd = good;
    odd.like = harness_like(&fixture->harness, VK_FORMAT_R8G8B8A8_SNORM, 0, 0);
    expect_not_opened(fixture, &odd, WEIR_ERROR_UNSUPPORTED, "format");
    odd = fixture_params(fixture, test_path("missing/movie.mov"), WEIR_SINK_MOV);
    expect_not_opened(fixture, &odd, WEIR_ERROR_IO, "a folder that is missing");
}

// Sizes that no device has an image of, and a movie has no frames of.
static void test_sizes(void)
{
    static const struct {
        uint32_t width, height;
        bool fits;
    } sizes[] = {{1, 1, true},         {65535, 4, true},       {65536, 4, false},
                 {4, 65536, false},    {4, UINT32_MAX, false}, {65535, 65535, false},
                 {32768, 32768, true}, {32768, 32772, false}};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        const uint32_t width = sizes[i].width, height = sizes[i].height;
        struct weir_capture_params params = {.sink = WEIR_SINK_NULL};
        const int before = test_log_count(WEIR_LOG_CODE_OUT_OF_RANGE);
        const enum weir_result want = sizes[i].fits ? WEIR_OK : WEIR_ERROR_INVALID;
        test_expect(weir_capture_check_params(&test_log, width, height, &params) == want, "%ux%u",
                    width, height);
        test_expect(sizes[i].fits == (test_log_count(WEIR_LOG_CODE_OUT_OF_RANGE) == before),
                    "%ux%u is named", width, height);
    }
}

// A warning says what players do not show.
static void test_warnings(void)
{
    static const struct {
        enum weir_movie_codec codec;
        uint32_t width, height;
        bool pad, is_warned;
    } cases[] = {
        {WEIR_MOVIE_CODEC_HAP_Q, 1918, 1078, false, true},
        {WEIR_MOVIE_CODEC_HAP_Q, 1918, 1078, true, false},
        {WEIR_MOVIE_CODEC_HAP_Q, 7680, 4320, false, false},
        {WEIR_MOVIE_CODEC_HAP_Q_ALPHA, 3840, 2160, false, false},
        {WEIR_MOVIE_CODEC_HAP_Q_ALPHA, 4096, 2728, false, false},
        {WEIR_MOVIE_CODEC_HAP_Q_ALPHA, 4096, 2732, false, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const uint32_t width = cases[i].width, height = cases[i].height;
        struct weir_capture_params params = {
            .sink = WEIR_SINK_NULL, .codec = cases[i].codec, .movie = {.pad = cases[i].pad}};
        const int before = test_log_count(WEIR_LOG_CODE_PLAYER_LIMIT);
        test_expect(weir_capture_check_params(&test_log, width, height, &params) == WEIR_OK &&
                        (test_log_count(WEIR_LOG_CODE_PLAYER_LIMIT) > before) == cases[i].is_warned,
                    "codec %d, %ux%u", (int)cases[i].codec, width, height);
    }
}

static void test_defaults(struct fixture *fixture)
{
    struct weir_capture_params params = fixture_params(fixture, NULL, WEIR_SINK_NULL);
    weir_capture *capture = fixture_open(fixture, &params);
    params = weir_capture_get_params(capture);
    test_expect(params.num_slots == 8 && params.timing.frame_rate.num == 60 &&
                    params.timing.frame_rate.den == 1 && params.rate.num_chunks == 1 &&
                    params.movie.sync_ms == 1000 && params.audio.buffer_ms == 4000 &&
                    params.codec == WEIR_MOVIE_CODEC_HAP_Q && !params.path && !params.like &&
                    !params.debug_tag,
                "defaults are filled in");
    params = fixture_params(fixture, NULL, WEIR_SINK_NULL);
    params.timing.max_rate = (struct weir_ratio){30000, 1001};
    weir_capture *slower = fixture_open(fixture, &params);
    params = weir_capture_get_params(slower);
    test_expect(params.timing.frame_rate.num == 30000 && params.timing.frame_rate.den == 1001 &&
                    params.timing.max_rate.num == 30000 && params.timing.max_rate.den == 1001,
                "the nominal rate is max_rate");
    fixture_expect_end(slower, WEIR_OK, 0, 0);
    fixture_expect_end(capture, WEIR_OK, 0, 0);
}

int main(void)
{
    struct fixture fixture;
    fixture_init(&fixture, true);
    test_params(&fixture);
    test_sizes();
    test_warnings();
    test_defaults(&fixture);
    fixture_finish(&fixture);
    return test_finish();
}
