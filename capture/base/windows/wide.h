// SPDX-License-Identifier: MIT
// Paths and errors of Windows. Paths of Weir are UTF-8. Those of Windows are UTF-16, and longer
// than 260 characters only if they are absolute and begin with "\\?\".
#pragma once

#include <windows.h>

// Get a path as Windows is to have it: whole, and of any length. The caller frees it. NULL, and
// errno: EILSEQ where it is not UTF-8, EEXIST where it is that of a device.
wchar_t *weir_wide_path(const char *path);

// Get the whole path in UTF-8. The caller frees it. NULL: out of memory.
char *weir_narrow_path(const wchar_t *path);

// Get the errno value of GetLastError().
int weir_windows_error(void);
