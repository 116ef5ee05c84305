// SPDX-License-Identifier: MIT
// Replays (libweir-capture): the last seconds of a capture, written on request.
#pragma once

#include <stdint.h>

#include <weir/macros.h>
#include <weir/result.h>

typedef struct weir_capture weir_capture; // <weir/capture.h>

// The last packets of frames and audio, kept in memory so that weir_capture_save_replay() can write
// a movie of them. Works with any sink; use WEIR_SINK_NULL for replays alone. If a segment begins
// because the movie cannot go on (another size, a long gap), earlier packets are discarded.
struct weir_capture_replay_params {
    uint32_t length_ms; // length of a replay, at most 3600000 [ms]. 0 = no replay
    // The memory for it [bytes], at least four uncompressed frames. 0 = enough for length_ms of
    // uncompressed frames at the nominal rate, and the audio, but at most 1 GiB. Allocated, and
    // touched, by weir_capture_open(). If it may be too small for length_ms, replays may be
    // shorter, and a warning says so (WEIR_LOG_CODE_REPLAY_MEMORY).
    uint64_t max_bytes;
};

// Write a replay: a QuickTime movie of the frames and audio in memory (weir_capture_params.replay).
// Returns at once; a separate thread writes the movie while the recording goes on. `path` is
// copied.
//
// The movie ends at `time_ns`, by the clock of weir_frame.time_ns: the last frame that the sink had
// when this was called is shown until then, as with weir_capture_close_at(). If `time_ns` is not
// after that frame, it has the nominal duration. The movie begins length_ms earlier, or with the
// first frame in memory whose audio is there too. Audio begins and ends with the frames; samples
// that reach the sink more than a second after the call are missing at the end. The file gets the
// name `path` when it is complete, and replaces an existing file. The log
// (WEIR_LOG_CODE_REPLAY_WRITTEN) and weir_replay_stats then report it; weir_capture_close() waits
// for it.
//
// The recording never waits for the replay. While the replay still needs all of the memory, new
// packets are not kept for the next one, which then has a gap with silence. This is logged
// (WEIR_LOG_CODE_REPLAY_BEHIND) and counted (weir_replay_stats.missed).
//
// WEIR_NOT_READY: another replay is being written, or there is no frame in memory. Errors:
// WEIR_ERROR_INVALID (NULL, an empty path, a capture without a replay), WEIR_ERROR_OUT_OF_MEMORY.
// If writing fails, because the disk is full or the folder is missing, that is logged
// (WEIR_LOG_CODE_REPLAY_FAILED) and counted; no file is left, and the recording goes on. The
// packets in memory can be saved again, even after a failure of the recording. Thread safety: any
// thread; not during weir_capture_close().
WEIR_API enum weir_result weir_capture_save_replay(weir_capture *capture, const char *path,
                                                   int64_t time_ns);

// The statistics of replays.
struct weir_replay_stats {
    uint64_t written, failed; // complete movies, and movies that could not be written
    // Packets of frames and audio that were not kept because a replay that was being written needed
    // all of the memory. The recording has them.
    uint64_t missed;
};
