// SPDX-License-Identifier: MIT
// Links of PipeWire's between what is recorded and the stream that records it.
#pragma once

#include "capture/weir/common/pipewire.h"

// Links: from all that the recorded program plays to the stream that records it, as the program's
// nodes come and go. PipeWire adds them up.

struct record_links;

// Begin to watch for nodes that play and are of `program` (record_program_has()). All calls are
// of the loop's thread, or come when it does not run. NULL: no memory.
struct record_links *record_links_create(const struct cli_pipewire *pipewire,
                                         struct pw_stream *stream, int64_t program);
// The core is connected still. NULL is allowed.
void record_links_destroy(struct record_links *links);

// Note that the stream has a node by now.
void record_links_update(struct record_links *links);
