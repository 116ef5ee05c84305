// SPDX-License-Identifier: MIT
// Which build of Weir this is.
#include "capture/cli/build.h"

#include "commit.h"

const char *const cli_build_commit = WEIR_CLI_COMMIT;
