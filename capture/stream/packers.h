// SPDX-License-Identifier: MIT
// Snappy on the GPU: the packers of a frame's textures, which write them into the result of a slot.
#ifndef WEIR_CAPTURE_STREAM_PACKERS_H
#define WEIR_CAPTURE_STREAM_PACKERS_H

#include <stdbool.h>

#include <weir/capture.h>
#include <weir/snappy.h>

#include "capture/stream/packet/packet.h"

struct weir_packers {
    struct weir_packet_plan plan;
    weir_snappy *snappy[WEIR_MOVIE_MAX_TEXTURES];
};

// True if the GPU is to pack frames of that plan.
bool weir_packers_are_wanted(const weir_context *context, const struct weir_capture_params *params,
                             const struct weir_packet_plan *plan);

// Make the packers of a plan. Finish it in every case. Errors: those of weir_snappy_create().
enum weir_result weir_packers_init(struct weir_packers *packers, weir_context *context,
                                   const struct weir_packet_plan *plan, const char *tag);
void weir_packers_finish(struct weir_packers *packers);

// Record the packing of the textures in `buffer`, one behind the other, into `result`.
enum weir_result weir_cmd_packers(const struct weir_packers *packers, VkCommandBuffer cmd,
                                  const weir_buffer *buffer, const weir_buffer *result);

#endif
