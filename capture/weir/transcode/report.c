// SPDX-License-Identifier: MIT
// What weir transcode says of its movies in JSON.
#include "capture/weir/transcode/transcode.h"

#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/movie.h"

enum weir_result transcode_report_init(struct cli_movie_params *params)
{
    params->report = calloc(1, sizeof(*params->report));
    CLI_FAIL_IF(!params->report, WEIR_ERROR_OUT_OF_MEMORY,
                "no memory for a report; close other programs");
    cli_report_keep(&params->report->notes);
    return WEIR_OK;
}

void transcode_report_finish(struct cli_movie_params *params)
{
    cli_report_keep(NULL);
    free(params->report);
    params->report = NULL;
}

// The messages of a severity.
static void write_notes(struct weir_json *json, const struct cli_notes *notes,
                        enum weir_log_severity severity, const char *key)
{
    weir_json_begin_array(json, key);
    for (size_t at = 0; at < notes->size; at += 1 + strlen(notes->notes + at + 1) + 1) {
        if (notes->notes[at] == (char)severity) {
            weir_json_text(json, NULL, notes->notes + at + 1);
        }
    }
    weir_json_end_array(json);
}

static void write_input(struct weir_json *json, const struct cli_movie_params *params)
{
    const struct cli_movie_report *report = params->report;
    weir_json_begin_array(json, "inputs");
    for (size_t i = 0; i < params->inputs.num; i++) {
        weir_json_text(json, NULL, params->inputs.paths[i]);
    }
    weir_json_end_array(json);
    if (report->is_read) {
        weir_json_integer(json, "input_width", report->input.native_width);
        weir_json_integer(json, "input_height", report->input.native_height);
        weir_json_text(json, "color", report->input.coding);
        weir_json_text(json, "not_kept",
                       report->input.not_kept[0] != 0 ? report->input.not_kept : NULL);
    }
}

// What frames gave for bytes.
static void write_quality(struct weir_json *json, const struct weir_quality_stats *quality)
{
    if (quality->frames == 0) {
        return;
    }
    weir_json_begin_object(json, "quality");
    weir_json_number(json, "mean_db", quality->mean_db);
    weir_json_number(json, "last", quality->last);
    weir_json_number(json, "least", quality->least);
    weir_json_number(json, "most", quality->most);
    weir_json_integer(json, "rate_short", quality->rate_short);
    weir_json_integer(json, "rate_over", quality->rate_over);
    weir_json_end_object(json);
}

// What only a run knows that has made the movie.
static void write_run(struct weir_json *json, const struct cli_movie_report *report)
{
    weir_json_number(json, "rate", (double)report->input.rate_num / report->input.rate_den);
    weir_json_text(json, "timecode", report->timecode[0] != 0 ? report->timecode : NULL);
    weir_json_integer(json, "dropped", report->stats.dropped);
    weir_json_integer(json, "repeated", report->counts.num_repeated);
    weir_json_integer(json, "left_out", report->counts.num_left_out);
    weir_json_integer(json, "damaged_parts", report->counts.num_errors);
    weir_json_number(json, "audio_cut", report->early_seconds);
    weir_json_bool(json, "copied", report->is_copied);
    weir_json_text(json, "not_copied", report->not_copied[0] != 0 ? report->not_copied : NULL);
    write_quality(json, &report->stats.quality);
    weir_json_number(json, "elapsed", report->seconds);
}

void transcode_report_json(struct weir_json *json, const struct cli_movie_params *params,
                           enum weir_result result, bool is_kept)
{
    struct cli_movie_report *report = params->report;
    struct cli_movie_file movie = {.path = NULL};
    // Without a frame of this run, a file that is there is older.
    const bool is_there = is_kept || report->stats.written > 0;
    const bool is_known = is_there && !params->receiver.is_all &&
                          cli_movie_file_read(&movie, "weir transcode", params->output) == WEIR_OK;
    weir_json_begin_object(json, NULL);
    write_input(json, params);
    weir_json_text(json, "state",
                   is_kept             ? "kept"
                   : result == WEIR_OK ? "made"
                   : is_there          ? "incomplete"
                                       : "failed");
    if (is_known) {
        cli_movie_file_json(json, &movie);
        weir_json_integer(json, "bytes", movie.size);
        cli_movie_json_audio(json, &movie.found.movie);
        cli_movie_json_chapters(json, &movie.found.movie);
    } else {
        weir_json_text(json, "path", params->output);
    }
    if (is_there && !is_kept) {
        write_run(json, report);
    }
    write_notes(json, &report->notes, WEIR_LOG_WARNING, "warnings");
    write_notes(json, &report->notes, WEIR_LOG_ERROR, "errors");
    weir_json_integer(json, "messages_left_out", report->notes.num_left);
    weir_json_end_object(json);
    cli_movie_file_finish(&movie);
}
