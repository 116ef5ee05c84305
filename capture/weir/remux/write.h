// SPDX-License-Identifier: MIT
// The plain movie that is made of the frames that were found: in a new file, or of the file itself.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_WRITE_H
#define WEIR_CAPTURE_WEIR_RECOVER_WRITE_H

#include <weir/result.h>

#include "capture/weir/recover/find.h"

struct recover_target {
    const char *input, *output;
    bool (*progress)(void *user, uint64_t bytes, size_t num_frames); // false ends it
    void *user;
};

// Write a new movie as the capture does, fragments in a plain movie, under a temporary name until
// it is complete. A failure is reported, and leaves nothing.
enum weir_result recover_write(const struct recover_params *params,
                               const struct recover_found *found,
                               const struct recover_target *target);

// Make the file itself a plain movie, if found->is_in_place: what follows the last frame is cut
// off, the index is appended and stored, and then 16 bytes of the head are changed in one write. A
// kill or a power cut in between leaves a file that is recovered as this one is. `fd` can write.
enum weir_result recover_in_place(const struct recover_params *params,
                                  const struct recover_found *found, int fd, const char *path);

#endif
