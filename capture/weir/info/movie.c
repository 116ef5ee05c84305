// SPDX-License-Identifier: MIT
// What weir info says of a movie: its pictures, its audio tracks, and its place in a recording.
#include "capture/weir/info/movie.h"

#include <inttypes.h>
#include <stdio.h>

#include "capture/movie/codec.h"
#include "capture/weir/common/audio_track.h"
#include "capture/weir/common/chapters.h"
#include "capture/weir/common/movie_facts.h"
#include "capture/weir/common/movie_json.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/timecode.h"

static void print_movie(const struct cli_movie_facts *movie)
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
               movie->num_frames == 1 ? "" : "s", cli_movie_facts_seconds(movie));
    }
    for (uint32_t i = 0; i < moov->num_audio && !moov->is_fragmented; i++) {
        cli_audio_track_print(&moov->audio[i], i + 1, movie->num_samples[i]);
    }
    if (moov->has_timecode) {
        cli_timecode_print(&moov->timecode.timecode);
    }
    cli_chapters_print(&movie->chapters);
}

static void write_movie(struct weir_json *json, const struct cli_movie_facts *movie)
{
    weir_json_begin_object(json, NULL);
    cli_movie_facts_json(json, movie);
    cli_segment_json(json, movie->is_segment, &movie->segment);
    cli_timecode_json(json, movie->moov.has_timecode ? &movie->moov.timecode.timecode : NULL);
    cli_movie_facts_json_audio(json, movie);
    weir_json_end_object(json);
}

enum weir_result info_movies_print(char *const *paths, bool as_json)
{
    struct weir_json json = {.out = stdout};
    enum weir_result first = WEIR_OK;
    if (as_json) {
        weir_json_begin_array(&json, NULL);
    }
    for (; *paths; paths++) {
        struct cli_movie_facts movie;
        const enum weir_result result = cli_movie_facts_read(&movie, "weir info", *paths);
        if (result != WEIR_OK) {
            first = first == WEIR_OK ? result : first;
        } else if (as_json) {
            write_movie(&json, &movie);
        } else {
            print_movie(&movie);
        }
        cli_movie_facts_finish(&movie);
    }
    if (as_json) {
        weir_json_end_array(&json);
    }
    return first;
}
