// SPDX-License-Identifier: MIT
// What weir info says of a movie: its pictures, its sound tracks, and its place in a recording.
#include "capture/weir/info/movie.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/format/codec.h"
#include "capture/format/segment_reader.h"
#include "capture/format/track_reader.h"
#include "capture/weir/common/audio_track.h"
#include "capture/weir/common/read.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/timecode.h"

#define VIEW_ROOM 4096u

struct movie {
    const char *path;
    struct weir_moov moov;
    uint64_t num_frames, end_ticks;
    uint64_t num_samples[WEIR_MOOV_MAX_AUDIO];
    bool is_segment;
    struct weir_segment segment;
};

static bool read_file(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    return cli_read_at(*(const int *)user, offset, bytes, size);
}

static bool visit_frame(void *user, const struct weir_sample *sample)
{
    struct movie *movie = user;
    movie->num_frames++;
    movie->end_ticks = sample->ticks + sample->duration;
    return true;
}

static bool visit_chunk(void *user, const struct weir_audio_chunk *chunk)
{
    *(uint64_t *)user += chunk->num_samples;
    return true;
}

static enum weir_result read_tables(struct weir_view *view, struct movie *movie)
{
    enum weir_result result = weir_samples_read(view, &movie->moov, visit_frame, movie);
    for (uint32_t i = 0; i < movie->moov.num_audio && result == WEIR_OK; i++) {
        result = weir_audio_chunks_read(view, &movie->moov.audio[i], visit_chunk,
                                        &movie->num_samples[i]);
    }
    if (result == WEIR_ERROR_DATA) {
        cli_report_error("%s: its index is damaged; weir recover finds its frames", movie->path);
    }
    return result;
}

static enum weir_result read_movie(struct weir_view *view, struct movie *movie)
{
    struct weir_box box;
    if (!weir_box_find(view, 0, view->source.size, WEIR_BOX('m', 'o', 'o', 'v'), &box)) {
        cli_report_error("%s has no index: its end was cut off, or it is no movie; weir recover "
                         "says what is in it",
                         movie->path);
        return WEIR_ERROR_DATA;
    }
    if (!weir_moov_read(view, &box, &movie->moov) ||
        !weir_hap_codec_of_tag(movie->moov.track.tag)) {
        cli_report_error("%s is no movie of HAP; ffprobe says what it is", movie->path);
        return WEIR_ERROR_DATA;
    }
    movie->is_segment = weir_segment_read(view, &movie->segment);
    return movie->moov.is_fragmented ? WEIR_OK : read_tables(view, movie);
}

static enum weir_result open_movie(struct movie *movie)
{
    struct stat status;
    struct weir_view view;
    int fd = open(movie->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &status) != 0) {
        cli_report_error("cannot open %s: %s", movie->path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        cli_report_error("%s is no file: weir info takes movies", movie->path);
    } else {
        const struct weir_view_source source = {
            .read = read_file, .user = &fd, .size = (uint64_t)status.st_size};
        const enum weir_result result = weir_view_init(&view, &source, VIEW_ROOM)
                                            ? read_movie(&view, movie)
                                            : WEIR_ERROR_OUT_OF_MEMORY;
        weir_view_finish(&view);
        close(fd);
        return result;
    }
    if (fd >= 0) {
        close(fd);
    }
    return WEIR_ERROR_IO;
}

static double seconds_of(const struct movie *movie)
{
    return (double)movie->end_ticks / movie->moov.track.ticks_per_second;
}

static void print_movie(const struct movie *movie)
{
    const struct weir_moov *moov = &movie->moov;
    cli_print(stdout, "%s: %s, %ux%u", movie->path, weir_hap_codec_of_tag(moov->track.tag)->name,
              moov->track.width, moov->track.height);
    if (movie->is_segment) {
        printf(", segment %" PRIu32 " of a recording", movie->segment.number);
    }
    if (moov->is_fragmented) {
        puts(", not closed: weir recover says what is in it");
    } else {
        printf(", %" PRIu64 " frame%s, %.3f s\n", movie->num_frames,
               movie->num_frames == 1 ? "" : "s", seconds_of(movie));
    }
    for (uint32_t i = 0; i < moov->num_audio && !moov->is_fragmented; i++) {
        cli_audio_track_print(&moov->audio[i], i + 1, movie->num_samples[i]);
    }
    if (moov->has_timecode) {
        cli_timecode_print(&moov->timecode.timecode);
    }
}

static void write_movie(struct cli_json *json, const struct movie *movie)
{
    const struct weir_moov *moov = &movie->moov;
    cli_json_begin_object(json, NULL);
    cli_json_text(json, "path", movie->path);
    cli_json_text(json, "codec", weir_hap_codec_of_tag(moov->track.tag)->name);
    cli_json_integer(json, "width", moov->track.width);
    cli_json_integer(json, "height", moov->track.height);
    cli_json_bool(json, "closed", !moov->is_fragmented);
    cli_json_integer(json, "frames", movie->num_frames);
    cli_json_number(json, "seconds", seconds_of(movie));
    if (movie->is_segment) {
        cli_json_integer(json, "segment", movie->segment.number);
    } else {
        cli_json_null(json, "segment");
    }
    cli_timecode_json(json, moov->has_timecode ? &moov->timecode.timecode : NULL);
    cli_json_begin_array(json, "audio_tracks");
    for (uint32_t i = 0; i < moov->num_audio; i++) {
        cli_audio_track_json(json, &moov->audio[i], movie->num_samples[i]);
    }
    cli_json_end_array(json);
    cli_json_end_object(json);
}

enum weir_result info_movies_print(char *const *paths, bool as_json)
{
    struct cli_json json = {.out = stdout};
    enum weir_result first = WEIR_OK;
    if (as_json) {
        cli_json_begin_array(&json, NULL);
    }
    for (; *paths; paths++) {
        struct movie movie = {.path = *paths};
        const enum weir_result result = open_movie(&movie);
        if (result != WEIR_OK) {
            first = first == WEIR_OK ? result : first;
        } else if (as_json) {
            write_movie(&json, &movie);
        } else {
            print_movie(&movie);
        }
    }
    if (as_json) {
        cli_json_end_array(&json);
    }
    return first;
}
