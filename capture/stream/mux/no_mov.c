// SPDX-License-Identifier: MIT
// The movie sink of a build without FFmpeg: says what is missing.
#include <stddef.h>

#include "capture/stream/mux/mux.h"

static enum weir_result refuse(const struct weir_mux_params *params, struct weir_mux **out)
{
    (void)out;
    return weir_fail(&params->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MUXER_FAILED,
                     "this libweir-capture was built without FFmpeg (-DWEIR_WITH_FFMPEG=OFF) and "
                     "writes no movies: build it with -DWEIR_WITH_FFMPEG=ON, or use "
                     "WEIR_SINK_CALLBACK and a muxer of your own");
}

const struct weir_mux_ops weir_mux_mov = {.open = refuse, .write = NULL, .close = NULL};
const struct weir_mux_ops weir_mux_segments = {.open = refuse, .write = NULL, .close = NULL};
