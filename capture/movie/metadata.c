// SPDX-License-Identifier: MIT
// What a movie says of itself: its title, a comment, and when it was made.
//
// Source: QuickTime File Format Specification (Apple), "User data text strings and language codes".
#include "capture/movie/movie.h"

#include <string.h>

#include "capture/base/utf8.h"

#define TEXT_HEAD_SIZE 4u     // the size of a text, and its language
#define LANGUAGE_NONE 0x55c4u // "und", as FFmpeg writes it: text of such a language is UTF-8

bool weir_metadata_set_text(char text[WEIR_MAX_MOVIE_TEXT + 1], const char *given)
{
    size_t size;
    const bool is_text = weir_utf8_fit(given, WEIR_MAX_MOVIE_TEXT, &size);
    if (is_text) {
        memcpy(text, given, size);
        text[size] = 0;
    }
    return is_text;
}

uint32_t weir_metadata_time(int64_t unix_s)
{
    const int64_t from_1904 = 2082844800;
    const bool fits = unix_s != 0 && unix_s > -from_1904 && unix_s <= UINT32_MAX - from_1904;
    return fits ? (uint32_t)(unix_s + from_1904) : 0;
}

size_t weir_metadata_size(const struct weir_metadata *metadata)
{
    return 2 * (8 + TEXT_HEAD_SIZE) + strlen(metadata->title) + strlen(metadata->comment);
}

static void write_text(struct weir_boxes *boxes, const char *type, const char *text)
{
    const size_t size = strlen(text);
    if (size > 0) {
        const size_t begin = weir_boxes_begin(boxes, type);
        weir_boxes_u16(boxes, (uint32_t)size);
        weir_boxes_u16(boxes, LANGUAGE_NONE);
        weir_boxes_copy(boxes, (const uint8_t *)text, size);
        weir_boxes_end(boxes, begin);
    }
}

void weir_metadata_write(const struct weir_metadata *metadata, struct weir_boxes *boxes)
{
    write_text(boxes, "\251nam", metadata->title);
    write_text(boxes, "\251cmt", metadata->comment);
}
