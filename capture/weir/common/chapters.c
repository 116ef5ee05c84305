// SPDX-License-Identifier: MIT
// What the program says of a movie's chapters.
#include "capture/weir/common/chapters.h"

#include <stdio.h>

#include "capture/weir/common/report.h"

static double start_of(const struct weir_chapter *chapter)
{
    return (double)chapter->time / WEIR_CHAPTER_UNITS_PER_SECOND;
}

void cli_chapters_print(const struct weir_chapters *chapters)
{
    for (uint32_t i = 0; i < chapters->num; i++) {
        const struct weir_chapter *chapter = &chapters->items[i];
        cli_print(stdout, "  chapter from %.3f s on: %s\n", start_of(chapter), chapter->title);
    }
}

void cli_chapters_json(struct weir_json *json, const struct weir_chapters *chapters)
{
    weir_json_begin_array(json, "chapters");
    for (uint32_t i = 0; i < chapters->num; i++) {
        const struct weir_chapter *chapter = &chapters->items[i];
        weir_json_begin_object(json, NULL);
        weir_json_number(json, "start", start_of(chapter));
        weir_json_text(json, "title", chapter->title);
        weir_json_end_object(json);
    }
    weir_json_end_array(json);
}
