// SPDX-License-Identifier: MIT
// A frame of a source between decoding and RGBA.
#include <limits.h>
#include <stdlib.h>

#include "capture/files/source/source_parts.h"

struct weir_source_frame {
    weir_source *source;
    AVFrame *decoded;
    struct weir_meaning meaning;
    int orientation;
    struct weir_convert convert;
};

enum weir_result weir_source_frame_create(weir_source *source, weir_source_frame **out)
{
    struct weir_convert_params params = source->convert;
    weir_source_frame *frame = calloc(1, sizeof(*frame));
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    *out = NULL;
    if (frame) {
        params.log = &source->error_log;
        frame->source = source;
        frame->decoded = av_frame_alloc();
        result = weir_convert_init(&frame->convert, &params);
    }
    if (result != WEIR_OK || !frame->decoded) {
        weir_source_frame_destroy(&frame);
        return weir_source_tell_no_memory(&source->params.log, source->name);
    }
    *out = frame;
    return WEIR_OK;
}

void weir_source_frame_destroy(weir_source_frame **frame)
{
    if (!frame || !*frame) {
        return;
    }
    av_frame_free(&(*frame)->decoded);
    weir_convert_finish(&(*frame)->convert);
    free(*frame);
    *frame = NULL;
}

enum weir_result weir_source_frame_set(weir_source_frame *frame, const AVFrame *decoded,
                                       int orientation)
{
    weir_source *source = frame->source;
    av_frame_unref(frame->decoded);
    if (av_frame_ref(frame->decoded, decoded) < 0) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    frame->meaning = weir_convert_note(&source->notes, &source->convert, decoded);
    frame->orientation = orientation;
    return WEIR_OK;
}

static bool takes_pitch(const weir_source *source, size_t pitch)
{
    return pitch >= (size_t)weir_convert_texel_size(&source->convert) * source->info.width &&
           pitch % WEIR_SOURCE_ALIGNMENT == 0 && pitch <= INT_MAX;
}

enum weir_result weir_source_frame_convert(weir_source_frame *frame, uint8_t *pixels, size_t pitch)
{
    weir_source *source = frame->source;
    if (!takes_pitch(source, pitch)) {
        return WEIR_ERROR_INVALID;
    }
    const enum weir_result result = weir_convert_run(
        &frame->convert, frame->decoded, &frame->meaning, frame->orientation, pixels, pitch);
    av_frame_unref(frame->decoded); // the decoder may use its memory again
    return result == WEIR_ERROR_OUT_OF_MEMORY
               ? weir_source_tell_no_memory(&source->error_log, source->name)
               : result;
}
