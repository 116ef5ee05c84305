// SPDX-License-Identifier: MIT
// What the program says of a movie's time code.
#include "capture/weir/common/timecode.h"

#include <stdio.h>

void cli_timecode_print(const struct weir_timecode *timecode)
{
    char text[WEIR_TIMECODE_TEXT];
    weir_timecode_format(timecode, text);
    printf("  time code %s\n", text);
}

void cli_timecode_json(struct weir_json *json, const struct weir_timecode *timecode)
{
    char text[WEIR_TIMECODE_TEXT] = "";
    if (timecode) {
        weir_timecode_format(timecode, text);
    }
    weir_json_text(json, "timecode", timecode ? text : NULL);
}
