// SPDX-License-Identifier: MIT
// Names of recordings: the folder of videos by files of XDG, names of programs, and the first
// number that is free, by a search over all that are there.
#include "capture/weir/record/recording.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/expect.h"
#include "tests/seeded.h"

enum { NUM_ROUNDS = 300, MAX_NUMBER = 6 };

static void expect(const char *what, const char *got, const char *wanted)
{
    const bool is_same = got && wanted ? strcmp(got, wanted) == 0 : got == wanted;
    test_expect(is_same, "%s: %s instead of %s", what, got ? got : "nothing",
                wanted ? wanted : "nothing");
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    test_must(file && fputs(text, file) >= 0 && fclose(file) == 0, path);
}

// `root` is the home folder, below which there are Videos and "a \"b".
static void check_videos(const char *root)
{
    static const struct {
        const char *text, *folder; // below the root; NULL: none
    } files[] = {
        {"XDG_VIDEOS_DIR=\"$HOME/Videos\"\n", "/Videos"},
        {"# no folder\nXDG_MUSIC_DIR=\"$HOME/Music\"\n  XDG_VIDEOS_DIR=\"$HOME/Videos\"\n",
         "/Videos"},
        {"XDG_VIDEOS_DIR=\"$HOME/Music\"\nXDG_VIDEOS_DIR=\"$HOME/Videos\"", "/Videos"},
        {"XDG_VIDEOS_DIR=\"$HOME/a \\\"b\"\n", "/a \"b"},
        {"XDG_VIDEOS_DIR=\"$HOME/Vi\\deos\"\n", "/Videos"},
        {"XDG_VIDEOS_DIR=\"$HOME/\"\n", NULL}, // which stands for none
        {"XDG_VIDEOS_DIR=\"$HOME\"\n", NULL},
        {"XDG_VIDEOS_DIR=\"$HOME/missing\"\n", NULL},
        {"XDG_VIDEOS_DIR=\"Videos\"\n", NULL}, // relative to nothing
        {"XDG_VIDEOS_DIR=\"$HOMEVideos\"\n", NULL},
        {"#XDG_VIDEOS_DIR=\"$HOME/Videos\"\n", NULL},
        {"XDG_VIDEOS_DIR=\"\\", NULL},
        {"", NULL},
    };
    char wanted[512];
    expect("without user-dirs.dirs", record_name_videos(), NULL);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        put(".config/user-dirs.dirs", files[i].text);
        snprintf(wanted, sizeof(wanted), "%s%s", root, files[i].folder ? files[i].folder : "");
        char *folder = record_name_videos();
        expect(files[i].text, folder, files[i].folder ? wanted : NULL);
        free(folder);
    }
    char text[512];
    snprintf(text, sizeof(text), "XDG_VIDEOS_DIR=\"%s/Videos\"\n", root);
    put("user-dirs.dirs", text);
    setenv("XDG_CONFIG_HOME", root, 1);
    snprintf(wanted, sizeof(wanted), "%s/Videos", root);
    char *folder = record_name_videos();
    expect("from / on, and XDG_CONFIG_HOME", folder, wanted);
    free(folder);
    unsetenv("XDG_CONFIG_HOME");
    remove("user-dirs.dirs");
    remove(".config/user-dirs.dirs");
}

static void check_first(void)
{
    char *const long_program = calloc(1, 400);
    for (int i = 0; i < 120; i++) { // three bytes each; 33 of them are 99 bytes
        strcat(long_program, "\xe2\x82\xac");
    }
    char long_name[512] = "";
    for (int i = 0; i < 33; i++) {
        strcat(long_name, "\xe2\x82\xac");
    }
    strcat(long_name, "-2001-09-09-014640.mov");
    const struct {
        const char *output, *program, *path;
    } cases[] = TEST_LIST({NULL, "/usr/bin/game", "game-2001-09-09-014640.mov"},
                          {NULL, "game", "game-2001-09-09-014640.mov"},
                          {NULL, "./.hidden", "_hidden-2001-09-09-014640.mov"},
                          {NULL, "-o", "_o-2001-09-09-014640.mov"}, {NULL, long_program, long_name},
                          {"Videos", "game", "Videos/game-2001-09-09-014640.mov"},
                          {"Videos/", "game", "Videos/game-2001-09-09-014640.mov"},
                          {"/a/b.mov", "game", "/a/b.mov"}, {"b.MOV", "game", "b.MOV"});
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *path = record_name_first(cases[i].output, cases[i].program, 1000000000);
        expect(cases[i].path, path, cases[i].path);
        free(path);
    }
    free(long_program);
    char *segment = record_name_segment("a.b/take.mov");
    expect("a segment", segment, "a.b/take.001.mov");
    free(segment);
}

// Files that belong to the movie of a number, and such that look like it.
static const char *const own[] = {".mov", ".001.mov", ".1234.mov", ".mov.json"};
static const char *const other[] = {".mp4", ".mov.txt", ".mov2", "x.mov", ".x.mov", ".001.mp4"};

static void check_free(void)
{
    bool is_there[MAX_NUMBER + 2] = {false};
    char names[4 * MAX_NUMBER][64];
    size_t num = 0;
    const uint32_t num_files = seeded_next(&seeded_state) % MAX_NUMBER;
    for (uint32_t i = 0; i < num_files; i++) {
        const uint32_t number = 1 + seeded_next(&seeded_state) % MAX_NUMBER;
        const bool is_own = seeded_next(&seeded_state) % 3 > 0;
        char count[16] = "";
        if (number > 1) {
            snprintf(count, sizeof(count), "-%u", number);
        }
        const uint32_t which = seeded_next(&seeded_state);
        snprintf(names[num], sizeof(names[num]), "Videos/take%s%s", count,
                 is_own ? own[which % 4] : other[which % 6]);
        is_there[number] = is_there[number] || is_own;
        put(names[num++], "");
    }
    const uint32_t from = 1 + seeded_next(&seeded_state) % MAX_NUMBER;
    uint32_t wanted = from, number = from;
    while (is_there[wanted]) {
        wanted++;
    }
    char path[64] = "Videos/take.mov";
    if (wanted > 1) {
        snprintf(path, sizeof(path), "Videos/take-%u.mov", wanted);
    }
    char *got = record_name_free("Videos/take.mov", &number);
    expect("the first that is free", got, path);
    test_expect(number == wanted + 1, "the next number is %u instead of %u", number, wanted + 1);
    free(got);
    while (num > 0) {
        remove(names[--num]);
    }
}

int main(void)
{
    char root[64] = "record_name_XXXXXX", here[400];
    seeded_start();
    if (!mkdtemp(root) || chdir(root) != 0 || !getcwd(here, sizeof(here))) {
        perror(root);
        return 1;
    }
    static const char *const folders[] = {"Videos", "a \"b", ".config"};
    for (size_t i = 0; i < 3; i++) {
        mkdir(folders[i], 0777);
    }
    setenv("HOME", here, 1);
    setenv("TZ", "UTC", 1);
    unsetenv("XDG_CONFIG_HOME");
    check_videos(here);
    check_first();
    for (int i = 0; i < NUM_ROUNDS && test_num_failures() == 0; i++) {
        check_free();
    }
    for (size_t i = 0; i < 3; i++) {
        rmdir(folders[i]);
    }
    test_expect(chdir("..") == 0 && rmdir(root) == 0, "nothing is left in %s", root);
    return test_finish();
}
