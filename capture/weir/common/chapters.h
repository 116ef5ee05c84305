// SPDX-License-Identifier: MIT
// What the program says of a movie's chapters.
#ifndef WEIR_CAPTURE_WEIR_COMMON_CHAPTERS_H
#define WEIR_CAPTURE_WEIR_COMMON_CHAPTERS_H

#include "capture/base/json.h"
#include "capture/movie/chapters.h"

// Print a line for each of them.
void cli_chapters_print(const struct weir_chapters *chapters);

// Write them as the array "chapters" of an object.
void cli_chapters_json(struct weir_json *json, const struct weir_chapters *chapters);

#endif
