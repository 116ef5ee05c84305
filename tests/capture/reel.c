// SPDX-License-Identifier: MIT
// What FFmpeg's programs read of a movie, or of several one behind the other: every frame with its
// time, and all samples.
#include "reel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testing.h"

static void append_frames(struct reel *reel, const char *path)
{
    char command[1024], line[256];
    snprintf(command, sizeof(command),
             "ffprobe -v error -select_streams v -show_data_hash md5 -show_entries "
             "packet=pts,duration,data_hash -of csv=p=0 '%s' 2>&1",
             path);
    FILE *output = popen(command, "r");
    const int64_t start = reel->duration;
    const int first = reel->num_frames;
    reel->first[reel->num_movies++] = first;
    while (output && fgets(line, sizeof(line), output)) {
        struct reel_frame *frame = &reel->frames[reel->num_frames];
        if (!test_expect(reel->num_frames < REEL_MAX_FRAMES &&
                             sscanf(line, "%" SCNd64 ",%" SCNd64 ",MD5:%39[0-9a-f]", &frame->time,
                                    &frame->duration, frame->hash) == 3,
                         "%s: ffprobe says %s", path, line)) {
            break;
        }
        test_expect(reel->num_frames > first || frame->time == 0, "%s begins at %" PRId64, path,
                    frame->time);
        frame->time += start;
        reel->duration = frame->time + frame->duration;
        reel->num_frames++;
    }
    test_expect(output && pclose(output) == 0 && reel->num_frames > first, "%s is read", path);
}

static void append_sound(struct reel *reel, const char *path, int track)
{
    enum { MOST = 1 << 26 };
    char command[256];
    uint8_t *sound = realloc(reel->sound[track], reel->sound_size[track] + MOST);
    reel->sound[track] = sound;
    snprintf(command, sizeof(command),
             "ffmpeg -nostdin -v quiet -i '%%s' -map 0:a:%d? -c copy -f data -", track);
    reel->sound_size[track] += test_read_command(sound + reel->sound_size[track], MOST, command,
                                                 path);
}

void reel_append(struct reel *reel, const char *path, int num_tracks)
{
    append_frames(reel, path);
    for (int i = 0; i < num_tracks; i++) {
        append_sound(reel, path, i);
    }
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
