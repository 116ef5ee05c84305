// SPDX-License-Identifier: MIT
// What is known of a sound stream before its packets are decoded.
#include "capture/files/source/sound_stream.h"

#include <stdbool.h>
#include <string.h>

static void read_language(const AVStream *stream, char language[4])
{
    const AVDictionaryEntry *entry = av_dict_get(stream->metadata, "language", NULL, 0);
    const char *text = entry ? entry->value : "";
    bool is_code = strlen(text) == 3 && strcmp(text, "und") != 0;
    for (int i = 0; is_code && i < 3; i++) {
        is_code = text[i] >= 'a' && text[i] <= 'z';
    }
    if (is_code) {
        memcpy(language, text, 4);
    }
}

struct weir_sound_stream weir_sound_stream_get(const AVStream *stream)
{
    struct weir_sound_stream sound = {
        .index = stream->index,
        .codec = stream->codecpar,
        .time_base = stream->time_base,
    };
    read_language(stream, sound.language);
    return sound;
}
