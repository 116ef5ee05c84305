// SPDX-License-Identifier: MIT
// Silence, where a movie lacks samples.
#include "capture/stream/mux/mux.h"

enum weir_result weir_mux_write_silence(struct weir_mux *mux, uint32_t track,
                                        const struct weir_audio_track *format, uint64_t position,
                                        uint64_t num_samples)
{
    static const uint8_t zeros[1 << 16];
    const uint32_t size = weir_audio_sample_size(format->format, format->num_channels);
    const uint32_t most = (uint32_t)sizeof(zeros) / size;
    enum weir_result result = WEIR_OK;
    while (result == WEIR_OK && num_samples > 0) {
        const uint32_t num = num_samples < most ? (uint32_t)num_samples : most;
        const struct weir_mux_audio part = {
            .track = track,
            .data = zeros,
            .num_samples = num,
            .size = num * size,
            .position = position,
        };
        result = mux->ops->write_audio(mux, &part);
        position += num;
        num_samples -= num;
    }
    return result;
}
