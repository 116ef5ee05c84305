// SPDX-License-Identifier: MIT
// The push constants of the kernels of rate-distortion optimisation, in GLSL and in src/rdo.
uvec2 size;            // of the image [texels]
uint columns, rows;    // of blocks
uint first_block;      // index in the buffer
int lambda;            // the weight of a byte [squared codes, in 1/16]
uint first_in_history; // index
uint first_in_control; // index, of vectors
