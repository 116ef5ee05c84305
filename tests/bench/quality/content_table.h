// SPDX-License-Identifier: MIT
// The table of content_quality: what every codec and effort makes of every kind of picture.
#ifndef WEIR_TESTS_BENCH_QUALITY_CONTENT_TABLE_H
#define WEIR_TESTS_BENCH_QUALITY_CONTENT_TABLE_H

#include <stdbool.h>

#include "tests/bench/quality/content.h"
#include "tests/kernels/kernels.h"

enum { CONTENT_NUM_EFFORTS = 4, CONTENT_MAX_CODECS = 16 };

struct content_options {
    uint64_t seed, side; // of drawn pictures [texels]
    uint64_t blocks;     // of a picture, at most
    const char *codecs;  // names with commas between; NULL: all
    bool check, all, exhaustive;
    char **photographs;
    int num_photographs;
};

// One codec on one kind of picture.
struct content_cell {
    enum weir_codec codec;
    enum content_kind kind;
    double db[CONTENT_NUM_EFFORTS];      // mean of the pictures; infinite: exact
    double seconds[CONTENT_NUM_EFFORTS]; // of a core
};

// A codec's cells are one after the other, one a kind.
struct content_table {
    const struct content_options *options;
    uint8_t *drawn[CONTENT_NUM_KINDS]; // side x side texels of RGBA
    struct content_cell cells[CONTENT_MAX_CODECS * CONTENT_NUM_KINDS];
    int num_cells;
};

// Measure all cells. Ends the program with a message where a codec or a picture is none.
void content_measure(struct content_table *table);

// Of a codec: exhaustive only where it is asked for.
int content_num_efforts(const struct content_options *options, enum weir_codec codec);

#endif
