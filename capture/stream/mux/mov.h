// SPDX-License-Identifier: MIT
// The movie sink, for a sink that writes several movies: what one of them is asked and told.
#ifndef WEIR_CAPTURE_STREAM_MUX_MOV_H
#define WEIR_CAPTURE_STREAM_MUX_MOV_H

#include <stdint.h>

#include "capture/stream/mux/mux.h"

// Let the last frame last until `ticks`, if a movie can say that, in place of the nominal duration.
// `mux` is one of weir_mux_mov, here and below.
void weir_mux_mov_end(struct weir_mux *mux, uint64_t ticks);

// Get the size that the movie would have if it were closed now, or a little more [bytes].
uint64_t weir_mux_mov_size(const struct weir_mux *mux);

#endif
