// SPDX-License-Identifier: MIT
// The head of a fragmented movie, by libavformat: what it is, and which track follows.
#ifndef WEIR_CAPTURE_STREAM_MUX_HEADER_H
#define WEIR_CAPTURE_STREAM_MUX_HEADER_H

#include <stddef.h>
#include <stdint.h>

#include <weir/result.h>

#include "capture/stream/mux/mux.h"

struct weir_mov_header {
    // the boxes ftyp and moov; the caller's, to be freed with weir_mov_header_finish()
    uint8_t *bytes;
    size_t size;
    size_t moov; // where moov begins; it is the last box
};

// Errors: WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_IO (libavformat refused; the log says why).
enum weir_result weir_mov_header_init(struct weir_mov_header *header,
                                      const struct weir_mux_params *params);
void weir_mov_header_finish(struct weir_mov_header *header);

#endif
