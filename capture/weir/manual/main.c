// SPDX-License-Identifier: MIT
// weir-manual FOLDER SECONDS: writes the manual of the program weir below a folder. The pages have
// the day of that time since 1970. It runs at build time and is not installed.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/weir/commands.h"
#include "capture/weir/common/options.h"
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

static const struct cli_program *const program = &cli_weir_program;

static FILE *open_file(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return out;
}

static void close_file(FILE *out)
{
    if (ferror(out) || fclose(out) != 0) {
        perror("weir-manual");
        exit(EXIT_FAILURE);
    }
}

static void write_page(const char *folder, const struct cli_command *command, const char *date)
{
    char name[128];
    snprintf(name, sizeof(name), "man1/%s%s%s.1", program->name, command ? "-" : "",
             command ? command->name : "");
    FILE *out = open_file(folder, name);
    manual_write_page(program, command, date, out);
    close_file(out);
}

static void write_completion(const char *folder, const char *name,
                             void (*write)(const struct cli_program *program, FILE *out))
{
    FILE *out = open_file(folder, name);
    write(program, out);
    close_file(out);
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
    write_completion(argv[1], "bash/weir", manual_write_bash);
    write_completion(argv[1], "zsh/_weir", manual_write_zsh);
    write_completion(argv[1], "fish/weir.fish", manual_write_fish);
    return EXIT_SUCCESS;
}
