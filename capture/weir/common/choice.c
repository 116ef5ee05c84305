// SPDX-License-Identifier: MIT
// The names that an option takes, and what is said on others.
#include "capture/weir/common/choice.h"

#include <string.h>

#include "capture/weir/common/names.h"
#include "capture/weir/common/report.h"

const char *cli_choice_name(const struct cli_option *option, int index)
{
    return option->choice ? option->choice(index) : option->choices[index];
}

static int find_name(const struct cli_option *option, const char *word, size_t length)
{
    for (int i = 0; cli_choice_name(option, i); i++) {
        if (cli_name_is(cli_choice_name(option, i), word, length)) {
            return i;
        }
    }
    return -1;
}

int cli_choice_find(const struct cli_option *option, const char *word, size_t length)
{
    int index = find_name(option, word, length);
    for (const struct cli_alias *a = cli_alias_list(); a->alias && index < 0; a++) {
        if (cli_name_is(a->alias, word, length)) {
            index = find_name(option, a->name, strlen(a->name));
        }
    }
    return index;
}

static const char *guess_name(const struct cli_option *option, const char *word, size_t length)
{
    struct cli_guess guess = cli_guess_begin(word, length);
    for (int i = 0; cli_choice_name(option, i); i++) {
        cli_guess_consider(&guess, cli_choice_name(option, i));
    }
    for (const struct cli_alias *a = cli_alias_list(); a->alias; a++) {
        if (find_name(option, a->name, strlen(a->name)) >= 0) {
            cli_guess_consider(&guess, a->alias);
        }
    }
    return guess.name;
}

void cli_choice_print_unknown(const char *command, const struct cli_option *option,
                              const char *word, size_t length)
{
    const char *hint = cli_hint_find(option->hints, word, length);
    const char *guess = hint ? NULL : guess_name(option, word, length);
    cli_print(stderr, "%s: unknown %s \"%.*s\"", command, option->name, (int)length, word);
    if (hint) {
        fprintf(stderr, ": %s", hint);
    } else if (guess) {
        fprintf(stderr, " (did you mean %s?)", guess);
    }
    fputs("; known: ", stderr);
    for (int i = 0; cli_choice_name(option, i); i++) {
        fprintf(stderr, "%s%s", i > 0 ? ", " : "", cli_choice_name(option, i));
    }
    fputc('\n', stderr);
}

bool cli_choice_check_list(const char *command, const struct cli_option *option, const char *list)
{
    do {
        const size_t length = strcspn(list, ",");
        if (cli_choice_find(option, list, length) < 0) {
            cli_choice_print_unknown(command, option, list, length);
            return false;
        }
        list += length;
    } while (*list++ != 0);
    return true;
}
