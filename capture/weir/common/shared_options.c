// SPDX-License-Identifier: MIT
// The codecs and efforts by their names on a command line, and what is said on other names.
#include "capture/weir/common/shared_options.h"

const char *const cli_codec_names[] = {"hap_q", NULL};
static const enum weir_codec codecs[] = {WEIR_CODEC_YCOCG_BC3};

enum weir_codec cli_codec(int index)
{
    return codecs[index];
}

const struct cli_hint cli_codec_hints[] = {
    {"ycocg_bc3", "frames of HAP Q, the movie codec hap_q, are ycocg_bc3 blocks"},
    {NULL, NULL},
};

const char *const cli_effort_names[] = {
    [WEIR_EFFORT_DEFAULT] = "default",
    [WEIR_EFFORT_FAST] = "fast",
    [WEIR_EFFORT_HIGH] = "high",
    [WEIR_EFFORT_EXHAUSTIVE] = "exhaustive",
    NULL,
};

const struct cli_hint cli_weight_hints[] = {
    {"palette", "it is now equal"},
    {NULL, NULL},
};
