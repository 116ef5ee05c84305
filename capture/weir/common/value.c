// SPDX-License-Identifier: MIT
// The values of options: from the text on a command line to what a program works with.
#include "capture/weir/common/value.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/choice.h"

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

// NTSC's rates, n * 1000 / 1001, by the three or two decimals that people write of them.
static bool find_ntsc(uint64_t thousandths, struct cli_rate *rate)
{
    static const uint32_t known[][3] = {
        {23976, 23980, 24000}, {29970, 29970, 30000},    {47952, 47950, 48000},
        {59940, 59940, 60000}, {119880, 119880, 120000},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (thousandths == known[i][0] || thousandths == known[i][1]) {
            *rate = (struct cli_rate){known[i][2], 1001};
            return true;
        }
    }
    return false;
}

// Parse a frame rate of at most 1000. The parts of a fraction are at most a million.
static bool parse_rate(const char *text, struct cli_rate *rate)
{
    enum { MAX_PART = 1000000 };
    char *end;
    if (!isdigit((unsigned char)text[0]) || text[strspn(text, "0123456789./")] != 0) {
        return false;
    }
    const double value = strtod(text, &end);
    if (!(value <= MAX_PART)) {
        return false;
    }
    uint64_t num = (uint64_t)value, den = 1;
    if (*end == '/') {
        if (value != (double)num || !parse_number(end + 1, &den)) {
            return false;
        }
    } else if (*end != 0) {
        return false;
    } else if (value != (double)num) {
        num = (uint64_t)(value * 1000 + 0.5);
        den = 1000;
        if (find_ntsc(num, rate)) {
            return true;
        }
    }
    *rate = (struct cli_rate){(uint32_t)num, (uint32_t)den};
    return num > 0 && den > 0 && num <= MAX_PART && den <= MAX_PART && num <= 1000 * den;
}

bool cli_value_parse(const struct cli_option *option, const char *text, void *value)
{
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)value = true;
        return true;
    case CLI_TEXT:
    case CLI_LIST:
        *(const char **)value = text;
        return true;
    case CLI_NUMBER: {
        uint64_t *number = value;
        return parse_number(text, number) && *number >= option->min && *number <= option->max;
    }
    case CLI_REAL: {
        double *real = value;
        return parse_real(text, real) && *real >= option->real_min && *real <= option->real_max;
    }
    case CLI_SIZE: {
        struct cli_size *size = value;
        return cli_parse_size(text, size) && size->width >= 1 && size->height >= 1 &&
               size->width <= CLI_MAX_SIDE && size->height <= CLI_MAX_SIDE;
    }
    case CLI_RATE:
        return parse_rate(text, value);
    case CLI_CHOICE:
        *(int *)value = cli_choice_find(option, text, strlen(text));
        return *(int *)value >= 0;
    }
    return false;
}
