// SPDX-License-Identifier: MIT
// The values of options: from the text on a command line to what a program works with.
#include "capture/weir/common/value.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/choice.h"
#include "capture/weir/common/range.h"
#include "capture/weir/common/rate.h"
#include "capture/weir/common/scale.h"

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
