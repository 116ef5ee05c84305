// SPDX-License-Identifier: MIT
// Pictures that share a palette: as many pixels as the device counts, and not one more.
#include "capture/weir/palette/palette.h"
#include "tests/expect.h"

static void expect(const struct palette_total *total, enum weir_result want, const char *what)
{
    const enum weir_result got = palette_total_check(total, "output");
    test_expect(got == want, "%s: %d", what, got);
}

int main(void)
{
    struct palette_total total = {0};
    expect(&total, WEIR_OK, "no picture");
    for (int i = 0; i < 15; i++) {
        palette_total_add(&total, 16384, 16384);
    }
    palette_total_add(&total, 16384, 16383);
    palette_total_add(&total, 16383, 1);
    expect(&total, WEIR_OK, "2^32 - 1 pixels");
    palette_total_add(&total, 1, 1);
    expect(&total, WEIR_ERROR_UNSUPPORTED, "2^32 pixels");
    palette_total_add(&total, UINT32_MAX, UINT32_MAX);
    expect(&total, WEIR_ERROR_UNSUPPORTED, "an area that 32 bits do not hold");
    return test_finish();
}
