// SPDX-License-Identifier: MIT
// Outputs that are no files: - for the standard output, and addresses of FFmpeg's.
#pragma once

#include <stdbool.h>

#include <weir/libav.h>

#include "capture/weir/common/program.h"

// True for "-" and for what begins with the name of a protocol: tcp://, srt://, unix: or pipe:.
bool cli_address_is(const char *output);

// True where a receiver can come back after it went away: at a socket.
bool cli_address_is_network(const char *output);

// Check an address, and the name of a muxer, or NULL. Prints what is wrong.
enum cli_status cli_address_check(const char *output, const char *format);

// Keep the standard output for a movie: what this process and its children print there goes to
// standard error from now on. Returns the address of what it was, which lives as long as the
// process. NULL: it is a terminal, or there is no descriptor left, which is printed.
const char *cli_address_take_stdout(void);
