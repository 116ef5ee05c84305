// SPDX-License-Identifier: MIT
// Goes to a later place of an input, from where every frame can be decoded.
#include "capture/files/source/reader.h"

bool weir_reader_is_seekable(const AVFormatContext *format)
{
    const int uncertain = AVFMT_TS_DISCONT | AVFMT_NOTIMESTAMPS | AVFMT_GENERIC_INDEX;
    return format && format->pb && (format->pb->seekable & AVIO_SEEKABLE_NORMAL) != 0 &&
           (format->iformat->flags & uncertain) == 0;
}

// Read up to the next packet of frames. False at the end, or after a failure.
static bool read_packet(struct weir_reader *reader)
{
    int error;
    do {
        av_packet_unref(reader->packet);
        error = av_read_frame(reader->format, reader->packet);
    } while (error >= 0 && reader->packet->stream_index != reader->stream->index);
    return error >= 0;
}

bool weir_reader_seek(struct weir_reader *reader, int64_t pts)
{
    if (reader->still || !weir_reader_is_seekable(reader->format) ||
        av_seek_frame(reader->format, reader->stream->index, pts, AVSEEK_FLAG_BACKWARD) < 0) {
        return false;
    }
    avcodec_flush_buffers(reader->codec);
    reader->draining = false;
    // Frames that are shown before the key frame may need one that was left out.
    const AVPacket *packet = reader->packet;
    const bool is_good = read_packet(reader) && (packet->flags & AV_PKT_FLAG_KEY) != 0 &&
                         packet->pts != AV_NOPTS_VALUE && packet->pts <= pts &&
                         avcodec_send_packet(reader->codec, packet) == 0;
    av_packet_unref(reader->packet);
    return is_good;
}
