// SPDX-License-Identifier: MIT
// The blit chain, which makes each level by vkCmdBlitImage.
#ifndef WEIR_PYRAMID_BLIT_H
#define WEIR_PYRAMID_BLIT_H

#include "pyramid/target.h"

// Record the step for every image of the target.
void weir_pyramid_blit(const weir_pyramid_target *target, VkCommandBuffer cmd,
                       const struct weir_pyramid_step *step);

#endif
