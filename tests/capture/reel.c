// SPDX-License-Identifier: MIT
// What FFmpeg reads of a movie, or of several one behind the other: every frame with its
// time, and all samples.
#include "reel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judge.h"
#include "testing.h"

static void append_frames(struct reel *reel, const char *path, const struct judge_stream *stream)
{
    const int64_t start = reel->duration;
    const int first = reel->num_frames;
    reel->first[reel->num_movies++] = first;
    test_expect(stream->num_packets > 0 && stream->packets[0].pts == 0 &&
                    stream->num_packets <= (size_t)(REEL_MAX_FRAMES - first),
                "%s: %zu frames, of which the first is at 0", path, stream->num_packets);
    for (size_t i = 0; i < stream->num_packets && reel->num_frames < REEL_MAX_FRAMES; i++) {
        const struct judge_packet *packet = &stream->packets[i];
        struct reel_frame *frame = &reel->frames[reel->num_frames++];
        frame->time = start + packet->pts;
        frame->duration = packet->duration;
        judge_hash(stream->bytes + packet->offset, packet->size, frame->hash);
        reel->duration = frame->time + frame->duration;
    }
}

static void append_sound(struct reel *reel, int track, const struct judge_stream *stream)
{
    if (stream->size == 0) {
        return;
    }
    uint8_t *sound = realloc(reel->sound[track], reel->sound_size[track] + stream->size);
    memcpy(sound + reel->sound_size[track], stream->bytes, stream->size);
    reel->sound[track] = sound;
    reel->sound_size[track] += stream->size;
}

void reel_append(struct reel *reel, const char *path, int num_tracks)
{
    struct judge judge;
    judge_open(&judge, path);
    test_expect(!judge.complaint[0], "%s: FFmpeg says %s", path, judge.complaint);
    append_frames(reel, path, judge_stream(&judge, AVMEDIA_TYPE_VIDEO, 0));
    for (int i = 0; i < num_tracks; i++) {
        append_sound(reel, i, judge_stream(&judge, AVMEDIA_TYPE_AUDIO, (unsigned)i));
    }
    judge_close(&judge);
}

const char *reel_segment_path(const char *path, int number)
{
    static char segment[512];
    const char *dot = strrchr(path, '.');
    snprintf(segment, sizeof(segment), "%.*s.%03d%s", (int)(dot - path), path, number, dot);
    return segment;
}

void reel_append_segments(struct reel *reel, const char *path, int num_tracks)
{
    for (int number = 1; test_file_exists(reel_segment_path(path, number)); number++) {
        reel_append(reel, reel_segment_path(path, number), num_tracks);
        unlink(reel_segment_path(path, number));
    }
}

void reel_finish(struct reel *reel)
{
    for (int i = 0; i < REEL_MAX_TRACKS; i++) {
        free(reel->sound[i]);
    }
    *reel = (struct reel){.num_frames = 0};
}
