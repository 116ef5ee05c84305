// SPDX-License-Identifier: MIT
// What a reader answers and says where it fails.
#ifndef WEIR_CAPTURE_FILES_SOURCE_READER_FAIL_H
#define WEIR_CAPTURE_FILES_SOURCE_READER_FAIL_H

#include "capture/files/source/reader.h"

// True if not the file but the machine is at fault: another attempt may read it.
bool weir_reader_is_failure(enum weir_result result);

// The libraries answer a failure of memory in many ways. In this thread the system has noted it, if
// errno was 0 before the call. Returns ENOMEM for such an error, and every other as it is.
int weir_reader_memory_error(int error);

// Get the error of the system that a file met when it was read, or 0. Demuxers answer EIO for a
// file that was cut short too, and the end of the file after an error.
int weir_reader_file_error(const AVFormatContext *format);

// Log the reason, and return `result`. It is a warning where the rest of a sequence goes on.
enum weir_result weir_reader_fail(const struct weir_reader *reader, enum weir_result result,
                                  enum weir_log_code code, const char *reason);

// The same for an error of FFmpeg's libraries.
enum weir_result weir_reader_fail_av(const struct weir_reader *reader, int error);

#endif
