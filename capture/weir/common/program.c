// SPDX-License-Identifier: MIT
// A program of commands: its help, and which command runs.
#include "capture/weir/common/program.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/version.h>

#include "capture/weir/common/build.h"
#include "capture/weir/common/names.h"
#include "capture/weir/common/process.h"
#include "capture/weir/common/report.h"

static char running[64]; // the name of the command that runs

const char *const cli_status_texts[] = {
    [CLI_DONE] = "done",
    [CLI_FAILED] = "failed, or ended early",
    [CLI_USAGE] = "the command line is wrong, and nothing was done",
    NULL,
};

enum cli_status cli_status_of(enum weir_result result)
{
    cli_report_no_memory(result, 0);
    return result == WEIR_OK ? CLI_DONE : CLI_FAILED;
}

enum cli_status cli_usage(const char *word, const char *format, ...)
{
    char text[8192]; // for a path of any length
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    cli_print(stderr, "%s: %s: %s\n", running, word, text);
    return CLI_USAGE;
}

static void print_help(const struct cli_program *program, FILE *out)
{
    fprintf(out, "%s: %s\n\n  %s COMMAND [options]\n\nCommands:\n", program->name, program->summary,
            program->name);
    for (size_t i = 0; i < program->num_commands; i++) {
        fprintf(out, "  %-14s %s\n", program->commands[i]->name, program->commands[i]->summary);
    }
    fprintf(out,
            "\n"
            "  %s COMMAND --help, or %s help COMMAND, says more of one.\n"
            "  %s --version prints the version.\n"
            "\n"
            "Exit status:",
            program->name, program->name, program->name);
    for (int i = 0; cli_status_texts[i]; i++) {
        fprintf(out, "%s %d %s", i > 0 ? ";" : "", i, cli_status_texts[i]);
    }
    fprintf(out, ".\n\nExample:\n  %s\n", program->example);
}

static void print_command_help(const struct cli_program *program, const struct cli_command *command)
{
    printf("%s %s: %s\n\n  %s %s%s%s%s%s\n\n%s\nOptions:\n", program->name, command->name,
           command->summary, program->name, command->name,
           command->has_options_first ? " [options]" : "", command->arguments[0] ? " " : "",
           command->arguments, command->has_options_first ? "" : " [options]", command->about);
    cli_options_help(command->options, command->num_options, stdout);
    printf("\nExample:\n%s", command->example);
}

static const struct cli_command *find(const struct cli_program *program, const char *name)
{
    for (size_t i = 0; i < program->num_commands; i++) {
        if (strcmp(program->commands[i]->name, name) == 0) {
            return program->commands[i];
        }
    }
    return NULL;
}

static enum cli_status complain(const struct cli_program *program, const char *name)
{
    const char *hint = cli_hint_find(program->hints, name, strlen(name));
    struct cli_guess guess = cli_guess_begin(name, strlen(name));
    for (size_t i = 0; i < program->num_commands; i++) {
        cli_guess_consider(&guess, program->commands[i]->name);
    }
    cli_print(stderr, "%s: unknown command \"%s\"", program->name, name);
    if (hint) {
        fprintf(stderr, ": %s", hint);
    } else if (guess.name) {
        fprintf(stderr, " (did you mean %s?)", guess.name);
    }
    fputs("; known:", stderr);
    for (size_t i = 0; i < program->num_commands; i++) {
        fprintf(stderr, "%s %s", i > 0 ? "," : "", program->commands[i]->name);
    }
    fprintf(stderr, "; %s --help says what they do\n", program->name);
    return CLI_USAGE;
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

static bool check_number(const struct cli_command *command, int num)
{
    const int least = command->num_arguments, most = command->max_arguments;
    if (num == least || (num > least && num <= most)) {
        return true;
    }
    fprintf(stderr, "%s: %d argument%s instead of %d", running, num, num == 1 ? "" : "s", least);
    if (most == CLI_ANY_NUMBER) {
        fputs(" or more", stderr);
    } else if (most > least) {
        fprintf(stderr, " to %d", most);
    }
    fprintf(stderr, "; %s --help says which\n", running);
    return false;
}

static enum cli_status run(const struct cli_program *program, const struct cli_command *command,
                           int argc, char **argv)
{
    snprintf(running, sizeof(running), "%s %s", program->name, command->name);
    char **arguments = calloc((size_t)argc + 1, sizeof(*arguments));
    void *values = malloc(command->values_size);
    enum cli_status status = CLI_FAILED;
    if (!arguments || !values) {
        fprintf(stderr, "%s: error: no memory for the command line\n", running);
    } else {
        memcpy(values, command->defaults, command->values_size);
        const int num = cli_options_parse(running, command->options, command->num_options, argc,
                                          argv, values, arguments);
        status = num >= 0 && check_number(command, num) ? command->run(arguments, values)
                                                        : CLI_USAGE;
    }
    free(values);
    free(arguments);
    return status;
}

static enum cli_status run_line(const struct cli_program *program, int argc, char **argv)
{
    if (argc == 0) {
        print_help(program, stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[0], "--version") == 0) {
        printf("%s %s (%s)\n", program->name, weir_version(), cli_build_commit);
        return CLI_DONE;
    }
    const bool is_help = strcmp(argv[0], "help") == 0;
    if ((is_help && argc == 1) || (argv[0][0] == '-' && wants_help(argc, argv))) {
        print_help(program, stdout);
        return CLI_DONE;
    }
    const char *name = argv[is_help ? 1 : 0];
    const struct cli_command *command = find(program, name);
    if (!command) {
        return complain(program, name);
    }
    if (is_help || wants_help(argc, argv)) {
        print_command_help(program, command);
        return CLI_DONE;
    }
    return run(program, command, argc - 1, argv + 1);
}

int cli_program_run(const struct cli_program *program, int argc, char **argv)
{
    cli_process_begin();
    setlocale(LC_CTYPE, "");
    const enum cli_status status = run_line(program, argc - 1, argv + 1);
    // A full disk or a closed pipe behind standard output is a failure like any other.
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_report_output_failure(program->name);
        return CLI_FAILED;
    }
    return status;
}
