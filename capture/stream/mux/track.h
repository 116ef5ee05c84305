// SPDX-License-Identifier: MIT
// The track of a capture: what a movie says of its packets.
#ifndef WEIR_CAPTURE_STREAM_MUX_TRACK_H
#define WEIR_CAPTURE_STREAM_MUX_TRACK_H

#include <weir/capture.h>

#include "capture/stream/mux/mux.h"

struct weir_capture_track weir_mux_track(const struct weir_mux_params *params);

#endif
