// SPDX-License-Identifier: MIT
// Patterns and folders by name: what is found is there, in order, and all of it. The folder is in
// memory.
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

enum { MAX_NAMES = 32, MAX_NAME = 255 };

// The kind of file behind the path, as stat() reports it.
enum kind { MISSING, FOLDER, FILE_WITH_BYTES, EMPTY_FILE, PIPE, FORBIDDEN, NUM_KINDS };

static struct folder {
    enum kind kind;
    bool is_closed; // opendir() fails
    char path[512];
    char names[MAX_NAMES][MAX_NAME + 1];
    unsigned num_names, next;
    bool is_open;
    char opened[4096];
    struct dirent entry;
} disk;

static int fuzz_stat(const char *path, struct stat *status)
{
    static const mode_t modes[NUM_KINDS] = {0, S_IFDIR, S_IFREG, S_IFREG, S_IFIFO, 0};
    if (disk.is_open) { // an entry, which may be a file
        return -1;
    }
    fuzz_expect(strcmp(path, disk.path) == 0, "the path itself is looked at");
    *status = (struct stat){.st_mode = modes[disk.kind],
                            .st_size = disk.kind == FILE_WITH_BYTES ? 1 : 0};
    errno = disk.kind == MISSING ? ENOENT : EACCES;
    return modes[disk.kind] != 0 ? 0 : -1;
}

static DIR *fuzz_opendir(const char *path)
{
    snprintf(disk.opened, sizeof(disk.opened), "%s", path);
    errno = EACCES;
    disk.is_open = !disk.is_closed;
    disk.next = 0;
    return disk.is_closed ? NULL : (DIR *)(void *)&disk;
}

static struct dirent *fuzz_readdir(DIR *dir)
{
    fuzz_expect((void *)dir == &disk && disk.is_open, "an open folder is read");
    if (disk.next == disk.num_names) {
        return NULL;
    }
    memcpy(disk.entry.d_name, disk.names[disk.next++], MAX_NAME + 1);
    return &disk.entry;
}

static int fuzz_closedir(DIR *dir)
{
    fuzz_expect((void *)dir == &disk && disk.is_open, "an open folder is closed");
    disk.is_open = false;
    return 0;
}

// The file system of the code below is the one above.
#define stat(path, status) fuzz_stat(path, status)
#define opendir(path) fuzz_opendir(path)
#define readdir(dir) fuzz_readdir(dir)
#define closedir(dir) fuzz_closedir(dir)
#include "capture/files/source/list.c"
#undef stat

static size_t seed(unsigned index, uint8_t *data)
{
    // An input: a byte for the kind of the path, one for an opendir() that works, the path, names.
    static const struct {
        enum kind kind;
        bool opens;
        const char *text;
    } seeds[] = {
        {FOLDER, true,
         "shots\nshot2.png\nshot10.png\nshot1.PNG\nnotes.txt\n.hidden.png\nshot01.png"},
        {FOLDER, true, "/a/\na.jpg\na\na.\n.png\nb.exr.tif\n000\n0.png\n00.png"},
        {FOLDER, false, "shots\nshot.png"},
        {FOLDER, true, "shots\nnotes.txt"},
        {FILE_WITH_BYTES, true, "movie.mov"},
        {EMPTY_FILE, true, "empty.mov"},
        {PIPE, true, "/dev/stdin"},
        {FORBIDDEN, true, "forbidden/%d.png"},
        {MISSING, true, "https://host/a%20b.mov"},
        {MISSING, true, "pipe:"},
        {MISSING, true, "file:clip.mov"},
        {MISSING, true, "a:b.mov"},
        {FILE_WITH_BYTES, true, "-"},
        {FOLDER, true, "both\na.png\nclip.mov\nclip.MP4\n.mov"},
        {FOLDER, true, "movies\nclip.mkv"},
        {MISSING, true, "missing.png"},
        {MISSING, true,
         "shots/f%04d.png\nf0001.png\nf0003.png\nf00004.png\nf10000.png\nf1.png\nf0002.jpg"},
        {MISSING, true, "f%d.png\nf1.png\nf01.png\nf10.png\nf2.png\nf.png\nf0.png\nf00.png"},
        {MISSING, true, "/%3d\n001\n002\n1000\n12"},
        {MISSING, true, "100%%_%02d%%.tif\n100%_01%.tif\n100%_02%.tif\n100%%_03%.tif"},
        {MISSING, true, "f%d5.png\nf15.png\nf25.png\nf5.png\nf1005.png"},
        {MISSING, true, "f%d.png\nf999999999999999999.png\nf1000000000000000000.png\nf0.png"},
        {MISSING, true, "f%d.png\nf9223372036854775809.png\nf18446744073709551616.png\nf0.png"},
        {MISSING, true, "f%020d.png\nf00000000000000000007.png\nf00000000000000000019.png"},
        {MISSING, true, "f%0100d.png\nf1.png"},
        {MISSING, true, "f%9999999d.png\nf1.png"},
        {MISSING, true, "f%x.png\nf1.png"},
        {MISSING, true, "f%d%d.png\nf11.png"},
        {MISSING, true, "f%03d.png\nf-002.png\nf-01.png\nf000.png\nf-000.png\nf-10.png\nf001.png"},
        {MISSING, true, "f%03d.png\nf-002.png\nf-02.png"},
        {MISSING, true, "f.####.exr\nf.0001.exr\nf.-002.exr\nf.12345.exr\nf.-0003.exr"},
        {MISSING, true, "f#_%02d.png\nf#_01.png\nf1_02.png"},
        {MISSING, true, "f#_##.png\nf#_01.png\nf1_02.png"},
    };
    if (index >= sizeof(seeds) / sizeof(seeds[0])) {
        return 0;
    }
    data[0] = (uint8_t)seeds[index].kind;
    data[1] = seeds[index].opens;
    return 2 + fuzz_put_text(seeds[index].text, data + 2);
}

// Names near those that are there: another number, more or less digits.
static size_t mutate(struct fuzz_random *random, uint8_t *data, size_t size, size_t room)
{
    static const char *const pieces[] = TEST_LIST(
        "%", "%d", "-", "##", "%03d", "%1d", "%%", "0", "00", "9", "\n", "/", ".", "png", "://",
        "pipe:", ".mov", "\n0", "%18d", "1000000000000000000", "999999999999999999", NULL);
    if (size < 2 || fuzz_below(random, 4) == 0) {
        return fuzz_mutate_bytes(random, data, size, room);
    }
    return 2 + fuzz_insert(random, data + 2, size - 2, room - 2, pieces);
}

// Names of a folder are not empty, without a slash, and each is there once.
static void add_name(const char *name, size_t length)
{
    if (length == 0 || length > MAX_NAME || memchr(name, '/', length) ||
        disk.num_names == MAX_NAMES) {
        return;
    }
    for (unsigned i = 0; i < disk.num_names; i++) {
        if (strlen(disk.names[i]) == length && memcmp(disk.names[i], name, length) == 0) {
            return;
        }
    }
    char *copy = disk.names[disk.num_names++];
    memset(copy, 0, MAX_NAME + 1);
    memcpy(copy, name, length);
}

static void make_folder(struct fuzz_bytes bytes)
{
    disk = (struct folder){.kind = fuzz_take_u8(&bytes) % NUM_KINDS};
    disk.is_closed = fuzz_take_u8(&bytes) == 0;
    for (bool is_path = true; bytes.size > 0; is_path = false) {
        size_t length = 0;
        while (length < bytes.size && bytes.data[length] != '\n' && bytes.data[length] != 0) {
            length++;
        }
        if (is_path && length < sizeof(disk.path)) {
            memcpy(disk.path, bytes.data, length);
        } else if (!is_path) {
            add_name((const char *)bytes.data, length);
        }
        const size_t taken = length < bytes.size ? length + 1 : length;
        bytes = (struct fuzz_bytes){bytes.data + taken, bytes.size - taken};
    }
}

// The same by a second way: as many digits as the number needs, or as the pattern wants.
static bool has_number(const struct weir_pattern *pattern, const char *name, uint64_t *number)
{
    const size_t before = strlen(pattern->before), after = strlen(pattern->after);
    const size_t size = strlen(name);
    char digits[MAX_NAME + 1];
    if (size <= before + after || memcmp(name, pattern->before, before) != 0 ||
        memcmp(name + size - after, pattern->after, after) != 0) {
        return false;
    }
    const size_t sign = name[before] == '-';
    snprintf(digits, sizeof(digits), "%.*s", (int)(size - before - after - sign),
             name + before + sign);
    if (digits[0] == 0 || strspn(digits, "0123456789") != strlen(digits)) {
        return false;
    }
    const char *significant = digits + strspn(digits, "0");
    const size_t needed = *significant != 0 ? strlen(significant) : 1;
    const size_t wanted = needed > (size_t)pattern->width ? needed : (size_t)pattern->width;
    const uint64_t value = needed > 18 ? 0 : strtoull(digits, NULL, 10);
    *number = needed > 18 ? UINT64_MAX
              : sign == 1 ? WEIR_PATTERN_ZERO - value
                          : WEIR_PATTERN_ZERO + value;
    const bool is_short = sign == 1 && wanted > needed && strlen(digits) == wanted - 1;
    return (strlen(digits) == wanted || is_short) && (sign == 0 || *significant != 0);
}

// The entry that a found path is, without its disk.
static unsigned entry_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (unsigned i = 0; i < disk.num_names; i++) {
        if (strcmp(disk.names[i], name) == 0) {
            return i;
        }
    }
    fuzz_expect(false, "%s is in the folder", path);
    return 0;
}

static void check_folder(const struct weir_source_list *list)
{
    size_t num_pictures = 0;
    for (unsigned i = 0; i < disk.num_names; i++) {
        num_pictures += weir_name_is_picture(disk.names[i]);
    }
    fuzz_expect(list->num_files == num_pictures, "%zu of %zu pictures", list->num_files,
                num_pictures);
    for (size_t i = 0; i < list->num_files; i++) {
        fuzz_expect(weir_name_is_picture(disk.names[entry_of(list->files[i].path)]), "a picture");
        fuzz_expect(list->files[i].number == i, "numbers are places");
        for (size_t k = 0; k < i; k++) {
            fuzz_expect(by_name(&list->files[k], &list->files[i]) < 0 &&
                            by_name(&list->files[i], &list->files[k]) > 0,
                        "%s comes before %s", list->files[k].path, list->files[i].path);
        }
    }
}

static size_t count_matches(const struct weir_pattern *pattern, uint64_t *first, uint64_t *last)
{
    size_t num_matches = 0;
    uint64_t number;
    *first = UINT64_MAX;
    *last = 0;
    for (unsigned i = 0; i < disk.num_names; i++) {
        if (has_number(pattern, disk.names[i], &number)) {
            num_matches++;
            *first = number < *first ? number : *first;
            *last = number > *last ? number : *last;
        }
    }
    return num_matches;
}

// True if two names have one number, which is refused.
static bool has_twins(const struct weir_pattern *pattern)
{
    uint64_t a, b;
    bool has = false;
    for (unsigned i = 0; i < disk.num_names; i++) {
        for (unsigned k = 0; k < i; k++) {
            has = has || (has_number(pattern, disk.names[i], &a) &&
                          has_number(pattern, disk.names[k], &b) && a == b);
        }
    }
    return has;
}

static void check_nothing_missed(void)
{
    struct weir_pattern pattern;
    uint64_t first, last;
    fuzz_expect(disk.kind != MISSING || disk.is_closed || weir_input_is_url(disk.path) ||
                    !weir_pattern_parse(disk.path, &pattern) ||
                    count_matches(&pattern, &first, &last) == 0 || last == UINT64_MAX ||
                    has_twins(&pattern),
                "%s: a name that matches was missed", disk.path);
}

static void check_sequence(const struct weir_source_list *list)
{
    struct weir_pattern pattern;
    uint64_t number, first, last;
    fuzz_expect(weir_pattern_parse(disk.path, &pattern), "%s is a pattern", disk.path);
    const size_t num_matches = count_matches(&pattern, &first, &last);
    fuzz_expect(last != UINT64_MAX, "%s: a number that is too large", disk.path);
    fuzz_expect(list->num_files == num_matches, "%s: %zu of %zu names", disk.path, list->num_files,
                num_matches);
    for (size_t i = 0; i < list->num_files; i++) {
        const char *name = disk.names[entry_of(list->files[i].path)];
        fuzz_expect(has_number(&pattern, name, &number) && list->files[i].number == number - first,
                    "%s is number %" PRIu64, name, list->files[i].number);
        fuzz_expect(i == 0 || list->files[i].number > list->files[i - 1].number, "numbers rise");
    }
}

static void run(const uint8_t *data, size_t size)
{
    make_folder((struct fuzz_bytes){data, size});
    struct weir_source_list list;
    const unsigned num_errors = fuzz_num_errors();
    const enum weir_result result = weir_source_list_find(&list, disk.path, &fuzz_log);
    fuzz_expect(!disk.is_open, "the folder is closed");
    fuzz_expect((result == WEIR_OK) == (fuzz_num_errors() == num_errors), "the log has the reason");
    fuzz_expect(result == WEIR_OK ? list.num_files > 0 : list.num_files == 0 && !list.files,
                "%zu files with the result %d", list.num_files, (int)result);
    if (result != WEIR_OK) {
        check_nothing_missed();
    } else if (!list.pictures) {
        const char *name = strcmp(disk.path, "-") == 0 ? "pipe:0" : disk.path;
        fuzz_expect(list.num_files == 1 && strcmp(list.files[0].path, name) == 0,
                    "%s: one file by its own name", disk.path);
    } else if (disk.kind == FOLDER) {
        check_folder(&list);
    } else {
        check_sequence(&list);
    }
    weir_source_list_finish(&list);
}

const struct fuzz_target fuzz_target = TEST_LIST(.name = "list", .num_runs = 20000, .seed = seed,
                                                 .mutate = mutate, .run = run);
