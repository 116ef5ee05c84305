// SPDX-License-Identifier: MIT
// What a reader knows of its input: names, rate, length, number of frames, time code.
#include "capture/files/source/reader.h"

#include <stdio.h>
#include <string.h>

#include <libavutil/parseutils.h>

bool weir_reader_is_still(const struct weir_reader *reader)
{
    if (reader->still) {
        return true;
    }
    const char *name = reader->format->iformat->name;
    size_t length = strlen(name);
    return strcmp(name, "image2") == 0 || (length > 5 && strcmp(name + length - 5, "_pipe") == 0);
}

struct weir_reader_names weir_reader_get_names(const struct weir_reader *reader)
{
    struct weir_reader_names names;
    const struct weir_still_decoder *still = reader->still;
    snprintf(names.container, sizeof(names.container), "%s",
             still ? still->container : reader->format->iformat->name);
    snprintf(names.codec, sizeof(names.codec), "%s",
             still         ? still->codec
             : reader->hap ? reader->hap->name
                           : reader->codec->codec->name);
    names.is_associated = still && still->is_associated;
    return names;
}

void weir_reader_warn_of_unused(const struct weir_still_params *params, const char *input,
                                const struct weir_reader_names *names, bool is_picture,
                                const struct weir_log *log)
{
    const bool is_exr = strcmp(names->codec, weir_exr_decoder.codec) == 0;
    const char *texts[] = {
        params->layer[0] != 0 && !is_exr ? "--layer is for OpenEXR pictures" : NULL,
        params->profile == WEIR_PROFILE_IGNORE && !is_picture ? "--profile is for pictures" : NULL};
    for (int i = 0; i < 2; i++) {
        if (texts[i]) {
            weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK, "%s: %s, and is ignored",
                            input, texts[i]);
        }
    }
}

AVRational weir_reader_rate(const struct weir_reader *reader)
{
    if (reader->still) {
        return (AVRational){0, 0};
    }
    const AVRational mean = reader->stream->avg_frame_rate;
    const AVRational guess = av_guess_frame_rate(reader->format, reader->stream, NULL);
    // The guess is a clean fraction where the rate is constant, and a tick rate where it is not.
    const double ratio = av_q2d(guess) / av_q2d(mean);
    const bool is_guess = mean.num <= 0 || mean.den <= 0 || (ratio > 0.99 && ratio < 1.01);
    const AVRational rate = is_guess ? guess : mean;
    // Where it finds none it answers a tick, which is a frame where frames are counted.
    const bool is_tick = reader->stream->nb_frames == 0 && av_q2d(rate) >= 1000 &&
                         av_cmp_q(av_inv_q(rate), reader->stream->time_base) == 0;
    return rate.num > 0 && rate.den > 0 && !is_tick ? rate : (AVRational){0, 0};
}

// A value of a damaged header may be too large for 64 bits; FFmpeg returns INT64_MIN for it.
static int64_t known(int64_t value)
{
    return value > 0 ? value : 0;
}

static const AVRational nanoseconds = {1, 1000000000};

// The length of the pictures only; 0 = not known. Matroska has it as a tag.
static int64_t own_duration_ns(const struct weir_reader *reader)
{
    const AVStream *stream = reader->stream;
    if (stream->duration > 0) {
        return known(av_rescale_q(stream->duration, stream->time_base, nanoseconds));
    }
    const AVDictionaryEntry *entry = av_dict_get(stream->metadata, "DURATION", NULL, 0);
    int64_t length;
    return entry && av_parse_time(&length, entry->value, 1) >= 0
               ? known(av_rescale_q(known(length), AV_TIME_BASE_Q, nanoseconds))
               : 0;
}

bool weir_reader_knows_duration(const struct weir_reader *reader)
{
    return reader->still || reader->format->nb_streams == 1 || own_duration_ns(reader) > 0;
}

int64_t weir_reader_duration_ns(const struct weir_reader *reader)
{
    if (reader->still) {
        return 0;
    }
    const int64_t own_ns = own_duration_ns(reader);
    return own_ns > 0
               ? own_ns
               : known(av_rescale_q(known(reader->format->duration), AV_TIME_BASE_Q, nanoseconds));
}

uint64_t weir_reader_num_frames(const struct weir_reader *reader)
{
    if (weir_reader_is_still(reader)) {
        return 1;
    }
    if (reader->stream->nb_frames > 0) {
        return (uint64_t)reader->stream->nb_frames;
    }
    AVRational rate = weir_reader_rate(reader);
    if (rate.num == 0) {
        return 0;
    }
    return (uint64_t)known(
        av_rescale(weir_reader_duration_ns(reader), rate.num, 1000000000 * (int64_t)rate.den));
}

// The pictures have it where they refer to it; else the file, or a track of its own.
const char *weir_reader_timecode(const struct weir_reader *reader)
{
    if (reader->still) {
        return NULL;
    }
    static const char key[] = "timecode";
    const AVDictionaryEntry *entry = av_dict_get(reader->stream->metadata, key, NULL, 0);
    if (!entry) {
        entry = av_dict_get(reader->format->metadata, key, NULL, 0);
    }
    for (unsigned i = 0; i < reader->format->nb_streams && !entry; i++) {
        entry = av_dict_get(reader->format->streams[i]->metadata, key, NULL, 0);
    }
    return entry ? entry->value : NULL;
}
