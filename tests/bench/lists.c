// SPDX-License-Identifier: MIT
// Lists on a command line: words with commas between them.
#include "tests/bench/bench.h"

#include <string.h>

#include "capture/weir/common/options.h"
#include "capture/weir/common/report.h"

bool bench_next_word(const char **list, char *word, size_t size)
{
    const size_t length = strcspn(*list, ",");
    if (length >= size) {
        return false;
    }
    memcpy(word, *list, length);
    word[length] = 0;
    *list += length + ((*list)[length] == ',');
    return true;
}

void bench_choose(const struct cli_option *option, const char *list, bool *chosen)
{
    while (list && *list != 0) {
        const size_t length = strcspn(list, ",");
        const int index = cli_choice_find(option, list, length);
        if (index >= 0) {
            chosen[index] = true;
        }
        list += length + (list[length] == ',');
    }
}

static bool is_side(uint32_t side)
{
    return side >= 1 && side <= CLI_MAX_SIDE;
}

static bool area_by_name(const char *name, struct bench_area *area)
{
    static const struct {
        const char *name;
        struct bench_area area;
    } names[] = {
        {"720p", {1280, 720, 1}},   {"1080p", {1920, 1080, 1}}, {"1440p", {2560, 1440, 1}},
        {"2160p", {3840, 2160, 1}}, {"4320p", {7680, 4320, 1}},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(names[i].name, name) == 0) {
            *area = names[i].area;
            return true;
        }
    }
    return false;
}

static bool parse_area(char *text, bool is_pyramid, struct bench_area *area)
{
    struct cli_size size, layers = {1, 1};
    if (area_by_name(text, area)) {
        return true;
    }
    char *cross = strchr(text, 'x'), *second = cross ? strchr(cross + 1, 'x') : NULL;
    if (second) {
        // The layers, as the height of a size.
        char last[40] = "1";
        strncat(last, second, sizeof(last) - 2);
        *second = 0;
        if (!is_pyramid || !cli_parse_size(last, &layers)) {
            return false;
        }
    }
    if (!cli_parse_size(text, &size)) {
        return false;
    }
    *area = (struct bench_area){size.width, size.height, layers.height};
    return is_side(size.width) && is_side(size.height) && is_side(layers.height) &&
           (!is_pyramid || size.width > 1 || size.height > 1);
}

int bench_parse_areas(const char *command, const char *list, bool is_pyramid,
                      struct bench_area *areas, int max)
{
    int num = 0;
    while (*list != 0) {
        const char *start = list;
        char word[40];
        if (num == max || !bench_next_word(&list, word, sizeof(word)) ||
            !parse_area(word, is_pyramid, &areas[num])) {
            cli_print(stderr,
                      "weir-bench %s: --sizes %.*s: at most %d of WxH%s or of 720p, 1080p, 1440p, "
                      "2160p and 4320p are wanted, each side 1 to %d%s\n",
                      command, (int)strcspn(start, ","), start, max,
                      is_pyramid ? ", WxHxLAYERS" : "", CLI_MAX_SIDE,
                      is_pyramid ? ", not 1x1" : "");
            return -1;
        }
        num++;
    }
    return num;
}
