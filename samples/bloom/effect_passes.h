// SPDX-License-Identifier: MIT
// The passes of a frame, in their order.
#ifndef SAMPLE_EFFECT_PASSES_H
#define SAMPLE_EFFECT_PASSES_H

enum pass {
    PASS_SCENE,
    PASS_COC_PYRAMID,
    PASS_SPLIT,
    PASS_COLOR_PYRAMID,
    PASS_GATHER,
    PASS_RESOLVE,
    PASS_BLOOM_PYRAMID,
    PASS_UPSAMPLE,
    PASS_COMBINE,
    PASS_NUM_KINDS,
};

#endif
