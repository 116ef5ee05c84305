// SPDX-License-Identifier: MIT
// What a block may become in the reference of rate-distortion optimisation, and what that costs.
#ifndef WEIR_TESTS_REF_RDO_CHOICE_H
#define WEIR_TESTS_REF_RDO_CHOICE_H

#include "tests/ref/rdo_codec.h"

enum {
    REF_RDO_WINDOW = 128,       // blocks of the tile before one that it may copy from
    REF_RDO_MAX_OFFSET = 65535, // of a copy with two bytes of offset
};

// What a block becomes, in the order in which equal costs decide. A block of one half is copied
// whole.
enum ref_rdo_choice { REF_RDO_KEEP, REF_RDO_COPY_BLOCK, REF_RDO_COPY_SECOND, REF_RDO_COPY_FIRST };

// A block of a tile: what it was, and what it has become.
struct ref_rdo_block {
    uint32_t place; // its index in the picture
    struct ref_rdo_texels decoded;
    uint8_t bytes[REF_RDO_MAX_BLOCK_SIZE];
};

// How the bytes up to now are written: a literal goes on, or a copy from `offset`, of `run` bytes.
struct ref_rdo_stream {
    bool is_literal;
    uint32_t offset, run;
};

// What a block loses by one measure.
struct ref_rdo_loss {
    int64_t error; // pure
    int64_t cost;
};

// What there is to know about a block before it chooses.
struct ref_rdo_candidate {
    struct ref_rdo_loss kept[2]; // of its bytes: those that were encoded, or of the frame before
    bool is_held[2];             // of the frame before
    int64_t limits[2];           // of a copy's error
    int64_t cost_limits[2];      // of what it costs without its bytes
    int lambda;
};

// The least cost of a block up to now.
struct ref_rdo_best {
    int64_t cost;
    enum ref_rdo_choice choice;
    int distance; // in the tile
};

int ref_rdo_block_size(const struct ref_rdo_codec *codec);

// True if a choice copies a half, 0 or 1.
bool ref_rdo_copies(enum ref_rdo_choice choice, int half);

// Write a block. Returns the bytes that it takes.
int ref_rdo_write(const struct ref_rdo_codec *codec, struct ref_rdo_stream *stream,
                  enum ref_rdo_choice choice, uint32_t offset);

// Prepare block `own`. `before`: NULL, or its bytes in the frame before, which it, or one of its
// halves where these are measured apart, may keep.
struct ref_rdo_candidate ref_rdo_prepare(const struct ref_rdo_codec *codec,
                                         struct ref_rdo_block *own,
                                         const struct ref_rdo_texels *source, int lambda,
                                         const uint8_t *before);

// Decide about block `b` of a tile, of which the earlier ones have been decided.
struct ref_rdo_best ref_rdo_choose(const struct ref_rdo_codec *codec,
                                   const struct ref_rdo_block *blocks, int b,
                                   const struct ref_rdo_texels *source,
                                   const struct ref_rdo_stream *stream,
                                   const struct ref_rdo_candidate *candidate);

#endif
