// SPDX-License-Identifier: MIT
// Options of a command line: a table says what there is, and its help comes out of the same table.
#include "capture/weir/common/options.h"

#include <inttypes.h>
#include <string.h>

#include "capture/base/fnv.h"
#include "capture/weir/common/report.h"

const char *cli_hint_find(const struct cli_hint *hints, const char *name, size_t length)
{
    for (; hints && hints->name; hints++) {
        if (cli_name_is(hints->name, name, length)) {
            return hints->text;
        }
    }
    return NULL;
}

_Static_assert(CLI_MAX_SIDE == 65535, "as the texts below say");

// Sizes of values, and what is said of a text that is none.
static const struct {
    size_t size;
    const char *wanted;
} types[] = {
    [CLI_FLAG] = {sizeof(bool), NULL},
    [CLI_TEXT] = {sizeof(const char *), NULL},
    [CLI_LIST] = {sizeof(const char *), NULL},
    [CLI_CHOICE] = {sizeof(int), NULL},
    [CLI_NUMBER] = {sizeof(uint64_t), NULL},
    [CLI_REAL] = {sizeof(double), NULL},
    [CLI_BYTES] = {sizeof(uint64_t),
                   "an amount of memory such as 2G or 512M is wanted, at least 1M"},
    [CLI_STREAM] = {sizeof(uint64_t),
                    "bytes a second are wanted, such as 60M (megabytes) or 1.5G, at least 1k"},
    [CLI_SIZE] = {sizeof(struct cli_size),
                  "a size such as 1920x1080 is wanted, each side 1 to 65535"},
    [CLI_RATE] = {sizeof(struct weir_ratio),
                  "a rate such as 60, 29.97 or 30000/1001 is wanted, above 0 and at most 1000"},
    [CLI_RANGE] = {sizeof(struct cli_range),
                   "a range such as 10-20, 1:30-2:00.5, 10- or -20 is wanted, in seconds, MM:SS or "
                   "HH:MM:SS, with an end after its begin"},
    [CLI_SCALE] = {sizeof(struct cli_scale), "a size such as 1280x720, 1280x, x720 or 50% is "
                                             "wanted, each side 1 to 65535, or at most 100%"},
};

// Of the command line that was parsed last.
enum { MAX_GIVEN = 64 };
static const struct cli_option *given[MAX_GIVEN];
static size_t num_given;

static void print_wanted(const char *command, const struct cli_option *option, const char *text)
{
    if (option->type == CLI_CHOICE) {
        cli_choice_print_unknown(command, option, text, strlen(text));
        return;
    }
    cli_print(stderr, "%s: --%s %s: ", command, option->name, text);
    if (option->type == CLI_NUMBER) {
        fprintf(stderr, "a whole number from %" PRIu64 " to %" PRIu64 "%s%s is wanted\n",
                option->min, option->max, option->word ? ", or " : "",
                option->word ? option->word : "");
    } else if (option->type == CLI_REAL) {
        fprintf(stderr, "a number from %.8g to %.8g is wanted\n", option->real_min,
                option->real_max);
    } else {
        fprintf(stderr, "%s\n", types[option->type].wanted);
    }
}

const struct cli_option *cli_options_find(const struct cli_option *options, size_t num_options,
                                          const char *name, size_t length)
{
    for (size_t i = 0; i < num_options; i++) {
        if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0) {
            return &options[i];
        }
    }
    return NULL;
}

static void print_no_option(const char *command, const struct cli_option *options,
                            size_t num_options, const char *word, size_t length)
{
    struct cli_guess guess = cli_guess_begin(word, length);
    for (size_t i = 0; i < num_options; i++) {
        cli_guess_consider(&guess, options[i].name);
    }
    cli_print(stderr, "%s: unknown option %s", command, word);
    if (guess.name) {
        fprintf(stderr, " (did you mean --%s?)", guess.name);
    }
    fprintf(stderr, "; %s --help lists them\n", command);
}

int cli_options_parse(const char *command, const struct cli_option *options, size_t num_options,
                      int argc, char **argv, void *values, char **arguments)
{
    int count = 0;
    bool words_only = false;
    num_given = 0;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (words_only || word[0] != '-' || word[1] == 0) {
            arguments[count++] = argv[i];
            continue;
        }
        if (strcmp(word, "--") == 0) {
            words_only = true;
            continue;
        }
        size_t length = strcspn(word, "=");
        const struct cli_option *option = strncmp(word, "--", 2) == 0
                                              ? cli_options_find(options, num_options, word + 2,
                                                                 length - 2)
                                              : NULL;
        if (!option) {
            print_no_option(command, options, num_options, word, length);
            return -1;
        }
        given[num_given] = option;
        num_given += num_given + 1 < MAX_GIVEN;
        const char *text = word[length] == '=' ? word + length + 1 : NULL;
        if (option->type == CLI_FLAG && text) {
            fprintf(stderr, "%s: --%s takes no value\n", command, option->name);
            return -1;
        }
        if (option->type != CLI_FLAG && !text) {
            text = i + 1 < argc ? argv[++i] : NULL;
        }
        if (option->type != CLI_FLAG && !text) {
            fprintf(stderr, "%s: --%s wants a value: --%s %s\n", command, option->name,
                    option->name, option->argument);
            return -1;
        }
        if (!cli_value_parse(option, text, (char *)values + option->offset)) {
            print_wanted(command, option, text);
            return -1;
        }
        if (option->type == CLI_LIST && !cli_choice_check_list(command, option, text)) {
            return -1;
        }
    }
    arguments[count] = NULL;
    return count;
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

const char *cli_options_find_given(const char *const *names, bool among)
{
    for (size_t i = 0; i < num_given; i++) {
        if (is_among(given[i]->name, names) == among) {
            return given[i]->name;
        }
    }
    return NULL;
}

bool cli_option_is_given(const char *name)
{
    return cli_options_find_given((const char *const[]){name, NULL}, true);
}

uint64_t cli_options_digest(const struct cli_option *options, size_t num_options,
                            const void *values, const char *const *without)
{
    uint64_t digest = WEIR_FNV_START;
    for (size_t i = 0; i < num_options; i++) {
        const struct cli_option *option = &options[i];
        const void *value = (const char *)values + option->offset;
        size_t size = types[option->type].size;
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

enum { MAX_COLUMNS = 80, HELP_COLUMN = 25, MAX_ALIASES = 64, MAX_NAME = 64 };

// Print a word and what follows it, in the next line where this one is full.
static int print_word(const char *word, int length, const char *end, int column, int indent,
                      FILE *out)
{
    const int num = length + (int)strlen(end);
    if (column > indent && column + 1 + num > MAX_COLUMNS) {
        fprintf(out, "\n%*s", indent, "");
        column = indent;
    }
    const bool is_first = column <= indent;
    fprintf(out, "%s%.*s%s", is_first ? "" : " ", length, word, end);
    return column + !is_first + num;
}

int cli_print_words(const char *text, size_t length, int column, int indent, FILE *out)
{
    const char *end = text + length;
    while (text += strspn(text, " \n"), text < end) {
        const size_t num = strcspn(text, " \n");
        column = print_word(text, (int)num, "", column, indent, out);
        text += num;
    }
    return column;
}

void cli_print_names(const char *const *names, size_t num_names, int column, int indent, FILE *out)
{
    for (size_t i = 0; i < num_names; i++) {
        column = print_word(names[i], (int)strlen(names[i]), i + 1 < num_names ? "," : "", column,
                            indent, out);
    }
}

static void print_option(const struct cli_option *option, FILE *out)
{
    const bool has_names = cli_choice_name(option, 0);
    char left[64];
    snprintf(left, sizeof(left), "--%s%s%s", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    fprintf(out, "  %-22s ", left);
    int column = cli_print_words(option->help, strlen(option->help), HELP_COLUMN, HELP_COLUMN, out);
    fputs(has_names ? ":" : "", out);
    column += has_names;
    for (int i = 0; cli_choice_name(option, i); i++) {
        const char *name = cli_choice_name(option, i);
        column = print_word(name, (int)strlen(name), cli_choice_name(option, i + 1) ? "," : "",
                            column, HELP_COLUMN, out);
    }
    fputc('\n', out);
}

// True if one of the options has that name for a value.
static bool take(const struct cli_option *options, size_t num_options, const char *name)
{
    bool taken = false;
    for (size_t i = 0; i < num_options && !taken; i++) {
        taken = cli_choice_find(&options[i], name, strlen(name)) >= 0;
    }
    return taken;
}

static void print_aliases(const struct cli_option *options, size_t num_options, FILE *out)
{
    char pairs[MAX_ALIASES][MAX_NAME];
    const char *names[MAX_ALIASES];
    size_t num = 0;
    for (const struct cli_alias *a = cli_alias_list(); a->alias && num < MAX_ALIASES; a++) {
        if (take(options, num_options, a->name)) {
            snprintf(pairs[num], MAX_NAME, "%s = %s", a->alias, a->name);
            names[num] = pairs[num];
            num++;
        }
    }
    if (num > 0) {
        fputs("\nNames may be written in any case, with or without - and _.\n"
              "Other names of codecs:\n  ",
              out);
        cli_print_names(names, num, 2, 2, out);
        fputc('\n', out);
    }
}

void cli_options_help(const struct cli_option *options, size_t num_options, bool all, FILE *out)
{
    for (size_t i = 0; i < num_options; i++) {
        if (all || !options[i].is_rare) {
            print_option(&options[i], out);
        }
    }
    fprintf(out, "  %-22s %s\n", "--help", "print this; --help all: every option");
    if (all) {
        print_aliases(options, num_options, out);
    }
}
