// SPDX-License-Identifier: MIT
// Pauses (libweir-capture): spans of time that a movie leaves out.
#ifndef WEIR_PAUSE_H
#define WEIR_PAUSE_H

#include <stdint.h>

#include <weir/macros.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_capture weir_capture; // <weir/capture.h>

// Pause: frames and samples from `time_ns` on, by the clock of weir_frame.time_ns, are not in the
// movie, until weir_capture_resume(). Such frames come back at once, as WEIR_SKIPPED; such samples
// are cut and count as WEIR_AUDIO_DROP_PAUSE. Nothing of it is logged.
//
// The time of the movie stands still meanwhile. The last frame before the pause is shown up to its
// begin, and then from the resume to the next frame. The last sample before the pause is followed
// by the one at the resume. Picture and audio stay in step over any number of pauses. max_rate
// counts by the time of the movie.
//
// The time may be in the future: frames and samples before it are recorded. It must be after the
// last frame that was handed over, of whatever result, and not before the last resume. Audio that
// was handed over before this call, of a time after the pause's begin, may be in the movie already;
// then as much is cut after the resume.
//
// A capture may be paused before its first frame, which is then the first one after the resume, and
// closed while it is paused.
//
// Errors: WEIR_ERROR_INVALID (NULL, paused already, a time that is too early; nothing changes),
// WEIR_ERROR_OUT_OF_MEMORY (a pause takes 24 bytes; nothing changes). A failure of the writing
// thread is not returned here.
// Thread safety: as weir_capture_frame().
WEIR_API enum weir_result weir_capture_pause(weir_capture *capture, int64_t time_ns);

// End the pause: frames and samples from `time_ns` on are recorded. The time must be after the last
// frame that was handed over, and not before that of the pause. The call may come late: of the
// samples that were handed over in the pause the latest half of audio.buffer_ms is kept until then,
// and recorded where their time is not before `time_ns`.
// Errors: WEIR_ERROR_INVALID (NULL, not paused, a time that is too early; nothing changes).
// Thread safety: as weir_capture_frame().
WEIR_API enum weir_result weir_capture_resume(weir_capture *capture, int64_t time_ns);

#ifdef __cplusplus
}
#endif
#endif
