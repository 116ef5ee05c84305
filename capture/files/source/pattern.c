// SPDX-License-Identifier: MIT
// A numbered name as printf writes it, as in "frame_%04d.png".
#include "capture/files/source/pattern.h"

#include <ctype.h>
#include <string.h>

static bool copy_literal(const char **at, char *out, size_t size)
{
    size_t n = 0;
    for (; **at != 0 && n + 1 < size; (*at)++) {
        if (**at == '%') {
            if ((*at)[1] != '%') {
                break;
            }
            (*at)++;
        }
        out[n++] = **at;
    }
    out[n] = 0;
    return n + 1 < size;
}

bool weir_pattern_parse(const char *path, struct weir_pattern *pattern)
{
    const char *slash = strrchr(path, '/');
    const char *at = slash ? slash + 1 : path;
    pattern->folder = path;
    pattern->folder_length = (int)(at - path);
    if (!copy_literal(&at, pattern->before, sizeof(pattern->before)) || *at != '%') {
        return false;
    }
    at++;
    int width = 0;
    while (isdigit((unsigned char)*at) && width < 100) {
        width = 10 * width + (*at++ - '0');
    }
    if (*at++ != 'd') {
        return false;
    }
    pattern->width = width;
    return copy_literal(&at, pattern->after, sizeof(pattern->after)) && *at == 0;
}

bool weir_pattern_match(const struct weir_pattern *pattern, const char *name, uint64_t *number)
{
    const size_t before = strlen(pattern->before), after = strlen(pattern->after);
    const size_t size = strlen(name);
    if (size <= before + after || strncmp(name, pattern->before, before) != 0 ||
        strcmp(name + size - after, pattern->after) != 0) {
        return false;
    }
    const char *digits = name + before;
    const int count = (int)(size - before - after);
    const bool padded = count > 1 && digits[0] == '0';
    if (count < pattern->width || (padded && count != pattern->width) ||
        (int)strspn(digits, "0123456789") < count) {
        return false;
    }
    int i = (int)strspn(digits, "0");
    *number = i + WEIR_PATTERN_MAX_DIGITS < count ? WEIR_PATTERN_TOO_LARGE : 0;
    for (; i < count && *number != WEIR_PATTERN_TOO_LARGE; i++) {
        *number = 10 * *number + (uint64_t)(digits[i] - '0');
    }
    return true;
}
