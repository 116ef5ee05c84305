// SPDX-License-Identifier: MIT
// The push constants that all encoders have, in GLSL and in src/encode.
uvec2 size;          // of the region [texels]
uint blocks_per_row; // of the buffer
uint first_block;    // index of the region's first one in the buffer
uvec2 origin;        // of the region in its level [texels]
uint layer, level;
uint gathers; // 1: texels may be gathered, four at a time; level and layer are 0 then
