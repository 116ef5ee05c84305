// SPDX-License-Identifier: MIT
// Parts of a movie as people write them: from one time to another.
#ifndef WEIR_CAPTURE_WEIR_COMMON_RANGE_H
#define WEIR_CAPTURE_WEIR_COMMON_RANGE_H

#include <stdbool.h>

#include "capture/weir/common/options.h"

// Parse "A-B", "A-" or "-B", where B is later than A. A time is S, MM:SS or HH:MM:SS in decimal
// digits, the seconds with a fraction of up to nine; parts behind a colon have two digits and are
// below 60. A missing A is 0, a missing B INT64_MAX; one is there. False for any other text.
bool cli_range_parse(const char *text, struct cli_range *range);

#endif
