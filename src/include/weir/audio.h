// SPDX-License-Identifier: MIT
// Audio (libweir-capture): the audio tracks of a capture. Their samples are not compressed (PCM).
#ifndef WEIR_AUDIO_H
#define WEIR_AUDIO_H

#include <stdint.h>

#include <weir/macros.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_capture weir_capture; // <weir/capture.h>

// The most audio tracks of a capture.
#define WEIR_MAX_AUDIO_TRACKS 8

// How a value is stored; little endian. A sample has one value for each channel, one after the
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
    uint32_t num_channels; // required, 1 .. 16: mono, stereo, ...; 6 is 5.1, 8 is 7.1
    enum weir_sample_format format;
    // Optional: three letters of ISO 639-2, such as "eng". Empty = undetermined.
    char language[4];
};

// The audio tracks of a capture, at most WEIR_MAX_AUDIO_TRACKS. For MOV, NULL and CALLBACK; HASH
// refuses them with WEIR_ERROR_UNSUPPORTED. They are copied.
struct weir_capture_audio_params {
    const struct weir_audio_track *tracks;
    uint32_t num_tracks;
    // How much audio of a track may wait to be written, 200 .. 60000 [ms]. 0 = 4000. The memory for
    // it is allocated by weir_capture_open().
    uint32_t buffer_ms;
};

// Get the size of a sample, all channels together [bytes]. 0 for a format that is none.
// Thread-safe.
WEIR_API uint32_t weir_audio_sample_size(enum weir_sample_format format, uint32_t num_channels);

// Hand over samples of an audio track. `track` is its index in weir_capture_params.audio.tracks.
// `samples` holds num_samples of them, interleaved, in the format of the track; they are copied.
// `time_ns` is the time of the first one, by the clock of weir_frame.time_ns.
//
// Samples are put where their time is since the movie's first frame. Before it they are cut; after
// the last frame they are kept until the capture is closed. Within a track:
// - A call whose time is at most 40 ms off the end of the call before follows it without a seam:
//   times that are rounded, or taken when a callback happens to run, change nothing.
// - One that is later leaves a gap, which is filled with silence. Of one that is earlier the
//   samples are cut that the track has already.
// - If all calls of 10 s are off by more than 5 ms to the same side, the clock of the audio and
//   that of the frames drift apart. Then one sample of each call comes twice, or is left out, until
//   they agree.
// - The first samples after a pause (weir_capture_pause()) are put where their time says.
// - Without WEIR_POLICY_WAIT a track that has no audio for audio.buffer_ms after a frame gets
//   silence there, and audio for that time, if it still comes, is cut.
// Until the first frame the latest half of audio.buffer_ms is kept.
//
// WEIR_DROPPED: the buffer of the track was full, and the policy is not WAIT: what had no room is
// dropped, and replaced by silence. With WEIR_POLICY_WAIT the call sleeps until there is room. The
// log has a warning (WEIR_LOG_CODE_AUDIO_DROPPED) at most once a second for each track.
// Errors: WEIR_ERROR_INVALID (NULL, no such track), and each sticky failure of the capture.
// Allocates nothing, and waits for the disk with WEIR_POLICY_WAIT only.
// Thread safety: one thread at a time for a track; beside all other calls but weir_capture_close().
WEIR_API enum weir_result weir_capture_audio(weir_capture *capture, uint32_t track,
                                             const void *samples, uint32_t num_samples,
                                             int64_t time_ns);

// The reason why samples are not in the movie. New reasons are appended.
enum weir_audio_drop_reason {
    WEIR_AUDIO_DROP_BUFFER_FULL = 0, // the track's buffer is full
    // They come before the movie's first frame, where the track already has samples, or later than
    // a movie can store.
    WEIR_AUDIO_DROP_TIME = 1,
    WEIR_AUDIO_DROP_SINK = 2,  // writing failed
    WEIR_AUDIO_DROP_PAUSE = 3, // they come in a pause of the capture
};
// The size of weir_audio_stats.dropped_by_reason, with room for new reasons.
enum { WEIR_MAX_AUDIO_DROP_REASONS = 8 };

// The statistics of audio, of all tracks together [samples]. At every instant
// received + silence = written + dropped + in_flight. After the capture was closed in_flight is 0.
struct weir_audio_stats {
    uint64_t received; // handed over
    uint64_t written;  // that the sink took
    // Added: silence in gaps, and single samples that come twice where two clocks drift apart.
    uint64_t silence;
    uint64_t dropped;                                        // the sum of dropped_by_reason
    uint64_t dropped_by_reason[WEIR_MAX_AUDIO_DROP_REASONS]; // index: enum weir_audio_drop_reason
    uint64_t in_flight;                                      // waiting to be written
};

#ifdef __cplusplus
}
#endif
#endif
