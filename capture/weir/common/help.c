// SPDX-License-Identifier: MIT
// The help of a table of options.
#include "capture/weir/common/options.h"

#include <string.h>

enum { MAX_COLUMNS = 100, HELP_COLUMN = 25, MAX_CHOICES = 64, MAX_ALIASES = 64, MAX_NAME = 64 };

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
    while (num_names < MAX_CHOICES && cli_choice_name(option, (int)num_names)) {
        names[num_names] = cli_choice_name(option, (int)num_names);
        num_names++;
    }
    fputs(": ", out);
    cli_print_names(names, num_names, HELP_COLUMN + (int)strlen(option->help) + 2, HELP_COLUMN,
                    out);
}

bool cli_options_take(const struct cli_option *options, size_t num_options, const char *name)
{
    bool taken = false;
    for (size_t i = 0; i < num_options && !taken; i++) {
        taken = (options[i].type == CLI_CHOICE || options[i].type == CLI_LIST) &&
                cli_choice_find(&options[i], name, strlen(name)) >= 0;
    }
    return taken;
}

static void print_aliases(const struct cli_option *options, size_t num_options, FILE *out)
{
    char pairs[MAX_ALIASES][MAX_NAME];
    const char *names[MAX_ALIASES];
    size_t num = 0;
    for (const struct cli_alias *a = cli_alias_list(); a->alias && num < MAX_ALIASES; a++) {
        if (cli_options_take(options, num_options, a->name)) {
            snprintf(pairs[num], MAX_NAME, "%s = %s", a->alias, a->name);
            names[num] = pairs[num];
            num++;
        }
    }
    if (num > 0) {
        fputs("\nNames may be written in any case, with or without - and _. Other names of "
              "codecs:\n  ",
              out);
        cli_print_names(names, num, 2, 2, out);
        fputc('\n', out);
    }
}

void cli_options_help(const struct cli_option *options, size_t num_options, FILE *out)
{
    for (size_t i = 0; i < num_options; i++) {
        char left[64];
        snprintf(left, sizeof(left), "--%s%s%s", options[i].name, options[i].argument ? " " : "",
                 options[i].argument ? options[i].argument : "");
        fprintf(out, "  %-22s %s", left, options[i].help);
        if (options[i].type == CLI_CHOICE || options[i].type == CLI_LIST) {
            print_choices_help(&options[i], out);
        }
        fputc('\n', out);
    }
    fprintf(out, "  %-22s %s\n", "--help", "print this");
    print_aliases(options, num_options, out);
}
