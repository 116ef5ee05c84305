// SPDX-License-Identifier: MIT
// Command lines as tables: each entry is an option, with the place and the range of its value.
#include "arguments.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

bool arguments_complain(const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof(text), format, values);
    va_end(values);
    return report("%s; see %s --help", text, report_program());
}

static bool read_real(const char *name, const char *text, double min, double max, double *out)
{
    char *end = NULL;
    errno = 0;
    *out = strtod(text, &end);
    // strtod() also takes spaces, signs of plus, hexadecimal numbers and names: these are refused.
    const bool plain = text[0] != '\0' && strspn(text, "-.0123456789") == strlen(text);
    return (plain && *end == '\0' && errno == 0 && *out >= min && *out <= max) ||
           arguments_complain("%s takes a number from %g to %g, not '%s'", name, min, max, text);
}

static bool read_number(const char *name, const char *text, double min, double max, uint32_t *out)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long wide = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    *out = (uint32_t)wide;
    return (end && *end == '\0' && errno == 0 && (double)wide >= min && (double)wide <= max) ||
           arguments_complain("%s takes a number from %.0f to %.0f, not '%s'", name, min, max,
                              text);
}

static bool read_size(const char *name, const char *text, uint32_t size[2])
{
    char width[16];
    const char *x = strchr(text, 'x');
    if (!x || (size_t)(x - text) >= sizeof(width)) {
        return arguments_complain("%s takes WIDTHxHEIGHT such as 1280x720, not '%s'", name, text);
    }
    memcpy(width, text, (size_t)(x - text));
    width[x - text] = '\0';
    return read_number("the width of --size", width, 1, 65535, &size[0]) &&
           read_number("the height of --size", x + 1, 1, 65535, &size[1]);
}

static bool read_choice(const struct argument *argument, const char *text)
{
    char known[256] = "";
    for (int i = 0; argument->choices[i]; ++i) {
        if (strcmp(argument->choices[i], text) == 0) {
            *argument->choice = i;
            return true;
        }
        const size_t used = strlen(known);
        snprintf(known + used, sizeof(known) - used, "%s%s", i ? " or " : "", argument->choices[i]);
    }
    return arguments_complain("%s does not know '%s'; it takes %s", argument->name, text, known);
}

static bool read_value(const struct argument *argument, const char *text)
{
    if (argument->text) {
        *argument->text = text;
        return true;
    }
    if (argument->size) {
        return read_size(argument->name, text, argument->size);
    }
    if (argument->choice) {
        return read_choice(argument, text);
    }
    if (argument->number) {
        return read_number(argument->name, text, argument->min, argument->max, argument->number);
    }
    double real = 0.0;
    const bool ok = read_real(argument->name, text, argument->min, argument->max, &real);
    *argument->real = (float)real;
    return ok;
}

static const struct argument *find(const struct argument_table *tables, size_t num_tables,
                                   const char *name)
{
    for (size_t t = 0; t < num_tables; ++t) {
        for (size_t i = 0; i < tables[t].num_arguments; ++i) {
            if (strcmp(tables[t].arguments[i].name, name) == 0) {
                return &tables[t].arguments[i];
            }
        }
    }
    return NULL;
}

bool arguments_read(const struct argument_table *tables, size_t num_tables, int argc, char **argv,
                    int *place)
{
    const char *name = argv[(*place)++];
    const struct argument *argument = find(tables, num_tables, name);
    if (!argument) {
        return arguments_complain("unknown option %s", name);
    }
    if (argument->flag) {
        return *argument->flag = true;
    }
    if (*place == argc) {
        return arguments_complain("a value is missing after %s", name);
    }
    return read_value(argument, argv[(*place)++]);
}
