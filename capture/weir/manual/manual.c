// SPDX-License-Identifier: MIT
// weir-manual FOLDER SECONDS: writes the pages of the program weir, in roff with the macros of
// man(7), from its table of commands into a folder. They have the day of that time since 1970. It
// runs at build time and is not installed.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <weir/version.h>

#include "capture/weir/commands.h"
#include "capture/weir/common/options.h"

static const struct cli_program *const program = &cli_weir_program;

static void print_char(char c, FILE *out)
{
    if (c == '\\') {
        fputs("\\e", out);
    } else if (c == '-') {
        fputs("\\-", out);
    } else {
        fputc(c, out);
    }
}

// Print text of several lines. A blank line begins a paragraph; a dot or quote at the beginning of
// a line is no request.
static void print_text(const char *text, FILE *out)
{
    bool begins = true;
    for (const char *c = text; *c; c++) {
        if (begins && *c == '\n') {
            fputs(".PP", out);
        } else if (begins && (*c == '.' || *c == '\'')) {
            fputs("\\&", out);
        }
        print_char(*c, out);
        begins = *c == '\n';
    }
}

static void print_upper(const char *text, FILE *out)
{
    for (; *text; text++) {
        fputc(toupper((unsigned char)*text), out);
    }
}

static void print_head(const struct cli_command *command, const char *date, FILE *out)
{
    fputs(".\\\" Written by weir\\-manual from the tables of the program.\n.TH ", out);
    print_upper(program->name, out);
    if (command) {
        fputc('-', out);
        print_upper(command->name, out);
    }
    fprintf(out, " 1 %s \"%s %s\" \"User Commands\"\n.SH NAME\n", date, program->name,
            weir_version());
    print_text(program->name, out);
    fprintf(out, command ? "\\-%s \\- " : "%s \\- ", command ? command->name : "");
    const char *summary = command ? command->summary : program->summary;
    const size_t length = strlen(summary);
    for (size_t i = 0; i + (summary[length - 1] == '.') < length; i++) {
        print_char(summary[i], out);
    }
    fputc('\n', out);
}

static void print_examples(const char *examples, FILE *out)
{
    fputs(".SH EXAMPLES\n.nf\n", out);
    while (*examples) {
        const size_t length = strcspn(examples, "\n");
        const size_t indent = strspn(examples, " ");
        fputs("\\&", out);
        for (size_t i = indent; i < length; i++) {
            print_char(examples[i], out);
        }
        fputc('\n', out);
        examples += length + (examples[length] == '\n');
    }
    fputs(".fi\n", out);
}

static void print_option(const struct cli_option *option, FILE *out)
{
    fputs(".TP\n\\fB\\-\\-", out);
    print_text(option->name, out);
    fputs("\\fR", out);
    if (option->argument) {
        fputs(" \\fI", out);
        print_text(option->argument, out);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    print_text(option->help, out);
    if (cli_choice_name(option, 0)) {
        fputs(option->type == CLI_LIST ? "; some of\n" : "; one of\n", out);
        for (int i = 0; cli_choice_name(option, i); i++) {
            fputs(i > 0 ? ",\n\\fB" : "\\fB", out);
            print_text(cli_choice_name(option, i), out);
            fputs("\\fR", out);
        }
    }
    fputc('\n', out);
}

static void print_aliases(const struct cli_command *command, FILE *out)
{
    const char *before = NULL;
    for (const struct cli_alias *a = cli_alias_list(); a->alias; a++) {
        if (!cli_options_take(command->options, command->num_options, a->name)) {
            continue;
        }
        if (!before) {
            fputs(".SS Other names\nNames may be written in any case, with or without \\- and _. "
                  "Codecs have other names too:\n",
                  out);
        }
        if (!before || strcmp(before, a->name) != 0) {
            fputs(before ? "\n.TP\n\\fB" : ".TP\n\\fB", out);
            print_text(a->name, out);
            fputs("\\fR\n", out);
        } else {
            fputs(",\n", out);
        }
        print_text(a->alias, out);
        before = a->name;
    }
    fputs(before ? "\n" : "", out);
}

static void print_statuses(FILE *out)
{
    fputs(".SH EXIT STATUS\n", out);
    for (int i = 0; cli_status_texts[i]; i++) {
        fprintf(out, ".TP\n%d\n", i);
        print_text(cli_status_texts[i], out);
        fputc('\n', out);
    }
}

static void print_command(const struct cli_command *command, FILE *out)
{
    const bool is_first = command->has_options_first;
    fprintf(out, ".SH SYNOPSIS\n\\fB%s %s\\fR%s", program->name, command->name,
            is_first ? " [\\fIoptions\\fR]" : "");
    if (command->arguments[0]) {
        fputs(" \\fI", out);
        print_text(command->arguments, out);
        fputs("\\fR", out);
    }
    fputs(is_first ? "\n.SH DESCRIPTION\n" : " [\\fIoptions\\fR]\n.SH DESCRIPTION\n", out);
    print_text(command->about, out);
    fprintf(out, ".SH OPTIONS\nOptions %s the arguments, as\n",
            is_first ? "stand before" : "may stand before, between and after");
    fputs("\\fB\\-\\-name\\fR \\fIvalue\\fR or \\fB\\-\\-name=\\fIvalue\\fR.\n"
          "What follows a lone \\fB\\-\\-\\fR is an argument even where it begins with a dash.\n",
          out);
    for (size_t i = 0; i < command->num_options; i++) {
        print_option(&command->options[i], out);
    }
    fputs(".TP\n\\fB\\-\\-help\\fR\nprint the common options; \\fB\\-\\-help all\\fR prints every "
          "one\n",
          out);
    print_aliases(command, out);
    print_statuses(out);
    print_examples(command->example, out);
    fprintf(out, ".SH SEE ALSO\n.BR %s (1)", program->name);
    for (size_t i = 0; i < program->num_commands; i++) {
        if (program->commands[i] != command) {
            fprintf(out, ",\n.BR %s\\-%s (1)", program->name, program->commands[i]->name);
        }
    }
    fputc('\n', out);
}

static void print_program(FILE *out)
{
    fprintf(out,
            ".SH SYNOPSIS\n\\fB%s\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n.SH DESCRIPTION\n"
            "Each command has a page of its own.\n",
            program->name);
    for (size_t i = 0; i < program->num_commands; i++) {
        fprintf(out, ".TP\n.BR %s\\-%s (1)\n", program->name, program->commands[i]->name);
        print_text(program->commands[i]->summary, out);
        fputc('\n', out);
    }
    fprintf(out,
            ".SH OPTIONS\n.TP\n\\fB\\-\\-help\\fR\nlist the commands;\n\\fB%s \\fICOMMAND "
            "\\fB\\-\\-help\\fR says more of one\n.TP\n\\fB\\-\\-version\\fR\nprint the version\n",
            program->name);
    print_statuses(out);
    fputs(
        ".SH ENVIRONMENT\nThe Vulkan loader reads its own:\n.B VK_DRIVER_FILES\nchooses drivers,\n"
        ".B VK_ADD_LAYER_PATH\nfinds layers.\n.B WEIR_UNCONFINED=1\nlets processes "
        "that read inputs open all files.\n",
        out);
    print_examples(program->example, out);
    fputs(".SH SEE ALSO\n", out);
    for (size_t i = 0; i < program->num_commands; i++) {
        fprintf(out, "%s.BR %s\\-%s (1)", i > 0 ? ",\n" : "", program->name,
                program->commands[i]->name);
    }
    fputc('\n', out);
}

static void write_page(const char *folder, const struct cli_command *command, const char *date)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s%s%s.1", folder, program->name, command ? "-" : "",
             command ? command->name : "");
    FILE *out = fopen(path, "w");
    if (out) {
        print_head(command, date, out);
    }
    if (out && command) {
        print_command(command, out);
    } else if (out) {
        print_program(out);
    }
    if (!out || ferror(out) || fclose(out) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("weir-manual FOLDER SECONDS\n", stderr);
        return EXIT_FAILURE;
    }
    const time_t seconds = (time_t)strtoll(argv[2], NULL, 10);
    const struct tm *day = gmtime(&seconds);
    char date[32] = "";
    if (day) {
        strftime(date, sizeof(date), "%Y-%m-%d", day);
    }
    write_page(argv[1], NULL, date);
    for (size_t i = 0; i < program->num_commands; i++) {
        write_page(argv[1], program->commands[i], date);
    }
    return EXIT_SUCCESS;
}
