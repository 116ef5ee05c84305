// SPDX-License-Identifier: MIT
// The track of a capture: what a movie says of its packets.
#include "capture/stream/mux/track.h"

#define TAG(a, b, c, d)                                                                            \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

struct weir_capture_track weir_mux_track(const struct weir_mux_params *params)
{
    return (struct weir_capture_track){
        .codec_tag = TAG('H', 'a', 'p', 'Y'),
        .bits_per_coded_sample = 24,
        .width = params->width,
        .height = params->height,
        .time_base_num = 1,
        .time_base_den = params->ticks_per_second,
        .frame_rate_num = params->rate_num,
        .frame_rate_den = params->rate_den,
        // Display-referred sRGB code values: BT.709, IEC 61966-2-1, RGB.
        .color_primaries = 1,
        .color_transfer = 13,
        .color_matrix = 0,
    };
}
