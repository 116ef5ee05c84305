// SPDX-License-Identifier: MIT
// A file that is written in two halves, and the folder around it, for tests of written files.
#include "written_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "testing.h"

uint8_t written_content[WRITTEN_SIZE];

bool written_begin(struct weir_file *file, const char *path)
{
    const bool is_open = weir_file_open(file, path, &test_log) == WEIR_OK;
    if (is_open) {
        weir_file_write(file, written_content, WRITTEN_SIZE / 2);
        test_expect(weir_file_commit(file) == WEIR_OK, "commit: %s", test_log_text());
    }
    return is_open;
}

enum weir_result written_finish(struct weir_file *file)
{
    weir_file_write(file, written_content + WRITTEN_SIZE / 2, WRITTEN_SIZE - WRITTEN_SIZE / 2);
    weir_file_commit(file);
    return weir_file_close(file);
}

void written_expect_whole(const char *what, const char *path)
{
    static uint8_t got[WRITTEN_SIZE + 1];
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(got, 1, sizeof(got), file) : 0;
    test_expect(size == WRITTEN_SIZE && memcmp(got, written_content, WRITTEN_SIZE) == 0,
                "%s: '%s' has %zu bytes of it", what, path, size);
    if (file) {
        fclose(file);
    }
}

void written_expect_entries(const char *what, const char *folder, int want)
{
    char output[1024];
    test_run(output, sizeof(output), "ls -A '%s'", folder);
    test_expect(test_num_entries(folder) == want, "%s: %d entries, not %d: %s", what,
                test_num_entries(folder), want, output);
}

char *test_folder(const char *name)
{
    char output[256], *folder = strdup(test_path(name));
    test_run(output, sizeof(output), "rm -rf '%s'", folder);
    mkdir(folder, 0777);
    return folder;
}

const char *path_in(const char *folder, const char *name)
{
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

void written_init(void)
{
    test_random_bytes(written_content, WRITTEN_SIZE & ~7);
}
