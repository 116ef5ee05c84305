// SPDX-License-Identifier: MIT
// Chapters (libweir-capture): places of a movie that have a title.
#ifndef WEIR_CHAPTER_H
#define WEIR_CHAPTER_H

#include <stdint.h>

#include <weir/macros.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_capture weir_capture; // <weir/capture.h>

// The most chapters of a movie, and the most bytes of a title: the box that holds them (chpl)
// counts both in a byte.
#define WEIR_MAX_CHAPTERS 255
#define WEIR_MAX_CHAPTER_TITLE 255

// Begin a chapter at `time_ns`, by the clock of weir_frame.time_ns. It lasts until the next one, or
// the end of the movie. `title` is UTF-8 and copied; of a longer one the whole characters of the
// first WEIR_MAX_CHAPTER_TITLE bytes are kept. It may be empty.
//
// Times may come in any order, before the frames of that time or after them, and lie in the past or
// the future. In the movie a chapter begins at the tick at which a frame of that time would be
// shown. One before the first frame begins with it; one in a pause begins with the pause; one that
// would begin after the last frame has ended is left out, which is logged (WEIR_LOG_CODE_CHAPTER).
//
// For MOV: chapters are written when the movie is closed, so one that was killed has none. With
// segments each movie has those that begin in it, by its own time. One that comes when the movie of
// its time is complete begins with the oldest that is still open. Replays have no chapters. Other
// sinks check the call, and have no place for it.
//
// WEIR_DROPPED: WEIR_MAX_CHAPTERS are waiting for the frames of their time; the chapter is not
// taken. More than that many of one movie are left out. The first of either is logged
// (WEIR_LOG_CODE_CHAPTER).
// Errors: WEIR_ERROR_INVALID (NULL, a title that is no UTF-8); a failure of the writing thread.
// Allocates nothing, and waits for no frame and no disk.
// Thread safety: any thread, beside all other calls but weir_capture_close().
WEIR_API enum weir_result weir_capture_chapter(weir_capture *capture, int64_t time_ns,
                                               const char *title);

#ifdef __cplusplus
}
#endif
#endif
