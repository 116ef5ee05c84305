// SPDX-License-Identifier: MIT
// The values of options: from the text on a command line to what a program works with.
#ifndef WEIR_CAPTURE_WEIR_COMMON_VALUE_H
#define WEIR_CAPTURE_WEIR_COMMON_VALUE_H

#include "capture/weir/common/options.h"

// Parse the value of an option, and write it to where the type of the option says. The words of a
// list are not looked at. False for a text that is no such value.
bool cli_value_parse(const struct cli_option *option, const char *text, void *value);

#endif
