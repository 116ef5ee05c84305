// SPDX-License-Identifier: MIT
// The commit from which Weir was built.
#ifndef WEIR_CAPTURE_WEIR_COMMON_BUILD_H
#define WEIR_CAPTURE_WEIR_COMMON_BUILD_H

// The git commit, with "-dirty" if files were changed; "unknown" outside a git repository.
extern const char *const cli_build_commit;

#endif
