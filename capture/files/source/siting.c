// SPDX-License-Identifier: MIT
// Siting: where the chroma samples of a frame lie among those of luma.
#include "capture/files/source/siting.h"

#include <libavutil/pixdesc.h>
#include <libavutil/version.h>

enum { LUMA = 256, MAX_POSITION = 512 }; // swscale takes no position beyond it

bool weir_siting_is_interlaced(const AVFrame *frame)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame != 0;
#endif
}

bool weir_siting_matters(enum AVPixelFormat format)
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    return description && (description->log2_chroma_w > 0 || description->log2_chroma_h > 0);
}

enum AVChromaLocation weir_siting_location(const AVFrame *frame, bool full_range)
{
    const enum AVChromaLocation location = frame->chroma_location;
    const bool is_known = location > AVCHROMA_LOC_UNSPECIFIED && location < AVCHROMA_LOC_NB;
    return is_known ? location : full_range ? AVCHROMA_LOC_CENTER : AVCHROMA_LOC_LEFT;
}

// The place of the chroma sample among the luma samples that share it, in halves: 0 is the first of
// them, 2 the last.
static struct weir_siting halves_of(enum AVChromaLocation location)
{
    static const struct weir_siting halves[] = {
        [AVCHROMA_LOC_UNSPECIFIED] = {0, 1}, [AVCHROMA_LOC_LEFT] = {0, 1},
        [AVCHROMA_LOC_CENTER] = {1, 1},      [AVCHROMA_LOC_TOPLEFT] = {0, 0},
        [AVCHROMA_LOC_TOP] = {1, 0},         [AVCHROMA_LOC_BOTTOMLEFT] = {0, 2},
        [AVCHROMA_LOC_BOTTOM] = {1, 2},
    };
    const bool is_known = (size_t)location < sizeof(halves) / sizeof(halves[0]);
    return halves[is_known ? location : AVCHROMA_LOC_UNSPECIFIED];
}

static int position(int halves, int log2_subsampling)
{
    const int at = halves * ((1 << log2_subsampling) - 1) * LUMA / 2;
    return at < MAX_POSITION ? at : MAX_POSITION;
}

struct weir_siting weir_siting_of(enum AVChromaLocation location, enum AVPixelFormat format,
                                  enum weir_siting_rows rows)
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    const struct weir_siting halves = halves_of(location);
    const int right = description ? description->log2_chroma_w : 0;
    const int down = description ? description->log2_chroma_h : 0;
    struct weir_siting siting = {position(halves.x, right), position(halves.y, down)};
    // Rows of a field are those of the frame, twice as far apart: in the top field the first one of
    // both lies where it did, in the bottom field each lies one row of its own plane higher.
    if (rows == WEIR_SITING_TOP_FIELD) {
        siting.y /= 2;
    } else if (rows == WEIR_SITING_BOTTOM_FIELD) {
        siting.y = (siting.y + (LUMA << down) - LUMA) / 2;
    }
    return siting;
}
