// SPDX-License-Identifier: MIT
// The one door to what is read through libavformat: what a name is allowed to open.
#include "capture/files/source/input.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include <libavutil/avstring.h>
#include <libavutil/bprint.h>

#include "capture/files/source/reader.h"

// Demuxers of which a file names other files, or more than files. libavformat knows most of them by
// their content, whatever the file is called; here they are used for these names alone.
static const struct {
    const char *demuxer;
    const char *ending, *beginning; // of a name; both NULL: never
} listing[] = {
    {"hls", ".m3u8", NULL},
    {"hls", ".m3u", NULL},
    {"concat", ".ffconcat", NULL},
    {"dash", ".mpd", NULL},
    {"imf", ".xml", NULL},
    {"avisynth", ".avs", NULL},
    {"vapoursynth", ".vpy", NULL},
    {"rtsp", NULL, "rtsp:"},
    {"rtsp", NULL, "rtsps:"},
    {"rtp", NULL, "rtp:"},
    {"sap", NULL, "sap:"},
    {"sdp", NULL, NULL},
    {"webm_dash_manifest", NULL, NULL},
    {"vobsub", NULL, NULL},
    {"lavfi", NULL, NULL},
    {"dvdvideo", NULL, NULL},
};
enum { NUM_LISTING = sizeof(listing) / sizeof(listing[0]) };

bool weir_input_is_url(const char *path)
{
    const char *colon = strchr(path, ':');
    const char *protocol = colon ? avio_find_protocol_name(path) : NULL;
    const size_t length = protocol ? strlen(protocol) : 0;
    return protocol && (size_t)(colon - path) == length && strncmp(path, protocol, length) == 0;
}

// A name such as "a:b.png" is a file where there is one, not the protocol "a".
static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 || strncmp(path, "file:", 5) == 0;
}

// In a URL a question and a fragment may stand behind the name.
static bool ends_in(const char *path, const char *ending)
{
    const size_t size = strlen(ending), whole = strlen(path);
    const size_t length = is_file(path) ? whole : strcspn(path, "?#");
    return (length > size && strncasecmp(path + length - size, ending, size) == 0) ||
           (whole > size && strcasecmp(path + whole - size, ending) == 0);
}

static bool is_named(const char *path, int number)
{
    const char *ending = listing[number].ending, *beginning = listing[number].beginning;
    return (ending && ends_in(path, ending)) ||
           (beginning && av_strstart(path, beginning, NULL) && !is_file(path));
}

bool weir_input_is_list(const char *path)
{
    bool is_list = false;
    for (int i = 0; i < NUM_LISTING; i++) {
        is_list = is_list || is_named(path, i);
    }
    return is_list;
}

static bool is_allowed(const AVInputFormat *demuxer, const char *path)
{
    bool is_allowed = true;
    for (int i = 0; i < NUM_LISTING; i++) {
        if (av_match_name(listing[i].demuxer, demuxer->name)) {
            if (is_named(path, i)) {
                return true;
            }
            is_allowed = false;
        }
    }
    return is_allowed;
}

// Write the names of all demuxers that may read the path, as the option format_whitelist takes
// them.
static int allow_demuxers(AVDictionary **options, const char *path)
{
    AVBPrint names;
    void *at = NULL;
    const AVInputFormat *demuxer;
    av_bprint_init(&names, 0, AV_BPRINT_SIZE_UNLIMITED);
    while ((demuxer = av_demuxer_iterate(&at))) {
        if (is_allowed(demuxer, path)) {
            av_bprintf(&names, "%s%s", names.len > 0 ? "," : "", demuxer->name);
        }
    }
    char *list = NULL;
    if (!av_bprint_is_complete(&names)) { // memory failed
        av_bprint_finalize(&names, NULL);
        return AVERROR(ENOMEM);
    }
    const int error = av_bprint_finalize(&names, &list);
    return error < 0 ? error
                     : av_dict_set(options, "format_whitelist", list, AV_DICT_DONT_STRDUP_VAL);
}

// What is no list has itself to open, once or again, and nothing else.
static int open_itself(AVFormatContext *format, AVIOContext **io, const char *url, int flags,
                       AVDictionary **options)
{
    return strcmp(url, format->url) == 0
               ? avio_open2(io, url, flags, &format->interrupt_callback, options)
               : AVERROR(EACCES);
}

static void allow_protocols(AVFormatContext *format, AVDictionary **options, const char *path)
{
    if (!weir_input_is_list(path)) {
        format->io_open = open_itself;
    } else if (is_file(path)) {
        // crypto: of the parts of a playlist, which are files too; data: bytes in the list itself.
        av_dict_set(options, "protocol_whitelist", "file,crypto,data", 0);
    } else {
        av_dict_set(options, "protocol_blacklist", "file,pipe,fd,unix", 0);
    }
}

int weir_input_open(const char *path, AVFormatContext **format)
{
    struct stat status;
    AVDictionary *options = NULL;
    char *url = av_asprintf("%s%s", stat(path, &status) == 0 ? "file:" : "", path);
    int error = url ? allow_demuxers(&options, path) : AVERROR(ENOMEM);
    if (error >= 0) {
        allow_protocols(*format, &options, path);
        // The name of a picture is no pattern here.
        av_dict_set(&options, "pattern_type", "none", 0);
        weir_libav_forget();
        errno = 0;
        error = weir_reader_memory_error(avformat_open_input(format, url, NULL, &options));
    } else {
        avformat_free_context(*format);
        *format = NULL;
    }
    av_dict_free(&options);
    av_free(url);
    return error;
}
