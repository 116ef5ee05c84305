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
    double seconds = (double)(now - progress->start_ns) / 1e9;
    double rate = seconds > 0 ? (double)frames / seconds : 0;
    fprintf(stderr, "%s%s%" PRIu64, cli_progress_erase(), progress->label ? progress->label : "",
            frames);
    if (num_frames > 0) {
        fprintf(stderr, "/%" PRIu64, num_frames);
    }
    fprintf(stderr, " frames  %.1f fps  %.1f MB/s", rate,
            seconds > 0 ? (double)bytes / 1e6 / seconds : 0);
    if (num_frames > frames && rate > 0) {
        print_left((double)(num_frames - frames) / rate);
    }
    fflush(stderr);
}

void cli_progress_step(struct cli_progress *progress, uint64_t step, uint64_t num_steps,
                       const char *what)
{
    if (!progress->shown) {
        return;
    }
    fputs(cli_progress_erase(), stderr);
    cli_print(stderr, "%" PRIu64 "/%" PRIu64 " %s", step, num_steps, what);
    fflush(stderr);
}

double cli_progress_finish(struct cli_progress *progress)
{
    if (progress->shown) {
        fputs(cli_progress_erase(), stderr);
    }
    return (double)(weir_clock_ns() - progress->start_ns) / 1e9;
}
