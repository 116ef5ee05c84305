// SPDX-License-Identifier: MIT
// Smaller sizes on a command line: the sides that were written, and nothing but sizes.
#include "capture/weir/common/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/expect.h"
#include "tests/seeded.h"
#include "texts.h"

enum { NUM_SIZES = 200000 };

#define EXPECT(is_so, text, what) test_expect(is_so, "\"%s\": %s", text, what)

static void check_known(void)
{
    static const struct {
        const char *text;
        struct cli_size from, size;
    } known[] = TEST_LIST(
        {"1280x720", {1920, 1080}, {1280, 720}}, {"1280x", {1920, 1080}, {1280, 720}},
        {"x720", {1920, 1080}, {1280, 720}}, {"1280x", {1366, 768}, {1280, 720}}, // 719.6
        {"100x", {199, 1}, {100, 1}}, {"1x", {65535, 1}, {1, 1}},
        {"x65535", {65535, 1}, {4294836225, 65535}}, {"50%", {1920, 1080}, {960, 540}},
        {"50%", {1919, 1079}, {959, 539}}, {"25%", {1919, 1079}, {479, 269}},
        {"33.333333%", {1200, 300}, {399, 99}}, {"66.5%", {1000, 2000}, {665, 1330}},
        {"0.000001%", {65535, 65535}, {1, 1}}, {"100%", {65535, 3}, {65535, 3}},
        {"100.000000%", {7, 3}, {7, 3}});
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct cli_scale scale;
        EXPECT(cli_scale_parse(known[i].text, &scale), known[i].text, "refused");
        const struct cli_size size = cli_scale_apply(&scale, known[i].from);
        EXPECT(size.width == known[i].size.width && size.height == known[i].size.height,
               known[i].text, "another size");
    }
    const char *refused = "007x0|100.000001%|33.3333333%|101%|4294967346%|0%|0.%|.5%|5.%|50|50%%||"
                          "x|0x5|65536x|4294967297x5|-1x720|1280:720|1280x720x|1/2|iw/2| 5x|5x |";
    for (char text[TEXTS_SIZE]; texts_next(&refused, text);) {
        EXPECT(!cli_scale_parse(text, &(struct cli_scale){0}), text, "taken");
    }
}

// A side that was left out is nearest to the ratio, and shares of powers of two are sides of mip
// levels.
static void check_sizes(void)
{
    static const char *const shares[] = {"100%", "50%", "25%", "12.5%", "6.25%", "3.125%"};
    for (int i = 0; i < NUM_SIZES; i++) {
        char text[32];
        struct cli_scale scale;
        const struct cli_size from = {1 + (uint32_t)seeded_below(CLI_MAX_SIDE),
                                      1 + (uint32_t)seeded_below(CLI_MAX_SIDE)};
        const int width = 1 + seeded_below((int)from.width), level = seeded_below(6);
        snprintf(text, sizeof(text), "%dx", width);
        EXPECT(cli_scale_parse(text, &scale), text, "refused");
        struct cli_size size = cli_scale_apply(&scale, from);
        const double wanted = (double)from.height * width / from.width;
        EXPECT(size.width == (uint32_t)width &&
                   (fabs(size.height - wanted) <= 0.5 || (size.height == 1 && wanted < 0.5)) &&
                   size.height <= from.height,
               text, "another ratio");
        EXPECT(cli_scale_parse(shares[level], &scale), shares[level], "refused");
        size = cli_scale_apply(&scale, from);
        EXPECT(size.width == (from.width >> level ? from.width >> level : 1) &&
                   size.height == (from.height >> level ? from.height >> level : 1),
               shares[level], "no level");
    }
}

int main(void)
{
    seeded_start();
    check_known();
    check_sizes();
    return test_finish();
}
