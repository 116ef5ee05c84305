// SPDX-License-Identifier: MIT
// The values of options: from the text on a command line to what a program works with.
#include "capture/weir/common/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/source/source.h"

// A number in decimal digits.
struct decimal {
    uint64_t value; // of all its digits, as if it had no point
    int num_digits, num_decimals;
    bool has_point;
    bool is_plain; // there are digits before the point, and behind it
};

// Read at most nine digits and, if `most` is above 0, a point and `most` decimals behind it: fewer
// where the value would not fit. What is left of a longer number follows.
static struct decimal read_decimal(const char **text, int most)
{
    struct decimal number = {.value = 0};
    for (; isdigit((unsigned char)**text) && number.value < 100000000; (*text)++) {
        number.value = 10 * number.value + (uint64_t)(**text - '0');
        number.num_digits++;
    }
    number.has_point = most > 0 && **text == '.';
    *text += number.has_point;
    for (; number.has_point && isdigit((unsigned char)**text) && number.num_decimals < most &&
           number.value < 100000000000000000;
         (*text)++) {
        number.value = 10 * number.value + (uint64_t)(**text - '0');
        number.num_decimals++;
    }
    number.is_plain = number.num_digits > 0 && (!number.has_point || number.num_decimals > 0);
    return number;
}

// Get value * 10^decimals, of which it has no more.
static uint64_t scale_decimal(const struct decimal *number, int decimals)
{
    uint64_t value = number->value;
    for (int i = number->num_decimals; i < decimals; i++) {
        value *= 10;
    }
    return value;
}

struct fraction {
    uint64_t num, den;
};

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

enum { RATE_DECIMALS = 12 }; // that count

bool cli_rate_parse(const char *text, struct weir_ratio *rate)
{
    const struct decimal number = read_decimal(&text, RATE_DECIMALS);
    struct fraction value = {number.value, 1};
    if (*text == '/' && number.num_digits > 0 && !number.has_point) {
        text++;
        value.den = read_decimal(&text, 0).value;
    }
    for (int i = 0; i < number.num_decimals; i++) {
        value.den *= 10;
    }
    if (number.has_point) {
        text += strspn(text, "0123456789");
    }
    if (*text != 0 || number.num_digits + number.num_decimals == 0 || value.den == 0 ||
        value.num > CLI_MAX_RATE * value.den) {
        return false;
    }
    const uint64_t ntsc = find_ntsc(&value, number.num_decimals);
    if (ntsc > 0) {
        value = (struct fraction){ntsc * 1000, 1001};
    }
    weir_source_nearest_rate(value.num, value.den, CLI_MAX_RATE_PART, &rate->num, &rate->den);
    return rate->num > 0;
}

enum { SHARE_DECIMALS = 6 };
static const uint32_t whole_share = 100000000; // 100% with all its decimals

// Read two sides with an x between them; 0 for one that is left out.
static bool read_sides(const char *text, struct decimal *width, struct decimal *height)
{
    *width = read_decimal(&text, 0);
    const bool has_cross = *text == 'x';
    text += has_cross;
    *height = read_decimal(&text, 0);
    return has_cross && *text == 0;
}

// A side is left out or has texels.
static bool is_side(const struct decimal *side)
{
    return side->num_digits == 0 || (side->value >= 1 && side->value <= CLI_MAX_SIDE);
}

bool cli_scale_parse(const char *text, struct cli_scale *scale)
{
    struct decimal width, height;
    *scale = (struct cli_scale){0};
    if (read_sides(text, &width, &height)) {
        scale->width = (uint32_t)width.value;
        scale->height = (uint32_t)height.value;
        return is_side(&width) && is_side(&height) && width.value + height.value > 0;
    }
    const struct decimal number = read_decimal(&text, SHARE_DECIMALS);
    const uint64_t share = scale_decimal(&number, SHARE_DECIMALS);
    scale->share = (uint32_t)share;
    return number.is_plain && strcmp(text, "%") == 0 && share > 0 && share <= whole_share;
}

// The nearest whole number to side * num / den, at least 1 and at most what no frame has.
static uint32_t in_ratio(uint32_t side, uint32_t num, uint32_t den)
{
    const uint64_t scaled = (2 * (uint64_t)side * num + den) / (2 * (uint64_t)den);
    return scaled < 1 ? 1 : scaled < UINT32_MAX ? (uint32_t)scaled : UINT32_MAX;
}

static uint32_t share_of(uint32_t side, uint32_t share)
{
    const uint32_t scaled = (uint32_t)((uint64_t)side * share / whole_share);
    return scaled < 1 ? 1 : scaled;
}

struct cli_size cli_scale_apply(const struct cli_scale *scale, struct cli_size from)
{
    struct cli_size size = {scale->width, scale->height};
    if (scale->share > 0) {
        size = (struct cli_size){share_of(from.width, scale->share),
                                 share_of(from.height, scale->share)};
    } else if (scale->height == 0) {
        size.height = in_ratio(from.height, scale->width, from.width);
    } else if (scale->width == 0) {
        size.width = in_ratio(from.width, scale->height, from.height);
    }
    return size;
}

#define NS_PER_SECOND 1000000000

enum { NS_DECIMALS = 9, MAX_COLONS = 2, BASE = 60 };

// Read the parts between colons, of which the last may have decimals.
static bool read_time(const char **text, int64_t *time_ns)
{
    uint64_t total = 0;
    for (int i = 0;; i++) {
        const struct decimal part = read_decimal(text, NS_DECIMALS);
        const uint64_t ns = scale_decimal(&part, NS_DECIMALS);
        if (!part.is_plain || total > INT64_MAX / BASE ||
            (i > 0 && (part.num_digits != 2 || ns >= BASE * (uint64_t)NS_PER_SECOND))) {
            return false;
        }
        total = BASE * total + ns;
        if (part.has_point || **text != ':' || i == MAX_COLONS) {
            break;
        }
        (*text)++;
    }
    *time_ns = (int64_t)total;
    return total < (uint64_t)(INT64_MAX / NS_PER_SECOND * NS_PER_SECOND);
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

static bool parse_number(const char *text, uint64_t *value)
{
    if (!isdigit((unsigned char)text[0])) {
        return false;
    }
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == 0;
}

// Decimal digits only: strtod() takes words and hexadecimal numbers too.
static bool parse_real(const char *text, double *value)
{
    if (!isdigit((unsigned char)text[0]) && text[0] != '.') {
        return false;
    }
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == 0 && text[strspn(text, "0123456789.eE+-")] == 0;
}

// Parse an amount with a unit, a letter that means `base`, squared with the next one, and so on:
// "2G", "1.5GB" or with `suffix` in place of the B. From `least` to below `end`.
static bool parse_amount(const char *text, int base, const char *suffix, double least, double end,
                         uint64_t *amount)
{
    static const char units[] = "kmgt";
    char number[32];
    double value;
    const size_t length = strspn(text, "0123456789.");
    const char *unit = text[length] != 0 ? strchr(units, tolower((unsigned char)text[length]))
                                         : NULL;
    if (!unit || length >= sizeof(number)) {
        return false;
    }
    const char *rest = text + length + 1;
    memcpy(number, text, length);
    number[length] = 0;
    if (!parse_real(number, &value) ||
        (rest[0] != 0 && strcmp(rest, "B") != 0 && strcmp(rest, suffix) != 0)) {
        return false;
    }
    value *= pow(base, (double)(unit - units + 1));
    *amount = value < end ? (uint64_t)(value + 0.5) : 0;
    return value >= least && value < end;
}

bool cli_parse_size(const char *text, struct cli_size *size)
{
    struct decimal width, height;
    const bool is_size = read_sides(text, &width, &height);
    *size = (struct cli_size){(uint32_t)width.value, (uint32_t)height.value};
    return is_size && width.num_digits > 0 && height.num_digits > 0 && is_side(&width) &&
           is_side(&height);
}

bool cli_value_parse(const struct cli_option *option, const char *text, void *value)
{
    switch (option->type) {
    case CLI_FLAG:
        *(bool *)value = true;
        return true;
    case CLI_TEXT:
    case CLI_LIST:
        *(const char **)value = text;
        return true;
    case CLI_NUMBER: {
        uint64_t *number = value;
        if (option->word && strcmp(text, option->word) == 0) {
            *number = UINT64_MAX;
            return true;
        }
        return parse_number(text, number) && *number >= option->min && *number <= option->max;
    }
    case CLI_REAL: {
        double *real = value;
        return parse_real(text, real) && *real >= option->real_min && *real <= option->real_max;
    }
    case CLI_BYTES:
        return parse_amount(text, 1024, "iB", 0x1p20, 0x1p63, value);
    case CLI_STREAM:
        return parse_amount(text, 1000, "B/s", 1e3, 1e15, value);
    case CLI_SIZE:
        return cli_parse_size(text, value);
    case CLI_RATE:
        return cli_rate_parse(text, value);
    case CLI_RANGE:
        return cli_range_parse(text, value);
    case CLI_SCALE:
        return cli_scale_parse(text, value);
    case CLI_CHOICE:
        *(int *)value = cli_choice_find(option, text, strlen(text));
        return *(int *)value >= 0;
    }
    return false;
}
