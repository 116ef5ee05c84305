// SPDX-License-Identifier: MIT
// Completion for zsh, by its function _arguments.
#include <string.h>

#include "capture/weir/manual/manual.h"

// Print text within single quotes, for a specification of _arguments.
static void print_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", out);
        } else if (*text == '[' || *text == ']' || *text == ':') {
            fprintf(out, "\\%c", *text);
        } else {
            fputc(*text, out);
        }
    }
}

static void print_files(const char *files, FILE *out)
{
    if (files[0] == '*') {
        fputs("_files", out);
    } else if (files[0] == '/') {
        fputs("_files -/", out);
    } else if (!strchr(files, ' ')) { // one in brackets would be taken for flags of the pattern
        fprintf(out, "_files -g \"*.%s\"", files);
    } else {
        fputs("_files -g \"*.(", out);
        for (; *files; files++) {
            fputc(*files == ' ' ? '|' : *files, out);
        }
        fputs(")\"", out);
    }
}

static void print_option(const struct cli_option *option, FILE *out)
{
    fprintf(out, "        '--%s%s[", option->name, option->type == CLI_FLAG ? "" : "=");
    print_text(option->help, out);
    fputc(']', out);
    if (option->type != CLI_FLAG) {
        fputc(':', out);
        print_text(option->argument, out);
        fputc(':', out);
    }
    if (manual_takes_names(option)) {
        fputc('(', out);
        manual_print_names(option, out);
        fputc(')', out);
    } else if (option->files) {
        print_files(option->files, out);
    } else if (option->type != CLI_FLAG) {
        fputc(' ', out); // a message, nothing to choose from
    }
    fputs("' \\\n", out);
}

static void print_command(const struct cli_command *command, FILE *out)
{
    fprintf(out, "    %s)\n      _arguments \\\n", command->name);
    for (size_t i = 0; i < command->num_options; i++) {
        print_option(&command->options[i], out);
    }
    for (int i = 0; i < 2; i++) {
        if (command->files[i]) {
            fprintf(out, "        '%s:%s:", i == 0 ? "1" : "*", i == 0 ? "INPUT" : "OUTPUT");
            print_files(command->files[i], out);
            fputs("' \\\n", out);
        }
    }
    fputs("        '(- *)--help[print the help]'\n      ;;\n", out);
}

void manual_write_zsh(const struct cli_program *program, FILE *out)
{
    const char *name = program->name;
    fprintf(out,
            "#compdef %s\n# zsh completion of %s, written by weir-manual from the tables of the "
            "program.\n\n_%s() {\n  local curcontext=$curcontext state line\n  local -a commands\n"
            "  commands=(\n",
            name, name, name);
    for (size_t i = 0; i < program->num_commands; i++) {
        fprintf(out, "    '%s:", program->commands[i]->name);
        print_text(program->commands[i]->summary, out);
        fputs("'\n", out);
    }
    fputs(
        "    'help:say more of a command'\n  )\n"
        "  _arguments -C '(- *)--help[list the commands]' '(- *)--version[print the version]' \\\n"
        "    '1: :->command' '*:: :->words'\n"
        "  case $state in\n"
        "  command) _describe -t commands command commands ;;\n"
        "  words)\n"
        "    curcontext=${curcontext%:*:*}:",
        out);
    fprintf(out, "%s-$words[1]:\n    case $words[1] in\n", name);
    for (size_t i = 0; i < program->num_commands; i++) {
        print_command(program->commands[i], out);
    }
    fprintf(out,
            "    help) _describe -t commands command commands ;;\n    esac\n    ;;\n  esac\n}\n\n"
            "_%s \"$@\"\n",
            name);
}
