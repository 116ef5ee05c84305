// SPDX-License-Identifier: MIT
// Parts of a movie as people write them: from one time to another.
#include "capture/weir/common/range.h"

#include <ctype.h>

#define NS_PER_SECOND 1000000000

// Digits of the first number of a time: 31 years of seconds, so that no product is too large.
enum { MAX_DIGITS = 9, NUM_DECIMALS = 9, MAX_COLONS = 2, BASE = 60 };

// Read digits. Returns how many there are.
static int read_digits(const char **text, int most, int64_t *value)
{
    int num = 0;
    *value = 0;
    for (; num < most && isdigit((unsigned char)**text); (*text)++, num++) {
        *value = 10 * *value + (**text - '0');
    }
    return num;
}

// Read the digits behind a point, as nanoseconds.
static bool read_fraction(const char **text, int64_t *value)
{
    const int num = read_digits(text, NUM_DECIMALS, value);
    for (int i = num; i < NUM_DECIMALS; i++) {
        *value *= 10;
    }
    return num > 0;
}

static bool read_time(const char **text, int64_t *time_ns)
{
    int64_t seconds, part, fraction = 0;
    bool is_good = read_digits(text, MAX_DIGITS, &seconds) > 0;
    for (int i = 0; is_good && i < MAX_COLONS && **text == ':'; i++) {
        (*text)++;
        is_good = read_digits(text, 2, &part) == 2 && part < BASE;
        seconds = BASE * seconds + part;
    }
    if (is_good && **text == '.') {
        (*text)++;
        is_good = read_fraction(text, &fraction);
    }
    *time_ns = is_good && seconds <= INT64_MAX / NS_PER_SECOND - 1
                   ? NS_PER_SECOND * seconds + fraction
                   : -1;
    return *time_ns >= 0;
}

bool cli_range_parse(const char *text, struct cli_range *range)
{
    *range = (struct cli_range){0, INT64_MAX};
    const bool has_start = *text != '-';
    if ((has_start && !read_time(&text, &range->from_ns)) || *text++ != '-') {
        return false;
    }
    const bool has_end = *text != 0;
    if (has_end && !read_time(&text, &range->to_ns)) {
        return false;
    }
    return *text == 0 && (has_start || has_end) && range->from_ns < range->to_ns;
}
