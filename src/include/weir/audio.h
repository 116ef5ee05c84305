// SPDX-License-Identifier: MIT
// Audio (libweir-capture): the audio tracks of a capture. Their samples are not compressed (PCM).
#pragma once

#include <stdint.h>

#include <weir/macros.h>
#include <weir/result.h>

typedef struct weir_capture weir_capture; // <weir/capture.h>

// The most audio tracks of a capture.
#define WEIR_MAX_AUDIO_TRACKS 8

// How a value is stored, little-endian. A sample is one value for each channel, one after the
// other.
enum weir_sample_format {
    WEIR_SAMPLE_S16 = 0, // signed integer of 16 bits
    WEIR_SAMPLE_S24 = 1, // signed integer of 24 bits, in three bytes
    WEIR_SAMPLE_S32 = 2, // signed integer of 32 bits
    WEIR_SAMPLE_F32 = 3, // float; full scale is -1 to 1
};

// An audio track of a capture.
struct weir_audio_track {
    uint32_t sample_rate;  // required, 1000 .. 768000 [samples a second]
    uint32_t num_channels; // required, 1 .. 16, in the order of `layout`, from its lowest bit on
    // Where the channels are heard, a bit for each. 0: the usual layout of their number, which is
    // mono, stereo, 2.1, 4.0, 5.0, 5.1, 6.1, 7.1; of 16 hexadecagonal, of others none.
    // Bits 0 to 17 are those of WAV files: front left, front right, front center, low frequency
    // (bit 3); back left, back right, front left of center, front right of center (7); back center,
    // side left, side right, top center (11); top front left, center, right (14); top back left,
    // center, right (17). Then come downmix left, right and wide left, right (21).
    uint32_t layout;
    enum weir_sample_format format;
    // Optional: three letters of ISO 639-2, such as "eng". Empty = undetermined.
    char language[4];
};

// The audio tracks of a capture, at most WEIR_MAX_AUDIO_TRACKS. For MOV, NULL and CALLBACK; HASH
// refuses them with WEIR_ERROR_UNSUPPORTED. The tracks are copied.
struct weir_capture_audio_params {
    const struct weir_audio_track *tracks;
    uint32_t num_tracks;
    // The audio of a track that can wait to be written, 200 .. 60000 [ms]. 0 = 4000.
    // weir_capture_open() allocates the memory.
    uint32_t buffer_ms;
};

// Get the size of a sample, all channels together [bytes]. 0 for an unknown format. Thread-safe.
WEIR_API uint32_t weir_audio_sample_size(enum weir_sample_format format, uint32_t num_channels);

// Hand over samples of an audio track. `track` is its index in weir_capture_params.audio.tracks.
// `samples` holds num_samples of them, interleaved, in the format of the track; they are copied.
// `time_ns` is the time of the first one, by the clock of weir_frame.time_ns.
//
// Samples are placed by their time since the movie's first frame. Samples from before it are cut;
// samples after the last frame are kept until the capture is closed. Within a track:
// - If the time differs by at most 40 ms from the end of the last call, the samples follow without
//   a gap. So times may be rounded, or taken when a callback happens to run.
// - If it is later, the gap is filled with silence. If it is earlier, samples that the track
//   already has are cut.
// - If all calls of 10 s are more than 5 ms early, or all more than 5 ms late, the clocks of audio
//   and frames drift apart. Then each call repeats or leaves out one sample until they agree.
// - The first samples after a pause (weir_capture_pause()) are placed exactly at their time.
// - Without WEIR_POLICY_WAIT, a track that gets no audio for audio.buffer_ms after a frame is
//   filled with silence, and later audio for that time is cut.
// Before the first frame, the last audio.buffer_ms / 2 of samples are kept.
//
// WEIR_DROPPED: the track's buffer is full and the policy is not WAIT; samples without room are
// replaced by silence. With WEIR_POLICY_WAIT the call sleeps until there is room. The log has a
// warning (WEIR_LOG_CODE_AUDIO_DROPPED) at most once a second for each track.
// Errors: WEIR_ERROR_INVALID (NULL, no such track), and the sticky failures of
// weir_capture_frame(). Allocates nothing, and waits for the disk with WEIR_POLICY_WAIT only.
// Thread safety: one thread at a time for each track; not during weir_capture_close().
WEIR_API enum weir_result weir_capture_audio(weir_capture *capture, uint32_t track,
                                             const void *samples, uint32_t num_samples,
                                             int64_t time_ns);

// The reason why samples are not in the movie. New reasons are appended.
enum weir_audio_drop_reason {
    WEIR_AUDIO_DROP_BUFFER_FULL = 0, // the track's buffer is full
    // before the movie's first frame, where the track already has samples, or too late for a movie
    WEIR_AUDIO_DROP_TIME = 1,
    WEIR_AUDIO_DROP_SINK = 2,  // writing failed
    WEIR_AUDIO_DROP_PAUSE = 3, // in a pause of the capture
};
// The size of weir_audio_stats.dropped_by_reason, with room for new reasons.
enum { WEIR_MAX_AUDIO_DROP_REASONS = 8 };

// The statistics of audio, of all tracks together [samples]. At every instant
// received + silence = written + dropped + in_flight. After the capture was closed in_flight is 0.
struct weir_audio_stats {
    uint64_t received; // handed over
    uint64_t written;  // accepted by the sink
    // Added: silence in gaps, and samples repeated where two clocks drift apart.
    uint64_t silence;
    uint64_t dropped;                                        // the sum of dropped_by_reason
    uint64_t dropped_by_reason[WEIR_MAX_AUDIO_DROP_REASONS]; // index: enum weir_audio_drop_reason
    uint64_t in_flight;                                      // waiting to be written
};
