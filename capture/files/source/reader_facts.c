// SPDX-License-Identifier: MIT
// What a reader knows of its input: rate, length, number of frames; which streams it has,
// and what it says of itself.
#include "capture/files/source/reader.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <libavutil/avstring.h>
#include <libavutil/bprint.h>
#include <libavutil/parseutils.h>

#include "capture/base/utf8.h"

bool weir_reader_is_still(const struct weir_reader *reader)
{
    if (reader->still) {
        return true;
    }
    const char *name = reader->format->iformat->name;
    size_t length = strlen(name);
    return strcmp(name, "image2") == 0 || (length > 5 && strcmp(name + length - 5, "_pipe") == 0);
}

void weir_reader_warn_of_unused(const struct weir_still_params *params, const char *input,
                                const struct weir_still_decoder *still, bool is_picture,
                                const struct weir_log *log)
{
    const char *texts[] = {
        params->layer[0] != 0 && still != &weir_exr_decoder ? "--layer is for OpenEXR pictures"
                                                            : NULL,
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

static uint64_t num_frames(const struct weir_reader *reader)
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
static const char *timecode_of(const struct weir_reader *reader)
{
    static const char key[] = "timecode";
    const AVDictionaryEntry *entry = av_dict_get(reader->stream->metadata, key, NULL, 0);
    if (!entry) {
        entry = av_dict_get(reader->format->metadata, key, NULL, 0);
    }
    for (unsigned i = 0; i < reader->format->nb_streams && !entry; i++) {
        entry = av_dict_get(reader->format->streams[i]->metadata, key, NULL, 0);
    }
    return entry ? entry->value : "";
}

// Streams.

static bool is_video(const AVStream *stream)
{
    return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
           (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) == 0;
}

int weir_streams_find_video(const AVFormatContext *format, uint32_t number,
                            char reason[WEIR_REASON_SIZE])
{
    uint32_t num = 0;
    AVBPrint there;
    av_bprint_init(&there, 0, AV_BPRINT_SIZE_AUTOMATIC);
    for (unsigned i = 0; i < format->nb_streams; i++) {
        const AVCodecParameters *codec = format->streams[i]->codecpar;
        if (!is_video(format->streams[i])) {
            continue;
        }
        if (++num == number) {
            return (int)i;
        }
        av_bprintf(&there, "%s%u (%s, %dx%d)", num > 1 ? ", " : "", num,
                   avcodec_get_name(codec->codec_id), codec->width, codec->height);
    }
    snprintf(reason, WEIR_REASON_SIZE,
             "it has no video track %u, only %.128s; --video-track chooses", number,
             num > 0 ? there.str : "other tracks");
    return -1;
}

// What an input may have beside the stream that is read. Audio has a decoder and words of its own.
enum kind { VIDEO, SUBTITLE, DATA, COVER, THUMBNAIL, ATTACHMENT, NUM_KINDS };

static enum kind kind_of(const AVFormatContext *format, const AVStream *stream)
{
    const AVCodecParameters *codec = stream->codecpar;
    const uint32_t timecode = MKTAG('t', 'm', 'c', 'd'), chapters = MKTAG('t', 'e', 'x', 't');
    switch (codec->codec_type) {
    case AVMEDIA_TYPE_VIDEO:
        return is_video(stream)                                               ? VIDEO
               : (stream->disposition & AV_DISPOSITION_TIMED_THUMBNAILS) != 0 ? THUMBNAIL
                                                                              : COVER;
    case AVMEDIA_TYPE_SUBTITLE:
        return SUBTITLE;
    case AVMEDIA_TYPE_DATA: // the titles of chapters lie in a track
        return codec->codec_tag == timecode ||
                       (codec->codec_tag == chapters && format->nb_chapters > 0)
                   ? NUM_KINDS
                   : DATA;
    case AVMEDIA_TYPE_ATTACHMENT:
        return ATTACHMENT;
    default:
        return codec->codec_type == AVMEDIA_TYPE_UNKNOWN ? DATA : NUM_KINDS;
    }
}

static void append(char *text, size_t size, const char *part)
{
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", part);
}

static void list_streams(const AVFormatContext *format, int read, struct weir_source_info *info)
{
    static const char *const names[][2] = {
        [VIDEO] = {"a video track", "video tracks"},
        [SUBTITLE] = {"a subtitle track", "subtitle tracks"},
        [DATA] = {"a data track", "data tracks"},
        [COVER] = {"a cover picture", "cover pictures"},
        [THUMBNAIL] = {"a track of thumbnails", "tracks of thumbnails"},
        [ATTACHMENT] = {"an attachment", "attachments"},
    };
    unsigned counts[NUM_KINDS + 1] = {0};
    for (unsigned i = 0; i < format->nb_streams; i++) {
        const AVStream *stream = format->streams[i];
        counts[kind_of(format, stream)] += (int)i != read;
        info->num_audio += stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    }
    for (int i = 0; i < NUM_KINDS; i++) {
        char part[64];
        snprintf(part, sizeof(part), "%u %s", counts[i], names[i][1]);
        if (counts[i] > 0) {
            append(info->not_kept, sizeof(info->not_kept), counts[i] == 1 ? names[i][0] : part);
        }
    }
}

// What containers note for themselves.
static const char technical_keys[] =
    "encoder,major_brand,minor_version,compatible_brands,timecode,creation_time,software";

// Take a text that movies have too.
static bool keep_text(const AVDictionaryEntry *entry, const char *key,
                      char text[WEIR_MAX_MOVIE_TEXT + 1])
{
    size_t size;
    const bool is_kept = strcasecmp(entry->key, key) == 0 &&
                         weir_utf8_fit(entry->value, WEIR_MAX_MOVIE_TEXT, &size);
    if (is_kept) {
        snprintf(text, WEIR_MAX_MOVIE_TEXT + 1, "%.*s", (int)size, entry->value);
    }
    return is_kept;
}

static void read_metadata(const AVFormatContext *format, struct weir_source_info *info)
{
    enum { MAX_KEYS = 4 };
    char keys[160] = "", part[192];
    int num = 0;
    int64_t time_us;
    const AVDictionaryEntry *entry = av_dict_get(format->metadata, "creation_time", NULL, 0);
    if (entry && av_parse_time(&time_us, entry->value, 0) >= 0) {
        info->creation_time = time_us / 1000000;
    }
    for (entry = NULL; (entry = av_dict_get(format->metadata, "", entry, AV_DICT_IGNORE_SUFFIX));) {
        if (!keep_text(entry, "title", info->title) &&
            !keep_text(entry, "comment", info->comment) &&
            !av_match_name(entry->key, technical_keys) && num++ <= MAX_KEYS) {
            append(keys, sizeof(keys), num <= MAX_KEYS ? entry->key : "…");
        }
    }
    if (num > 0) {
        snprintf(part, sizeof(part), "metadata (%s)", keys);
        append(info->not_kept, sizeof(info->not_kept), part);
    }
}

void weir_reader_describe(const struct weir_reader *reader, struct weir_source_info *info)
{
    info->num_frames = num_frames(reader);
    if (!reader->still) {
        snprintf(info->timecode, sizeof(info->timecode), "%s", timecode_of(reader));
        list_streams(reader->format, reader->stream->index, info);
        read_metadata(reader->format, info);
    }
}
