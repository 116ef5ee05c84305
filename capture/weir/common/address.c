// SPDX-License-Identifier: MIT
// Outputs that are no files: - for the standard output, and addresses of FFmpeg's.
#include "capture/weir/common/address.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "capture/weir/common/report.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_network(const char *address)
{
    return strstr(address, "://") || begins(address, "unix:");
}

bool cli_address_is(const char *output)
{
    return strcmp(output, "-") == 0 || begins(output, "pipe:") || is_network(output);
}

// Find out whether this FFmpeg has the muxer and the protocol. Prints what it lacks.
static enum cli_status check(const char *address, const char *format)
{
    const char *url = strcmp(address, "-") == 0 ? "pipe:1" : address;
    weir_libav *libav = NULL;
    const enum weir_result result = weir_libav_create(
        weir_libav_params(.url = url, .format = format, .log = cli_log), &libav);
    weir_libav_destroy(&libav);
    return result == WEIR_OK ? CLI_DONE : CLI_USAGE;
}

// Keep the standard output for a movie, and get its address, which lives as long as the process.
// NULL: it is a terminal, or there is no descriptor left, which is printed.
static const char *take_stdout(void)
{
    static char url[32];
    if (isatty(STDOUT_FILENO)) {
        cli_report_error("the movie would go to the terminal; send it on, as in: weir record "
                         "--output - -- PROGRAM | mpv -");
        return NULL;
    }
    const int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        cli_report_error("the standard output cannot be used: %s", strerror(errno));
        return NULL;
    }
    snprintf(url, sizeof(url), "pipe:%d", fd);
    return url;
}

enum cli_status cli_receiver_choose(struct cli_receiver *receiver, const char *output,
                                    const char *also, const char *format)
{
    const bool is_all = output && cli_address_is(output);
    *receiver = (struct cli_receiver){is_all ? output : also, format, is_all};
    CLI_USAGE_IF(is_all && also, "--also",
                 "it goes beside a movie; --output names an address already");
    CLI_USAGE_IF(also && !cli_address_is(also), "--also",
                 "it takes an address, such as tcp://127.0.0.1:9000?listen, or -");
    if (!receiver->address) {
        return format ? cli_usage("--format", "it goes with an address in --output or --also; a "
                                              "file is always a QuickTime movie")
                      : CLI_DONE;
    }
    const enum cli_status status = check(receiver->address, format);
    if (status == CLI_DONE && strcmp(receiver->address, "-") == 0) {
        receiver->address = take_stdout();
    }
    return receiver->address ? status : CLI_FAILED;
}

enum weir_result cli_receiver_open(const struct cli_receiver *receiver, bool is_live,
                                   bool (*is_over)(void *user), void *user,
                                   struct weir_capture_params *capture, weir_libav **libav)
{
    if (!receiver->address) {
        return WEIR_OK;
    }
    const bool waits = receiver->is_all && !(is_live && is_network(receiver->address));
    const enum weir_result result = weir_libav_create(
        weir_libav_params(.url = receiver->address, .format = receiver->format,
                          .policy = waits ? WEIR_LIBAV_WAIT : WEIR_LIBAV_DROP,
                          .audio_tracks = capture->audio.tracks,
                          .num_audio_tracks = capture->audio.num_tracks, .is_interrupted = is_over,
                          .user = user, .log = cli_log),
        libav);
    capture->sink = receiver->is_all ? WEIR_SINK_CALLBACK : WEIR_SINK_MOV;
    capture->callbacks = weir_libav_callbacks(*libav);
    return result;
}

struct weir_libav_stats cli_receiver_close(weir_libav **libav)
{
    const struct weir_libav_stats stats = weir_libav_get_stats(*libav);
    weir_libav_destroy(libav);
    return stats;
}

void cli_receiver_report(const struct cli_receiver *receiver, const struct weir_libav_stats *sent)
{
    if (receiver->address) {
        cli_print(stderr, "; to %s %" PRIu64 " packets, %" PRIu64 " dropped", receiver->address,
                  sent->written, sent->dropped);
    }
}
