// SPDX-License-Identifier: MIT
// Smaller sizes as people write them: one or both sides, or a share.
#include "capture/weir/common/scale.h"

#include <ctype.h>

enum { NUM_DECIMALS = 6 };
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
    for (int i = 0; i < NUM_DECIMALS; i++) {
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
