// SPDX-License-Identifier: MIT
// The streams of an input: which one is read, and what is left out beside it. What the input says
// of itself.
#include "capture/files/source/reader.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <libavutil/parseutils.h>

#include "capture/base/utf8.h"

static bool is_video(const AVStream *stream)
{
    return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
           (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) == 0;
}

int weir_streams_find_video(const AVFormatContext *format, uint32_t number,
                            char reason[WEIR_REASON_SIZE])
{
    uint32_t num = 0;
    char there[WEIR_REASON_SIZE / 2] = "";
    size_t size = 0;
    for (unsigned i = 0; i < format->nb_streams; i++) {
        const AVCodecParameters *codec = format->streams[i]->codecpar;
        if (!is_video(format->streams[i])) {
            continue;
        }
        if (++num == number) {
            return (int)i;
        }
        const int added = snprintf(there + size, sizeof(there) - size, "%s%u (%s, %dx%d)",
                                   num > 1 ? ", " : "", num, avcodec_get_name(codec->codec_id),
                                   codec->width, codec->height);
        size = size + (size_t)added < sizeof(there) ? size + (size_t)added : sizeof(there) - 1;
    }
    snprintf(reason, WEIR_REASON_SIZE, "it has no video track %u, only %s; --video-track chooses",
             number, num > 0 ? there : "other tracks");
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

static void list_streams(const AVFormatContext *format, int read, char *text, size_t size)
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
        counts[kind_of(format, format->streams[i])] += (int)i != read;
    }
    for (int i = 0; i < NUM_KINDS; i++) {
        char part[64];
        snprintf(part, sizeof(part), "%u %s", counts[i], names[i][1]);
        if (counts[i] > 0) {
            append(text, size, counts[i] == 1 ? names[i][0] : part);
        }
    }
}

// What containers note for themselves.
static bool is_technical(const char *key)
{
    static const char *const keys[] = {"encoder",           "major_brand", "minor_version",
                                       "compatible_brands", "timecode",    "creation_time",
                                       "software"};
    bool is = false;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        is = is || strcasecmp(key, keys[i]) == 0;
    }
    return is;
}

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
            !keep_text(entry, "comment", info->comment) && !is_technical(entry->key) &&
            num++ <= MAX_KEYS) {
            append(keys, sizeof(keys), num <= MAX_KEYS ? entry->key : "…");
        }
    }
    if (num > 0) {
        snprintf(part, sizeof(part), "metadata (%s)", keys);
        append(info->not_kept, sizeof(info->not_kept), part);
    }
}

void weir_streams_describe(const AVFormatContext *format, int read, struct weir_source_info *info)
{
    list_streams(format, read, info->not_kept, sizeof(info->not_kept));
    read_metadata(format, info);
}
