// SPDX-License-Identifier: MIT
// What FFmpeg's libraries say by themselves: nothing is printed, and one thing is kept.
#include "capture/files/source/reader_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/log.h>

#include "capture/files/source/source.h"

static _Thread_local unsigned refused_width, refused_height;

// av_image_check_size2() has said this since 2012.
static void note(void *context, int level, const char *format, va_list values)
{
    static const char start[] = "Picture size %ux%u ";
    char text[128];
    (void)context;
    (void)level;
    if (strncmp(format, start, sizeof(start) - 1) == 0) {
        vsnprintf(text, sizeof(text), format, values);
        if (sscanf(text, start, &refused_width, &refused_height) != 2) {
            weir_libav_forget_size();
        }
    }
}

void weir_source_silence_libav(void)
{
    av_log_set_level(AV_LOG_QUIET); // what is costly to say is not made
    av_log_set_callback(note);
}

void weir_libav_forget_size(void)
{
    refused_width = refused_height = 0;
}

bool weir_libav_refused_size(uint64_t *width, uint64_t *height)
{
    *width = refused_width;
    *height = refused_height;
    return refused_width > 0 && refused_height > 0;
}
