// SPDX-License-Identifier: MIT
// Parts of a movie on a command line: the times that were written, and nothing but parts.
#include "capture/weir/common/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/expect.h"
#include "tests/seeded.h"
#include "texts.h"

enum { NUM_RANGES = 20000 };

static void expect(bool condition, const char *text, const struct cli_range *range,
                   const char *what)
{
    test_expect(condition, "\"%s\": %" PRId64 " to %" PRId64 ": %s", text, range->from_ns,
                range->to_ns, what);
}

static void check_known(void)
{
    static const struct {
        const char *text;
        struct cli_range range;
    } known[] = TEST_LIST(
        {"10-20", {10000000000, 20000000000}}, {"1:30-2:00.5", {90000000000, 120500000000}},
        {"01:02:03.004-1:02:03.005", {3723004000000, 3723005000000}},
        {"10-", {10000000000, INT64_MAX}}, {"-20", {0, 20000000000}}, {"0-", {0, INT64_MAX}},
        {"0-0.000000001", {0, 1}}, {"90:00-5400.1", {5400000000000, 5400100000000}},
        {"999999999-", {999999999000000000, INT64_MAX}},
        {"2562047:47:15.9-", {9223372035900000000, INT64_MAX}});
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct cli_range range = {0, 0};
        const struct cli_range *wanted = &known[i].range;
        expect(cli_range_parse(known[i].text, &range) && range.from_ns == wanted->from_ns &&
                   range.to_ns == wanted->to_ns,
               known[i].text, &range, "another part, or refused");
    }
    // The first is above 2^63 ns.
    const char *refused = "2562047:47:16-|999999999:00:00-|1000000000-|0.0000000001-||-|--|5|5-5|"
                          "6-5|-0|1-2-|1:60-|1:5-|1:005-|1:00:00:00-|:30-|1.-|.5-|1e3-|0x1-|+1-|"
                          " 1-|1- 2|1-2 |";
    for (char text[TEXTS_SIZE]; texts_next(&refused, text);) {
        struct cli_range range = {0, 0};
        expect(!cli_range_parse(text, &range), text, &range, "taken");
    }
}

// Write a time in one of its three forms, with so many decimals as it has or more.
static int write_time(char *text, size_t size, int64_t time_ns)
{
    const int form = seeded_below(3), seconds = (int)(time_ns / 1000000000);
    const int fraction = (int)(time_ns % 1000000000);
    int length = form == 0   ? snprintf(text, size, "%d", seconds)
                 : form == 1 ? snprintf(text, size, "%d:%02d", seconds / 60, seconds % 60)
                             : snprintf(text, size, "%02d:%02d:%02d", seconds / 3600,
                                        seconds / 60 % 60, seconds % 60);
    if (fraction > 0 || seeded_below(2) == 0) {
        length += snprintf(text + length, size - (size_t)length, ".%09d", fraction);
        while (text[length - 1] == '0' && text[length - 2] != '.' && seeded_below(4) > 0) {
            length--;
        }
    }
    return length;
}

static void check_forms(void)
{
    for (int i = 0; i < NUM_RANGES; i++) {
        char text[96];
        const int64_t from_ns = seeded_below(1000000) * (int64_t)1000000 + seeded_below(2) * 7;
        const int64_t to_ns = seeded_below(1000000) * (int64_t)1000000;
        int length = write_time(text, 40, from_ns);
        text[length++] = '-';
        text[length + write_time(text + length, 40, to_ns)] = 0;
        struct cli_range range = {0, 0};
        const bool is_range = cli_range_parse(text, &range);
        expect(is_range == (from_ns < to_ns), text, &range, is_range ? "taken" : "refused");
        expect(!is_range || (range.from_ns == from_ns && range.to_ns == to_ns), text, &range,
               "another part");
    }
}

int main(void)
{
    seeded_start();
    check_known();
    check_forms();
    return test_finish();
}
