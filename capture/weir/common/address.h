// SPDX-License-Identifier: MIT
// Outputs that are no files: - for the standard output, and addresses of FFmpeg's.
#pragma once

#include <stdbool.h>

#include <weir/capture.h>
#include <weir/libav.h>

#include "capture/weir/common/program.h"

// True for "-" and for what begins with the name of a protocol: tcp://, srt://, unix: or pipe:.
bool cli_address_is(const char *output);

// Who gets a movie at an address: all of it, or what its file has too.
struct cli_receiver {
    const char *address; // NULL: nobody
    const char *format;  // a muxer of FFmpeg's; NULL: as it chooses
    bool is_all;         // there is no file
};

// Choose it by the values of --output, --also and --format, of which each may be NULL. Prints what
// cannot be. From "-" on, what this process and its children print goes to standard error.
enum cli_status cli_receiver_choose(struct cli_receiver *receiver, const char *output,
                                    const char *also, const char *format);

// Make its output, and let the capture send to it. Beside a file packets that it does not take are
// dropped; where it is all, only if the movie `is_live` and goes to a socket, at which a receiver
// can come back. `is_over`: see weir_libav_params. Close it in every case.
enum weir_result cli_receiver_open(const struct cli_receiver *receiver, bool is_live,
                                   bool (*is_over)(void *user), void *user,
                                   struct weir_capture_params *capture, weir_libav **libav);
struct weir_libav_stats cli_receiver_close(weir_libav **libav);

// Print what it got, behind a line on the movie.
void cli_receiver_report(const struct cli_receiver *receiver, const struct weir_libav_stats *sent);
