// SPDX-License-Identifier: MIT
// The codecs and efforts by their names on a command line.
#include "capture/weir/common/shared_options.h"

const char *const cli_codec_names[] = {"hap_q", NULL};
static const enum weir_codec codecs[] = {WEIR_CODEC_YCOCG_BC3};

enum weir_codec cli_codec(int index)
{
    return codecs[index];
}

const char *const cli_effort_names[] = {
    [WEIR_EFFORT_DEFAULT] = "default",
    [WEIR_EFFORT_FAST] = "fast",
    [WEIR_EFFORT_HIGH] = "high",
    [WEIR_EFFORT_EXHAUSTIVE] = "exhaustive",
    NULL,
};
