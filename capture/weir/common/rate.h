// SPDX-License-Identifier: MIT
// Frame rates as people write them, as exact fractions.
#ifndef WEIR_CAPTURE_WEIR_COMMON_RATE_H
#define WEIR_CAPTURE_WEIR_COMMON_RATE_H

#include <stdbool.h>

#include "capture/weir/common/options.h"

enum {
    CLI_MAX_RATE = 1000,
    CLI_MAX_RATE_PART = 1000000, // of a fraction: what a movie's time base holds exactly
};

// Parse a rate above 0 and at most CLI_MAX_RATE: "60", "12.347" or "30000/1001", in decimal digits.
// The fraction is in lowest terms and exact, or the nearest one where a part would be larger than
// CLI_MAX_RATE_PART. The decimals that people write of n * 1000 / 1001 mean these rates: 29.97 is
// 30000/1001. False for any other text.
bool cli_rate_parse(const char *text, struct cli_rate *rate);

#endif
