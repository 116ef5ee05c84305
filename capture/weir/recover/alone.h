// SPDX-License-Identifier: MIT
// Frames without their fragments: which bytes are one, and which only look like it.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_ALONE_H
#define WEIR_CAPTURE_WEIR_RECOVER_ALONE_H

#include "capture/weir/recover/walk.h"

// True if a whole frame is at `at`; `end` gets where it ends.
//
// The header of a single stored texture is four or eight bytes, and nothing in its blocks says that
// they are blocks: samples of sound, or blocks of another frame, may read like it. Where those are,
// such a frame must also stand in the place of one. What is compressed, in chunks or of two
// textures has sizes that agree with each other, and is believed anywhere.
bool recover_alone_read(struct recover_walk *walk, uint64_t at, uint64_t *end);

#endif
