// SPDX-License-Identifier: MIT
// Paths and errors of Windows. Paths of Weir are UTF-8. Those of Windows are UTF-16, and longer
// than 260 characters only if they are absolute and begin with "\\?\".
#pragma once

#include <windows.h>

// Convert a path to an absolute one in UTF-16, of any length. The caller frees it. NULL, and errno:
// EILSEQ if the path is not UTF-8, EEXIST if it names a device.
wchar_t *weir_wide_path(const char *path);

// Convert an absolute path to UTF-8. The caller frees it. NULL: out of memory.
char *weir_narrow_path(const wchar_t *path);

// Get the errno value of GetLastError().
int weir_windows_error(void);
