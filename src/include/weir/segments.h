// SPDX-License-Identifier: MIT
// Segments (libweir-capture): a capture that writes several movies, one after the other.
#ifndef WEIR_SEGMENTS_H
#define WEIR_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// When a capture begins another movie. All zero: one movie. For MOV; other sinks refuse segments
// with WEIR_ERROR_UNSUPPORTED.
//
// For a path of "take.mov" the segments are take.001.mov, take.002.mov and so on, with more digits
// above 999, in the folder that the path means when the capture is opened. Each is a plain movie of
// its own that begins at time 0. Joined, they are the movie that would be there without them.
//
// A segment begins with a frame:
// - the first one that is length_ms or more after the first of the segment;
// - the first one with which, and with the audio up to it, the file would be larger than max_bytes.
//   So a file of two frames or more is never larger, except for chapters that begin in its last
//   one;
// - one of another size or format than those before it;
// - one that comes so late after the frame before it that a movie cannot store the gap, or
//   constant_rate does not fill it;
// - the first one with which an audio track would be longer than a movie can store.
//
// The last frame of a segment lasts until the first one of the next, and at the tick of that one
// the audio is divided, to the sample. Exception: in a gap that no movie can store, the last frame
// lasts as long as a frame does, and a track without audio gets no silence.
//
// Audio of the time after the last frame waits in memory for the next frame, which decides where it
// belongs, for as long as a quarter of audio.buffer_ms is still free. A segment that is due by its
// length or size begins later than that where audio is further ahead of the frames (a warning says
// so, WEIR_LOG_CODE_SEGMENT), or comes after its frames; for the latter it waits up to
// audio.buffer_ms. Audio of a segment after which sixteen others have begun is dropped,
// WEIR_AUDIO_DROP_TIME.
//
// A movie that is complete is closed on a thread of its own; if that fails, it is a failure of the
// writing thread. A movie of such a name is replaced as a path is, when the first frame of the
// segment is written; those with higher numbers, of an earlier, longer recording, stay. Each
// segment says which recording it belongs to, and where (docs/capture.md).
struct weir_capture_segments_params {
    bool enable;        // begin segments where the frames require it; implied by the next two
    uint32_t length_ms; // the length of a segment [ms]. 0 = no limit
    uint64_t max_bytes; // the size of a segment [bytes]. 0 = no limit
};

#ifdef __cplusplus
}
#endif
#endif
