// SPDX-License-Identifier: MIT
// What becomes of a file that is deleted, replaced or moved while it is written.
#include "capture/base/file_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testing.h"
#include "written_file.h"

static void expect_told(const char *what, int before, const char *text)
{
    test_expect(test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED) == before + 1 &&
                    strstr(test_log_text(), text),
                "%s: %d messages, the last is: %s", what,
                test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED) - before, test_log_text());
}

static void test_deleted(bool direct)
{
    char *folder = test_folder("deleted");
    const char *path = path_in(folder, "take.bin");
    struct weir_file file;
    const int before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
    TEST_OK(weir_file_open(&file, path, &test_log));
    if (direct && !weir_file_go_direct(&file)) {
        printf("no direct writes here\n");
    }
    weir_file_write(&file, written_content, WRITTEN_SIZE / 2);
    weir_file_commit(&file);
    chmod(path, 0604);
    unlink(path);
    test_expect(written_finish(&file) == WEIR_OK, "deleted: %s", test_log_text());
    expect_told("deleted", before, "was restored completely");
    written_expect_whole("deleted", path);
    written_expect_entries("deleted", folder, 1);
    struct stat status;
    test_expect(stat(path, &status) == 0 && (status.st_mode & 0777) == 0604, "its mode is kept");
    free(folder);
}

// Other files have the name, and the next two that are tried.
static void test_replaced(void)
{
    char *folder = test_folder("replaced");
    const char *path = path_in(folder, "take.bin");
    struct weir_file file;
    const int before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
    written_begin(&file, path);
    char output[256];
    test_run(output, sizeof(output),
             "cd '%s' && for i in take.bin take.1.bin take.2.bin; do echo other >new && mv new $i; "
             "done",
             folder);
    test_expect(written_finish(&file) == WEIR_ERROR_IO, "replaced: a failure");
    expect_told("replaced", before, "take.3.bin");
    written_expect_whole("replaced", path_in(folder, "take.3.bin"));
    test_expect(test_file_size(path) == 6, "what replaced it stays");
    written_expect_entries("replaced", folder, 4);
    free(folder);
}

static void test_moved(void)
{
    char *folder = test_folder("moved");
    const char *path = path_in(folder, "take.bin"), *place = path_in(folder, "elsewhere.bin");
    struct weir_file file;
    int before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
    written_begin(&file, path);
    rename(path, place);
    test_expect(written_finish(&file) == WEIR_OK, "moved: %s", test_log_text());
    expect_told("moved", before, "elsewhere.bin");
    written_expect_whole("moved", path);
    written_expect_whole("moved", place);
    unlink(place);
    // Moved, and another has its name.
    before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
    written_begin(&file, path);
    rename(path, place);
    fclose(fopen(path, "w"));
    test_expect(written_finish(&file) == WEIR_ERROR_IO, "moved and replaced: a failure");
    expect_told("moved and replaced", before, "elsewhere.bin");
    written_expect_whole("moved and replaced", place);
    written_expect_entries("moved and replaced", folder, 2);
    free(folder);
}

static void test_folders(void)
{
    char *outer = test_folder("outer");
    char output[256];
    struct weir_file file;
    mkdir(path_in(outer, "inner"), 0777);
    int before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
    written_begin(&file, path_in(outer, "inner/take.bin"));
    rename(path_in(outer, "inner"), path_in(outer, "renamed"));
    test_expect(written_finish(&file) == WEIR_OK, "renamed: %s", test_log_text());
    expect_told("renamed folder", before, "/outer/renamed'");
    written_expect_whole("renamed folder", path_in(outer, "renamed/take.bin"));
    before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
    written_begin(&file, path_in(outer, "renamed/take.bin"));
    test_run(output, sizeof(output), "rm -rf '%s'", outer);
    test_expect(written_finish(&file) == WEIR_OK, "removed folders: %s", test_log_text());
    expect_told("removed folders", before, "was restored completely");
    written_expect_whole("removed folders", path_in(outer, "renamed/take.bin"));
    // The host works in another folder when the first commit is made.
    written_expect_entries("removed folders", outer, 1);
    const int home = open(".", O_RDONLY);
    test_expect(chdir(outer) == 0 && weir_file_open(&file, "near.bin", &test_log) == WEIR_OK &&
                    chdir("/") == 0,
                "a relative path");
    test_expect(written_finish(&file) == WEIR_OK && fchdir(home) == 0, "from another folder: %s",
                test_log_text());
    close(home);
    test_expect(test_file_exists(path_in(outer, "near.bin")), "it is where it was begun");
    free(outer);
}

// Deleted on a disk that has no room for a second copy.
static void test_no_room(void)
{
    char *folder = test_folder("small");
    if (mount("weir-test", folder, "tmpfs", 0, "size=5M") != 0) {
        printf("no small tmpfs: %s\n", strerror(errno));
    } else {
        struct weir_file file;
        const int before = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
        written_begin(&file, path_in(folder, "take.bin"));
        unlink(path_in(folder, "take.bin"));
        test_expect(written_finish(&file) == WEIR_ERROR_IO, "no room for a copy");
        expect_told("no room for a copy", before, "could not be restored");
        written_expect_entries("no room for a copy", folder, 0);
        umount(folder);
    }
    rmdir(folder);
    free(folder);
}

int main(void)
{
    written_init();
    test_deleted(false);
    test_deleted(true);
    test_replaced();
    test_moved();
    test_folders();
    test_no_room();
    return test_finish();
}
