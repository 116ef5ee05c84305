// SPDX-License-Identifier: MIT
// The decoder of an audio track, and the conversion of its samples to those of a movie.
#include "capture/files/source/audio.h"

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

struct weir_audio_stream weir_audio_stream_get(const AVStream *stream)
{
    struct weir_audio_stream audio = {
        .index = stream->index,
        .codec = stream->codecpar,
        .time_base = stream->time_base,
    };
    read_language(stream, audio.language);
    return audio;
}

enum { MAX_CHANNELS = 16, MIN_RATE = 1000, MAX_RATE = 768000 };

// What samples become. Integers keep their bits. Compressed audio has more than 16 bits, and 24
// are more than anybody hears.
static void choose_format(struct weir_audio_decoder *track)
{
    const AVCodecParameters *from = track->stream.codec;
    const enum AVSampleFormat format = av_get_packed_sample_fmt(track->codec->sample_fmt);
    const int bits = from->bits_per_raw_sample > 0 ? from->bits_per_raw_sample
                                                   : from->bits_per_coded_sample;
    const bool is_float = format == AV_SAMPLE_FMT_FLT || format == AV_SAMPLE_FMT_DBL;
    const bool is_pcm = av_get_exact_bits_per_sample(from->codec_id) > 0;
    if (format == AV_SAMPLE_FMT_U8 || format == AV_SAMPLE_FMT_S16) {
        track->format.format = WEIR_SAMPLE_S16;
        track->sample_format = AV_SAMPLE_FMT_S16;
    } else if (is_float && is_pcm) {
        track->format.format = WEIR_SAMPLE_F32;
        track->sample_format = AV_SAMPLE_FMT_FLT;
    } else {
        const bool is_long = !is_float && !(bits > 0 && bits <= 24);
        track->format.format = is_long ? WEIR_SAMPLE_S32 : WEIR_SAMPLE_S24;
        track->sample_format = AV_SAMPLE_FMT_S32;
    }
    track->sample_size = weir_audio_sample_size(track->format.format, track->format.num_channels);
}

// Get the layout that a movie can hold; 0 for one that is not known. False: it can hold it not.
static bool find_layout(const AVChannelLayout *from, uint32_t *layout)
{
    enum { NUM_OF_WAV = 18, NUM_BETWEEN = AV_CHAN_STEREO_LEFT - NUM_OF_WAV };
    int last = -1;
    *layout = 0;
    for (int i = 0; i < from->nb_channels && from->order != AV_CHANNEL_ORDER_UNSPEC; i++) {
        const int channel = av_channel_layout_channel_from_index(from, (unsigned)i);
        const bool is_other = channel >= AV_CHAN_STEREO_LEFT && channel <= AV_CHAN_WIDE_RIGHT;
        if (channel <= last || (channel >= NUM_OF_WAV && !is_other)) {
            *layout = 0;
            return false;
        }
        *layout |= 1u << (is_other ? channel - NUM_BETWEEN : channel);
        last = channel;
    }
    return true;
}

// Choose the layout of the movie: that of the stream, or the usual one of its number.
static void choose_layout(struct weir_audio_decoder *track)
{
    const AVChannelLayout *from = &track->stream.codec->ch_layout;
    track->has_layout = find_layout(from, &track->format.layout);
    if (from->order != AV_CHANNEL_ORDER_NATIVE || !track->has_layout ||
        av_channel_layout_copy(&track->layout, from) < 0) {
        av_channel_layout_default(&track->layout, from->nb_channels);
    }
}

const char *weir_audio_decoder_open(struct weir_audio_decoder *track,
                                    const struct weir_audio_stream *stream)
{
    const AVCodec *codec = avcodec_find_decoder(stream->codec->codec_id);
    const AVCodecParameters *from = stream->codec;
    track->stream = *stream;
    if (!codec) {
        return "this FFmpeg has no decoder for it";
    }
    if (from->sample_rate < MIN_RATE || from->sample_rate > MAX_RATE ||
        from->ch_layout.nb_channels < 1 || from->ch_layout.nb_channels > MAX_CHANNELS) {
        return "only 1 to 16 channels at 1000 to 768000 Hz are possible";
    }
    track->codec = avcodec_alloc_context3(codec);
    track->converter = swr_alloc();
    track->converted = av_frame_alloc();
    if (!track->codec || !track->converter || !track->converted ||
        avcodec_parameters_to_context(track->codec, from) < 0) {
        return "no memory is left";
    }
    track->codec->pkt_timebase = stream->time_base;
    if (avcodec_open2(track->codec, codec, NULL) < 0) {
        return "its decoder cannot be opened";
    }
    track->format.sample_rate = (uint32_t)from->sample_rate;
    track->format.num_channels = (uint32_t)from->ch_layout.nb_channels;
    choose_layout(track);
    choose_format(track);
    memcpy(track->format.language, stream->language, sizeof(stream->language));
    return NULL;
}

void weir_audio_decoder_close(struct weir_audio_decoder *track)
{
    avcodec_free_context(&track->codec);
    swr_free(&track->converter);
    av_frame_free(&track->converted);
    av_channel_layout_uninit(&track->layout);
    *track = (struct weir_audio_decoder){.codec = NULL};
}

// Integers of 24 bits are the upper ones of 32, which are little endian.
static void pack_24(uint8_t *samples, size_t num_values)
{
    for (size_t i = 0; i < num_values; i++) {
        memmove(samples + 3 * i, samples + 4 * i + 1, 3);
    }
}

int weir_audio_decoder_convert(struct weir_audio_decoder *track, AVFrame *frame,
                               const uint8_t **samples, uint32_t *num_samples)
{
    AVFrame *to = track->converted;
    av_frame_unref(to);
    to->format = track->sample_format;
    to->sample_rate = (int)track->format.sample_rate;
    int error = av_channel_layout_copy(&to->ch_layout, &track->layout);
    // Channels stay in their order where their number does.
    if (error >= 0 && frame->ch_layout.nb_channels == track->layout.nb_channels) {
        error = av_channel_layout_copy(&frame->ch_layout, &track->layout);
    }
    error = error < 0 ? error : swr_convert_frame(track->converter, to, frame);
    if (error == AVERROR_INPUT_CHANGED) {
        swr_close(track->converter);
        error = swr_convert_frame(track->converter, to, frame);
    }
    if (error < 0) {
        return error;
    }
    if (track->format.format == WEIR_SAMPLE_S24) {
        pack_24(to->data[0], (size_t)to->nb_samples * track->format.num_channels);
    }
    *samples = to->data[0];
    *num_samples = (uint32_t)to->nb_samples;
    return 0;
}
