// SPDX-License-Identifier: MIT
// The inside of a reader: what it answers and says where it fails, pipes, and what FFmpeg's
// libraries say by themselves.
#ifndef WEIR_CAPTURE_FILES_SOURCE_READER_PARTS_H
#define WEIR_CAPTURE_FILES_SOURCE_READER_PARTS_H

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

// Open a path that is standard input ("pipe:0", "pipe:") or a named pipe. `*out` is NULL for every
// other. A read asks `interrupted` some times a second while nothing comes. Returns an AVERROR.
int weir_pipe_open(const char *path, AVIOInterruptCB interrupted, AVIOContext **out);

// NULL is allowed; sets `*pipe` to NULL. Standard input stays open.
void weir_pipe_close(AVIOContext **pipe);

// Forget, and get, the size of the last picture that the libraries refused on this thread because
// of its size: they answer a decoder's error like any other, and only their message has the
// numbers. False if there was none, or if weir_source_silence_libav() was not called.
void weir_libav_forget_size(void);
bool weir_libav_refused_size(uint64_t *width, uint64_t *height);

#endif
