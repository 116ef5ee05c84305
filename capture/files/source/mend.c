// SPDX-License-Identifier: MIT
// What files of pictures say and FFmpeg's decoders leave out: PNG files of their transparent grey,
// orientation and colours, TARGA files of what their 16 bits are.
//
// Sources: W3C, "Portable Network Graphics (PNG) Specification (Third Edition)"; Truevision, "TGA
// File Format Specification" 2.0; CIPA DC-008, "Exif", section 4.5.
#include "capture/files/source/mend.h"

#include <string.h>

#include <libavutil/intreadwrite.h>

#include "capture/files/source/profile.h"
#include "capture/files/source/scale.h"

enum { ORIENTATION_TAG = 0x112, ENTRY_SIZE = 12 };

// Get the orientation in an EXIF block; 0: it has none.
static int find_orientation(const uint8_t *data, uint32_t size)
{
    const bool is_big = size >= 8 && memcmp(data, "MM\0*", 4) == 0;
    if (!is_big && (size < 8 || memcmp(data, "II*\0", 4) != 0)) {
        return 0;
    }
    const uint32_t at = is_big ? AV_RB32(data + 4) : AV_RL32(data + 4);
    if (at > size - 2) {
        return 0;
    }
    const uint32_t num = is_big ? AV_RB16(data + at) : AV_RL16(data + at);
    for (uint32_t i = 0; i < num && (uint64_t)at + 2 + (i + 1) * ENTRY_SIZE <= size; i++) {
        const uint8_t *entry = data + at + 2 + (size_t)i * ENTRY_SIZE;
        if ((is_big ? AV_RB16(entry) : AV_RL16(entry)) == ORIENTATION_TAG) {
            return is_big ? AV_RB16(entry + 8) : AV_RL16(entry + 8);
        }
    }
    return 0;
}

// Note what differs from sRGB by more than the rounding of programs.
static void note_colours(const uint8_t *type, const uint8_t *body, uint32_t size,
                         struct weir_mend *mend)
{
    static const uint32_t of_srgb[8] = {31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000};
    if (memcmp(type, "sRGB", 4) == 0) {
        mend->is_srgb = true;
    } else if (memcmp(type, "gAMA", 4) == 0 && size == 4 && AV_RB32(body) > 0 &&
               labs((long)AV_RB32(body) - 45455) > 500) {
        mend->gamma = 1e5 / AV_RB32(body);
    } else if (memcmp(type, "cHRM", 4) == 0 && size == 32) {
        for (int i = 0; i < 8; i++) {
            const uint32_t value = AV_RB32(body + (size_t)4 * i);
            mend->primaries[i] = value / 1e5;
            mend->has_primaries |= labs((long)value - (long)of_srgb[i]) > 1000;
        }
    }
}

// Go through the chunks: a size, a type, that many bytes, a sum of 4 bytes.
static void note_png(const uint8_t *data, size_t size, struct weir_mend *mend)
{
    unsigned depth = 8, color_type = 2;
    for (size_t at = 8; size >= 12 && at <= size - 12;) {
        const uint32_t length = AV_RB32(data + at);
        const uint8_t *type = data + at + 4, *body = data + at + 8;
        if (length > size - at - 12) {
            break;
        }
        if (memcmp(type, "IHDR", 4) == 0 && length >= 10) {
            depth = body[8];
            color_type = body[9];
        } else if (memcmp(type, "tRNS", 4) == 0 && length >= 2 && color_type == 0 && depth < 8) {
            const unsigned max = (1u << depth) - 1;
            mend->has_grey_key = true;
            mend->grey_key = (uint8_t)((AV_RB16(body) & max) * UINT8_MAX / max);
        } else if (memcmp(type, "eXIf", 4) == 0) {
            mend->orientation = find_orientation(body, length);
        } else if (memcmp(type, "iCCP", 4) == 0) {
            mend->profile_at = at;
            mend->profile_size = 12 + (size_t)length;
        } else {
            note_colours(type, body, length, mend);
        }
        at += 12 + (size_t)length;
    }
}

void weir_mend_note(struct weir_mend *mend, enum AVCodecID codec, const AVPacket *packet)
{
    enum { TGA_HEADER_SIZE = 18, GREY = 3, COLOURS = 2, RUN_LENGTH = 8 };
    *mend = (struct weir_mend){0};
    if (codec == AV_CODEC_ID_PNG) {
        note_png(packet->data, (size_t)packet->size, mend);
    } else if (codec == AV_CODEC_ID_TARGA && packet->size >= TGA_HEADER_SIZE) {
        const unsigned type = packet->data[2] & ~(unsigned)RUN_LENGTH;
        const bool has_words = packet->data[16] == 16;
        mend->is_grey_alpha = has_words && type == GREY;
        mend->has_alpha_bit = has_words && type == COLOURS && (packet->data[17] & 15) == 1;
    }
}

bool weir_mend_drop_profile(struct weir_mend *mend, AVPacket *packet)
{
    if (mend->profile_size == 0 || av_packet_make_writable(packet) < 0) {
        return false;
    }
    const size_t end = mend->profile_at + mend->profile_size, rest = (size_t)packet->size - end;
    memmove(packet->data + mend->profile_at, packet->data + end, rest);
    av_shrink_packet(packet, (int)(mend->profile_at + rest));
    mend->profile_size = 0;
    mend->has_lost_profile = true;
    return true;
}

// Get grey texel `x` of a row. An alpha that is there was found with the key of fewer bits.
static uint8_t grey_at(const AVFrame *frame, const uint8_t *row, int x)
{
    return frame->format == AV_PIX_FMT_MONOBLACK ? (row[x / 8] >> (7 - x % 8) & 1) * UINT8_MAX
           : frame->format == AV_PIX_FMT_YA8     ? row[2 * x]
                                                 : row[x];
}

static uint8_t widened(unsigned five_bits)
{
    return (uint8_t)(((five_bits & 31) * UINT8_MAX + 15) / 31);
}

// Make texels with alpha of a row.
static void put_row(const struct weir_mend *mend, const AVFrame *frame, const uint8_t *row,
                    uint8_t *out)
{
    for (int x = 0; x < frame->width; x++) {
        if (mend->has_grey_key) {
            *out++ = grey_at(frame, row, x);
            *out = *(out - 1) == mend->grey_key ? 0 : UINT8_MAX;
            out++;
        } else {
            const unsigned word = AV_RL16(row + (size_t)2 * (size_t)x);
            *out++ = widened(word >> 10);
            *out++ = widened(word >> 5);
            *out++ = widened(word);
            *out++ = word >> 15 != 0 ? UINT8_MAX : 0;
        }
    }
}

static int add_alpha(const struct weir_mend *mend, AVFrame *frame)
{
    AVFrame *made = av_frame_alloc();
    const enum AVPixelFormat format = mend->has_grey_key ? AV_PIX_FMT_YA8 : AV_PIX_FMT_RGBA;
    const bool done = made && av_frame_copy_props(made, frame) >= 0 &&
                      weir_frame_allocate(made, format, frame->width, frame->height) >= 0;
    for (int y = 0; done && y < frame->height; y++) {
        put_row(mend, frame, frame->data[0] + (ptrdiff_t)y * frame->linesize[0],
                made->data[0] + (ptrdiff_t)y * made->linesize[0]);
    }
    if (done) {
        av_frame_unref(frame);
        av_frame_move_ref(frame, made);
        frame->color_range = AVCOL_RANGE_JPEG;
    }
    av_frame_free(&made);
    return done ? 0 : AVERROR(ENOMEM);
}

int weir_mend_frame(const struct weir_mend *mend, AVFrame *frame)
{
    const bool is_grey = frame->format == AV_PIX_FMT_GRAY8 || frame->format == AV_PIX_FMT_YA8 ||
                         frame->format == AV_PIX_FMT_MONOBLACK;
    const bool is_word = frame->format == AV_PIX_FMT_RGB555LE;
    if (mend->orientation != 0 && weir_orientation_note(frame, mend->orientation) < 0) {
        return AVERROR(ENOMEM);
    }
    if (mend->is_grey_alpha && is_word) {
        frame->format = AV_PIX_FMT_YA8; // the same bytes
        frame->color_range = AVCOL_RANGE_JPEG;
    }
    if (mend->has_lost_profile && !weir_profile_attach(frame, "", 1)) { // one that is damaged
        return AVERROR(ENOMEM);
    }
    const bool has_facts = !mend->is_srgb && (mend->has_primaries || mend->gamma > 0);
    if (has_facts && !av_frame_get_side_data(frame, AV_FRAME_DATA_ICC_PROFILE) &&
        !weir_profile_attach_facts(frame, mend->has_primaries ? mend->primaries : NULL,
                                   mend->gamma)) {
        return AVERROR(ENOMEM);
    }
    const bool lacks_alpha = (mend->has_grey_key && is_grey) || (mend->has_alpha_bit && is_word);
    return lacks_alpha ? add_alpha(mend, frame) : 0;
}
