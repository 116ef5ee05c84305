// SPDX-License-Identifier: MIT
// Snappy on the GPU: the packers of a frame's textures, which write them into the result of a slot.
#include "capture/stream/packers.h"

bool weir_packers_are_wanted(const weir_context *context, const struct weir_capture_params *params,
                             const struct weir_packet_plan *plan)
{
    bool is_wanted = params->rate.compression == WEIR_COMPRESSION_SNAPPY &&
                     params->rate.packing != WEIR_PACKING_CPU;
    for (uint32_t i = 0; i < plan->num_textures; i++) {
        is_wanted = is_wanted && (params->rate.packing == WEIR_PACKING_GPU ||
                                  weir_snappy_is_advised(context, &plan->textures[i]));
    }
    return is_wanted;
}

enum weir_result weir_packers_init(struct weir_packers *packers, weir_context *context,
                                   const struct weir_packet_plan *plan, const char *tag)
{
    enum weir_result result = WEIR_OK;
    packers->plan = *plan;
    for (uint32_t i = 0; i < plan->num_textures && result == WEIR_OK; i++) {
        struct weir_snappy_params params = plan->textures[i];
        params.debug_tag = tag;
        result = weir_snappy_create(context, &params, &packers->snappy[i]);
    }
    return result;
}

void weir_packers_finish(struct weir_packers *packers)
{
    for (uint32_t i = 0; i < packers->plan.num_textures; i++) {
        weir_snappy_destroy(&packers->snappy[i]);
    }
}

enum weir_result weir_cmd_packers(const struct weir_packers *packers, VkCommandBuffer cmd,
                                  const weir_buffer *buffer, const weir_buffer *result)
{
    struct weir_snappy_run run = {.source = buffer, .destination = result};
    enum weir_result recorded = WEIR_OK;
    for (uint32_t i = 0; i < packers->plan.num_textures && recorded == WEIR_OK; i++) {
        run.destination_offset = packers->plan.offsets[i];
        recorded = weir_cmd_snappy(packers->snappy[i], cmd, &run);
        run.source_offset += packers->plan.textures[i].size;
    }
    return recorded;
}
