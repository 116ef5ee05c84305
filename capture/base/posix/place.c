// SPDX-License-Identifier: MIT
// Finds where a path leads before something is written there, one name after the other, so that no
// link is followed that was not looked at.
#include "capture/base/posix/place.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "capture/base/posix/descriptor.h"

#ifndef RENAME_NOREPLACE // musl 1.2.5
#define RENAME_NOREPLACE 1
#define renameat2(...) syscall(SYS_renameat2, __VA_ARGS__)
#endif

const char weir_path_separators[] = "/";

enum { MAX_LINKS = 40 }; // as in Linux (path_resolution(7))

struct walk {
    struct weir_place *place; // as far as the path was followed
    char rest[PATH_MAX];      // of the path
    int num_links;
    bool follows; // a link that is the file
    bool was_link;
    bool is_done;
};

static bool is_foreign(int folder, const struct stat *found)
{
    struct stat status;
    return found->st_uid != geteuid() && fstat(folder, &status) == 0 &&
           (status.st_mode & S_ISVTX) && (status.st_mode & S_IWOTH) &&
           found->st_uid != status.st_uid;
}

bool weir_place_is_foreign(int folder, const char *name)
{
    struct stat found;
    return fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && is_foreign(folder, &found);
}

const char *weir_place_error(int error)
{
    return error == WEIR_PLACE_FOREIGN ? "a link or file of another user is there"
                                       : strerror(error);
}

void weir_descriptor_place(int fd, char place[PATH_MAX])
{
    char link[32];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    const ssize_t size = readlink(link, place, PATH_MAX - 1);
    place[size > 0 ? size : 0] = '\0';
}

static int enter(struct weir_place *place, const char *path, int flags)
{
    const int folder = weir_descriptor_open(place->folder, path, O_PATH | O_DIRECTORY | flags);
    if (folder < 0) {
        return errno;
    }
    if (place->folder >= 0) {
        close(place->folder);
    }
    place->folder = folder;
    return 0;
}

// Put a path before the rest.
static int add(struct walk *walk, const char *path)
{
    char rest[PATH_MAX];
    memcpy(rest, walk->rest, sizeof(rest));
    if (snprintf(walk->rest, sizeof(walk->rest), "%s%s", path, rest) >= PATH_MAX) {
        return ENAMETOOLONG;
    }
    return enter(walk->place, path[0] == '/' ? "/" : ".", 0);
}

static bool is_in_proc(int folder)
{
    struct statfs status;
    return fstatfs(folder, &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

static int follow(struct walk *walk, bool is_last)
{
    struct weir_place *place = walk->place;
    char text[PATH_MAX];
    const uid_t owner = place->found.st_uid;
    // A folder of another user may stand where a file is wanted, with a link in it.
    if (is_foreign(place->folder, &place->found) || (is_last && owner != geteuid() && owner != 0)) {
        return WEIR_PLACE_FOREIGN;
    }
    if (++walk->num_links > MAX_LINKS) {
        return ELOOP;
    }
    // Links of /proc lead where their text does not: to another root, or to a pipe.
    const bool is_magic = is_in_proc(place->folder);
    if (is_magic && !is_last) {
        return enter(place, place->name, 0);
    }
    const ssize_t size = readlinkat(place->folder, place->name, text, sizeof(text) - 1);
    if (size < 0) {
        return errno;
    }
    text[size] = 0;
    if (is_magic && text[0] != '/') {
        walk->is_done = true;
        return fstatat(place->folder, place->name, &place->found, 0) == 0 ? 0 : errno;
    }
    walk->was_link = walk->was_link || is_last;
    return add(walk, text);
}

// Follow the first name of the rest.
static int step(struct walk *walk)
{
    struct weir_place *place = walk->place;
    const char *name = walk->rest + strspn(walk->rest, "/");
    const size_t length = strcspn(name, "/");
    if (length == 0 || length > NAME_MAX) {
        return length == 0 ? EISDIR : ENAMETOOLONG;
    }
    memcpy(place->name, name, length);
    place->name[length] = 0;
    memmove(walk->rest, name + length, strlen(name + length) + 1);
    const bool is_last = walk->rest[0] == 0;
    if (fstatat(place->folder, place->name, &place->found, AT_SYMLINK_NOFOLLOW) != 0) {
        place->found = (struct stat){.st_mode = 0};
        walk->is_done = errno == ENOENT && is_last && !walk->was_link;
        return walk->is_done ? 0 : errno;
    }
    if (S_ISLNK(place->found.st_mode) && (!is_last || walk->follows)) {
        return follow(walk, is_last);
    }
    if (!is_last) {
        return enter(place, place->name, O_NOFOLLOW);
    }
    walk->is_done = true;
    return is_foreign(place->folder, &place->found) ? WEIR_PLACE_FOREIGN : 0;
}

int weir_place_find(struct weir_place *place, const char *path, bool follows)
{
    struct walk walk = {.place = place, .follows = follows};
    *place = (struct weir_place){.folder = AT_FDCWD};
    int error = path[0] ? add(&walk, path) : ENOENT;
    while (error == 0 && !walk.is_done) {
        error = step(&walk);
    }
    if (error != 0 && place->folder >= 0) {
        close(place->folder);
    }
    return error;
}

char *weir_place_folder(const char *path)
{
    struct weir_place place;
    char folder[PATH_MAX] = "";
    if (weir_place_find(&place, path, false) == 0) {
        weir_descriptor_place(place.folder, folder);
        close(place.folder);
    }
    return folder[0] ? strdup(folder) : NULL;
}

// Check if what has the name may be replaced. Returns 0 or an errno value: the reason against it.
static int check(const struct weir_place *place)
{
    const mode_t mode = place->found.st_mode;
    if (mode == 0 || S_ISLNK(mode)) {
        return 0;
    }
    if (!S_ISREG(mode)) {
        return S_ISDIR(mode) ? EISDIR : EEXIST;
    }
    return faccessat(place->folder, place->name, W_OK, 0) == 0 ? 0 : errno;
}

int weir_place_output(const char *path, bool follows, int *folder, char **name, char **folder_path)
{
    struct weir_place place;
    char found[PATH_MAX]; // in case that the folder is deleted; not known without /proc
    const int error = weir_place_find(&place, path, follows);
    if (error != 0) {
        return error;
    }
    *folder = place.folder;
    *name = strdup(place.name);
    weir_descriptor_place(place.folder, found);
    *folder_path = found[0] ? strdup(found) : NULL;
    return *name ? check(&place) : ENOMEM;
}

int weir_place_open(const char *path, int flags)
{
    struct weir_place place;
    int error = weir_place_find(&place, path, true);
    if (error != 0) {
        errno = error;
        return -1;
    }
    int fd = -1;
    error = ENOENT;
    if (place.found.st_mode != 0) { // else something may be there by now
        const int follows = is_in_proc(place.folder) ? 0 : O_NOFOLLOW;
        fd = weir_descriptor_open(place.folder, place.name, flags | follows);
        error = errno;
    }
    close(place.folder);
    errno = error;
    return fd;
}

int weir_place_make_folder(const char *path, bool *is_new)
{
    struct weir_place place;
    struct stat status;
    char parent[PATH_MAX];
    size_t begin = strlen(path);
    while (begin > 0 && path[begin - 1] == '/') {
        begin--;
    }
    while (begin > 0 && path[begin - 1] != '/') {
        begin--;
    }
    *is_new = false;
    if (snprintf(parent, sizeof(parent), "%.*s.", (int)begin, path) >= PATH_MAX) {
        return ENAMETOOLONG;
    }
    int error = weir_place_find(&place, parent, true);
    if (error != 0) {
        return error;
    }
    *is_new = mkdirat(place.folder, path + begin, 0777) == 0;
    error = *is_new ? 0 : errno;
    if (error == EEXIST) {
        const bool is_folder = fstatat(place.folder, path + begin, &status, 0) == 0 &&
                               S_ISDIR(status.st_mode);
        error = is_folder ? 0 : ENOTDIR;
    }
    close(place.folder);
    return error;
}

// Source: XDG Base Directory Specification.
bool weir_place_cache(char *folder, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool has_cache = cache && cache[0] == '/';
    return (has_cache || (home && home[0] == '/')) &&
           (size_t)snprintf(folder, size, "%s%s", has_cache ? cache : home,
                            has_cache ? "" : "/.cache") < size;
}

int weir_place_rename(int folder, const char *from, const char *to)
{
    if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return errno;
    }
    if (faccessat(folder, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
        return EEXIST;
    }
    return renameat(folder, from, folder, to) == 0 ? 0 : errno;
}
