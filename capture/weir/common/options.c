// SPDX-License-Identifier: MIT
// Options of a command line: a table says what there is, and its help comes out of the same table.
#include "capture/weir/common/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 100, HELP_COLUMN = 25, MAX_CHOICES = 64 };

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

static const char *choice(const struct cli_option *option, int index)
{
    return option->choice ? option->choice(index) : option->choices[index];
}

static bool parse_choice(const struct cli_option *option, const char *text, int *value)
{
    for (int i = 0; choice(option, i); i++) {
        if (strcmp(choice(option, i), text) == 0) {
            *value = i;
            return true;
        }
    }
    return false;
}

static void print_choices(FILE *out, const struct cli_option *option)
{
    for (int i = 0; choice(option, i); i++) {
        fprintf(out, "%s%s", i > 0 ? ", " : "", choice(option, i));
    }
}

const char *cli_hint_find(const struct cli_hint *hints, const char *name, size_t length)
{
    for (; hints && hints->name; hints++) {
        if (strlen(hints->name) == length && strncmp(hints->name, name, length) == 0) {
            return hints->text;
        }
    }
    return NULL;
}

static void print_unknown(const char *command, const struct cli_option *option, const char *text,
                          size_t length)
{
    const char *hint = cli_hint_find(option->hints, text, length);
    fprintf(stderr, "%s: unknown %s \"%.*s\"%s%s; known: ", command, option->name, (int)length,
            text, hint ? ": " : "", hint ? hint : "");
    print_choices(stderr, option);
    fputc('\n', stderr);
}

static bool check_list(const char *command, const struct cli_option *option, const char *list)
{
    do {
        char word[64];
        int index;
        const size_t length = strcspn(list, ",");
        snprintf(word, sizeof(word), "%.*s", (int)length, list);
        if (length >= sizeof(word) || !parse_choice(option, word, &index)) {
            print_unknown(command, option, list, length);
            return false;
        }
        list += length;
    } while (*list++ != 0);
    return true;
}

static bool parse_value(const struct cli_option *option, const char *text, void *value)
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
        return parse_choice(option, text, value);
    }
    return false;
}

static void print_wanted(const char *command, const struct cli_option *option, const char *text)
{
    if (option->kind == CLI_CHOICE) {
        print_unknown(command, option, text, strlen(text));
        return;
    }
    fprintf(stderr, "%s: --%s %s: ", command, option->name, text);
    if (option->kind == CLI_NUMBER) {
        fprintf(stderr, "a whole number from %" PRIu64 " to %" PRIu64 " is wanted\n", option->min,
                option->max);
    } else if (option->kind == CLI_REAL) {
        fprintf(stderr, "a number from %.8g to %.8g is wanted\n", option->real_min,
                option->real_max);
    } else if (option->kind == CLI_SIZE) {
        fprintf(stderr, "a size such as 1920x1080 is wanted, each side 1 to %d\n", CLI_MAX_SIDE);
    } else {
        fputs("a rate such as 60, 29.97 or 30000/1001 is wanted, above 0 and at most 1000\n",
              stderr);
    }
}

static const struct cli_option *find(const struct cli_option *options, size_t num_options,
                                     const char *name, size_t length)
{
    for (size_t i = 0; i < num_options; i++) {
        if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0) {
            return &options[i];
        }
    }
    return NULL;
}

// An option that a command of this program had under another name.
static void print_no_option(const char *command, const struct cli_option *options,
                            size_t num_options, const char *word, size_t length)
{
    static const struct cli_hint renamed[] = {
        {"--level", "effort"},
        {"--transfer", "light"},
        {"--repeat", "repeats"},
        {NULL, NULL},
    };
    const char *now = cli_hint_find(renamed, word, length);
    const bool has_now = now && find(options, num_options, now, strlen(now));
    fprintf(stderr, "%s: unknown option %s%s%s; %s --help lists them\n", command, word,
            has_now ? ": it is now --" : "", has_now ? now : "", command);
}

bool cli_options_parse(const char *command, const struct cli_option *options, size_t num_options,
                       int argc, char **argv, void *values, char **arguments, int num_arguments)
{
    int count = 0;
    bool words_only = false;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (words_only || word[0] != '-' || word[1] == 0) {
            if (count < num_arguments) {
                arguments[count] = argv[i];
            }
            count++;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            words_only = true;
            continue;
        }
        size_t length = strcspn(word, "=");
        const struct cli_option *option = strncmp(word, "--", 2) == 0
                                              ? find(options, num_options, word + 2, length - 2)
                                              : NULL;
        if (!option) {
            print_no_option(command, options, num_options, word, length);
            return false;
        }
        const char *text = word[length] == '=' ? word + length + 1 : NULL;
        if (option->kind == CLI_FLAG && text) {
            fprintf(stderr, "%s: --%s takes no value\n", command, option->name);
            return false;
        }
        if (option->kind != CLI_FLAG && !text) {
            text = i + 1 < argc ? argv[++i] : NULL;
        }
        if (option->kind != CLI_FLAG && !text) {
            fprintf(stderr, "%s: --%s wants a value: --%s %s\n", command, option->name,
                    option->name, option->argument);
            return false;
        }
        if (!parse_value(option, text, (char *)values + option->offset)) {
            print_wanted(command, option, text);
            return false;
        }
        if (option->kind == CLI_LIST && !check_list(command, option, text)) {
            return false;
        }
    }
    if (count != num_arguments) {
        fprintf(stderr, "%s: %d argument%s instead of %d; %s --help says which\n", command, count,
                count == 1 ? "" : "s", num_arguments, command);
    }
    return count == num_arguments;
}

void cli_print_names(const char *const *names, size_t num_names, int column, int indent, FILE *out)
{
    for (size_t i = 0; i < num_names; i++) {
        const char *comma = i + 1 < num_names ? "," : "";
        const int length = (int)(strlen(names[i]) + strlen(comma));
        if (i > 0 && column + 1 + length > MAX_COLUMNS) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (i > 0) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%s%s", names[i], comma);
        column += length;
    }
}

static void print_choices_help(const struct cli_option *option, FILE *out)
{
    const char *names[MAX_CHOICES];
    size_t num_names = 0;
    while (num_names < MAX_CHOICES && choice(option, (int)num_names)) {
        names[num_names] = choice(option, (int)num_names);
        num_names++;
    }
    fputs(": ", out);
    cli_print_names(names, num_names, HELP_COLUMN + (int)strlen(option->help) + 2, HELP_COLUMN,
                    out);
}

void cli_options_help(const struct cli_option *options, size_t num_options, FILE *out)
{
    for (size_t i = 0; i < num_options; i++) {
        char left[64];
        snprintf(left, sizeof(left), "--%s%s%s", options[i].name, options[i].argument ? " " : "",
                 options[i].argument ? options[i].argument : "");
        fprintf(out, "  %-22s %s", left, options[i].help);
        if (options[i].kind == CLI_CHOICE || options[i].kind == CLI_LIST) {
            print_choices_help(&options[i], out);
        }
        fputc('\n', out);
    }
}
