// SPDX-License-Identifier: MIT
// What weir recover says of a movie: one line for people, or JSON.
#include "capture/weir/recover/recover.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "capture/weir/common/movie.h"
#include "capture/weir/common/report.h"

static const char *const state_names[] = {
    [RECOVER_NOTHING_TO_DO] = "whole",   [RECOVER_DAMAGED] = "damaged",
    [RECOVER_NOT_CLOSED] = "not closed", [RECOVER_CUT] = "cut",
    [RECOVER_SALVAGED] = "headless",
};
static const char *const state_texts[] = {
    [RECOVER_NOTHING_TO_DO] = "it needs nothing",
    [RECOVER_DAMAGED] = "some of its frames are damaged",
    [RECOVER_NOT_CLOSED] = "it was not closed",
    [RECOVER_CUT] = "its end was cut off",
    [RECOVER_SALVAGED] = "its head was lost",
};

static const char *text_of(const struct recover_found *found)
{
    return found->state == RECOVER_DAMAGED && found->num_lost == 0 && found->num_silent == 0
               ? "its index is damaged"
               : state_texts[found->state];
}

static double seconds_of(const struct recover_found *found, uint64_t ticks)
{
    return (double)ticks / found->movie.pictures.ticks_per_second;
}

static void print_end(const struct recover_movie *movie)
{
    if (movie->found.state == RECOVER_NOTHING_TO_DO) {
        putchar('\n');
    } else if (!movie->is_written) {
        puts("; nothing was written");
    } else if (!movie->output) {
        puts("; it is a plain movie now");
    } else {
        cli_print(stdout, "; they are in %s\n", movie->output);
    }
}

void recover_report_print(const struct recover_movie *recovered)
{
    const struct recover_found *found = &recovered->found;
    const struct weir_movie *movie = &found->movie;
    const uint32_t num = movie->pictures.num_frames;
    cli_print(stdout, "%s: %" PRIu32 " frame%s of %ux%u, %.3f s: %s", recovered->input, num,
              num == 1 ? "" : "s", movie->pictures.width, movie->pictures.height,
              cli_movie_seconds(movie), text_of(found));
    cli_movie_print_segment(movie);
    if (found->num_silent > 0) {
        printf(", %" PRIu64 " samples of audio lost, which are silent", found->num_silent);
    }
    if (found->num_unknown_audio > 0) {
        fputs(", without its audio, whose description is lost", stdout);
    }
    if (found->is_timecode_lost) {
        fputs(", without its time code, which is lost (--timecode gives one)", stdout);
    }
    if (found->is_alpha_assumed) {
        fputs(", with its alpha as straight (else: --premultiplied)", stdout);
    }
    if (found->num_parts > 0) {
        printf(", %" PRIu64 " damaged part%s", found->num_parts, found->num_parts == 1 ? "" : "s");
    }
    if (found->num_lost > 0) {
        printf(", %" PRIu64 " frame%s lost, from %.3f s on", found->num_lost,
               found->num_lost == 1 ? "" : "s", seconds_of(found, found->first_lost));
    }
    if (found->is_torn) {
        fputs(", the last frame is incomplete", stdout);
    } else if (found->num_behind > 0) {
        printf(", %" PRIu64 " bytes at its end that are not a frame", found->num_behind);
    }
    print_end(recovered);
    cli_movie_print_audio(movie);
    cli_movie_print_timecode(movie);
    cli_movie_print_chapters(movie);
}

void recover_report_print_json(const struct recover_movie *movie, struct weir_json *json)
{
    const struct recover_found *found = &movie->found;
    const char *file = movie->output ? movie->output : movie->input;
    weir_json_begin_object(json, NULL);
    weir_json_text(json, "input", movie->input);
    weir_json_text(json, "output", movie->is_written ? file : NULL);
    if (movie->result != WEIR_OK) {
        weir_json_text(json, "state", "failed");
        weir_json_end_object(json);
        return;
    }
    weir_json_text(json, "state", state_names[found->state]);
    cli_movie_json_frames(json, &found->movie);
    weir_json_integer(json, "lost", found->num_lost);
    weir_json_number(json, "lost_from",
                     found->num_lost > 0 ? seconds_of(found, found->first_lost) : NAN);
    weir_json_integer(json, "damaged_parts", found->num_parts);
    weir_json_bool(json, "torn", found->is_torn);
    weir_json_integer(json, "bytes_behind", found->num_behind);
    weir_json_bool(json, "in_place", found->is_in_place);
    cli_movie_json_segment(json, &found->movie.segment);
    cli_movie_json_timecode(json, &found->movie);
    weir_json_bool(json, "timecode_lost", found->is_timecode_lost);
    weir_json_bool(json, "alpha_assumed", found->is_alpha_assumed);
    cli_movie_json_audio(json, &found->movie);
    weir_json_integer(json, "audio_samples_lost", found->num_silent);
    weir_json_bool(json, "audio_left", found->num_unknown_audio > 0);
    cli_movie_json_chapters(json, &found->movie);
    weir_json_end_object(json);
}
