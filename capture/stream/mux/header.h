// SPDX-License-Identifier: MIT
// The head of a fragmented movie, written by libavformat: the boxes ftyp and moov.
#ifndef WEIR_CAPTURE_STREAM_MUX_HEADER_H
#define WEIR_CAPTURE_STREAM_MUX_HEADER_H

#include <stddef.h>
#include <stdint.h>

#include <weir/result.h>

#include "capture/movie/plain.h"
#include "capture/stream/mux/mux.h"

struct weir_mov_header {
    // The boxes ftyp and moov. Freed by weir_mov_header_finish().
    uint8_t *bytes;
    size_t size;
    size_t moov; // offset of moov, the last box [bytes]
};

// Errors: WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_IO (libavformat refused; the log says why).
enum weir_result weir_mov_header_init(struct weir_mov_header *header,
                                      const struct weir_mux_params *params);
void weir_mov_header_finish(struct weir_mov_header *header);

// What the moov box of the plain movie is made from. Valid until weir_mov_header_finish().
struct weir_plain_head weir_mov_header_head(const struct weir_mov_header *header);

#endif
