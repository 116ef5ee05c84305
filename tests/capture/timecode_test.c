// SPDX-License-Identifier: MIT
// Time code: its numbers, by SMPTE's rules and by ffprobe; its track in movies that grow and that
// were closed, with and without sound; and the sample that libavformat's own muxer writes for it.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/movie/movie.h"
#include "capture/stream/clock/clock.h"
#include "reference.h"
#include "testing.h"

static void test_numbers(void)
{
    static const struct {
        const char *text;
        uint32_t num, den, start, frames_per_second;
    } good[] = TEST_LIST(
        {"00:00:00:00", 25, 1, 0, 25}, {"23:59:59:24", 25, 1, 2159999, 25},
        {"01:00:00:00", 60, 1, 216000, 60}, {"10:00:00:00", 24000, 1001, 864000, 24},
        {"01:00:00:00", 30000, 1001, 108000, 30}, {"01:00:00;00", 30000, 1001, 107892, 30},
        {"00:00:59;29", 30000, 1001, 1799, 30}, {"00:01:00;02", 30000, 1001, 1800, 30},
        {"00:10:00;00", 30000, 1001, 17982, 30}, {"23:59:59;29", 30000, 1001, 2589407, 30},
        {"00:01:00;04", 60000, 1001, 3600, 60}, {"23:59:59;59", 60000, 1001, 5178815, 60},
        {"01:00:00;00", 2997, 100, 107892, 30}, {"01:00:00;00", 5994, 100, 215784, 60},
        {"00:00:01:119", 120, 1, 239, 120}, {"00:00:00:254", 255, 1, 254, 255},
        {"00:00:01:00", 50, 2, 25, 25});
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        struct weir_timecode timecode = {.start = 77};
        const char *wrong = weir_timecode_parse(good[i].text, good[i].num, good[i].den, &timecode);
        test_expect(!wrong && timecode.start == good[i].start &&
                        timecode.frames_per_second == good[i].frames_per_second &&
                        timecode.is_drop == (good[i].text[8] == ';'),
                    "%s at %u/%u: %s, frame %u", good[i].text, good[i].num, good[i].den,
                    wrong ? wrong : "right", timecode.start);
        char text[WEIR_TIMECODE_TEXT];
        weir_timecode_format(&timecode, text);
        test_expect(strcmp(text, good[i].text) == 0, "%s is written as %s", good[i].text, text);
    }
    static const struct {
        const char *text;
        uint32_t num, den;
        const char *reason; // a part of it
    } bad[] = TEST_LIST(
        {"", 25, 1, "HH:MM:SS:FF"}, {"01:00:00", 25, 1, "HH:MM:SS:FF"},
        {"1:00:00:00", 25, 1, "HH:MM:SS:FF"}, {"01:00:00:0", 25, 1, "HH:MM:SS:FF"},
        {"01:00:00:0000", 25, 1, "HH:MM:SS:FF"}, {"01:00:00.00", 25, 1, "HH:MM:SS:FF"},
        {"01;00:00:00", 25, 1, "HH:MM:SS:FF"}, {"01:00;00:00", 25, 1, "HH:MM:SS:FF"},
        {"+1:00:00:00", 25, 1, "HH:MM:SS:FF"}, {"01:00:00:-1", 25, 1, "HH:MM:SS:FF"},
        {" 1:00:00:00", 25, 1, "HH:MM:SS:FF"}, {"01:00:00:00 ", 25, 1, "HH:MM:SS:FF"},
        {"010:0:00:00", 25, 1, "HH:MM:SS:FF"}, {"::::::::::::", 25, 1, "HH:MM:SS:FF"},
        {"24:00:00:00", 25, 1, "23:59:59"}, {"00:60:00:00", 25, 1, "23:59:59"},
        {"00:00:60:00", 25, 1, "23:59:59"}, {"00:00:00:25", 25, 1, "below the nominal rate"},
        {"00:00:00:24", 24000, 1001, "below the nominal rate"}, {"00:00:00;00", 30, 1, "29.97"},
        {"00:00:00;00", 24000, 1001, "29.97"}, {"00:01:00;00", 30000, 1001, "no such number"},
        {"00:01:00;01", 30000, 1001, "no such number"},
        {"00:59:00;03", 60000, 1001, "no such number"}, {"00:00:00:00", 25, 2, "whole number"},
        {"00:00:00:00", 256, 1, "whole number"}, {"00:00:00:00", 1, 3, "whole number"});
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct weir_timecode timecode;
        const char *wrong = weir_timecode_parse(bad[i].text, bad[i].num, bad[i].den, &timecode);
        test_expect(wrong && strstr(wrong, bad[i].reason), "'%s' at %u/%u: %s", bad[i].text,
                    bad[i].num, bad[i].den, wrong ? wrong : "right");
    }
}

// A fifth of the numbers of a day of drop frame, begun anywhere, are written, and read again.
static void test_texts(void)
{
    static const struct weir_timecode days[] = {
        {.start = 2589408, .frames_per_second = 30, .is_drop = true},
        {.start = 5178816, .frames_per_second = 60, .is_drop = true},
    };
    for (size_t i = 0; i < 2; i++) {
        struct weir_timecode timecode = days[i], again;
        char text[WEIR_TIMECODE_TEXT];
        bool is_same = true;
        const uint32_t num = days[i].start / 5;
        const uint32_t first = (uint32_t)(test_random() % (days[i].start - num));
        for (timecode.start = first; is_same && timecode.start <= first + num; timecode.start++) {
            weir_timecode_format(&timecode, text);
            is_same = !weir_timecode_parse(text, 1000 * timecode.frames_per_second, 1001, &again) &&
                      again.start == timecode.start && again.is_drop;
        }
        test_expect(is_same, "%s is read as frame %u", text, again.start);
    }
}

struct movie {
    const char *text;
    uint32_t rate_num, rate_den, num_audio;
    uint32_t num_frames;
};

// Write a movie, and a copy of it as it is before it is closed.
static void write_movie(const struct movie *movie, const char *path, const char *growing)
{
    static const struct weir_audio_track tracks[2] = {
        {.sample_rate = 48000, .num_channels = 2, .language = "eng"},
        {.sample_rate = 8000, .num_channels = 1}};
    static const uint8_t silence[4 * 4800];
    struct weir_mux_params params = test_movie(path, 16, 16);
    params.rate_num = movie->rate_num;
    params.rate_den = movie->rate_den;
    params.ticks_per_second = weir_ticks_per_second(params.rate_num, params.rate_den);
    params.ticks_per_frame = weir_ticks_per_frame(params.rate_num, params.rate_den,
                                                  params.ticks_per_second);
    params.audio_tracks = tracks;
    params.num_audio_tracks = movie->num_audio;
    const char *wrong = weir_timecode_parse(movie->text, params.rate_num, params.rate_den,
                                            &params.timecode);
    struct weir_mux *mux;
    test_must(
        test_expect(!wrong, "%s: %s", movie->text, wrong) &&
            test_expect(weir_mux_mov.open(&params, &mux) == WEIR_OK, "open: %s", test_log_text()),
        "that");
    uint8_t frame[4 + 256] = {0x00, 0x01, 0x00, 0xaf}; // a section of 256 bytes
    for (uint32_t i = 0; i < movie->num_frames; i++) {
        test_random_bytes(frame + 4, 256);
        const struct weir_mux_packet packet = {
            .data = frame, .size = sizeof(frame), .ticks = (uint64_t)i * params.ticks_per_frame};
        test_expect(mux->ops->write(mux, &packet) == WEIR_OK, "frame %u", i);
        // The second track of sound stays empty: the index leaves it out.
        if (movie->num_audio > 0 && i == 0) {
            mux->ops->write(mux, &(struct weir_mux_packet){.data = silence,
                                                           .track = 1,
                                                           .num_samples = 4800,
                                                           .size = sizeof(silence)});
        }
    }
    char output[256];
    test_expect(test_run(output, sizeof(output), "cp '%s' '%s'", path, growing) == 0, "copied");
    test_expect(mux->ops->close(mux) == WEIR_OK, "close: %s", test_log_text());
}

static void expect_length(const char *what, const struct reference_stream *stream, uint32_t ticks,
                          uint64_t duration, int64_t num)
{
    const AVStream *facts = stream->facts;
    test_expect(facts && facts->time_base.num == 1 && facts->time_base.den == (int)ticks &&
                    facts->duration == (int64_t)duration && facts->nb_frames == num,
                "%s: %" PRId64 " samples, %" PRId64 " ticks", what, facts ? facts->nb_frames : 0,
                facts ? facts->duration : 0);
}

// Both the pictures and the track itself have the text. Of a closed movie, the track has a sample
// that lasts as long as the frames.
static void check_movie(const struct movie *movie, const char *path, bool is_closed)
{
    struct reference reference;
    reference_open(&reference, path);
    const struct reference_stream *frames = reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0);
    const struct reference_stream *timecode = reference_stream(&reference, AVMEDIA_TYPE_DATA, 0);
    test_expect(strcmp(reference_tag(frames, "timecode"), movie->text) == 0 &&
                    strcmp(reference_tag(timecode, "timecode"), movie->text) == 0 &&
                    !reference.complaint[0],
                "%s of %s: FFmpeg reads %s and %s, and says %s", movie->text, path,
                reference_tag(frames, "timecode"), reference_tag(timecode, "timecode"),
                reference.complaint);
    if (is_closed) {
        const uint32_t ticks = weir_ticks_per_second(movie->rate_num, movie->rate_den);
        const uint64_t duration = (uint64_t)movie->num_frames *
                                  weir_ticks_per_frame(movie->rate_num, movie->rate_den, ticks);
        expect_length("frames", frames, ticks, duration, movie->num_frames);
        expect_length("time code", timecode, ticks, duration, 1);
    }
    reference_close(&reference);
    reference_expect_frames(movie->text, path, (int)movie->num_frames);
}

// libavformat writes the same sample for the same text.
static void check_sample(const struct movie *movie, const char *path)
{
    const char *copy = test_path("copy.mov");
    char output[512];
    struct reference ours, theirs;
    test_run(output, sizeof(output), "ffmpeg -v error -y -i '%s' -map 0:v -c copy '%s' 2>&1", path,
             copy);
    reference_open(&ours, path);
    reference_open(&theirs, copy);
    const struct reference_stream *sample = reference_stream(&ours, AVMEDIA_TYPE_DATA, 0);
    const struct reference_stream *want = reference_stream(&theirs, AVMEDIA_TYPE_DATA, 0);
    test_expect(sample->size == 4 && want->size == 4 && memcmp(sample->bytes, want->bytes, 4) == 0,
                "%s at %u/%u: the sample is that of libavformat (%s)", movie->text, movie->rate_num,
                movie->rate_den, output);
    reference_close(&ours);
    reference_close(&theirs);
}

static void test_movies(void)
{
    static const struct movie movies[] = {
        {"01:00:00:00", 25, 1, 0, 30},      {"10:11:12:13", 60, 1, 2, 10},
        {"00:01:00;02", 30000, 1001, 1, 5}, {"23:59:59;59", 60000, 1001, 0, 5},
        {"09:58:00:23", 24000, 1001, 2, 5}, {"00:00:00:00", 30, 1, 1, 1},
        {"12:34:56:49", 50, 1, 1, 70},
    };
    for (size_t i = 0; i < sizeof(movies) / sizeof(movies[0]); i++) {
        const char *path = test_path("timecode.mov"), *growing = test_path("growing.mov");
        write_movie(&movies[i], path, growing);
        check_movie(&movies[i], growing, false);
        check_movie(&movies[i], path, true);
        if (test_has_ffprobe()) {
            check_sample(&movies[i], path);
        }
    }
}

// Any frame of a day, at the rates that ffprobe knows.
static void test_random_starts(void)
{
    static const uint32_t rates[][2] = {{24, 1}, {25, 1}, {30000, 1001}, {50, 1}, {60000, 1001}};
    for (int i = 0; i < 6; i++) {
        const uint32_t *rate = rates[test_random() % 5];
        const unsigned per_second = (rate[0] + rate[1] - 1) / rate[1];
        const bool is_drop = rate[1] == 1001 && test_random() % 2;
        char text[64];
        snprintf(text, sizeof(text), "%02u:%02u:%02u%c%02u", (unsigned)(test_random() % 24),
                 (unsigned)(test_random() % 60), (unsigned)(test_random() % 60), ":;"[is_drop],
                 (unsigned)(4 + test_random() % (per_second - 4)));
        const struct movie movie = {text, rate[0], rate[1], 0, 1};
        const char *path = test_path("random.mov");
        write_movie(&movie, path, test_path("growing.mov"));
        check_movie(&movie, path, true);
    }
}

int main(void)
{
    test_numbers();
    test_texts();
    test_movies();
    test_random_starts();
    return test_finish();
}
