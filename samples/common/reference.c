// SPDX-License-Identifier: MIT
// The file of --reference, which gets its name when all frames are in it.
#include "reference.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "report.h"

bool reference_open(struct reference *reference, const char *path)
{
    struct stat status;
    const bool is_there = stat(path, &status) == 0, is_file = is_there && S_ISREG(status.st_mode);
    *reference = (struct reference){.path = path};
    if (!is_there || is_file) {
        const int length = snprintf(reference->temporary, sizeof(reference->temporary), "%s.part",
                                    path);
        if ((size_t)length >= sizeof(reference->temporary)) {
            return report("cannot write %s: its name is too long", path);
        }
    }
    reference->file = fopen(reference->temporary[0] != '\0' ? reference->temporary : path, "wb");
    if (!reference->file) {
        return report("cannot write %s: %s; make its folder first, or choose another path", path,
                      strerror(errno));
    }
    if (is_file) {
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
        ok = rename(reference->temporary, reference->path) == 0;
    }
    if (!ok) {
        report("cannot write %s: %s", reference->path, strerror(errno));
    }
    if (reference->temporary[0] != '\0' && !(ok && complete)) {
        remove(reference->temporary);
    }
    return ok;
}
