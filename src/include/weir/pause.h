// SPDX-License-Identifier: MIT
// Pauses (libweir-capture): spans of time that a movie leaves out.
#pragma once

#include <stdint.h>

#include <weir/macros.h>
#include <weir/result.h>

typedef struct weir_capture weir_capture; // <weir/capture.h>

// Pause: frames and samples from `time_ns` on, by the clock of weir_frame.time_ns, are not in the
// movie, until weir_capture_resume(). weir_capture_frame() returns WEIR_SKIPPED for such frames at
// once; such samples are cut and count as WEIR_AUDIO_DROP_PAUSE. Neither is logged.
//
// The movie's time stands still meanwhile. The last frame before the pause is shown until the pause
// begins, and again from the resume to the next frame. The last sample before the pause is followed
// by the one at the resume, so picture and audio stay synchronous. max_rate counts in the movie's
// time.
//
// The time may be in the future: frames and samples before it are recorded. It must be after the
// last frame that was handed over, whatever its result, and not before the last resume. Audio from
// after the begin of the pause that was handed over before this call may be in the movie already;
// the same amount is then cut after the resume.
//
// A capture may be paused before its first frame, which is then the first one after the resume, and
// closed while it is paused.
//
// Errors: WEIR_ERROR_INVALID (NULL, paused already, a time that is too early; nothing changes),
// WEIR_ERROR_OUT_OF_MEMORY (a pause takes 24 bytes; nothing changes). Failures of the writing
// thread are not returned here.
// Thread safety: as weir_capture_frame().
WEIR_API enum weir_result weir_capture_pause(weir_capture *capture, int64_t time_ns);

// End the pause: frames and samples from `time_ns` on are recorded. The time must be after the last
// frame that was handed over, and not before that of the pause. The call may come late: the last
// audio.buffer_ms / 2 of samples that were handed over in the pause are kept, and those from
// `time_ns` on are recorded.
// Errors: WEIR_ERROR_INVALID (NULL, not paused, a time that is too early; nothing changes).
// Thread safety: as weir_capture_frame().
WEIR_API enum weir_result weir_capture_resume(weir_capture *capture, int64_t time_ns);
