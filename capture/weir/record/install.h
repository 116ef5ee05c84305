// SPDX-License-Identifier: MIT
// --install: after it, WEIR_RECORD=1 in the environment of any program of this user records it.
#ifndef WEIR_CAPTURE_WEIR_RECORD_INSTALL_H
#define WEIR_CAPTURE_WEIR_RECORD_INSTALL_H

#include "capture/weir/common/program.h"

// Write the manifest into the user's folder, or remove it. Prints what was done, or why not.
enum cli_status record_install(void);
enum cli_status record_uninstall(void);

#endif
