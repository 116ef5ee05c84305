// SPDX-License-Identifier: MIT
// The file of --reference, which gets its name when all frames are in it.
#include "reference.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report.h"

// A hidden name beside the target, which is the same at every run, so that none is left for long.
static bool name_temporary(struct reference *reference, bool is_there)
{
    if (!is_there || !realpath(reference->path, reference->target)) {
        snprintf(reference->target, sizeof(reference->target), "%s", reference->path);
    }
    const char *slash = strrchr(reference->target, '/');
    const char *name = slash ? slash + 1 : reference->target;
    const int length = snprintf(reference->temporary, sizeof(reference->temporary),
                                "%.*s.weir-%s.part", (int)(name - reference->target),
                                reference->target, name);
    return (size_t)length < sizeof(reference->temporary);
}

// True if another user has put something there, in a folder that all may write, such as /tmp.
static bool is_planted(const char *path, mode_t *mode)
{
    char folder[4096];
    struct stat status, in;
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof(folder), "%.*s.", slash ? (int)(slash + 1 - path) : 0, path);
    const bool is_there = lstat(path, &status) == 0 && stat(folder, &in) == 0;
    *mode = is_there ? status.st_mode : 0;
    return is_there && (in.st_mode & S_ISVTX) && (in.st_mode & S_IWOTH) &&
           status.st_uid != geteuid() && status.st_uid != in.st_uid;
}

// True if the file is another user's, or one of the folders in its path is another user's link.
static bool is_foreign(const char *path)
{
    mode_t mode;
    char part[4096];
    bool found = is_planted(path, &mode);
    for (size_t i = 1; path[0] && path[i] && !found && i < sizeof(part); i++) {
        snprintf(part, sizeof(part), "%.*s", (int)i, path);
        found = path[i] == '/' && is_planted(part, &mode) && S_ISLNK(mode);
    }
    return found;
}

// A temporary file is made anew, so that nothing is followed that somebody has put there.
static FILE *open_file(const struct reference *reference)
{
    if (reference->temporary[0] == '\0') {
        return fopen(reference->path, "wb");
    }
    unlink(reference->temporary);
    const int fd = open(reference->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return fd >= 0 ? fdopen(fd, "wb") : NULL;
}

bool reference_open(struct reference *reference, const char *path)
{
    struct stat status;
    const bool is_there = stat(path, &status) == 0, is_file = is_there && S_ISREG(status.st_mode);
    *reference = (struct reference){.path = path};
    if (is_foreign(path)) {
        return report("cannot write %s: it, or a link to its folder, is another user's, in a "
                      "folder that all may write",
                      path);
    }
    if ((!is_there || is_file) && !name_temporary(reference, is_there)) {
        return report("cannot write %s: its name is too long", path);
    }
    reference->file = open_file(reference);
    if (!reference->file) {
        return report("cannot write %s: %s; make its folder first, or choose another path", path,
                      strerror(errno));
    }
    if (is_file && status.st_uid == geteuid()) {
        fchmod(fileno(reference->file), status.st_mode & 0777);
    }
    return true;
}

bool reference_close(struct reference *reference, bool complete)
{
    if (!reference->file) {
        return true;
    }
    bool ok = fclose(reference->file) == 0;
    reference->file = NULL;
    if (reference->temporary[0] != '\0' && ok && complete) {
        ok = rename(reference->temporary, reference->target) == 0;
    }
    if (!ok) {
        report("cannot write %s: %s", reference->path, strerror(errno));
    }
    if (reference->temporary[0] != '\0' && !(ok && complete)) {
        remove(reference->temporary);
    }
    return ok;
}
