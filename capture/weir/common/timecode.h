// SPDX-License-Identifier: MIT
// What the program says of a movie's time code.
#ifndef WEIR_CAPTURE_WEIR_COMMON_TIMECODE_H
#define WEIR_CAPTURE_WEIR_COMMON_TIMECODE_H

#include "capture/base/json.h"
#include "capture/movie/timecode.h"

// Print the line of a movie's first frame.
void cli_timecode_print(const struct weir_timecode *timecode);

// Write it as "timecode" of an object. NULL: there is none.
void cli_timecode_json(struct weir_json *json, const struct weir_timecode *timecode);

#endif
