// SPDX-License-Identifier: MIT
// Names as people type them: written otherwise, by an alias, or with a slip; and the names that an
// option takes.
#include "capture/weir/common/options.h"

#include <ctype.h>
#include <string.h>

#include "capture/base/size.h"
#include "capture/weir/common/report.h"

enum { MAX_LENGTH = 63 };

// A name without case and separators. Empty for one that is longer than any name.
struct plain {
    char text[MAX_LENGTH + 1];
    size_t length;
};

static struct plain make_plain(const char *word, size_t length)
{
    struct plain plain = {.length = 0};
    for (size_t i = 0; i < length && length <= MAX_LENGTH; i++) {
        if (!strchr("-_. ", word[i])) {
            plain.text[plain.length++] = (char)tolower((unsigned char)word[i]);
        }
    }
    return plain;
}

bool cli_name_is(const char *name, const char *word, size_t length)
{
    const struct plain a = make_plain(name, strlen(name)), b = make_plain(word, length);
    return a.length > 0 && strcmp(a.text, b.text) == 0;
}

// RGTC is OpenGL's name of BC4 and BC5, "red-green" being the latter, BPTC that of BC6H and BC7;
// FFmpeg and QuickTime call the HAP codecs by their FourCC.
static const struct cli_alias aliases[] = {
    {"dxt1", "bc1"},
    {"dxt1a", "bc1a"},
    {"dxt5", "bc3"},
    {"ati1", "bc4"},
    {"rgtc1", "bc4"},
    {"ati2", "bc5"},
    {"3dc", "bc5"},
    {"rgtc", "bc5"},
    {"rgtc2", "bc5"},
    {"rgtc1_signed", "bc4_snorm"},
    {"rgtc2_signed", "bc5_snorm"},
    {"bptc", "bc7"},
    {"bptc_float", "bc6h"},
    {"bptc_signed_float", "bc6h_signed"},
    {"etc1_rgb8", "etc1"},
    {"etc2", "etc2_rgb"},
    {"etc2_rgb8", "etc2_rgb"},
    {"etc2_punchthrough", "etc2_rgb8a1"},
    {"etc2_rgba8", "etc2_rgba"},
    {"etc2_eac", "etc2_rgba"},
    {"r11_eac", "eac_r11"},
    {"rg11_eac", "eac_rg11"},
    {"hap1", "hap"},
    {"hap5", "hap_alpha"},
    {"hapy", "hap_q"},
    {"hapm", "hap_q_alpha"},
    {"hapa", "hap_alpha_only"},
    {"hap7", "hap_r"},
    {"haph", "hap_hdr"},
    {NULL, NULL},
};

const struct cli_alias *cli_alias_list(void)
{
    return aliases;
}

// Characters inserted, removed, exchanged, or swapped with their neighbour (Damerau and
// Levenshtein, by optimal string alignment).
static size_t count_edits(const struct plain *a, const struct plain *b)
{
    size_t rows[3][MAX_LENGTH + 1] = {{0}}; // of the characters of a up to i - 2, i - 1 and i
    for (size_t j = 0; j <= b->length; j++) {
        rows[2][j] = j;
    }
    for (size_t i = 1; i <= a->length; i++) {
        memcpy(rows[0], rows[1], sizeof(rows[0]));
        memcpy(rows[1], rows[2], sizeof(rows[1]));
        rows[2][0] = i;
        for (size_t j = 1; j <= b->length; j++) {
            const bool same = a->text[i - 1] == b->text[j - 1];
            rows[2][j] = weir_min(weir_min(rows[1][j], rows[2][j - 1]) + 1, rows[1][j - 1] + !same);
            if (i > 1 && j > 1 && a->text[i - 1] == b->text[j - 2] &&
                a->text[i - 2] == b->text[j - 1]) {
                rows[2][j] = weir_min(rows[2][j], rows[0][j - 2] + 1);
            }
        }
    }
    return rows[2][b->length];
}

struct cli_guess cli_guess_begin(const char *word, size_t length)
{
    return (struct cli_guess){.word = word, .length = length, .distance = length};
}

void cli_guess_consider(struct cli_guess *guess, const char *name)
{
    const struct plain known = make_plain(name, strlen(name));
    const struct plain word = make_plain(guess->word, guess->length);
    const size_t distance = count_edits(&known, &word);
    // A quarter of the characters at most: what is further away is another word, as median is
    // than mean.
    if (distance > word.length / 4 || distance > guess->distance) {
        return;
    }
    guess->name = distance < guess->distance ? name : NULL;
    guess->distance = distance;
}

const char *cli_choice_name(const struct cli_option *option, int index)
{
    return option->choice ? option->choice(index) : option->choices ? option->choices[index] : NULL;
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
