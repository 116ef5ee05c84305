// SPDX-License-Identifier: MIT
// The thread that calls the host with small pictures.
#include "capture/stream/previews.h"

#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>

#include "capture/base/thread.h"

static void *run(void *user)
{
    struct weir_previews *previews = user;
    do {
        sem_wait(&previews->changed);
        if (atomic_load(&previews->is_full)) {
            previews->params.show(previews->params.user, &previews->picture);
            atomic_store(&previews->is_full, false);
        }
    } while (!atomic_load(&previews->is_ending) || atomic_load(&previews->is_full));
    return NULL;
}

enum weir_result weir_previews_start(struct weir_previews *previews, const struct weir_log *log)
{
    const uint32_t side = previews->params.max_side;
    if (!previews->params.show) {
        return WEIR_OK;
    }
    sem_init(&previews->changed, 0, 0);
    previews->blocks = malloc(weir_codec_image_size(WEIR_CODEC_BC1, side, side));
    previews->has_thread = previews->blocks &&
                           weir_thread_start(&previews->thread, "weir-preview", run, previews);
    return previews->has_thread
               ? WEIR_OK
               : weir_fail(log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                           "no memory or no thread for previews");
}

void weir_previews_finish(struct weir_previews *previews)
{
    if (previews->has_thread) {
        atomic_store(&previews->is_ending, true);
        sem_post(&previews->changed);
        pthread_join(previews->thread, NULL);
        sem_destroy(&previews->changed);
    }
    free(previews->blocks);
}

bool weir_previews_are_due(struct weir_previews *previews)
{
    return previews->params.show && previews->num_frames++ % previews->params.every == 0 &&
           !atomic_load(&previews->is_full);
}

void weir_previews_show(struct weir_previews *previews, const struct weir_preview_picture *picture,
                        uint64_t size)
{
    if (!atomic_load(&previews->is_full)) {
        memcpy(previews->blocks, picture->blocks, size);
        previews->picture = *picture;
        previews->picture.blocks = previews->blocks;
        atomic_store(&previews->is_full, true);
        sem_post(&previews->changed);
    }
}
