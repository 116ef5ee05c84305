// SPDX-License-Identifier: MIT
// Shared by the kernels of rate-distortion optimisation and src/rdo: how a kernel is specialised,
// bound and dispatched.
#ifndef WEIR_SHADERS_RDO_CONSTANTS_H
#define WEIR_SHADERS_RDO_CONSTANTS_H

// A workgroup does a tile of blocks, one after the other. Each of its invocations holds one of the
// blocks before.
#define WEIR_RDO_TILE_SIDE 32u // [blocks]
#define WEIR_RDO_WINDOW 128u   // invocations, a power of two

// Specialization constants: their ids.
#define WEIR_RDO_CONSTANT_SOURCE_KIND 0u // WEIR_SOURCE_*
#define WEIR_RDO_CONSTANT_DITHER 1u      // bool: dither sources of more than 8 bits
#define WEIR_RDO_CONSTANT_STEADY 2u      // bool: what does not change keeps its bytes
#define WEIR_RDO_CONSTANT_CONTROL 3u     // bool: lambda is read from memory, and sums are written
#define WEIR_RDO_CONSTANT_BC4_ALPHA 4u   // bool: the blocks of BC4 hold alpha
#define WEIR_RDO_CONSTANT_BC7_ALPHA_UNREAD 5u // bool: alpha of BC7 counts for nothing
#define WEIR_RDO_CONSTANT_TEXTURE 6u // bool, of BC1: bits of Zstandard count, not bytes of Snappy
#define WEIR_RDO_NUM_CONSTANTS 7u

// Descriptor sets. Each has one descriptor, at binding 0.
#define WEIR_RDO_SET_SOURCE 0u  // the image that was encoded
#define WEIR_RDO_SET_BUFFER 1u  // the buffer of its blocks
#define WEIR_RDO_SET_HISTORY 2u // the buffer of the frame before's blocks; unused unless STEADY
#define WEIR_RDO_SET_CONTROL 3u // lambda, and the sums of each tile; unused unless CONTROL
#define WEIR_RDO_NUM_SETS 4u

#define WEIR_RDO_MAX_LAMBDA 3920u // of quality 1 [squared codes a byte, in 1/16]

// What the control holds: vectors of four words. The first one has lambda in its first word, those
// behind it are the sums of the tiles, in rows: the squared error, in two words, and the bytes.
#define WEIR_RDO_CONTROL_HEAD 1u // vectors
#define WEIR_RDO_VECTOR_SIZE 16u // [bytes]

#endif
