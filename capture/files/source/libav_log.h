// SPDX-License-Identifier: MIT
// What FFmpeg's libraries say by themselves: nothing is printed, and one thing is kept.
#ifndef WEIR_CAPTURE_FILES_SOURCE_LIBAV_LOG_H
#define WEIR_CAPTURE_FILES_SOURCE_LIBAV_LOG_H

#include <stdbool.h>
#include <stdint.h>

// Forget, and get, the size of the last picture that the libraries refused on this thread because
// of its size: they answer a decoder's error like any other, and only their message has the
// numbers. False if there was none, or if weir_source_silence_libav() was not called.
void weir_libav_forget_size(void);
bool weir_libav_refused_size(uint64_t *width, uint64_t *height);

#endif
