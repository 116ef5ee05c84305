// SPDX-License-Identifier: MIT
// Begins a chapter: checks the call, and hands it to the writer.
#include <weir/capture.h>

#include <string.h>

#include "capture/base/utf8.h"
#include "capture/stream/state.h"

enum weir_result weir_capture_chapter(weir_capture *capture, int64_t time_ns, const char *title)
{
    if (!capture) {
        return WEIR_ERROR_INVALID;
    }
    struct weir_chapter_waiting chapter = {.time_ns = time_ns};
    size_t size;
    if (!title || !weir_utf8_fit(title, WEIR_MAX_CHAPTER_TITLE, &size)) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID,
                         title ? WEIR_LOG_CODE_CHAPTER : WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_chapter: title %s",
                         title ? "is no UTF-8: convert it" : "is required; it may be empty");
    }
    memcpy(chapter.title, title, size);
    const enum weir_result failure = weir_writer_failure(&capture->writer);
    bool tells;
    if (failure != WEIR_OK || capture->params.sink != WEIR_SINK_MOV ||
        weir_chapter_queue_add(&capture->chapters, &chapter, &tells)) {
        return failure;
    }
    if (tells) {
        weir_log_printf(&capture->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_CHAPTER,
                        "%d chapters wait for the frames of their time already: the next ones are "
                        "left out until some of those frames have come",
                        WEIR_MAX_CHAPTERS);
    }
    return WEIR_DROPPED;
}
