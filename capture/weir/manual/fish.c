// SPDX-License-Identifier: MIT
// Completion for fish, by its builtin complete.
#include "capture/weir/manual/manual.h"

// Print text in single quotes.
static void print_text(const char *text, FILE *out)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') {
            fputc('\\', out);
        }
        fputc(*text, out);
    }
    fputc('\'', out);
}

static void print_files(const struct cli_program *program, const char *files, FILE *out)
{
    if (files[0] == '*') {
        fputs(" -F", out);
    } else if (files[0] == '/') {
        fputs(" -f -a '(__fish_complete_directories)'", out);
    } else {
        fprintf(out, " -f -a '(__%s_files %s)'", program->name, files);
    }
}

static void print_option(const struct cli_program *program, const struct cli_command *command,
                         const struct cli_option *option, FILE *out)
{
    fprintf(out, "complete -c %s -n '__fish_seen_subcommand_from %s' -l %s", program->name,
            command->name, option->name);
    if (manual_takes_names(option)) {
        fputs(" -x -a '", out);
        manual_print_names(option, out);
        fputc('\'', out);
    } else if (option->files) {
        fputs(" -r", out);
        print_files(program, option->files, out);
    } else if (option->type != CLI_FLAG) {
        fputs(" -x", out);
    }
    fputs(" -d ", out);
    print_text(option->help, out);
    fputc('\n', out);
}

static void print_command(const struct cli_program *program, const struct cli_command *command,
                          FILE *out)
{
    fprintf(out, "\ncomplete -c %s -n __fish_use_subcommand -a %s -d ", program->name,
            command->name);
    print_text(command->summary, out);
    fputc('\n', out);
    for (size_t i = 0; i < command->num_options; i++) {
        print_option(program, command, &command->options[i], out);
    }
    for (int i = 0; i < 2; i++) {
        if (command->files[i]) {
            fprintf(out,
                    "complete -c %s -n '__fish_seen_subcommand_from %s; and test "
                    "(__%s_arguments) %s 0'",
                    program->name, command->name, program->name, i == 0 ? "-eq" : "-gt");
            print_files(program, command->files[i], out);
            fputc('\n', out);
        }
    }
}

// The part that no table changes.
static const char body[] =
    "# How many words after the command are arguments: no options, and no values of such.\n"
    "function __NAME_arguments\n"
    "    set -l words (commandline -opc)\n"
    "    set -l number 0\n"
    "    set -l before\n"
    "    for word in $words[3..-1]\n"
    "        if not string match -q -- '-*' $word; and not contains -- \"$before\" $__NAME_valued\n"
    "            set number (math $number + 1)\n"
    "        end\n"
    "        set before $word\n"
    "    end\n"
    "    echo $number\n"
    "end\n"
    "\n"
    "# ENDING...: files that end so, and folders.\n"
    "function __NAME_files\n"
    "    set -l word (commandline -ct | string replace -r -- '^--[^=]*=' '')\n"
    "    for line in (complete -C \"__NAME_no_command $word\")\n"
    "        set -l file (string split -- \\t $line)[1]\n"
    "        if string match -q -- '*/' $file\n"
    "            echo $file\n"
    "        else if contains -- (string split -- . $file)[-1] $argv\n"
    "            echo $file\n"
    "        end\n"
    "    end\n"
    "end\n"
    "\n"
    "complete -c NAME -f\n"
    "complete -c NAME -l help -d 'print the help'\n"
    "complete -c NAME -n __fish_use_subcommand -l version -d 'print the version'\n"
    "complete -c NAME -n __fish_use_subcommand -a help -d 'say more of a command'\n"
    "complete -c NAME -n '__fish_seen_subcommand_from help' -a 'COMMANDS'\n";

static void print_valued(const struct cli_program *program, FILE *out)
{
    fprintf(out, "# Options with a value.\nset -g __%s_valued", program->name);
    for (size_t i = 0; i < program->num_commands; i++) {
        const struct cli_command *command = program->commands[i];
        for (size_t j = 0; j < command->num_options; j++) {
            if (command->options[j].type != CLI_FLAG) {
                fprintf(out, " --%s", command->options[j].name);
            }
        }
    }
    fputs("\n\n", out);
}

void manual_write_fish(const struct cli_program *program, FILE *out)
{
    manual_print_body(program,
                      "# fish completion of NAME, written by weir-manual from the tables of the "
                      "program.\n\n",
                      out);
    print_valued(program, out);
    manual_print_body(program, body, out);
    for (size_t i = 0; i < program->num_commands; i++) {
        print_command(program, program->commands[i], out);
    }
}
