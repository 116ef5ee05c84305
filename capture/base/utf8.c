// SPDX-License-Identifier: MIT
// Text in UTF-8.
//
// Source: RFC 3629.
#include "capture/base/utf8.h"

// Get the size of the first character [bytes]; 0: there is none.
static size_t character_size(const unsigned char *text)
{
    const unsigned char c = text[0];
    size_t size = c < 0x80 ? 1 : 0;
    if (c >= 0xc2 && c <= 0xf4) {
        size = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    }
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    // Longer than it has to be, a surrogate, or behind the last character.
    const bool is_wrong = (c == 0xe0 && text[1] < 0xa0) || (c == 0xed && text[1] > 0x9f) ||
                          (c == 0xf0 && text[1] < 0x90) || (c == 0xf4 && text[1] > 0x8f);
    return is_wrong ? 0 : size;
}

bool weir_utf8_fit(const char *text, size_t room, size_t *size)
{
    *size = 0;
    for (size_t at = 0, step; text[at] != 0; at += step) {
        step = character_size((const unsigned char *)text + at);
        if (step == 0) {
            return false;
        }
        *size = at + step <= room ? at + step : *size;
    }
    return true;
}
