// SPDX-License-Identifier: MIT
// Chapters (libweir-capture): positions in a movie with a title.
#pragma once

#include <stdint.h>

#include <weir/macros.h>
#include <weir/result.h>

typedef struct weir_capture weir_capture; // <weir/capture.h>

// The most chapters of a movie, and the most bytes of a title: the box chpl counts both in one
// byte.
#define WEIR_MAX_CHAPTERS 255
#define WEIR_MAX_CHAPTER_TITLE 255

// Begin a chapter at `time_ns`, by the clock of weir_frame.time_ns. It lasts until the next one, or
// the end of the movie. `title` is UTF-8 and copied; it may be empty, and is cut after
// WEIR_MAX_CHAPTER_TITLE bytes at a whole character.
//
// Times may come in any order, and may be in the past or the future. In the movie a chapter begins
// at the tick at which a frame of that time would be shown. A chapter before the first frame begins
// with it; one in a pause begins with the pause; one after the end of the last frame is left out,
// which is logged (WEIR_LOG_CODE_CHAPTER).
//
// For MOV: chapters are written when the movie is closed, so a movie of a killed program has none.
// With segments each movie has the chapters that begin in it. If the movie of that time is already
// complete, the chapter begins with the oldest open movie. Replays have no chapters. Other sinks
// check the call and ignore it.
//
// WEIR_DROPPED: WEIR_MAX_CHAPTERS chapters wait for frames of their time; this one is dropped. If
// one movie would have more, the surplus is left out. The first of either is logged
// (WEIR_LOG_CODE_CHAPTER).
// Errors: WEIR_ERROR_INVALID (NULL, a title that is not UTF-8); a failure of the writing thread.
// Allocates nothing; never waits for a frame or the disk.
// Thread safety: any thread; not during weir_capture_close().
WEIR_API enum weir_result weir_capture_chapter(weir_capture *capture, int64_t time_ns,
                                               const char *title);
