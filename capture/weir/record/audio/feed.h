// SPDX-License-Identifier: MIT
// A feed: hands the audio of a take to its capture, on a thread of its own, since a capture whose
// disk is behind lets its callers wait.
#ifndef WEIR_CAPTURE_WEIR_RECORD_AUDIO_FEED_H
#define WEIR_CAPTURE_WEIR_RECORD_AUDIO_FEED_H

#include <weir/capture.h>

#include "capture/weir/record/audio/ring.h"

struct record_feed;

// What the samples are, for weir_capture_params.audio.tracks.
extern const struct weir_audio_track record_feed_track;

// Begin with the samples of a time, that of the first frame, which may have come a while ago. Where
// there are none, and when none have come for half a second, there is silence. Borrows both. NULL:
// there is no thread or no memory.
struct record_feed *record_feed_start(const struct record_ring *ring, weir_capture *capture,
                                      int64_t start_ns);
// Hand over what there is up to that time, and silence where there is nothing; then end. NULL is
// allowed.
void record_feed_end(struct record_feed *feed, int64_t end_ns);

#endif
