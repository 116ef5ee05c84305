// SPDX-License-Identifier: MIT
// A number for the values of options, by which it is known later whether they were the same.
#include <string.h>

#include "capture/base/fnv.h"
#include "capture/weir/common/options.h"

static size_t value_size(enum cli_option_type type)
{
    switch (type) {
    case CLI_FLAG:
        return sizeof(bool);
    case CLI_TEXT:
    case CLI_LIST:
        return sizeof(const char *);
    case CLI_NUMBER:
    case CLI_BYTES:
    case CLI_STREAM:
        return sizeof(uint64_t);
    case CLI_REAL:
        return sizeof(double);
    case CLI_SIZE:
        return sizeof(struct cli_size);
    case CLI_RATE:
        return sizeof(struct cli_rate);
    case CLI_RANGE:
        return sizeof(struct cli_range);
    case CLI_SCALE:
        return sizeof(struct cli_scale);
    case CLI_CHOICE:
        return sizeof(int);
    }
    return 0;
}

static bool is_among(const char *name, const char *const *names)
{
    for (; *names; names++) {
        if (strcmp(*names, name) == 0) {
            return true;
        }
    }
    return false;
}

uint64_t cli_options_digest(const struct cli_option *options, size_t num_options,
                            const void *values, const char *const *without)
{
    uint64_t digest = WEIR_FNV_START;
    for (size_t i = 0; i < num_options; i++) {
        const struct cli_option *option = &options[i];
        const void *value = (const char *)values + option->offset;
        size_t size = value_size(option->type);
        if (is_among(option->name, without)) {
            continue;
        }
        if (option->type == CLI_TEXT || option->type == CLI_LIST) {
            const char *text;
            memcpy(&text, value, sizeof(text));
            value = text ? text : "";
            size = strlen(value);
        }
        digest = weir_fnv(digest, option->name, strlen(option->name) + 1);
        digest = weir_fnv(digest, value, size);
    }
    return digest;
}
