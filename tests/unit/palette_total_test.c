// SPDX-License-Identifier: MIT
// Pictures that share a palette: as many pixels as the device counts, and not one more.
#include "capture/weir/palette/palette.h"
#include "tests/expect.h"

static void expect(uint64_t num_pixels, enum weir_result want)
{
    const enum weir_result got = palette_check_pixels(2, num_pixels, "output");
    test_expect(got == want, "%llu pixels: %d", (unsigned long long)num_pixels, got);
}

int main(void)
{
    expect(0, WEIR_OK);
    expect(UINT32_MAX, WEIR_OK);
    expect((uint64_t)UINT32_MAX + 1, WEIR_ERROR_UNSUPPORTED);
    expect((uint64_t)UINT32_MAX * UINT32_MAX, WEIR_ERROR_UNSUPPORTED);
    return test_finish();
}
