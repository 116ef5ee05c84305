// SPDX-License-Identifier: MIT
// No window: for a build without GLFW, or without PipeWire's headers.
#include "capture/weir/common/report.h"
#include "capture/weir/play/show.h"

enum weir_result show_player_run(char *const *paths, const struct play_options *options)
{
    (void)paths;
    (void)options;
    return cli_fail(WEIR_ERROR_UNSUPPORTED, "this weir was built without GLFW or PipeWire, and has "
                                            "no window; weir play --headless writes pictures");
}
