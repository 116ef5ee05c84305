// SPDX-License-Identifier: MIT
// Smaller sizes as people write them: one or both sides, or a share.
#ifndef WEIR_CAPTURE_WEIR_COMMON_SCALE_H
#define WEIR_CAPTURE_WEIR_COMMON_SCALE_H

#include <stdbool.h>

#include "capture/weir/common/options.h"

// Parse "1280x720", "1280x" or "x720", of sides of 1 to CLI_MAX_SIDE, or "50%", a share above 0 and
// up to 100 with at most six decimals. False for any other text.
bool cli_scale_parse(const char *text, struct cli_scale *scale);

// Get the size of what is scaled from this size [texels]. A side that was left out keeps the ratio
// of the sides, to the nearest texel. Sides of a share are rounded down, as those of mip levels
// are: 50% and 25% are levels. No side is below 1.
struct cli_size cli_scale_apply(const struct cli_scale *scale, struct cli_size from);

#endif
