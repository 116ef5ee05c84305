// SPDX-License-Identifier: MIT
// The closer: completes a sink on a thread of its own, so that who writes the next one does not
// wait for the disk.
#include "capture/stream/mux/closer.h"

#include "capture/base/thread.h"

static void *run(void *user)
{
    struct weir_mux_closer *closer = user;
    const enum weir_result result = closer->mux->ops->close(closer->mux);
    int none = WEIR_OK;
    if (result != WEIR_OK) {
        atomic_compare_exchange_strong(&closer->failure, &none, (int)result);
    }
    return NULL;
}

static void wait_for(struct weir_mux_closer *closer)
{
    if (closer->is_started) {
        pthread_join(closer->thread, NULL);
        closer->is_started = false;
    }
}

void weir_mux_closer_begin(struct weir_mux_closer *closer, struct weir_mux *mux)
{
    wait_for(closer);
    closer->mux = mux;
    closer->is_started = weir_thread_start(&closer->thread, "weir-closer", run, closer);
    if (!closer->is_started) {
        run(closer);
    }
}

enum weir_result weir_mux_closer_failure(const struct weir_mux_closer *closer)
{
    return (enum weir_result)atomic_load(&closer->failure);
}

enum weir_result weir_mux_closer_finish(struct weir_mux_closer *closer)
{
    wait_for(closer);
    return weir_mux_closer_failure(closer);
}
