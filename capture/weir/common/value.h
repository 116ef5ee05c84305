// SPDX-License-Identifier: MIT
// The values of options: from the text on a command line to what a program works with.
#ifndef WEIR_CAPTURE_WEIR_COMMON_VALUE_H
#define WEIR_CAPTURE_WEIR_COMMON_VALUE_H

#include <stdbool.h>

#include "capture/weir/common/options.h"

// Parse the value of an option, and write it to where the type of the option says. The words of a
// list are not looked at. False for a text that is no such value.
bool cli_value_parse(const struct cli_option *option, const char *text, void *value);

// Parse "A-B", "A-" or "-B", where B is later than A. A time is S, MM:SS or HH:MM:SS in decimal
// digits, the seconds with a fraction of up to nine; parts behind a colon have two digits and are
// below 60. A missing A is 0, a missing B INT64_MAX; one is there. False for any other text.
bool cli_range_parse(const char *text, struct cli_range *range);

enum {
    CLI_MAX_RATE = 1000,
    CLI_MAX_RATE_PART = 1000000, // of a fraction: what a movie's time base holds exactly
};

// Parse a rate above 0 and at most CLI_MAX_RATE: "60", "12.347" or "30000/1001", in decimal digits.
// The fraction is in lowest terms and exact, or the nearest one where a part would be larger than
// CLI_MAX_RATE_PART. The decimals that people write of n * 1000 / 1001 mean these rates: 29.97 is
// 30000/1001. False for any other text.
bool cli_rate_parse(const char *text, struct cli_rate *rate);

// Parse "1280x720", "1280x" or "x720", of sides of 1 to CLI_MAX_SIDE, or "50%", a share above 0 and
// up to 100 with at most six decimals. False for any other text.
bool cli_scale_parse(const char *text, struct cli_scale *scale);

// Get the size of what is scaled from this size [texels]. A side that was left out keeps the ratio
// of the sides, to the nearest texel. Sides of a share are rounded down, as those of mip levels
// are: 50% and 25% are levels. No side is below 1.
struct cli_size cli_scale_apply(const struct cli_scale *scale, struct cli_size from);

#endif
