// SPDX-License-Identifier: MIT
// Records what k-means does between counting and mapping.
#include "palette/means.h"

#include <stddef.h>

#include "palette/dispatch.h"

uint32_t weir_palette_means_max_kept(const struct weir_palette_start *start)
{
    return start->keep_rare ? start->num_colors / 8 : 0;
}

uint32_t weir_palette_means_num_passes(const struct weir_palette_start *start)
{
    uint32_t num_passes = WEIR_PALETTE_GROWING_PASSES;
    for (uint32_t num = 1; num < start->num_colors; num += num * 3 / 10 + 1) {
        num_passes += WEIR_PALETTE_GROWING_PASSES;
    }
    return num_passes + WEIR_PALETTE_NUM_MOVES * WEIR_PALETTE_MOVING_PASSES +
           WEIR_PALETTE_FINAL_PASSES + weir_palette_means_max_kept(start) + 1;
}

void weir_palette_record_means_start(const weir_palette *palette, VkCommandBuffer cmd)
{
    weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_PLAN, &palette->push, 1);
    weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_PLACE, &palette->push,
                                 weir_palette_num_groups(palette));
}

void weir_palette_record_means_passes(const weir_palette *palette, VkCommandBuffer cmd,
                                      uint32_t num_passes)
{
    for (uint32_t i = 0; i < num_passes; i++) {
        weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_ASSIGN, &palette->push,
                                     weir_palette_num_groups(palette));
        weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_UPDATE, &palette->push, 1);
    }
}

void weir_palette_record_means_finish(const weir_palette *palette, VkCommandBuffer cmd)
{
    weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_CHOOSE, &palette->push, 1);
    weir_palette_record_dispatch(palette, cmd, WEIR_PALETTE_MEANS_PUBLISH, &palette->push,
                                 weir_palette_num_groups(palette));
    weir_palette_record_copy(palette, cmd, WEIR_PALETTE_BINDING_MEANS,
                             offsetof(struct weir_palette_reports, means),
                             sizeof(struct weir_palette_means_report));
}
