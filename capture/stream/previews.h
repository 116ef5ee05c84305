// SPDX-License-Identifier: MIT
// Previews: pictures of frames on their way to the host's callback, which has a thread of its own.
// One is on its way at a time. Until the callback returns, others are left out.
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/log.h>
#include <weir/preview.h>
#include <weir/result.h>

struct weir_previews {
    struct weir_capture_preview_params params; // show NULL: there are none
    uint64_t num_frames;                       // that asked. For the thread that submits
    pthread_t thread;
    sem_t changed; // `is_full` or `is_ending`
    bool has_thread;
    atomic_bool is_full, is_ending;
    struct weir_preview_picture picture;
    uint8_t *blocks; // of `picture`
};

// Start the thread of previews whose `params` are set, if they are wanted. Errors:
// WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_previews_start(struct weir_previews *previews, const struct weir_log *log);
// Let the callback return, and end the thread.
void weir_previews_finish(struct weir_previews *previews);

// True if the next frame is to have a picture. For the thread that submits.
bool weir_previews_are_due(struct weir_previews *previews);

// Copy a picture for the callback, unless it has not returned from another one. For the writer.
void weir_previews_show(struct weir_previews *previews, const struct weir_preview_picture *picture,
                        uint64_t size);
