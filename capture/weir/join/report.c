// SPDX-License-Identifier: MIT
// What weir join says of a movie: lines for people, or JSON.
#include "capture/weir/join/plan.h"

#include <inttypes.h>
#include <stdio.h>

#include "capture/weir/common/movie.h"
#include "capture/weir/common/report.h"

static double seconds_of(const struct join_plan *plan, uint64_t ticks)
{
    return (double)ticks / plan->movie.pictures.ticks_per_second;
}

static void print_parts(const struct join_plan *plan)
{
    for (size_t i = 0; i < plan->num_inputs; i++) {
        const struct join_input *input = &plan->inputs[i];
        const uint32_t num = input->found.movie.pictures.num_frames;
        cli_print(stdout, "%12.3f s  %s: %" PRIu32 " frame%s", seconds_of(plan, input->start_ticks),
                  input->path, num, num == 1 ? "" : "s");
        if (plan->are_segments) {
            const struct weir_segment *segment = &input->found.movie.segment;
            printf(", %s %" PRIu32, cli_segment_name(segment), segment->number);
        }
        putchar('\n');
    }
}

void join_report_warn(const struct join_plan *plan, const char *output)
{
    const struct join_input *first = &plan->inputs[0];
    const struct join_input *other = &plan->inputs[plan->first_other_timecode];
    const bool is_missing = plan->movie.timecode.first.frames_per_second == 0;
    if (plan->num_other_timecodes == 0 || !(is_missing || plan->are_segments)) {
        return;
    }
    if (is_missing) {
        cli_report_warning("%s has no time code, and %s has: %s gets none", first->path,
                           other->path, output);
        return;
    }
    const struct weir_timecode at = join_plan_timecode(plan, plan->first_other_timecode);
    char own[WEIR_TIMECODE_TEXT], whole[WEIR_TIMECODE_TEXT];
    weir_timecode_format(&other->found.movie.timecode.first, own);
    weir_timecode_format(&at, whole);
    cli_report_warning("the time code of %s is %s, but by its place in the recording it should be "
                       "%s (%zu such movies): %s keeps that of %s",
                       other->path, own, whole, plan->num_other_timecodes, output, first->path);
}

// Movies of no recording each have a time code of their own.
static void print_timecode(const struct join_plan *plan)
{
    cli_movie_print_timecode(&plan->movie);
    if (plan->movie.timecode.first.frames_per_second > 0 && plan->num_other_timecodes > 0 &&
        !plan->are_segments) {
        cli_print(stdout, "    that of %s; those of %zu other movie%s are left out\n",
                  plan->inputs[0].path, plan->num_other_timecodes,
                  plan->num_other_timecodes == 1 ? "" : "s");
    }
}

void join_report_print(const struct join_plan *plan, const char *output, bool is_written)
{
    const struct weir_movie_pictures *pictures = &plan->movie.pictures;
    if (!is_written) {
        print_parts(plan);
    }
    cli_print(stdout, "%s: %" PRIu32 " frame%s of %ux%u, %.3f s, of %zu movie%s", output,
              pictures->num_frames, pictures->num_frames == 1 ? "" : "s", pictures->width,
              pictures->height, cli_movie_seconds(&plan->movie), plan->num_inputs,
              plan->num_inputs == 1 ? "" : "s");
    if (plan->num_silent > 0) {
        printf(", %" PRIu64 " samples of silence where audio is missing", plan->num_silent);
    }
    if (plan->num_cut > 0) {
        printf(", %" PRIu64 " samples of audio after the end of their segment left out",
               plan->num_cut);
    }
    if (plan->num_lost_chapters > 0) {
        printf(", %" PRIu64 " chapters left out: a movie has at most %d", plan->num_lost_chapters,
               WEIR_MAX_CHAPTERS);
    }
    puts(is_written ? "" : "; nothing was written");
    cli_movie_print_audio(&plan->movie);
    print_timecode(plan);
    cli_movie_print_chapters(&plan->movie);
}

static void write_inputs(struct weir_json *json, const struct join_plan *plan)
{
    weir_json_begin_array(json, "inputs");
    for (size_t i = 0; i < plan->num_inputs; i++) {
        const struct join_input *input = &plan->inputs[i];
        weir_json_begin_object(json, NULL);
        weir_json_text(json, "path", input->path);
        cli_movie_json_segment(json, plan->are_segments ? &input->found.movie.segment : NULL);
        weir_json_number(json, "start", seconds_of(plan, input->start_ticks));
        weir_json_integer(json, "frames", input->found.movie.pictures.num_frames);
        weir_json_end_object(json);
    }
    weir_json_end_array(json);
}

void join_report_print_json(const struct join_plan *plan, const char *output)
{
    struct weir_json json = {.out = stdout};
    weir_json_begin_object(&json, NULL);
    write_inputs(&json, plan);
    weir_json_text(&json, "output", output);
    cli_movie_json_frames(&json, &plan->movie);
    cli_movie_json_timecode(&json, &plan->movie);
    weir_json_integer(&json, "other_timecodes", plan->num_other_timecodes);
    cli_movie_json_audio(&json, &plan->movie);
    weir_json_integer(&json, "audio_samples_silent", plan->num_silent);
    weir_json_integer(&json, "audio_samples_cut", plan->num_cut);
    cli_movie_json_chapters(&json, &plan->movie);
    weir_json_integer(&json, "chapters_lost", plan->num_lost_chapters);
    weir_json_end_object(&json);
}
