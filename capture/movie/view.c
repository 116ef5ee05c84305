// SPDX-License-Identifier: MIT
// A view of the bytes of a file, read a window at a time.
#include "capture/movie/view.h"

#include <stdlib.h>

// What a disk cannot read is a multiple of this, mostly [bytes].
#define DAMAGED_BLOCK 4096u

bool weir_view_init(struct weir_view *view, const struct weir_view_source *source, size_t room)
{
    *view = (struct weir_view){.source = *source, .room = room};
    view->window = malloc(room);
    return view->window;
}

void weir_view_finish(struct weir_view *view)
{
    free(view->window);
    view->window = NULL;
}

static bool fill(struct weir_view *view, uint64_t offset, size_t size)
{
    view->filled = 0;
    if (!view->source.read(view->source.user, offset, view->window, size)) {
        return false;
    }
    view->begin = offset;
    view->filled = size;
    return true;
}

const uint8_t *weir_view_at(struct weir_view *view, uint64_t offset, size_t size)
{
    const uint64_t end = view->source.size;
    if (size > view->room || offset > end || size > end - offset) {
        return NULL;
    }
    const bool is_there = offset >= view->begin && offset - view->begin <= view->filled &&
                          size <= view->filled - (offset - view->begin);
    if (!is_there) {
        const size_t most = end - offset < view->room ? (size_t)(end - offset) : view->room;
        // Where the window touches a damaged part of the disk, less may still be read.
        if (!fill(view, offset, most) && !fill(view, offset, size)) {
            view->failed = true;
            return NULL;
        }
    }
    return view->window + (offset - view->begin);
}

const uint8_t *weir_view_stretch(struct weir_view *view, uint64_t offset, size_t *size)
{
    const uint64_t left = view->source.size - offset;
    *size = left < view->room ? (size_t)left : view->room;
    const uint8_t *bytes = weir_view_at(view, offset, *size);
    const uint64_t block = DAMAGED_BLOCK - offset % DAMAGED_BLOCK;
    if (!bytes && *size > block) {
        *size = (size_t)block;
        bytes = weir_view_at(view, offset, *size);
    }
    return bytes;
}
