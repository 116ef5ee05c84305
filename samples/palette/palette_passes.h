// SPDX-License-Identifier: MIT
// The passes of a frame, in their order.
#ifndef SAMPLE_PALETTE_PASSES_H
#define SAMPLE_PALETTE_PASSES_H

enum pass {
    PASS_SCENE,
    PASS_COUNT,
    PASS_CHOOSE,
    PASS_MAP,
    PASS_STRIP,
    PASS_SHOW,
    PASS_NUM_KINDS,
};

#endif
