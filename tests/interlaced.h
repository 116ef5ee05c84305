// SPDX-License-Identifier: MIT
// Marks a frame as interlaced, as each version of FFmpeg has it.
#pragma once

#include <stdbool.h>

#include <libavutil/frame.h>

static inline void set_interlaced(AVFrame *frame, bool is_interlaced)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    frame->flags |= is_interlaced ? AV_FRAME_FLAG_INTERLACED : 0;
#else
    frame->interlaced_frame = is_interlaced;
#endif
}
