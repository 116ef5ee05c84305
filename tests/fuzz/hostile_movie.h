// SPDX-License-Identifier: MIT
// Files that are made to keep a search for frames busy: almost each word of them begins something
// that is wrong only far behind.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Frames that all of it seems to be: HAP Q of this size.
enum { HOSTILE_MOVIE_WIDTH = 1024, HOSTILE_MOVIE_HEIGHT = 512, HOSTILE_MOVIE_NUM_KINDS = 6 };

void hostile_movie_fill(uint32_t kind, uint8_t *bytes, size_t size);
