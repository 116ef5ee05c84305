// SPDX-License-Identifier: MIT
// Which samples of a sound track a sink can use.
#include "capture/format/audio_index.h"
#include "capture/stream/mux/mux.h"

struct weir_mux_span weir_mux_audio_span(const struct weir_mux *mux, uint32_t track)
{
    return mux->ops->audio_span
               ? mux->ops->audio_span(mux, track)
               : (struct weir_mux_span){.known = UINT64_MAX, .end = WEIR_AUDIO_MAX_SAMPLES};
}
