// SPDX-License-Identifier: MIT
// What the writers of completions share.
#include <string.h>

#include "capture/weir/common/choice.h"
#include "capture/weir/manual/manual.h"

bool manual_takes_names(const struct cli_option *option)
{
    return option->type == CLI_CHOICE || option->type == CLI_LIST;
}

void manual_print_names(const struct cli_option *option, FILE *out)
{
    for (int i = 0; cli_choice_name(option, i); i++) {
        fprintf(out, "%s%s", i > 0 ? " " : "", cli_choice_name(option, i));
    }
}

void manual_print_body(const struct cli_program *program, const char *body, FILE *out)
{
    for (; *body; body++) {
        if (strncmp(body, "NAME", 4) == 0) {
            fputs(program->name, out);
            body += 3;
        } else if (strncmp(body, "COMMANDS", 8) == 0) {
            for (size_t i = 0; i < program->num_commands; i++) {
                fprintf(out, "%s%s", i > 0 ? " " : "", program->commands[i]->name);
            }
            body += 7;
        } else {
            fputc(*body, out);
        }
    }
}
