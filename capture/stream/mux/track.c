// SPDX-License-Identifier: MIT
// The track of a capture: what a movie says of its packets.
#include "capture/stream/mux/track.h"

#include "capture/format/codec.h"

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
