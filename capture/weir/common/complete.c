// SPDX-License-Identifier: MIT
// What may stand next in a command line, for the completion of shells (capture/weir/completion): a
// word a line, with a tab and what it means behind it; or "files " and the endings of files.
#include <string.h>

#include "capture/weir/common/program.h"

static void offer_commands(const struct cli_program *program)
{
    for (size_t i = 0; i < program->num_commands; i++) {
        printf("%s\t%s\n", program->commands[i]->name, program->commands[i]->summary);
    }
    puts("help\tsay more of a command\n--help\tlist the commands\n--version\tprint the version");
}

static void offer_options(const struct cli_command *command)
{
    for (size_t i = 0; i < command->num_options; i++) {
        printf("--%s\t%s\n", command->options[i].name, command->options[i].help);
    }
    puts("--help\tprint the help");
}

static void offer_files(const char *endings)
{
    if (endings) {
        printf("files %s\n", endings);
    }
}

static void offer_values(const struct cli_option *option)
{
    for (int i = 0; cli_choice_name(option, i); i++) {
        puts(cli_choice_name(option, i));
    }
    offer_files(option->files);
}

// Get the option of a word "--name" or "--name=value" if it has a value; NULL: no such option.
static const struct cli_option *find_valued(const struct cli_command *command, const char *word)
{
    const struct cli_option *option = strncmp(word, "--", 2) == 0
                                          ? cli_options_find(command->options, command->num_options,
                                                             word + 2, strcspn(word + 2, "="))
                                          : NULL;
    return option && option->type != CLI_FLAG ? option : NULL;
}

void cli_program_complete(const struct cli_program *program, int num, char *const *words)
{
    const char *typed = num > 0 ? words[num - 1] : "";
    const struct cli_command *command = num > 1 ? cli_program_find(program, words[0]) : NULL;
    if (!command) {
        offer_commands(program);
        return;
    }
    const struct cli_option *option = NULL; // whose value comes next
    int num_arguments = 0;
    for (int i = 1; i + 1 < num; i++) {
        num_arguments += !option && words[i][0] != '-';
        option = option || strchr(words[i], '=') ? NULL : find_valued(command, words[i]);
    }
    option = strchr(typed, '=') ? find_valued(command, typed) : option;
    if (option) {
        offer_values(option);
    } else if (typed[0] == '-') {
        offer_options(command);
    } else {
        offer_files(command->files[num_arguments > 0]);
    }
}
