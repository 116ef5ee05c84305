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
    TEST_OK(written_finish(&file));
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
        TEST_OK(weir_file_open(&file, path, &test_log));
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
    TEST_OK(weir_file_open(&file, path, &test_log));
    const char *part = path_in(folder, find_part(folder));
    weir_file_close(&file);
    test_expect(symlink("victim", part) == 0, "plant");
    test_expect(weir_file_open(&file, path, &test_log) == WEIR_ERROR_IO, "a link is refused");
    written_expect_whole("planted", victim);
    free(folder);
}

static void expect_result(const char *what, const char *path, enum weir_result want)
{
    struct weir_file file;
    enum weir_result result = weir_file_open(&file, path, &test_log);
    if (result == WEIR_OK) {
        weir_file_write(&file, written_content, WRITTEN_SIZE / 2);
        weir_file_commit(&file);
        result = written_finish(&file);
    }
    test_expect(result == want && (want == WEIR_OK || strstr(test_log_text(), "another user")),
                "%s: %d: %s", what, (int)result, test_log_text());
}

// Make a file or, if it leads somewhere, a link of that user.
static void make_of(uid_t user, const char *path, const char *to)
{
    const int fd = to ? -1 : open(path, O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const bool is_made = to ? symlink(to, path) == 0 : fd >= 0;
    test_expect(is_made && lchown(path, user, user) == 0, "make %s", path);
    close(fd);
}

// In a folder as /tmp nothing of another user is followed or replaced. tests/e2e/other_users.sh has
// the programs.
static void test_other_users(void)
{
    enum { OTHER = 1234 };
    char *folder = test_folder("sticky");
    struct weir_file file;
    if (geteuid() != 0 || chmod(folder, 01777) != 0) {
        printf("other users: only root may give files away\n");
        free(folder);
        return;
    }
    expect_result("new", path_in(folder, "victim"), WEIR_OK);
    make_of(OTHER, path_in(folder, "link"), "victim");
    expect_result("another's link", path_in(folder, "link"), WEIR_ERROR_IO);
    make_of(0, path_in(folder, "own"), "victim");
    expect_result("one's own link", path_in(folder, "own"), WEIR_OK);
    make_of(0, path_in(folder, "chain"), "link");
    expect_result("one's own link to another's", path_in(folder, "chain"), WEIR_ERROR_IO);
    make_of(OTHER, path_in(folder, "inner"), ".");
    expect_result("a folder by another's link", path_in(folder, "inner/new"), WEIR_ERROR_IO);
    make_of(OTHER, path_in(folder, "theirs"), NULL);
    expect_result("another's file", path_in(folder, "theirs"), WEIR_ERROR_IO);
    written_expect_whole("other users", path_in(folder, "victim"));
    // It comes between opening and the first commit.
    const char *late = path_in(folder, "late");
    test_expect(weir_file_open(&file, late, &test_log) == WEIR_OK, "late: open");
    make_of(OTHER, late, NULL);
    test_expect(written_finish(&file) == WEIR_ERROR_IO && test_file_size(late) == 0, "late: %s",
                test_log_text());
    // As the part.
    test_expect(weir_file_open(&file, path_in(folder, "new"), &test_log) == WEIR_OK, "part: open");
    const char *part = path_in(folder, find_part(folder));
    weir_file_close(&file);
    make_of(OTHER, part, NULL);
    expect_result("another's part", path_in(folder, "new"), WEIR_ERROR_IO);
    free(folder);
}

// A link that has the name that Weir chose is replaced; what it leads to is not written.
static void test_nofollow(void)
{
    char *folder = test_folder("nofollow");
    const char *victim = path_in(folder, "victim"), *path = path_in(folder, "take.bin");
    struct weir_file file;
    struct stat status;
    expect_result("victim", victim, WEIR_OK);
    test_expect(symlink("victim", path) == 0 &&
                    weir_file_open_nofollow(&file, path, &test_log) == WEIR_OK,
                "nofollow: open: %s", test_log_text());
    weir_file_write(&file, written_content, 100);
    weir_file_commit(&file);
    test_expect(weir_file_close(&file) == WEIR_OK && lstat(path, &status) == 0 &&
                    S_ISREG(status.st_mode) && status.st_size == 100,
                "nofollow: %s", test_log_text());
    written_expect_whole("nofollow", victim);
    test_expect(symlink("nothing", path_in(folder, "dangling")) == 0 &&
                    weir_file_open(&file, path_in(folder, "dangling"), &test_log) == WEIR_ERROR_IO,
                "a link to nothing is refused");
    written_expect_entries("nofollow", folder, 3);
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
        const bool is_given = chown(path, (uid_t)-1, 2345) == 0; // root may
        TEST_OK(weir_file_open(&file, path, &test_log));
        test_expect(stat(path_in(folder, find_part(folder)), &status) == 0 &&
                        (status.st_mode & 0777) == modes[i],
                    "mode %o from the beginning: %o", modes[i], status.st_mode & 0777);
        test_expect(written_finish(&file) == WEIR_OK && stat(path, &status) == 0, "finish");
        test_expect((status.st_mode & 0777) == modes[i], "mode %o is kept: %o", modes[i],
                    status.st_mode & 0777);
        test_expect(!is_given || status.st_gid == 2345, "the group is kept: %u", status.st_gid);
        unlink(path);
    }
    const mode_t mask = umask(027);
    fclose(fopen(path, "w"));
    chmod(path, 0666);
    if (chown(path, 1234, 2345) == 0) {
        test_expect(written_begin(&file, path) && written_finish(&file) == WEIR_OK &&
                        stat(path, &status) == 0 && status.st_uid == geteuid() &&
                        status.st_gid == getegid() && (status.st_mode & 0777) == 0640,
                    "of another user's file neither owner nor mode is taken: %u:%u, mode %o",
                    status.st_uid, status.st_gid, status.st_mode & 0777);
    }
    unlink(path);
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
    test_other_users();
    test_nofollow();
    test_rights();
    return test_finish();
}
