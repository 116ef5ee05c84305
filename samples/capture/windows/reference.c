// SPDX-License-Identifier: MIT
// The file of --reference on Windows, which is written in its place.
#include "reference.h"

#include <errno.h>
#include <string.h>

#include "report.h"

bool reference_open(struct reference *reference, const char *path)
{
    *reference = (struct reference){.path = path, .file = fopen(path, "wb")};
    return reference->file ||
           report("cannot write %s: %s; make its folder first, or choose another path", path,
                  strerror(errno));
}

bool reference_close(struct reference *reference, bool complete)
{
    if (!reference->file) {
        return true;
    }
    const bool ok = fclose(reference->file) == 0 ||
                    report("cannot write %s: %s", reference->path, strerror(errno));
    reference->file = NULL;
    if (!ok || !complete) {
        remove(reference->path);
    }
    return ok;
}
