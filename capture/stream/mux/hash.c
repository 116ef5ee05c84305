// SPDX-License-Identifier: MIT
// The hash sink: a text file with a line a packet: time stamp [ns], size [bytes], FNV-1a 64.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/base/file.h"
#include "capture/base/fnv.h"
#include "capture/stream/mux/mux.h"

struct hash {
    struct weir_mux base;
    struct weir_file file;
};

static enum weir_result open_hash(const struct weir_mux_params *params, struct weir_mux **out)
{
    struct hash *hash = weir_mux_make(sizeof(*hash), &weir_mux_hash, &params->log);
    if (!hash) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const enum weir_result result = weir_file_open(&hash->file, params->path, &params->log);
    if (result != WEIR_OK) {
        free(hash);
        return result;
    }
    *out = &hash->base;
    return WEIR_OK;
}

static enum weir_result write_hash(struct weir_mux *mux, const struct weir_mux_packet *packet)
{
    struct hash *hash = (struct hash *)mux;
    char line[64];
    const int size = snprintf(line, sizeof(line), "%" PRIu64 " %" PRIu32 " %016" PRIx64 "\n",
                              packet->time_ns, packet->size,
                              weir_fnv(WEIR_FNV_START, packet->data, packet->size));
    weir_file_write(&hash->file, (const uint8_t *)line, (size_t)size);
    return weir_file_commit(&hash->file);
}

static enum weir_result close_hash(struct weir_mux *mux)
{
    struct hash *hash = (struct hash *)mux;
    const enum weir_result result = weir_file_close(&hash->file);
    free(hash);
    return result;
}

const struct weir_mux_ops weir_mux_hash = {
    .open = open_hash,
    .write = write_hash,
    .close = close_hash,
};
