// SPDX-License-Identifier: MIT
// What is said of a recording: a line while it runs, a line of each movie, and JSON.
#include "capture/weir/record/server.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/base/json.h"
#include "capture/base/path.h"
#include "capture/weir/common/report.h"
#include "capture/weir/record/live/page.h"

static const uint64_t redraw_ns = 1000000000, facts_ns = 200000000;

void record_live_begin(struct record_live *live, const char *program, bool quiet)
{
    *live = (struct record_live){.program = program};
    cli_progress_start(&live->progress, quiet);
}

// The sum of what all takes that run have done.
static struct weir_capture_stats add_up(const struct record_recording *recording)
{
    struct weir_capture_stats sum = {0};
    for (const struct record_window *w = recording->windows; w; w = w->next) {
        if (w->take) {
            const struct weir_capture_stats stats = weir_capture_get_stats(w->take->capture);
            sum.written += stats.written;
            sum.dropped += stats.dropped;
            sum.bytes += stats.bytes;
        }
    }
    return sum;
}

// Get the room on the disk of the movies [bytes]; UINT64_MAX: it is not known.
static uint64_t free_room(const struct record_recording *recording)
{
    char *folder = recording->settings->receiver.is_all ? NULL
                                                        : weir_path_folder(recording->first_path);
    struct statvfs status;
    const bool ok = folder && statvfs(folder, &status) == 0;
    free(folder);
    return ok ? (uint64_t)status.f_bavail * status.f_frsize : UINT64_MAX;
}

static const char *state_name(enum record_state state)
{
    static const char *const names[] = {
        [RECORD_WAITING] = "waiting", [RECORD_ON] = "recording", [RECORD_PAUSED] = "paused",
        [RECORD_STOPPED] = "stopped", [RECORD_OVER] = "stopped",
    };
    return names[state];
}

// How much something has grown; it begins anew with each take.
static double grown(uint64_t before, uint64_t now)
{
    return now > before ? (double)(now - before) : 0;
}

// Get how long it is, or has been so far.
static double seconds_of(const struct record_take *take)
{
    const int64_t last_ns = take->end_ns > take->last_ns ? take->end_ns : take->last_ns;
    const int64_t end_ns = take->is_paused ? take->pause_ns : last_ns;
    return take->num_frames > 0 ? (double)(end_ns - take->first_ns - take->pauses_ns) / 1e9 : 0;
}

// Measure anew after a second. False: that has not passed.
static bool measure(struct record_pace *pace, const struct weir_capture_stats *sum, uint64_t now)
{
    if (now - pace->last_ns < redraw_ns) {
        return false;
    }
    const double seconds = (double)(now - pace->last_ns) / 1e9;
    pace->fps = grown(pace->frames_before, sum->written) / seconds;
    pace->rate = grown(pace->bytes_before, sum->bytes) / 1e6 / seconds;
    pace->last_ns = now;
    pace->frames_before = sum->written;
    pace->bytes_before = sum->bytes;
    return true;
}

static void draw_line(const struct record_live *live, const struct record_recording *recording,
                      const struct weir_capture_stats *sum)
{
    const uint64_t room = free_room(recording);
    fprintf(stderr, "%s%s: %" PRIu64 " frames  %.1f fps  %" PRIu64 " dropped  %.1f MB/s",
            cli_progress_erase(), state_name(recording->state), sum->written, live->pace.fps,
            sum->dropped, live->pace.rate);
    if (room != UINT64_MAX) {
        fprintf(stderr, "  %.1f GB free", (double)room / 1e9);
    }
    fflush(stderr);
}

// Get the highest sample since the last call, 0 .. 1.
static double find_peak(struct record_live *live, const struct record_ring *ring)
{
    struct record_ring_block block;
    enum record_ring_result result;
    int peak = 0;
    do {
        result = record_ring_read(ring, live->block, &block);
        live->block = record_ring_next(ring, live->block, result);
        for (uint32_t i = 0; result == RECORD_RING_READ && i < block.num_samples; i++) {
            int16_t channels[2];
            memcpy(channels, &block.samples[i], sizeof(channels));
            peak = abs(channels[0]) > peak ? abs(channels[0]) : peak;
            peak = abs(channels[1]) > peak ? abs(channels[1]) : peak;
        }
    } while (result != RECORD_RING_LATER);
    return peak / 32768.0;
}

static void write_facts(FILE *out, struct record_live *live,
                        const struct record_recording *recording,
                        const struct weir_capture_stats *sum)
{
    struct weir_json json = {.out = out};
    const uint64_t room = free_room(recording);
    double seconds = 0;
    weir_json_begin_object(&json, NULL);
    weir_json_text(&json, "program", weir_path_name(live->program));
    weir_json_text(&json, "state", state_name(recording->state));
    weir_json_bool(&json, "replay", recording->settings->capture.replay.length_ms > 0);
    weir_json_integer(&json, "frames", sum->written);
    weir_json_integer(&json, "dropped", sum->dropped);
    weir_json_number(&json, "fps", live->pace.fps);
    weir_json_number(&json, "rate", live->pace.rate);
    if (room != UINT64_MAX) {
        weir_json_integer(&json, "room", room);
    }
    if (recording->audio) {
        weir_json_number(&json, "sound", find_peak(live, recording->audio));
    }
    weir_json_begin_array(&json, "windows");
    for (const struct record_window *w = recording->windows; w; w = w->next) {
        if (w->take) {
            seconds = seconds_of(w->take) > seconds ? seconds_of(w->take) : seconds;
            weir_json_begin_object(&json, NULL);
            weir_json_integer(&json, "width", w->take->params.width);
            weir_json_integer(&json, "height", w->take->params.height);
            weir_json_end_object(&json);
        }
    }
    weir_json_end_array(&json);
    weir_json_number(&json, "seconds", seconds);
    weir_json_end_object(&json);
}

static void report_to_page(struct record_live *live, const struct record_recording *recording,
                           const struct weir_capture_stats *sum)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file) {
        write_facts(file, live, recording, sum);
        fclose(file);
        record_page_report(recording->page, text, text ? size : 0);
    }
    free(text);
}

void record_live_update(struct record_live *live, const struct record_recording *recording)
{
    const uint64_t now = weir_clock_ns();
    const bool is_watched = record_page_is_watched(recording->page);
    if (!live->progress.shown && !is_watched) {
        return;
    }
    const struct weir_capture_stats sum = add_up(recording);
    if (measure(&live->pace, &sum, now) && live->progress.shown) {
        draw_line(live, recording, &sum);
    }
    if (is_watched && now - live->reported_ns >= facts_ns) {
        live->reported_ns = now;
        report_to_page(live, recording, &sum);
    }
}

void record_live_end(struct record_live *live)
{
    cli_progress_finish(&live->progress);
}

static void print_closed(const struct record_take *take)
{
    const double seconds = seconds_of(take);
    const struct weir_capture_stats *stats = &take->stats;
    fputs(cli_progress_erase(), stderr);
    cli_print(stderr, "%s: %" PRIu64 " frame%s, %" PRIu32 "x%" PRIu32, take->params.path,
              stats->written, stats->written == 1 ? "" : "s", take->params.width,
              take->params.height);
    fprintf(stderr, ", %.1f MB, in %.1f s", (double)stats->bytes / 1e6, seconds);
    if (seconds > 0) {
        fprintf(stderr, " (%.1f fps)", (double)stats->written / seconds);
    }
    if (stats->segments > 1) {
        fprintf(stderr, ", in %" PRIu64 " movies from .001 on", stats->segments);
    }
    if (stats->dropped > 0) {
        fprintf(stderr, ", %" PRIu64 " dropped", stats->dropped);
    }
    cli_receiver_report(&take->params.settings->receiver, &take->sent);
    fputc('\n', stderr);
}

void record_report_closed(const struct record_recording *recording)
{
    for (struct record_take *take = recording->closed; take; take = take->next) {
        // Without a frame there is no movie.
        if (!take->is_reported && take->stats.written > 0) {
            print_closed(take);
        }
        take->is_reported = true;
    }
}

static void write_take(struct weir_json *json, const struct record_take *take,
                       const struct weir_capture_stats *stats)
{
    weir_json_begin_object(json, NULL);
    weir_json_text(json, "path", take->params.path);
    weir_json_integer(json, "window", take->params.window);
    weir_json_integer(json, "width", take->params.width);
    weir_json_integer(json, "height", take->params.height);
    weir_json_integer(json, "frames", stats->written);
    weir_json_integer(json, "dropped", stats->dropped);
    weir_json_integer(json, "skipped", stats->skipped);
    weir_json_integer(json, "repeated", stats->repeated);
    weir_json_integer(json, "segments", stats->segments);
    weir_json_integer(json, "bytes", stats->bytes);
    weir_json_number(json, "seconds", seconds_of(take));
    weir_json_text(json, "result", weir_result_name(take->result));
    weir_json_end_object(json);
}

static void print_take(FILE *out, const struct record_take *take)
{
    const struct weir_capture_stats stats = weir_capture_get_stats(take->capture);
    cli_print(out, "%s: %" PRIu64 " frames, %" PRIu32 "x%" PRIu32 ", %" PRIu64 " dropped\n",
              take->params.path, stats.written, take->params.width, take->params.height,
              stats.dropped);
}

void record_report_status(FILE *out, const struct record_recording *recording, bool is_json)
{
    struct weir_json json = {.out = out};
    if (!is_json) {
        fprintf(out, "%s\n", state_name(recording->state));
        if (recording->page) {
            fprintf(out, "page: %s\n", record_page_url(recording->page));
        }
    } else {
        weir_json_begin_object(&json, NULL);
        weir_json_integer(&json, "process", (uint64_t)getpid());
        weir_json_text(&json, "state", state_name(recording->state));
        if (recording->page) {
            weir_json_text(&json, "page", record_page_url(recording->page));
        }
        weir_json_begin_array(&json, "movies");
    }
    for (const struct record_window *w = recording->windows; w; w = w->next) {
        if (w->take && is_json) {
            const struct weir_capture_stats stats = weir_capture_get_stats(w->take->capture);
            write_take(&json, w->take, &stats);
        } else if (w->take) {
            print_take(out, w->take);
        }
    }
    if (is_json) {
        weir_json_end_array(&json);
        weir_json_end_object(&json);
    }
}

void record_report_json(const struct record_recording *recording, const char *program, int status)
{
    struct weir_json json = {.out = stdout};
    weir_json_begin_object(&json, NULL);
    weir_json_text(&json, "program", program);
    weir_json_integer(&json, "status", (uint64_t)status);
    weir_json_begin_array(&json, "movies");
    for (const struct record_take *take = recording->closed; take; take = take->next) {
        write_take(&json, take, &take->stats);
    }
    weir_json_end_array(&json);
    weir_json_end_object(&json);
}
