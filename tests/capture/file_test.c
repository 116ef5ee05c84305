// SPDX-License-Identifier: MIT
// Names of files that are written: one writer at a time, nothing left of a killed one, the rights
// of what is replaced, and what becomes of a file that is deleted, replaced or moved meanwhile.
#include "capture/base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testing.h"

// Some blocks and a rest, so that a copy has both.
enum { SIZE = 3 * (1 << 20) + 777 };
static uint8_t content[SIZE];

// Begin a file with its first half committed.
static bool begin(struct weir_file *file, const char *path)
{
    const bool is_open = weir_file_open(file, path, &test_log) == WEIR_OK;
    if (is_open) {
        weir_file_write(file, content, SIZE / 2);
        test_expect(weir_file_commit(file) == WEIR_OK, "commit: %s", test_log_text());
    }
    return is_open;
}

static enum weir_result finish(struct weir_file *file)
{
    weir_file_write(file, content + SIZE / 2, SIZE - SIZE / 2);
    weir_file_commit(file);
    return weir_file_close(file);
}

static void expect_whole(const char *what, const char *path)
{
    static uint8_t got[SIZE + 1];
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(got, 1, sizeof(got), file) : 0;
    test_expect(size == SIZE && memcmp(got, content, SIZE) == 0, "%s: '%s' has %zu bytes of it",
                what, path, size);
    if (file) {
        fclose(file);
    }
}

static void expect_entries(const char *what, const char *folder, int want)
{
    char output[1024];
    test_run(output, sizeof(output), "ls -A '%s'", folder);
    test_expect(test_num_entries(folder) == want, "%s: %d entries, not %d: %s", what,
                test_num_entries(folder), want, output);
}

static void expect_told(const char *what, int before, const char *text)
{
    test_expect(test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED) == before + 1 &&
                    strstr(test_log_text(), text),
                "%s: %d messages, the last is: %s", what,
                test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED) - before, test_log_text());
}

static char *new_folder(const char *name)
{
    char output[256], *folder = strdup(test_path(name));
    test_run(output, sizeof(output), "rm -rf '%s'", folder);
    mkdir(folder, 0777);
    return folder;
}

static const char *in(const char *folder, const char *name)
{
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

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
    char *folder = new_folder("two");
    const char *path = in(folder, "take.bin");
    struct weir_file file;
    test_expect(weir_file_open(&file, path, &test_log) == WEIR_OK, "the first opens");
    expect_refused("before the first commit", path);
    weir_file_write(&file, content, SIZE / 2);
    weir_file_commit(&file);
    expect_refused("after the first commit", path);
    expect_entries("refused", folder, 1);
    // By another name of the same file, and from another program.
    test_expect(symlink("take.bin", in(folder, "link.bin")) == 0, "link");
    expect_refused("through a link", in(folder, "link.bin"));
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        struct weir_file other;
        _exit(weir_file_open(&other, path, &test_log) == WEIR_ERROR_IO ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    test_expect(status == 0, "another program is refused");
    test_expect(finish(&file) == WEIR_OK, "the first is not disturbed: %s", test_log_text());
    expect_whole("two writers", path);
    test_expect(begin(&file, path) && finish(&file) == WEIR_OK, "afterwards it is free");
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
        weir_file_write(&file, content, 100);
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
    char *folder = new_folder("race"), *marks = new_folder("marks");
    pid_t children[4];
    fflush(stdout);
    for (int i = 0; i < 4; i++) {
        const uint64_t random = test_random();
        children[i] = fork();
        if (children[i] == 0) {
            const int num_errors = race(in(folder, "take.bin"), in(marks, "mark"), random);
            _exit(num_errors < 100 ? num_errors : 100);
        }
    }
    for (int i = 0; i < 4; i++) {
        int status;
        waitpid(children[i], &status, 0);
        test_expect(status == 0, "race: program %d: status %d", i, WEXITSTATUS(status));
    }
    expect_entries("race", folder, 1);
    free(folder);
    free(marks);
}

// A child of the host's keeps all descriptors; the file is closed nevertheless.
static void test_child(void)
{
    char *folder = new_folder("child");
    const char *path = in(folder, "take.bin");
    struct weir_file file;
    int hold[2];
    test_expect(begin(&file, path) && pipe(hold) == 0, "begin");
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        char byte;
        close(hold[1]);
        _exit(read(hold[0], &byte, 1) == 0 ? 0 : 1);
    }
    test_expect(finish(&file) == WEIR_OK, "finish");
    test_expect(begin(&file, path) && finish(&file) == WEIR_OK, "again: %s", test_log_text());
    close(hold[1]);
    waitpid(child, NULL, 0);
    close(hold[0]);
    free(folder);
}

// Another program removes the part before the first commit, or puts something in its place.
static void test_taken_part(void)
{
    char *folder = new_folder("taken");
    const char *path = in(folder, "take.bin");
    struct weir_file file;
    for (int is_replaced = 0; is_replaced < 2; is_replaced++) {
        test_expect(weir_file_open(&file, path, &test_log) == WEIR_OK, "open");
        const char *part = in(folder, find_part(folder));
        unlink(part);
        if (is_replaced) {
            fclose(fopen(part, "w"));
        }
        test_expect(finish(&file) == WEIR_ERROR_IO, "without its part: a failure");
        test_expect(!test_file_exists(path), "what is not ours gets no name");
        expect_entries("taken", folder, is_replaced);
    }
    free(folder);
}

static void test_killed(void)
{
    char *folder = new_folder("killed");
    const char *path = in(folder, "take.bin");
    struct weir_file file;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        weir_file_open(&file, path, &test_log);
        weir_file_write(&file, content, 100000);
        kill(getpid(), SIGKILL);
    }
    waitpid(child, NULL, 0);
    expect_entries("killed", folder, 1);
    test_expect(begin(&file, path) && finish(&file) == WEIR_OK, "again: %s", test_log_text());
    expect_whole("after a kill", path);
    expect_entries("after a kill", folder, 1);
    free(folder);
}

// Somebody has put a link to another file where the part is to be made.
static void test_planted_link(void)
{
    char *folder = new_folder("planted");
    const char *path = in(folder, "take.bin"), *victim = in(folder, "victim");
    struct weir_file file;
    test_expect(begin(&file, victim) && finish(&file) == WEIR_OK, "the victim");
    test_expect(weir_file_open(&file, path, &test_log) == WEIR_OK, "open");
    const char *part = in(folder, find_part(folder));
    weir_file_close(&file);
    test_expect(symlink("victim", part) == 0, "plant");
    test_expect(weir_file_open(&file, path, &test_log) == WEIR_ERROR_IO, "a link is refused");
    expect_whole("planted", victim);
    free(folder);
}

static void test_rights(void)
{
    char *folder = new_folder("rights");
    const char *path = in(folder, "take.bin");
    const mode_t modes[] = {0600, 0640, 0666, 0755};
    struct stat status;
    struct weir_file file;
    for (int i = 0; i < 4; i++) {
        fclose(fopen(path, "w"));
        chmod(path, modes[i]);
        const bool is_given = chown(path, 1234, 2345) == 0; // root may
        test_expect(weir_file_open(&file, path, &test_log) == WEIR_OK, "open");
        test_expect(stat(in(folder, find_part(folder)), &status) == 0 &&
                        (status.st_mode & 0777) == modes[i],
                    "mode %o from the beginning: %o", modes[i], status.st_mode & 0777);
        test_expect(finish(&file) == WEIR_OK && stat(path, &status) == 0, "finish");
        test_expect((status.st_mode & 0777) == modes[i], "mode %o is kept: %o", modes[i],
                    status.st_mode & 0777);
        test_expect(!is_given || (status.st_uid == 1234 && status.st_gid == 2345),
                    "the owner is kept: %u:%u", status.st_uid, status.st_gid);
        unlink(path);
    }
    const mode_t mask = umask(027);
    test_expect(begin(&file, path) && finish(&file) == WEIR_OK && stat(path, &status) == 0, "new");
    umask(mask);
    test_expect((status.st_mode & 0777) == 0640, "a new file: mode %o", status.st_mode & 0777);
    free(folder);
}

static void test_deleted(bool direct)
{
    char *folder = new_folder("deleted");
    const char *path = in(folder, "take.bin");
    struct weir_file file;
    const int before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
    test_expect(weir_file_open(&file, path, &test_log) == WEIR_OK, "open");
    if (direct && !weir_file_go_direct(&file)) {
        printf("no direct writes here\n");
    }
    weir_file_write(&file, content, SIZE / 2);
    weir_file_commit(&file);
    chmod(path, 0604);
    unlink(path);
    test_expect(finish(&file) == WEIR_OK, "deleted: %s", test_log_text());
    expect_told("deleted", before, "was written again");
    expect_whole("deleted", path);
    expect_entries("deleted", folder, 1);
    struct stat status;
    test_expect(stat(path, &status) == 0 && (status.st_mode & 0777) == 0604, "its mode is kept");
    free(folder);
}

// Other files have the name, and the next two that are tried.
static void test_replaced(void)
{
    char *folder = new_folder("replaced");
    const char *path = in(folder, "take.bin");
    struct weir_file file;
    const int before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
    begin(&file, path);
    char output[256];
    test_run(output, sizeof(output),
             "cd '%s' && for i in take.bin take.1.bin take.2.bin; do echo other >new && mv new $i; "
             "done",
             folder);
    test_expect(finish(&file) == WEIR_ERROR_IO, "replaced: a failure");
    expect_told("replaced", before, "take.3.bin");
    expect_whole("replaced", in(folder, "take.3.bin"));
    test_expect(test_file_size(path) == 6, "what replaced it stays");
    expect_entries("replaced", folder, 4);
    free(folder);
}

static void test_moved(void)
{
    char *folder = new_folder("moved");
    const char *path = in(folder, "take.bin"), *place = in(folder, "elsewhere.bin");
    struct weir_file file;
    int before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
    begin(&file, path);
    rename(path, place);
    test_expect(finish(&file) == WEIR_OK, "moved: %s", test_log_text());
    expect_told("moved", before, "elsewhere.bin");
    expect_whole("moved", path);
    expect_whole("moved", place);
    unlink(place);
    // Moved, and another has its name.
    before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
    begin(&file, path);
    rename(path, place);
    fclose(fopen(path, "w"));
    test_expect(finish(&file) == WEIR_ERROR_IO, "moved and replaced: a failure");
    expect_told("moved and replaced", before, "elsewhere.bin");
    expect_whole("moved and replaced", place);
    expect_entries("moved and replaced", folder, 2);
    free(folder);
}

static void test_folders(void)
{
    char *outer = new_folder("outer");
    char output[256];
    struct weir_file file;
    mkdir(in(outer, "inner"), 0777);
    int before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
    begin(&file, in(outer, "inner/take.bin"));
    rename(in(outer, "inner"), in(outer, "renamed"));
    test_expect(finish(&file) == WEIR_OK, "renamed: %s", test_log_text());
    expect_told("renamed folder", before, "/outer/renamed'");
    expect_whole("renamed folder", in(outer, "renamed/take.bin"));
    before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
    begin(&file, in(outer, "renamed/take.bin"));
    test_run(output, sizeof(output), "rm -rf '%s'", outer);
    test_expect(finish(&file) == WEIR_OK, "removed folders: %s", test_log_text());
    expect_told("removed folders", before, "was written again");
    expect_whole("removed folders", in(outer, "renamed/take.bin"));
    // The host works in another folder when the first commit is made.
    expect_entries("removed folders", outer, 1);
    const int home = open(".", O_RDONLY);
    test_expect(chdir(outer) == 0 && weir_file_open(&file, "near.bin", &test_log) == WEIR_OK &&
                    chdir("/") == 0,
                "a relative path");
    test_expect(finish(&file) == WEIR_OK && fchdir(home) == 0, "from another folder: %s",
                test_log_text());
    close(home);
    test_expect(test_file_exists(in(outer, "near.bin")), "it is where it was begun");
    free(outer);
}

// Deleted on a disk that has no room for a second copy.
static void test_no_room(void)
{
    char *folder = new_folder("small");
    if (mount("weir-test", folder, "tmpfs", 0, "size=5M") != 0) {
        printf("no small tmpfs: %s\n", strerror(errno));
    } else {
        struct weir_file file;
        const int before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
        begin(&file, in(folder, "take.bin"));
        unlink(in(folder, "take.bin"));
        test_expect(finish(&file) == WEIR_ERROR_IO, "no room for a copy");
        expect_told("no room for a copy", before, "could not be written again");
        expect_entries("no room for a copy", folder, 0);
        umount(folder);
    }
    rmdir(folder);
    free(folder);
}

int main(void)
{
    test_random_bytes(content, SIZE & ~7);
    test_two_writers();
    test_race();
    test_child();
    test_taken_part();
    test_killed();
    test_planted_link();
    test_rights();
    test_deleted(false);
    test_deleted(true);
    test_replaced();
    test_moved();
    test_folders();
    test_no_room();
    return test_finish();
}
