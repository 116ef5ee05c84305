// SPDX-License-Identifier: MIT
// Names of files that are written: one writer at a time, nothing left of a killed one, and the
// rights of what is replaced.
#include "capture/base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testing.h"
#include "written_file.h"

// The one entry of a folder that is a part.
static const char *find_part(const char *folder)
{
    static char name[256];
    name[0] = '\0';
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (strncmp(entry->d_name, ".weir-", 6) == 0) {
            snprintf(name, sizeof(name), "%s", entry->d_name);
        }
    }
    closedir(entries);
    return name;
}

static void expect_refused(const char *what, const char *path)
{
    struct weir_file second;
    const int before = test_log_count(WEIR_LOG_CODE_OPEN_FAILED);
    test_expect(weir_file_open(&second, path, &test_log) == WEIR_ERROR_IO, "%s: refused", what);
    test_expect(test_log_count(WEIR_LOG_CODE_OPEN_FAILED) == before + 1 &&
                    strstr(test_log_text(), "another program is writing it"),
                "%s: %s", what, test_log_text());
}

static void test_two_writers(void)
{
    char *folder = test_folder("two");
    const char *path = path_in(folder, "take.bin");
    struct weir_file file;
    test_expect(weir_file_open(&file, path, &test_log) == WEIR_OK, "the first opens");
    expect_refused("before the first commit", path);
    weir_file_write(&file, written_content, WRITTEN_SIZE / 2);
    weir_file_commit(&file);
    expect_refused("after the first commit", path);
    written_expect_entries("refused", folder, 1);
    // By another name of the same file, and from another program.
    test_expect(symlink("take.bin", path_in(folder, "link.bin")) == 0, "link");
    expect_refused("through a link", path_in(folder, "link.bin"));
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        struct weir_file other;
        _exit(weir_file_open(&other, path, &test_log) == WEIR_ERROR_IO ? 0 : 1);
    }
    test_expect(test_wait(child) == 0, "another program is refused");
    test_expect(written_finish(&file) == WEIR_OK, "the first is not disturbed: %s",
                test_log_text());
    written_expect_whole("two writers", path);
    test_expect(written_begin(&file, path) && written_finish(&file) == WEIR_OK,
                "afterwards it is free");
    free(folder);
}

// Some programs that want the same file, again and again. Who has it makes a mark, which nobody
// else may find.
static int race(const char *path, const char *mark, uint64_t random)
{
    static const struct weir_log silent = {.print = NULL};
    int num_errors = 0;
    for (int round = 0; round < 150; round++, random = random * 6364136223846793005u + 1442695u) {
        struct weir_file file;
        if (weir_file_open(&file, path, &silent) != WEIR_OK) {
            continue;
        }
        const int held = open(mark, O_CREAT | O_EXCL, 0666);
        num_errors += held < 0;
        weir_file_write(&file, written_content, 100);
        if (random >> 63) {
            num_errors += weir_file_commit(&file) != WEIR_OK;
        }
        close(held);
        unlink(mark);
        num_errors += weir_file_close(&file) != WEIR_OK;
    }
    return num_errors;
}

static void test_race(void)
{
    char *folder = test_folder("race"), *marks = test_folder("marks");
    pid_t children[4];
    fflush(stdout);
    for (int i = 0; i < 4; i++) {
        const uint64_t random = test_random();
        children[i] = fork();
        if (children[i] == 0) {
            const int num_errors = race(path_in(folder, "take.bin"), path_in(marks, "mark"),
                                        random);
            _exit(num_errors < 100 ? num_errors : 100);
        }
    }
    for (int i = 0; i < 4; i++) {
        const int status = test_wait(children[i]);
        test_expect(status == 0, "race: program %d: status %d", i, status);
    }
    written_expect_entries("race", folder, 1);
    free(folder);
    free(marks);
}

// A child of the host's keeps all descriptors; the file is closed nevertheless.
static void test_child(void)
{
    char *folder = test_folder("child");
    const char *path = path_in(folder, "take.bin");
    struct weir_file file;
    int hold[2];
    test_expect(written_begin(&file, path) && pipe(hold) == 0, "begin");
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        char byte;
        close(hold[1]);
        _exit(read(hold[0], &byte, 1) == 0 ? 0 : 1);
    }
    test_expect(written_finish(&file) == WEIR_OK, "finish");
    test_expect(written_begin(&file, path) && written_finish(&file) == WEIR_OK, "again: %s",
                test_log_text());
    close(hold[1]);
    test_wait(child);
    close(hold[0]);
    free(folder);
}

// Another program removes the part before the first commit, or puts something in its place.
static void test_taken_part(void)
{
    char *folder = test_folder("taken");
    const char *path = path_in(folder, "take.bin");
    struct weir_file file;
    for (int is_replaced = 0; is_replaced < 2; is_replaced++) {
        test_expect(weir_file_open(&file, path, &test_log) == WEIR_OK, "open");
        const char *part = path_in(folder, find_part(folder));
        unlink(part);
        if (is_replaced) {
            fclose(fopen(part, "w"));
        }
        test_expect(written_finish(&file) == WEIR_ERROR_IO, "without its part: a failure");
        test_expect(!test_file_exists(path), "what is not ours gets no name");
        written_expect_entries("taken", folder, is_replaced);
    }
    free(folder);
}

static void write_a_part(void *user)
{
    const char *folder = user;
    struct weir_file file;
    weir_file_open(&file, path_in(folder, "take.bin"), &test_log);
    weir_file_write(&file, written_content, 100000);
}

static void test_killed(void)
{
    char *folder = test_folder("killed");
    const char *path = path_in(folder, "take.bin");
    struct weir_file file;
    test_run_killed(write_a_part, folder);
    written_expect_entries("killed", folder, 1);
    test_expect(written_begin(&file, path) && written_finish(&file) == WEIR_OK, "again: %s",
                test_log_text());
    written_expect_whole("after a kill", path);
    written_expect_entries("after a kill", folder, 1);
    free(folder);
}

// Somebody has put a link to another file where the part is to be made.
static void test_planted_link(void)
{
    char *folder = test_folder("planted");
    const char *path = path_in(folder, "take.bin"), *victim = path_in(folder, "victim");
    struct weir_file file;
    test_expect(written_begin(&file, victim) && written_finish(&file) == WEIR_OK, "the victim");
    test_expect(weir_file_open(&file, path, &test_log) == WEIR_OK, "open");
    const char *part = path_in(folder, find_part(folder));
    weir_file_close(&file);
    test_expect(symlink("victim", part) == 0, "plant");
    test_expect(weir_file_open(&file, path, &test_log) == WEIR_ERROR_IO, "a link is refused");
    written_expect_whole("planted", victim);
    free(folder);
}

static void test_rights(void)
{
    char *folder = test_folder("rights");
    const char *path = path_in(folder, "take.bin");
    const mode_t modes[] = {0600, 0640, 0666, 0755};
    struct stat status;
    struct weir_file file;
    for (int i = 0; i < 4; i++) {
        fclose(fopen(path, "w"));
        chmod(path, modes[i]);
        const bool is_given = chown(path, 1234, 2345) == 0; // root may
        test_expect(weir_file_open(&file, path, &test_log) == WEIR_OK, "open");
        test_expect(stat(path_in(folder, find_part(folder)), &status) == 0 &&
                        (status.st_mode & 0777) == modes[i],
                    "mode %o from the beginning: %o", modes[i], status.st_mode & 0777);
        test_expect(written_finish(&file) == WEIR_OK && stat(path, &status) == 0, "finish");
        test_expect((status.st_mode & 0777) == modes[i], "mode %o is kept: %o", modes[i],
                    status.st_mode & 0777);
        test_expect(!is_given || (status.st_uid == 1234 && status.st_gid == 2345),
                    "the owner is kept: %u:%u", status.st_uid, status.st_gid);
        unlink(path);
    }
    const mode_t mask = umask(027);
    test_expect(written_begin(&file, path) && written_finish(&file) == WEIR_OK &&
                    stat(path, &status) == 0,
                "new");
    umask(mask);
    test_expect((status.st_mode & 0777) == 0640, "a new file: mode %o", status.st_mode & 0777);
    free(folder);
}

int main(void)
{
    written_init();
    test_two_writers();
    test_race();
    test_child();
    test_taken_part();
    test_killed();
    test_planted_link();
    test_rights();
    return test_finish();
}
