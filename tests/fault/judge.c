// SPDX-License-Identifier: MIT
// Says what is in movies, by FFmpeg's libraries: reads a path a line, and answers a line each,
// "FRAMES DIGEST". FRAMES of the first video stream were decoded, "none" when that fails or FFmpeg
// tells an error. The digest is of the frames with their times, and of the samples of each track:
// how these are cut into packets differs from run to run.
#include <stdio.h>
#include <string.h>

#include <libavutil/md5.h>
#include <libavutil/mem.h>

#include "tests/capture/reference.h"

static void add_stream(struct AVMD5 *md5, const struct reference_stream *stream)
{
    const bool is_video = stream->facts->codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
    const AVRational base = stream->facts->time_base;
    av_md5_update(md5, (const uint8_t *)&base, sizeof(base));
    for (size_t i = 0; is_video && i < stream->num_packets; i++) {
        const int64_t time = stream->packets[i].pts; // a movie without an index has no durations
        av_md5_update(md5, (const uint8_t *)&time, sizeof(time));
    }
    av_md5_update(md5, stream->bytes, stream->size);
}

static void print_digest(const char *path)
{
    struct reference reference;
    uint8_t digest[16];
    struct AVMD5 *md5 = av_md5_alloc();
    if (reference_open(&reference, path) && md5) {
        av_md5_init(md5);
        for (unsigned i = 0; i < reference.num_streams; i++) {
            add_stream(md5, &reference.streams[i]);
        }
        av_md5_final(md5, digest);
        for (size_t i = 0; i < sizeof(digest); i++) {
            printf("%02x", digest[i]);
        }
    }
    reference_close(&reference);
    av_free(md5);
}

int main(void)
{
    char path[4096];
    while (fgets(path, sizeof(path), stdin)) {
        path[strcspn(path, "\n")] = 0;
        const int num_frames = reference_count_frames(path);
        if (num_frames < 0) {
            printf("none");
        } else {
            printf("%d ", num_frames);
            print_digest(path);
        }
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
