// SPDX-License-Identifier: MIT
// Segments (libweir-capture): a capture that writes several movies, one after the other.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// When a capture begins another movie. All zero: one movie. For MOV; other sinks refuse segments
// with WEIR_ERROR_UNSUPPORTED.
//
// For a path of "take.mov" the segments are take.001.mov, take.002.mov and so on, with more digits
// above 999, in the folder that the path names when the capture is opened. Each is a complete movie
// that begins at time 0. Joined (`weir join`), they are the movie that a capture without segments
// would write.
//
// A segment begins with a frame:
// - the first frame that is length_ms or more after the first frame of the segment;
// - the first frame with which, and with the audio up to it, the file would be larger than
//   max_bytes. So a file of two frames or more is never larger, except by chapters that begin in
//   its last frame;
// - a frame of another size or format than those before it;
// - a frame so late after the frame before it that a movie cannot store the gap, or constant_rate
//   does not fill it;
// - the first frame with which an audio track would be longer than a movie can store.
//
// The last frame of a segment lasts until the first frame of the next one, and the audio is divided
// there, to the sample. Exception: before a gap that no movie can store, the last frame has the
// nominal duration, and tracks without audio get no silence.
//
// Audio after the last frame waits in memory until the next frame decides which segment gets it,
// while at least a quarter of audio.buffer_ms is free. If audio is further ahead of the frames than
// that, a segment that is due by length or size begins later, with a warning
// (WEIR_LOG_CODE_SEGMENT). If audio comes after its frames, the segment waits for it up to
// audio.buffer_ms. Audio for a segment after which sixteen others have begun is dropped,
// WEIR_AUDIO_DROP_TIME.
//
// A separate thread closes complete movies; its failures are failures of the writing thread. If
// another program has replaced a segment, the written one is kept under another name, the log says
// so (WEIR_LOG_CODE_OUTPUT_MOVED), and the recording goes on; weir_capture_close() then returns
// WEIR_ERROR_IO.
//
// An existing movie of the same name is replaced when the first frame of the segment is written.
// Movies with higher numbers, from an earlier and longer recording, are kept. Each segment states
// its recording, and its place in it (docs/capture.md).
struct weir_capture_segments_params {
    bool enable;        // begin segments only where frames require it; implied by the next two
    uint32_t length_ms; // the length of a segment [ms]. 0 = no limit
    uint64_t max_bytes; // the size of a segment [bytes]. 0 = no limit
};
