// SPDX-License-Identifier: MIT
// A container of libavformat that is open at an address, and takes packets.
#include "capture/libav/output.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include <libavcodec/avcodec.h>
#include <libavutil/channel_layout.h>

// How long frames wait in the muxer for audio of their time [us].
#define MAX_INTERLEAVE_US 250000

const AVOutputFormat *libav_output_format(const char *name, const char *url)
{
    const AVOutputFormat *format = av_guess_format(name, name ? NULL : url, NULL);
    return format || name ? format : av_guess_format("nut", NULL, NULL);
}

// A tag that the muxer knows for another codec, or another tag for HAP, would be an error.
static uint32_t tag_in(const AVOutputFormat *format, uint32_t tag)
{
    const enum AVCodecID codec = format->codec_tag ? av_codec_get_id(format->codec_tag, tag)
                                                   : AV_CODEC_ID_HAP;
    return codec == AV_CODEC_ID_NONE || codec == AV_CODEC_ID_HAP ? tag : 0;
}

static int add_frames(AVFormatContext *output, const struct weir_capture_track *track)
{
    AVStream *stream = avformat_new_stream(output, NULL);
    if (!stream) {
        return AVERROR(ENOMEM);
    }
    stream->time_base = (AVRational){(int)track->time_base_num, (int)track->time_base_den};
    stream->avg_frame_rate = (AVRational){(int)track->frame_rate_num, (int)track->frame_rate_den};
    stream->sample_aspect_ratio = (AVRational){(int)track->pixel_aspect_num,
                                               (int)track->pixel_aspect_den};
    AVCodecParameters *codec = stream->codecpar;
    codec->codec_type = AVMEDIA_TYPE_VIDEO;
    codec->codec_id = AV_CODEC_ID_HAP;
    codec->codec_tag = tag_in(output->oformat, track->codec_tag);
    codec->bits_per_coded_sample = (int)track->bits_per_coded_sample;
    codec->width = (int)track->width;
    codec->height = (int)track->height;
    codec->sample_aspect_ratio = stream->sample_aspect_ratio;
    codec->color_primaries = track->color_primaries;
    codec->color_trc = track->color_transfer;
    codec->color_space = track->color_matrix;
    return 0;
}

static int add_audio(AVFormatContext *output, const struct weir_audio_track *track)
{
    static const enum AVCodecID codecs[] = {
        [WEIR_SAMPLE_S16] = AV_CODEC_ID_PCM_S16LE,
        [WEIR_SAMPLE_S24] = AV_CODEC_ID_PCM_S24LE,
        [WEIR_SAMPLE_S32] = AV_CODEC_ID_PCM_S32LE,
        [WEIR_SAMPLE_F32] = AV_CODEC_ID_PCM_F32LE,
    };
    AVStream *stream = avformat_new_stream(output, NULL);
    if (!stream) {
        return AVERROR(ENOMEM);
    }
    stream->time_base = (AVRational){1, (int)track->sample_rate};
    AVCodecParameters *codec = stream->codecpar;
    codec->codec_type = AVMEDIA_TYPE_AUDIO;
    codec->codec_id = codecs[track->format];
    codec->sample_rate = (int)track->sample_rate;
    const uint32_t size = weir_audio_sample_size(track->format, track->num_channels);
    codec->block_align = (int)size;
    codec->bit_rate = 8 * (int64_t)size * track->sample_rate;
    // The bits of WAV files are those of FFmpeg's masks.
    if (track->layout > 0) {
        av_channel_layout_from_mask(&codec->ch_layout, track->layout);
    } else {
        av_channel_layout_default(&codec->ch_layout, (int)track->num_channels);
    }
    return track->language[0] ? av_dict_set(&stream->metadata, "language", track->language, 0) : 0;
}

// A reader that does not read would hold up the thread, which then cannot be ended.
static void never_block(const char *url)
{
    int fd;
    struct stat facts;
    if (sscanf(url, "pipe:%d", &fd) == 1 && fstat(fd, &facts) == 0 && S_ISFIFO(facts.st_mode)) {
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    }
}

// Open the address and write the head. MOV has its index at its beginning or its end, which needs a
// file that can be written anywhere: where that cannot be, it is written in fragments.
static int start(AVFormatContext *output, const char *url)
{
    never_block(url);
    int error = output->oformat->flags & AVFMT_NOFILE
                    ? 0
                    : avio_open2(&output->pb, url, AVIO_FLAG_WRITE, &output->interrupt_callback,
                                 NULL);
    AVDictionary *options = NULL;
    if (error >= 0 && output->pb && !(output->pb->seekable & AVIO_SEEKABLE_NORMAL)) {
        error = av_dict_set(&options, "movflags", "frag_keyframe+empty_moov", 0);
    }
    if (error >= 0) {
        error = avformat_write_header(output, &options);
    }
    av_dict_free(&options);
    return error;
}

static int close_address(AVFormatContext **output)
{
    const int error = (*output)->oformat->flags & AVFMT_NOFILE ? 0 : avio_closep(&(*output)->pb);
    avformat_free_context(*output);
    *output = NULL;
    return error;
}

int libav_output_open(const struct weir_libav_params *params, const AVOutputFormat *format,
                      const struct weir_capture_track *track, AVIOInterruptCB interrupt,
                      AVFormatContext **out)
{
    int error = avformat_alloc_output_context2(out, format, NULL, params->url);
    if (error < 0) {
        return error;
    }
    (*out)->interrupt_callback = interrupt;
    (*out)->flags |= AVFMT_FLAG_FLUSH_PACKETS;
    (*out)->max_interleave_delta = MAX_INTERLEAVE_US;
    (*out)->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL; // HAP R and HDR have unlisted tags
    error = add_frames(*out, track);
    for (uint32_t i = 0; error >= 0 && i < params->num_audio_tracks; i++) {
        error = add_audio(*out, &params->audio_tracks[i]);
    }
    error = error < 0 ? error : start(*out, params->url);
    if (error < 0) {
        close_address(out);
    }
    return error < 0 ? error : 0;
}

int libav_output_write(AVFormatContext *output, AVPacket *packet)
{
    av_packet_rescale_ts(packet, packet->time_base,
                         output->streams[packet->stream_index]->time_base);
    return av_interleaved_write_frame(output, packet);
}

int libav_output_close(AVFormatContext **output)
{
    if (!*output) {
        return 0;
    }
    const int error = av_write_trailer(*output);
    const int closed = close_address(output);
    return error < 0 ? error : closed;
}
