// SPDX-License-Identifier: MIT
// The library's own version.
#include <weir/version.h>

const char *weir_version(void)
{
    return WEIR_VERSION_STRING;
}
