// SPDX-License-Identifier: MIT
// Completion for bash. What comes out needs nothing but bash itself.
#include "capture/weir/manual/manual.h"

// A line of a case, for what an option takes: names, files of some endings, or neither.
static void print_value(const struct cli_command *command, const struct cli_option *option,
                        FILE *out)
{
    fprintf(out, "    '%s --%s') ", command->name, option->name);
    if (manual_takes_names(option)) {
        fputs("names='", out);
        manual_print_names(option, out);
        fputs("' ;;\n", out);
    } else if (option->files) {
        fprintf(out, "files='%s' ;;\n", option->files);
    } else {
        fputs(";;\n", out);
    }
}

static void print_values(const struct cli_program *program, FILE *out)
{
    fprintf(out,
            "# COMMAND OPTION: sets the names or the files that the option takes. False for one "
            "without a value.\n_%s_value() {\n    case \"$1 $2\" in\n",
            program->name);
    for (size_t i = 0; i < program->num_commands; i++) {
        const struct cli_command *command = program->commands[i];
        for (size_t j = 0; j < command->num_options; j++) {
            if (command->options[j].type != CLI_FLAG) {
                print_value(command, &command->options[j], out);
            }
        }
    }
    fputs("    *) return 1 ;;\n    esac\n}\n\n", out);
}

static void print_options(const struct cli_program *program, FILE *out)
{
    fprintf(out,
            "# COMMAND NUMBER: sets the options of a command, and the files of an argument.\n"
            "_%s_command() {\n    case $1 in\n",
            program->name);
    for (size_t i = 0; i < program->num_commands; i++) {
        const struct cli_command *command = program->commands[i];
        fprintf(out, "    %s)\n        options='", command->name);
        for (size_t j = 0; j < command->num_options; j++) {
            fprintf(out, "--%s ", command->options[j].name);
        }
        fprintf(out, "--help'\n        ((${2} == 0)) && files='%s' || files='%s' ;;\n",
                command->files[0] ? command->files[0] : "",
                command->files[1] ? command->files[1] : "");
    }
    fputs("    esac\n}\n\n", out);
}

// The part that no table changes.
static const char body[] =
    "# ENDINGS: files that end so, and folders; * is any file, / a folder.\n"
    "_NAME_files() {\n"
    "    local ending\n"
    "    [[ -n $1 ]] || return 0\n"
    "    if [[ $1 == '*' ]]; then\n"
    "        compgen -f -- \"$current\"\n"
    "        return 0\n"
    "    fi\n"
    "    compgen -d -- \"$current\"\n"
    "    [[ $1 == / ]] && return 0\n"
    "    for ending in $1; do\n"
    "        compgen -f -X \"!*.$ending\" -- \"$current\"\n"
    "    done\n"
    "}\n"
    "\n"
    "_NAME() {\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local command= number=0 word i names= files= options=\n"
    "    COMPREPLY=()\n"
    "    # bash takes --name=value apart at its =.\n"
    "    if [[ $current == = ]]; then\n"
    "        current=\n"
    "    elif [[ $before == = ]] && ((COMP_CWORD > 2)); then\n"
    "        before=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if [[ $word == --* || $word == = ]]; then\n"
    "            continue\n"
    "        elif [[ -z $command ]]; then\n"
    "            command=$word\n"
    "        elif [[ ${COMP_WORDS[i-1]} != = ]] && ! _NAME_value \"$command\" "
    "\"${COMP_WORDS[i-1]}\"; then\n"
    "            ((number++))\n"
    "        fi\n"
    "    done\n"
    "    names= files=\n"
    "    if [[ -z $command || $command == help ]]; then\n"
    "        names='COMMANDS'\n"
    "        [[ -n $command ]] || names+=' help --help --version'\n"
    "    elif _NAME_value \"$command\" \"$before\"; then\n"
    "        :\n"
    "    else\n"
    "        _NAME_command \"$command\" $number\n"
    "        if [[ $current == -* ]]; then\n"
    "            names=$options files=\n"
    "        fi\n"
    "    fi\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$names\" -- \"$current\"; _NAME_files \"$files\")\n"
    "    # The option is set here, as the files were listed in another shell.\n"
    "    [[ -z $files ]] || compopt -o filenames 2>/dev/null\n"
    "}\n"
    "\n"
    "complete -F _NAME NAME\n";

void manual_write_bash(const struct cli_program *program, FILE *out)
{
    manual_print_body(program,
                      "# bash completion of NAME, written by weir-manual from the tables of the "
                      "program.\n\n",
                      out);
    print_values(program, out);
    print_options(program, out);
    manual_print_body(program, body, out);
}
