// SPDX-License-Identifier: MIT
// The chapters of a movie that is made: those of the input, handed over beside the frames.
#include "capture/weir/movie/chapters.h"

enum weir_result cli_chapters_send(const weir_source *source, weir_capture *capture,
                                   int64_t until_ns, size_t *next)
{
    size_t num;
    const struct weir_source_chapter *chapters = weir_source_get_chapters(source, &num);
    enum weir_result result = WEIR_OK;
    for (; *next < num && chapters[*next].time_ns <= until_ns && result >= WEIR_OK; ++*next) {
        result = weir_capture_chapter(capture, chapters[*next].time_ns, chapters[*next].title);
    }
    return result < WEIR_OK ? result : WEIR_OK; // the library tells of those without room
}
