// SPDX-License-Identifier: MIT
// Shared by the kernels of Snappy and src/snappy: how kernels are bound and dispatched, and what a
// packer's memory holds.
#ifndef WEIR_SHADERS_SNAPPY_CONSTANTS_H
#define WEIR_SHADERS_SNAPPY_CONSTANTS_H

#define WEIR_SNAPPY_GROUP 256u // invocations of a workgroup

// A workgroup packs a fragment of a chunk, in parts of 64 bytes.
#define WEIR_SNAPPY_FRAGMENT 4096u     // words of 4 bytes
#define WEIR_SNAPPY_SHARED_SIZE 27648u // shared memory that it takes [bytes]
// The room of a fragment in the memory: the length before the stream, a tag, and all words, where
// there is no copy, up to a multiple of 16 bytes [words].
#define WEIR_SNAPPY_ROOM 4100u

// A workgroup gathers so many packed bytes. Workgroups are in rows of so many.
#define WEIR_SNAPPY_GATHERED 4096u
#define WEIR_SNAPPY_GATHER_ROW 1024u

#define WEIR_SNAPPY_MOST_CHUNKS 1024u

// Descriptor sets. Each has one descriptor, a storage buffer at binding 0.
#define WEIR_SNAPPY_SET_SOURCE 0u
#define WEIR_SNAPPY_SET_MEMORY 1u
#define WEIR_SNAPPY_SET_DESTINATION 2u
#define WEIR_SNAPPY_NUM_SETS 3u

#endif
