// SPDX-License-Identifier: MIT
// The sidecar: a file of JSON beside a movie that says what it is, and which frames it lacks.
//
// Drops are written as they come, so that memory does not grow with them; what is known at the end
// follows them.
#include "capture/stream/sidecar.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/file.h"
#include "capture/stream/sidecar_json.h"

enum { NUM_PASSED = 4096 };

struct weir_sidecar {
    struct weir_file file;
    struct weir_log log;
    struct weir_ring *ring;
    bool has_drop;

    // On their way to the writer: one producer, one consumer.
    struct weir_sidecar_drop passed[NUM_PASSED];
    _Atomic uint32_t head, tail; // counters, not wrapped; head is the producer's
    _Atomic uint64_t num_lost;   // that found no room
};

enum weir_result weir_sidecar_open(const char *path, const struct weir_capture_params *params,
                                   const struct weir_mux_params *movie, struct weir_ring *ring,
                                   struct weir_sidecar **out)
{
    static const char ending[] = ".json";
    const size_t length = strlen(path);
    struct weir_sidecar *sidecar = malloc(sizeof(*sidecar));
    char *name = malloc(length + sizeof(ending));
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (sidecar && name) {
        memset(sidecar, 0, sizeof(*sidecar)); // touched before use
        memcpy(name, path, length);
        memcpy(name + length, ending, sizeof(ending));
        sidecar->ring = ring;
        sidecar->log = movie->log;
        result = weir_file_open(&sidecar->file, name, &movie->log);
    } else {
        weir_log_printf(&movie->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY, "no memory");
    }
    free(name);
    if (result != WEIR_OK) {
        free(sidecar);
        return result;
    }
    weir_file_make_atomic(&sidecar->file);
    sidecar->file.is_synced = movie->sync_ns > 0;
    weir_sidecar_print_head(&sidecar->file, params, movie);
    *out = sidecar;
    return WEIR_OK;
}

void weir_sidecar_send(struct weir_sidecar *sidecar, const struct weir_sidecar_drop *drop)
{
    if (!sidecar) {
        return;
    }
    const uint32_t head = atomic_load_explicit(&sidecar->head, memory_order_relaxed);
    const uint32_t num = head - atomic_load_explicit(&sidecar->tail, memory_order_acquire);
    if (num == NUM_PASSED) {
        atomic_fetch_add_explicit(&sidecar->num_lost, 1, memory_order_relaxed);
        return;
    }
    sidecar->passed[head % NUM_PASSED] = *drop;
    atomic_store_explicit(&sidecar->head, head + 1, memory_order_release);
    if (num + 1 == NUM_PASSED / 2) {
        weir_ring_wake(sidecar->ring); // no frame may come that would
    }
}

void weir_sidecar_write(struct weir_sidecar *sidecar, const struct weir_sidecar_drop *drop)
{
    if (sidecar) {
        weir_sidecar_print_drop(&sidecar->file, drop, !sidecar->has_drop);
        sidecar->has_drop = true;
    }
}

void weir_sidecar_write_sent(struct weir_sidecar *sidecar)
{
    if (!sidecar) {
        return;
    }
    uint32_t tail = atomic_load_explicit(&sidecar->tail, memory_order_relaxed);
    while (tail != atomic_load_explicit(&sidecar->head, memory_order_acquire)) {
        weir_sidecar_write(sidecar, &sidecar->passed[tail % NUM_PASSED]);
        atomic_store_explicit(&sidecar->tail, ++tail, memory_order_release);
    }
}

void weir_sidecar_close(struct weir_sidecar **out, const struct weir_sidecar_end *end)
{
    struct weir_sidecar *sidecar = *out;
    if (!sidecar) {
        return;
    }
    if (end->stats.written > 0) {
        weir_sidecar_write_sent(sidecar);
        weir_sidecar_print_end(&sidecar->file, end, sidecar->has_drop,
                               atomic_load(&sidecar->num_lost));
        weir_file_commit(&sidecar->file);
    }
    if (weir_file_close(&sidecar->file) != WEIR_OK) {
        weir_log_printf(&sidecar->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_SIDECAR_FAILED,
                        "the statistics beside the movie were not written; the movie does not need "
                        "them");
    }
    free(sidecar);
    *out = NULL;
}
