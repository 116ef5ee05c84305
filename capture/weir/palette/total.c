// SPDX-License-Identifier: MIT
// How many pixels share a palette.
#include "capture/weir/palette/total.h"

#include <inttypes.h>

#include "capture/weir/common/report.h"

void palette_total_add(struct palette_total *total, uint32_t width, uint32_t height)
{
    total->num_pictures++;
    total->num_pixels += (uint64_t)width * height;
}

enum weir_result palette_total_check(const struct palette_total *total, const char *output)
{
    if (total->num_pixels <= PALETTE_MAX_PIXELS) {
        return WEIR_OK;
    }
    cli_report_error("--share: the %" PRIu64 " pictures for %s have %" PRIu64
                     " pixels together, and one palette counts %" PRIu64
                     " at most; leave --share out, or share a palette among fewer or smaller ones",
                     total->num_pictures, output, total->num_pixels, (uint64_t)PALETTE_MAX_PIXELS);
    return WEIR_ERROR_UNSUPPORTED;
}
