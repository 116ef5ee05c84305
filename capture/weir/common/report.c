// SPDX-License-Identifier: MIT
// What the program prints: lines, and messages on standard error, which do not tear the progress
// line.
#include "capture/weir/common/report.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "capture/base/clock.h"

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

enum { TEXT_SIZE = 8192, LINE_SIZE = 2 * TEXT_SIZE }; // for two paths of any length

static atomic_uint num_errors;

static pthread_mutex_t notes_lock = PTHREAD_MUTEX_INITIALIZER; // of what they hold
static struct cli_notes *kept;

void cli_report_keep(struct cli_notes *notes)
{
    kept = notes;
}

static void keep(enum weir_log_severity severity, const char *text)
{
    const size_t size = strlen(text) + 2;
    pthread_mutex_lock(&notes_lock);
    if (sizeof(kept->notes) - kept->size < size) {
        kept->num_left++;
    } else {
        kept->notes[kept->size] = (char)severity;
        memcpy(kept->notes + kept->size + 1, text, size - 1);
        kept->size += size;
    }
    pthread_mutex_unlock(&notes_lock);
}

static void print(enum weir_log_severity severity, const char *text)
{
    static const char *const words[] = {
        [WEIR_LOG_ERROR] = "error", [WEIR_LOG_WARNING] = "warning", [WEIR_LOG_INFO] = ""};
    const char *word = severity <= WEIR_LOG_INFO ? words[severity] : "";
    char line[LINE_SIZE];
    weir_log_escape(text, line, sizeof(line));
    if (kept && severity <= WEIR_LOG_WARNING) {
        keep(severity, line);
    }
    // One write a message: several threads may report at a time.
    fprintf(stderr, "%sweir: %s%s%s\n", cli_progress_erase(), word, word[0] != 0 ? ": " : "", line);
}

static void print_message(void *user, const struct weir_log_message *message)
{
    (void)user;
    // A device is lost once, and all that waits for it finds that out.
    static atomic_bool has_told_loss;
    if (message->code == WEIR_LOG_CODE_DEVICE_LOST && atomic_exchange(&has_told_loss, true)) {
        return;
    }
    if (message->code == WEIR_LOG_CODE_DEVICE_LOST) {
        // The libraries' remedy is for programs.
        cli_report(message->severity, "%.*s; try it again, or choose another with --device",
                   (int)strcspn(message->text, ";"), message->text);
    } else {
        cli_report(message->severity, "%s", message->text);
    }
}

const struct weir_log cli_log = {.print = print_message, .least_severity = WEIR_LOG_WARNING};

void cli_print(FILE *out, const char *format, ...)
{
    char text[TEXT_SIZE], line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    const size_t format_size = strlen(format), size = strlen(text);
    const bool is_ended = format_size > 0 && format[format_size - 1] == '\n';
    if (is_ended && size > 0 && text[size - 1] == '\n') {
        text[size - 1] = 0;
    }
    weir_log_escape(text, line, sizeof(line));
    fprintf(out, "%s%s", line, is_ended ? "\n" : "");
}

void cli_report(enum weir_log_severity severity, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    atomic_fetch_add(&num_errors, severity == WEIR_LOG_ERROR);
    print(severity, text);
}

unsigned cli_report_num_errors(void)
{
    return atomic_load(&num_errors);
}

void cli_report_no_memory(enum weir_result result, unsigned num_before)
{
    if (result == WEIR_ERROR_OUT_OF_MEMORY && cli_report_num_errors() == num_before) {
        cli_report_error("no memory is left; close other programs, or work on something smaller");
    }
}
