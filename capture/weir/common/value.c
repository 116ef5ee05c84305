// SPDX-License-Identifier: MIT
// The values of options: from the text on a command line to what a program works with.
#include "capture/weir/common/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/source/source.h"

// The digits of a number that count, before and after the point. Products of two parts, one of
// which is at most CLI_MAX_RATE_PART, fit into 64 bits.
enum { RATE_DIGITS = 12 };

struct fraction {
    uint64_t num, den;
};

// Read digits, at most RATE_DIGITS without zeros before them. Returns how many there are; -1: too
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

// Read the digits after a point behind the ones before it. Those behind RATE_DIGITS are too small
// to matter. Returns how many count.
static int read_decimals(const char **text, struct fraction *value)
{
    int num = 0;
    for (; isdigit((unsigned char)**text); (*text)++) {
        if (num < RATE_DIGITS) {
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

enum { SHARE_DECIMALS = 6 };
static const uint32_t whole_share = 100000000; // 100% with all its decimals

// Read a side; 0 for none. False for a side that is 0 or too long.
static bool read_side(const char **text, uint32_t *side)
{
    const char *start = *text;
    *side = 0;
    for (; isdigit((unsigned char)**text) && *side <= CLI_MAX_SIDE; (*text)++) {
        *side = 10 * *side + (uint32_t)(**text - '0');
    }
    return *text == start || (*side >= 1 && *side <= CLI_MAX_SIDE);
}

static bool parse_sides(const char *text, struct cli_scale *scale)
{
    return read_side(&text, &scale->width) && *text++ == 'x' && read_side(&text, &scale->height) &&
           *text == 0 && (scale->width > 0 || scale->height > 0);
}

static bool parse_share(const char *text, struct cli_scale *scale)
{
    uint64_t share = 0;
    if (!isdigit((unsigned char)*text)) {
        return false;
    }
    for (; isdigit((unsigned char)*text) && share <= 100; text++) {
        share = 10 * share + (uint64_t)(*text - '0');
    }
    const bool has_decimals = *text == '.' && isdigit((unsigned char)text[1]);
    text += has_decimals;
    for (int i = 0; i < SHARE_DECIMALS; i++) {
        const bool is_digit = has_decimals && isdigit((unsigned char)*text);
        share = 10 * share + (is_digit ? (uint64_t)(*text++ - '0') : 0);
    }
    scale->share = share <= whole_share ? (uint32_t)share : 0;
    return text[0] == '%' && text[1] == 0 && scale->share > 0;
}

bool cli_scale_parse(const char *text, struct cli_scale *scale)
{
    *scale = (struct cli_scale){0};
    if (parse_sides(text, scale)) {
        return true;
    }
    *scale = (struct cli_scale){0};
    return parse_share(text, scale);
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

// Parse a number with a letter behind it that means `base`, squared with the next one, and so on.
// `rest` becomes what follows the letter.
static bool parse_unit(const char *text, int base, double *value, const char **rest)
{
    static const char units[] = "kmgt";
    char number[32];
    const size_t length = strspn(text, "0123456789.");
    const char *unit = text[length] != 0 ? strchr(units, tolower((unsigned char)text[length]))
                                         : NULL;
    if (!unit || length >= sizeof(number)) {
        return false;
    }
    memcpy(number, text, length);
    number[length] = 0;
    *rest = text + length + 1;
    if (!parse_real(number, value)) {
        return false;
    }
    *value *= pow(base, (double)(unit - units + 1));
    return true;
}

// Parse a number of bytes with a unit of 1024: "2G", "1.5GiB". Below 2^63.
static bool parse_bytes(const char *text, uint64_t *bytes)
{
    double value;
    const char *rest;
    if (!parse_unit(text, 1024, &value, &rest) ||
        (strcmp(rest, "") != 0 && strcmp(rest, "B") != 0 && strcmp(rest, "iB") != 0) ||
        !(value >= 0x1p20 && value < 0x1p63)) {
        return false;
    }
    *bytes = (uint64_t)value;
    return true;
}

// Parse bytes a second with a unit of 1000: "60M", "1.5GB/s". Below 10^15.
static bool parse_stream(const char *text, uint64_t *bytes)
{
    double value;
    const char *rest;
    if (!parse_unit(text, 1000, &value, &rest) ||
        (strcmp(rest, "") != 0 && strcmp(rest, "B") != 0 && strcmp(rest, "B/s") != 0) ||
        !(value >= 1e3 && value < 1e15)) {
        return false;
    }
    *bytes = (uint64_t)(value + 0.5);
    return true;
}

bool cli_parse_size(const char *text, struct cli_size *size)
{
    const char *cross = strchr(text, 'x');
    char width[16];
    uint64_t w, h;
    if (!cross || (size_t)(cross - text) >= sizeof(width)) {
        return false;
    }
    memcpy(width, text, (size_t)(cross - text));
    width[cross - text] = 0;
    if (!parse_number(width, &w) || !parse_number(cross + 1, &h)) {
        return false;
    }
    size->width = (uint32_t)(w < UINT32_MAX ? w : UINT32_MAX);
    size->height = (uint32_t)(h < UINT32_MAX ? h : UINT32_MAX);
    return true;
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
        return parse_bytes(text, value);
    case CLI_STREAM:
        return parse_stream(text, value);
    case CLI_SIZE: {
        struct cli_size *size = value;
        return cli_parse_size(text, size) && size->width >= 1 && size->height >= 1 &&
               size->width <= CLI_MAX_SIDE && size->height <= CLI_MAX_SIDE;
    }
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
