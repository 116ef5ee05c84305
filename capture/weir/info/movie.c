// SPDX-License-Identifier: MIT
// What weir info says of a movie: its pictures, its audio tracks, and its place in a recording.
#include "capture/weir/info/info.h"

#include <inttypes.h>
#include <stdio.h>

#include "capture/movie/hap.h"
#include "capture/weir/common/movie.h"
#include "capture/weir/common/report.h"

static void print_movie(const struct cli_movie_file *info)
{
    const struct weir_movie *movie = &info->found.movie;
    const struct weir_movie_pictures *pictures = &movie->pictures;
    cli_print(stdout, "%s: %s, %ux%u", info->path, weir_hap_codec_of_tag(pictures->tag)->name,
              pictures->width, pictures->height);
    if (movie->segment.number > 1) { // the first need not have a second
        printf(", segment %" PRIu32 " of a recording", movie->segment.number);
    }
    if (info->found.is_fragmented) {
        puts(", not closed: weir recover says what is in it");
    } else {
        printf(", %" PRIu32 " frame%s, %.3f s\n", pictures->num_frames,
               pictures->num_frames == 1 ? "" : "s", cli_movie_seconds(movie));
        cli_movie_print_audio(movie);
    }
    cli_movie_print_timecode(movie);
    cli_movie_print_chapters(movie);
}

static void write_movie(struct weir_json *json, const struct cli_movie_file *info)
{
    const struct weir_movie *movie = &info->found.movie;
    weir_json_begin_object(json, NULL);
    cli_movie_file_json(json, info);
    cli_movie_json_segment(json, &movie->segment);
    cli_movie_json_timecode(json, movie);
    cli_movie_json_audio(json, movie);
    cli_movie_json_chapters(json, movie);
    weir_json_end_object(json);
}

enum weir_result info_movie_print(const char *path, struct weir_json *json)
{
    struct cli_movie_file movie;
    const enum weir_result result = cli_movie_file_read(&movie, "weir info", path);
    if (result == WEIR_OK && json) {
        write_movie(json, &movie);
    } else if (result == WEIR_OK) {
        print_movie(&movie);
    }
    cli_movie_file_finish(&movie);
    return result;
}
