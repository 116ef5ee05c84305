// SPDX-License-Identifier: MIT
// What FFmpeg reads of a movie, or of several one behind the other: every frame with its
// time, and all samples.
#include "movies.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reference.h"
#include "testing.h"

static void append_frames(struct movies *movies, const char *path,
                          const struct reference_stream *stream)
{
    const int64_t start = movies->duration;
    const int first = movies->num_frames;
    movies->first[movies->num_movies++] = first;
    test_expect(stream->num_packets > 0 && stream->packets[0].pts == 0 &&
                    stream->num_packets <= (size_t)(MOVIES_MAX_FRAMES - first),
                "%s: %zu frames, of which the first is at 0", path, stream->num_packets);
    for (size_t i = 0; i < stream->num_packets && movies->num_frames < MOVIES_MAX_FRAMES; i++) {
        const struct reference_packet *packet = &stream->packets[i];
        struct movies_frame *frame = &movies->frames[movies->num_frames++];
        frame->time = start + packet->pts;
        frame->duration = packet->duration;
        reference_hash(stream->bytes + packet->offset, packet->size, frame->hash);
        movies->duration = frame->time + frame->duration;
    }
}

static void append_sound(struct movies *movies, int track, const struct reference_stream *stream)
{
    if (stream->size == 0) {
        return;
    }
    test_expect(stream->facts->start_time == 0, "audio begins with the frames");
    uint8_t *sound = realloc(movies->sound[track], movies->sound_size[track] + stream->size);
    memcpy(sound + movies->sound_size[track], stream->bytes, stream->size);
    movies->sound[track] = sound;
    movies->sound_size[track] += stream->size;
}

void movies_append(struct movies *movies, const char *path, int num_tracks)
{
    struct reference reference;
    reference_open(&reference, path);
    test_expect(!reference.complaint[0], "%s: FFmpeg says %s", path, reference.complaint);
    append_frames(movies, path, reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0));
    for (int i = 0; i < num_tracks; i++) {
        append_sound(movies, i, reference_stream(&reference, AVMEDIA_TYPE_AUDIO, (unsigned)i));
    }
    reference_close(&reference);
}

const char *segment_path(const char *path, int number)
{
    static char segment[512];
    const char *dot = strrchr(path, '.');
    snprintf(segment, sizeof(segment), "%.*s.%03d%s", (int)(dot - path), path, number, dot);
    return segment;
}

void movies_append_segments(struct movies *movies, const char *path, int num_tracks)
{
    for (int number = 1; test_file_exists(segment_path(path, number)); number++) {
        movies_append(movies, segment_path(path, number), num_tracks);
        unlink(segment_path(path, number));
    }
}

void movies_expect_frames(const char *what, const struct movies *got, const struct movies *want,
                          int begin, int end)
{
    int num_wrong = 0;
    test_expect(got->num_frames == want->num_frames - (end - begin), "%s: %d frames of %d", what,
                got->num_frames, want->num_frames - (end - begin));
    for (int i = 0, at = 0; i < want->num_frames && at < got->num_frames; i++) {
        const struct movies_frame *a = &got->frames[at], *b = &want->frames[i];
        if (i >= begin && i < end) {
            continue;
        }
        at++;
        const bool lasts = i + 1 == begin; // up to the frame behind the gap
        num_wrong += a->time != b->time || (!lasts && a->duration != b->duration) ||
                     strcmp(a->hash, b->hash) != 0;
    }
    test_expect(num_wrong == 0, "%s: %d frames are not those at their times", what, num_wrong);
}

void movies_expect_same(const char *what, const struct movies *got, const struct movies *want)
{
    movies_expect_frames(what, got, want, -1, -1);
    test_expect(got->duration == want->duration, "%s: %" PRId64 " ticks of %" PRId64, what,
                got->duration, want->duration);
    for (int i = 0; i < MOVIES_MAX_TRACKS; i++) {
        test_expect(got->sound_size[i] == want->sound_size[i] &&
                        (want->sound_size[i] == 0 ||
                         memcmp(got->sound[i], want->sound[i], want->sound_size[i]) == 0),
                    "%s: track %d: %zu bytes of %zu", what, i, got->sound_size[i],
                    want->sound_size[i]);
    }
}

void movies_finish(struct movies *movies)
{
    for (int i = 0; i < MOVIES_MAX_TRACKS; i++) {
        free(movies->sound[i]);
    }
    *movies = (struct movies){.num_frames = 0};
}
