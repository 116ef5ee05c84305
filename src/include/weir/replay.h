// SPDX-License-Identifier: MIT
// Replays (libweir-capture): the last seconds of a capture, written when they are asked for.
#ifndef WEIR_REPLAY_H
#define WEIR_REPLAY_H

#include <stdint.h>

#include <weir/macros.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_capture weir_capture; // <weir/capture.h>

// What a capture keeps in memory: the last frames and audio, as they go to the sink, so that
// weir_capture_save_replay() can make a movie of them. Beside any sink; with NULL there is nothing
// but the replay. Where a segment begins because no movie can go on, what comes before it is
// forgotten.
struct weir_capture_replay_params {
    uint32_t length_ms; // how long they are kept, at most 3600000 [ms]. 0 = no replay
    // The most memory for that, from four uncompressed frames on [bytes]. 0 = what length_ms of
    // uncompressed frames at the nominal rate and the audio need, at most 1 GiB. It is allocated,
    // and touched, by weir_capture_open(). Where it holds less, replays are shorter; the log says
    // so (WEIR_LOG_CODE_REPLAY_MEMORY).
    uint64_t max_bytes;
};

// Write a replay: a QuickTime movie of the last frames and their audio, which the capture keeps in
// memory (weir_capture_params.replay), while the recording goes on. Returns at once; the movie
// is written on a thread of its own. `path` is copied.
//
// The movie begins, at time 0, with the first frame in memory whose audio is there too, and ends
// with the last frame that the sink had when this was called. Its audio begins and ends with its
// frames; samples that come to the sink later than a second after the call are missing at its end.
// The file takes the name `path` when it is whole, and replaces what has that name. The log
// (WEIR_LOG_CODE_REPLAY_WRITTEN) and weir_replay_stats tell that it is; weir_capture_close() waits
// for it.
//
// The recording never waits for the replay. If new packets need the memory of those that are not
// written yet, they are not kept: a later replay has a gap there, with silence. That is logged
// (WEIR_LOG_CODE_REPLAY_BEHIND) and counted (weir_replay_stats.missed).
//
// WEIR_NOT_READY: a replay is being written, or there is no frame in memory; nothing is begun.
// Errors: WEIR_ERROR_INVALID (NULL, an empty path, a capture without a replay),
// WEIR_ERROR_OUT_OF_MEMORY. A movie that cannot be written, because the disk is full or its folder
// is missing, is logged (WEIR_LOG_CODE_REPLAY_FAILED) and counted; nothing of it is left, and the
// recording goes on. What is in memory can be saved again, after a failure of the recording too.
// Thread safety: any thread, beside all other calls but weir_capture_close().
WEIR_API enum weir_result weir_capture_save_replay(weir_capture *capture, const char *path);

// The statistics of replays.
struct weir_replay_stats {
    uint64_t written, failed; // movies that are whole, and those of which nothing is left
    // Packets, of frames and of audio, that were not kept because what was being written needed all
    // of the memory. The recording has them.
    uint64_t missed;
};

#ifdef __cplusplus
}
#endif
#endif
