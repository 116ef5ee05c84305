// SPDX-License-Identifier: MIT
// Frame rates as people write them, as exact fractions.
#include "capture/weir/common/options.h"

#include <ctype.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/files/source/source.h"

// The digits of a number that count, before and after the point. Products of two parts, one of
// which is at most CLI_MAX_RATE_PART, fit into 64 bits.
enum { MAX_DIGITS = 12 };

struct fraction {
    uint64_t num, den;
};

// Read digits, at most MAX_DIGITS without zeros before them. Returns how many there are; -1: too
// many.
static int read_whole(const char **text, uint64_t *value)
{
    int num = 0;
    *value = 0;
    for (; isdigit((unsigned char)**text); (*text)++, num++) {
        *value = 10 * *value + (uint64_t)(**text - '0');
        if (*value >= 1000000000000u) {
            return -1;
        }
    }
    return num;
}

// Read the digits after a point behind the ones before it. Those behind MAX_DIGITS are too small to
// matter. Returns how many count.
static int read_decimals(const char **text, struct fraction *value)
{
    int num = 0;
    for (; isdigit((unsigned char)**text); (*text)++) {
        if (num < MAX_DIGITS) {
            value->num = 10 * value->num + (uint64_t)(**text - '0');
            value->den *= 10;
            num++;
        }
    }
    return num;
}

// Find the n of n * 1000 / 1001 of which these are the decimals, rounded or cut off. One decimal
// says too little.
static uint64_t find_ntsc(const struct fraction *value, int num_decimals)
{
    static const uint32_t rates[] = {24, 30, 48, 60, 72, 96, 120, 144, 240};
    for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]) && num_decimals >= 2; i++) {
        // In two steps, as the product of all is too large.
        const uint64_t num = (uint64_t)rates[i] * 1000;
        const uint64_t whole = num / 1001 * value->den, part = num % 1001 * value->den;
        const uint64_t cut = whole + part / 1001, rounded = whole + (part + 500) / 1001;
        if (value->num == cut || value->num == rounded) {
            return rates[i];
        }
    }
    return 0;
}

bool cli_rate_parse(const char *text, struct weir_ratio *rate)
{
    struct fraction value = {0, 1};
    int num_decimals = 0;
    const int num_digits = read_whole(&text, &value.num);
    if (num_digits < 0) {
        return false;
    }
    if (*text == '/' && num_digits > 0) {
        text++;
        if (read_whole(&text, &value.den) <= 0 || value.den == 0) {
            return false;
        }
    } else if (*text == '.' && value.num <= CLI_MAX_RATE) {
        text++;
        num_decimals = read_decimals(&text, &value);
    }
    if (*text != 0 || num_digits + num_decimals == 0 || value.num > CLI_MAX_RATE * value.den) {
        return false;
    }
    const uint64_t ntsc = find_ntsc(&value, num_decimals);
    if (ntsc > 0) {
        value = (struct fraction){ntsc * 1000, 1001};
    }
    weir_source_nearest_rate(value.num, value.den, CLI_MAX_RATE_PART, &rate->num, &rate->den);
    return rate->num > 0;
}
