// SPDX-License-Identifier: MIT
// Makes a plain movie of the file itself.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_IN_PLACE_H
#define WEIR_CAPTURE_WEIR_RECOVER_IN_PLACE_H

#include <weir/result.h>

#include "capture/weir/recover/find.h"
#include "capture/weir/remux/movie.h"

// Make the file itself a plain movie, if found->is_in_place: what follows the last frame is cut
// off, the index is appended and stored, and then 16 bytes of the head are changed in one write. A
// kill or a power cut in between leaves a file that is recovered as this one is. `fd` can write.
enum weir_result recover_in_place(const struct recover_params *params,
                                  const struct recover_found *found,
                                  const struct remux_movie *movie, int fd, const char *path);

#endif
