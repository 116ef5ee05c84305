// SPDX-License-Identifier: MIT
// The files of weir mips: PREFIX_level00.png (or .pfm, with _alpha.pfm beside it) and so on.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct level {
    uint32_t width, height;
    double (*texels)[4]; // numbers as the file has them, integers as 0 .. 1
};

// Zeroed memory; ends the test where there is none.
void *level_memory(size_t size);

// A level, and its alpha from a file of its own where there is one. No texels: there is no such
// level.
struct level level_read(const char *prefix, uint32_t number);
