// SPDX-License-Identifier: MIT
// Which build of Weir this is.
#ifndef WEIR_CAPTURE_WEIR_COMMON_BUILD_H
#define WEIR_CAPTURE_WEIR_COMMON_BUILD_H

// The git commit that it was built from, with "-dirty" where files were changed; else "unknown".
extern const char *const cli_build_commit;

#endif
