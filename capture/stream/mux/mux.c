// SPDX-License-Identifier: MIT
// What sinks share.
#include "capture/stream/mux/mux.h"

#include <stdlib.h>

#include "capture/movie/codec.h"
#include "capture/movie/movie.h"

void *weir_mux_make(size_t size, const struct weir_mux_ops *ops, const struct weir_log *log)
{
    struct weir_mux *mux = calloc(1, size);
    if (mux) {
        mux->ops = ops;
    } else {
        weir_log_printf(log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY, "no memory");
    }
    return mux;
}

struct weir_capture_track weir_mux_track(const struct weir_mux_params *params)
{
    const struct weir_movie_codec_info *codec = weir_movie_codec_get_info(params->codec);
    return (struct weir_capture_track){
        .codec_tag = codec->codec_tag,
        .bits_per_coded_sample = codec->bits_per_coded_sample,
        .width = params->width,
        .height = params->height,
        .pixel_aspect_num = params->pixel_aspect_num,
        .pixel_aspect_den = params->pixel_aspect_den,
        .time_base_num = 1,
        .time_base_den = params->ticks_per_second,
        .frame_rate_num = params->rate_num,
        .frame_rate_den = params->rate_den,
        .color_primaries = WEIR_HAP_PRIMARIES_BT709,
        .color_transfer = weir_hap_transfer(codec),
        .color_matrix = WEIR_HAP_MATRIX_RGB,
    };
}

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

struct weir_mux_span weir_mux_audio_span(const struct weir_mux *mux, uint32_t track)
{
    return mux->ops->audio_span
               ? mux->ops->audio_span(mux, track)
               : (struct weir_mux_span){.known = UINT64_MAX, .end = WEIR_AUDIO_MAX_SAMPLES};
}
