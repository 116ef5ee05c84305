// SPDX-License-Identifier: MIT
// Lists on a command line: words with commas between them.
#ifndef WEIR_TESTS_BENCH_LISTS_H
#define WEIR_TESTS_BENCH_LISTS_H

#include "capture/weir/common/options.h"

// Copy the next word, and go on behind its comma. False: it has no room.
bool bench_next_word(const char **list, char *word, size_t size);

// Mark each name of a list that was checked, by its index among the option's.
void bench_choose(const struct cli_option *option, const char *list, bool *chosen);

struct bench_area {
    uint32_t width, height, layers;
};
// Parse sizes: WxH, or a name as 1080p; for pyramids also WxHxLAYERS, and not 1x1, which has no
// further level. Returns how many; -1: one is wrong, and that is printed.
int bench_parse_areas(const char *command, const char *list, bool is_pyramid,
                      struct bench_area *areas, int max);

#endif
