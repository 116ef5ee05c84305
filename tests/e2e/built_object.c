// SPDX-License-Identifier: MIT
// built_object COMPILER ARGUMENTS...: stands before the compiler in a build
// (CMAKE_C_COMPILER_LAUNCHER), and takes the object that the build in WEIR_BUILT has compiled by
// the same command; what has no such object is compiled. A command is the same if only its
// optimisation, debug information and warnings differ, and if what builds have generated for it is
// equal.
#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct command {
    char *words[256];
    int num_words;
    const char *output, *source; // of one that compiles
};

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat facts;
    if (file == NULL || fstat(fileno(file), &facts) != 0) {
        return NULL;
    }
    char *text = calloc((size_t)facts.st_size + 1, 1);
    if (text == NULL || fread(text, 1, (size_t)facts.st_size, file) != (size_t)facts.st_size) {
        exit(1);
    }
    fclose(file);
    return text;
}

static bool same_file(const char *path, const char *other)
{
    char *text = read_file(path), *other_text = read_file(other);
    bool same = text != NULL && other_text != NULL && strcmp(text, other_text) == 0;
    free(text);
    free(other_text);
    return same;
}

// What does not change what code means.
static bool says_nothing(const char *word)
{
    static const char *const beginnings[] = {"-O",
                                             "-g",
                                             "-W",
                                             "-ffile-prefix-map=",
                                             "-fmacro-prefix-map=",
                                             "-fdebug-prefix-map=",
                                             "-fstack-",
                                             "-fcf-protection",
                                             "-MD"};
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); ++i) {
        if (begins(word, beginnings[i])) {
            return true;
        }
    }
    return false;
}

// The words that count, without the compiler.
static void command_init(struct command *c, char **words, int num_words)
{
    *c = (struct command){0};
    for (int i = 1; i < num_words && c->num_words < 256; ++i) {
        bool last = i + 1 == num_words;
        if (!last && strcmp(words[i], "-o") == 0) {
            c->output = words[++i];
        } else if (!last && strcmp(words[i], "-c") == 0) {
            c->source = words[++i];
        } else if (!last && (strcmp(words[i], "-MT") == 0 || strcmp(words[i], "-MF") == 0)) {
            ++i;
        } else if (!says_nothing(words[i])) {
            c->words[c->num_words++] = words[i];
        }
    }
}

// The command of the other build, from the list of its commands, that has this output.
static bool find_command(struct command *c, const char *built, const char *output)
{
    char path[PATH_MAX], wanted[PATH_MAX];
    snprintf(path, sizeof(path), "%s/compile_commands.json", built);
    snprintf(wanted, sizeof(wanted), " -o %s -c ", output);
    char *text = read_file(path);
    char *end = text == NULL ? NULL : strstr(text, wanted);
    if (end == NULL) {
        return false;
    }
    char *begin = end;
    while (begin > text && begin[-1] != '"') {
        --begin;
    }
    end[strcspn(end, "\"")] = '\0';
    static char *words[256];
    int num_words = 0;
    for (char *word = strtok(begin, " "); word != NULL && num_words < 256;
         word = strtok(NULL, " ")) {
        words[num_words++] = word;
    }
    command_init(c, words, num_words);
    return true;
}

// The part of a path below a build folder, NULL if it is elsewhere.
static const char *below(const char *path, const char *folder)
{
    return begins(path, folder) && path[strlen(folder)] == '/' ? path + strlen(folder) : NULL;
}

// The headers that one build has generated into a folder are those of the other.
static bool same_headers(const char *folder, const char *other)
{
    DIR *files = opendir(folder);
    bool same = files != NULL;
    struct dirent *file;
    while (same && (file = readdir(files)) != NULL) {
        const char *suffix = strrchr(file->d_name, '.');
        if (suffix != NULL && strcmp(suffix, ".h") == 0) {
            char path[PATH_MAX], other_path[PATH_MAX];
            snprintf(path, sizeof(path), "%s/%s", folder, file->d_name);
            snprintf(other_path, sizeof(other_path), "%s/%s", other, file->d_name);
            same = same_file(path, other_path);
        }
    }
    if (files != NULL) {
        closedir(files);
    }
    return same;
}

// Words are equal, or name the same folder of each build.
static bool same_word(const char *word, const char *here, const char *other, const char *built)
{
    if (begins(word, "-I") && begins(other, "-I")) {
        const char *place = below(word + 2, here), *other_place = below(other + 2, built);
        if (place != NULL) {
            return other_place != NULL && strcmp(place, other_place) == 0 &&
                   same_headers(word + 2, other + 2);
        }
    }
    return strcmp(word, other) == 0;
}

// A generated source has kernels beside it, which these builds copy (WEIR_KERNELS_FROM).
static bool same_source(const char *source, const char *here, const char *other, const char *built)
{
    const char *place = below(source, here), *other_place = below(other, built);
    if (place != NULL) {
        return other_place != NULL && strcmp(place, other_place) == 0 && same_file(source, other);
    }
    return strcmp(source, other) == 0;
}

static bool is_built(const struct command *c, const char *here, const char *built)
{
    struct command other;
    if (c->output == NULL || c->source == NULL || !find_command(&other, built, c->output) ||
        other.source == NULL || c->num_words != other.num_words ||
        !same_source(c->source, here, other.source, built)) {
        return false;
    }
    for (int i = 0; i < c->num_words; ++i) {
        if (!same_word(c->words[i], here, other.words[i], built)) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    const char *built = getenv("WEIR_BUILT");
    char here[PATH_MAX], object[PATH_MAX];
    if (argc < 2 || built == NULL || getcwd(here, sizeof(here)) == NULL) {
        fprintf(stderr, "usage: WEIR_BUILT=FOLDER built_object COMPILER ARGUMENTS...\n");
        return 1;
    }
    struct command c;
    command_init(&c, argv + 1, argc - 1);
    if (is_built(&c, here, built)) {
        for (int i = 1; i + 1 < argc; ++i) { // Ninja wants a list of headers
            FILE *headers = strcmp(argv[i], "-MF") == 0 ? fopen(argv[i + 1], "w") : NULL;
            if (headers != NULL) {
                fprintf(headers, "%s: %s\n", c.output, c.source);
                fclose(headers);
            }
        }
        snprintf(object, sizeof(object), "%s/%s", built, c.output);
        execlp("objcopy", "objcopy", "--strip-debug", object, c.output, (char *)NULL);
    }
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 1;
}
