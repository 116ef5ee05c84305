// SPDX-License-Identifier: MIT
// The progress line: on a terminal only, drawn anew five times a second or at each step.
#include "capture/weir/common/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/weir/common/report.h"

static const uint64_t redraw_ns = 200000000;

void cli_progress_start(struct cli_progress *progress, bool quiet)
{
    *progress = (struct cli_progress){
        .shown = !quiet && isatty(STDERR_FILENO),
        .start_ns = weir_clock_ns(),
    };
}

const char *cli_progress_erase(void)
{
    return isatty(STDERR_FILENO) ? "\r\033[K" : "";
}

static void print_left(double seconds)
{
    unsigned s = (unsigned)(seconds + 0.5);
    if (s >= 3600) {
        fprintf(stderr, "  %u:%02u:%02u left", s / 3600, s / 60 % 60, s % 60);
    } else {
        fprintf(stderr, "  %u:%02u left", s / 60, s % 60);
    }
}

// Estimate the frames of all works from those of this one, 0 = unknown, which is the answer then.
static uint64_t estimate(const struct cli_progress_works *works, uint64_t num_frames)
{
    const uint64_t known = works->num_frames + num_frames;
    const uint64_t known_size = works->ended_size + works->size_of_this;
    if (num_frames == 0 || known_size >= works->size) {
        return num_frames == 0 ? 0 : known;
    }
    const double rest = (double)(works->size - known_size);
    return known_size == 0 ? 0 : known + (uint64_t)((double)known * rest / (double)known_size);
}

static void print_numbers(const struct cli_progress *progress, uint64_t frames, uint64_t num_frames,
                          uint64_t bytes, double seconds)
{
    const struct cli_progress_works *works = progress->works;
    const bool is_sure = !works || works->ended_size + works->size_of_this >= works->size;
    const double rate = seconds > 0 ? (double)frames / seconds : 0;
    fprintf(stderr, "%s%s%" PRIu64, cli_progress_erase(), progress->label ? progress->label : "",
            frames);
    if (num_frames > 0) {
        fprintf(stderr, "/%s%" PRIu64, is_sure ? "" : "~", num_frames);
    }
    fprintf(stderr, " frames  %.1f fps  %.1f MB/s", rate,
            seconds > 0 ? (double)bytes / 1e6 / seconds : 0);
    if (num_frames > frames && rate > 0) {
        print_left((double)(num_frames - frames) / rate);
    }
    fflush(stderr);
}

void cli_progress_update(struct cli_progress *progress, uint64_t frames, uint64_t num_frames,
                         uint64_t bytes)
{
    if (!progress->shown) {
        return;
    }
    uint64_t now = weir_clock_ns();
    if (progress->last_ns != 0 && now - progress->last_ns < redraw_ns) {
        return;
    }
    progress->last_ns = now;
    const struct cli_progress_works *works = progress->works;
    const double seconds = (double)(now - (works ? works->start_ns : progress->start_ns)) / 1e9;
    if (works) {
        num_frames = estimate(works, num_frames);
        frames += works->num_frames;
        bytes += works->num_bytes;
    }
    print_numbers(progress, frames, num_frames, bytes, seconds);
}

void cli_progress_step(struct cli_progress *progress, uint64_t step, uint64_t num_steps,
                       const char *what)
{
    if (!progress->shown) {
        return;
    }
    fputs(cli_progress_erase(), stderr);
    fprintf(stderr, "%" PRIu64, step);
    if (num_steps != 0) {
        fprintf(stderr, "/%" PRIu64, num_steps);
    }
    cli_print(stderr, " %s", what);
    fflush(stderr);
}

double cli_progress_finish(struct cli_progress *progress)
{
    if (progress->shown) {
        fputs(cli_progress_erase(), stderr);
    }
    return (double)(weir_clock_ns() - progress->start_ns) / 1e9;
}
