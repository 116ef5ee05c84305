// SPDX-License-Identifier: MIT
// The program weir: a table of commands, their help, and which one runs.
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/version.h>

#include "capture/cli/build.h"
#include "capture/cli/command.h"

static const struct cli_command *const commands[] = {
    &cli_transcode_command,     &cli_mips_command,          &cli_texture_command,
    &cli_palette_command,       &cli_info_command,          &cli_bench_encode_command,
    &cli_bench_pyramid_command, &cli_bench_palette_command,
};
enum { num_commands = sizeof commands / sizeof commands[0], max_arguments = 4 };

static void print_help(FILE *out)
{
    fputs("weir: rendered frames, pictures and movies become HAP movies, compressed on the GPU.\n"
          "\n"
          "  weir COMMAND [options]\n"
          "\n"
          "Commands:\n",
          out);
    for (int i = 0; i < num_commands; i++)
        fprintf(out, "  %-14s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n"
          "  weir COMMAND --help, or weir help COMMAND, says more of one.\n"
          "  weir --version prints the version.\n"
          "\n"
          "Exit status: 0 done, 1 failed, 2 usage.\n"
          "\n"
          "Example:\n"
          "  weir transcode clip.mp4 clip.mov\n",
          out);
}

static void print_command_help(const struct cli_command *command)
{
    printf("weir %s: %s\n\n  weir %s%s%s [options]\n\n%s\nOptions:\n", command->name,
           command->summary, command->name, command->arguments[0] != 0 ? " " : "",
           command->arguments, command->about);
    cli_options_help(command->options, command->num_options, stdout);
    printf("  %-22s %s\n\nExample:\n%s", "--help", "print this", command->example);
}

// The command that `argv` starts with, and how many of its words are the name.
static const struct cli_command *find(int argc, char **argv, int *num_words)
{
    for (int i = 0; i < num_commands; i++) {
        const char *name = commands[i]->name;
        const char *space = strchr(name, ' ');
        size_t first = space != NULL ? (size_t)(space - name) : strlen(name);
        if (argc < 1 || strlen(argv[0]) != first || strncmp(argv[0], name, first) != 0)
            continue;
        bool whole = space == NULL || (argc > 1 && strcmp(argv[1], space + 1) == 0);
        if (whole || argc < 2 || argv[1][0] == '-') {
            *num_words = space != NULL && whole ? 2 : 1;
            return commands[i];
        }
    }
    return NULL;
}

static enum cli_status complain(int argc, char **argv)
{
    if (argc < 1) {
        print_help(stderr);
        return CLI_USAGE;
    }
    fprintf(stderr, "weir: unknown command \"%s%s%s\"; known:", argv[0],
            strcmp(argv[0], "bench") == 0 && argc > 1 ? " " : "",
            strcmp(argv[0], "bench") == 0 && argc > 1 ? argv[1] : "");
    for (int i = 0; i < num_commands; i++)
        fprintf(stderr, "%s %s", i > 0 ? "," : "", commands[i]->name);
    fputs("; weir --help says what they do\n", stderr);
    return CLI_USAGE;
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

static enum cli_status run(const struct cli_command *command, int argc, char **argv)
{
    char *arguments[max_arguments];
    void *values = malloc(command->values_size);
    if (values == NULL)
        return CLI_FAILED;
    memcpy(values, command->defaults, command->values_size);
    enum cli_status status = CLI_USAGE;
    if (cli_options_parse(command->name, command->options, command->num_options, argc, argv, values,
                          arguments, command->num_arguments))
        status = command->run(arguments, values);
    free(values);
    return status;
}

// A full disk or a closed pipe behind standard output is a failure like any other.
static enum cli_status finish(enum cli_status status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("weir: error: cannot write to standard output\n", stderr);
        return CLI_FAILED;
    }
    return status;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    argc--;
    argv++;
    if (argc > 0 && strcmp(argv[0], "--version") == 0) {
        printf("weir %s (%s)\n", weir_version(), cli_build_commit);
        return finish(CLI_DONE);
    }
    bool help = argc > 0 && strcmp(argv[0], "help") == 0;
    if (help) {
        argc--;
        argv++;
    }
    if ((help && argc == 0) || (argc > 0 && argv[0][0] == '-' && wants_help(argc, argv))) {
        print_help(stdout);
        return finish(CLI_DONE);
    }
    int num_words = 0;
    const struct cli_command *command = find(argc, argv, &num_words);
    if (command == NULL)
        return complain(argc, argv);
    if (help || wants_help(argc, argv)) {
        print_command_help(command);
        return finish(CLI_DONE);
    }
    return finish(run(command, argc - num_words, argv + num_words));
}
