// SPDX-License-Identifier: MIT
// What the program reads and says of a movie.
#include "capture/weir/common/movie.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "capture/movie/hap.h"
#include "capture/weir/common/file.h"

#define VIEW_ROOM 4096u

static enum weir_result read_tables(struct weir_view *view, struct cli_movie_file *movie)
{
    struct weir_movie_found *found = &movie->found;
    const enum weir_result result = weir_movie_read_tables(view, found->tracks, &found->movie);
    bool is_damaged = false;
    for (uint32_t i = 0; i <= found->movie.num_audio; i++) {
        is_damaged = is_damaged || found->tracks[i].is_damaged;
    }
    CLI_FAIL_IF(result == WEIR_OK && is_damaged, WEIR_ERROR_DATA,
                "%s: its index is damaged; weir recover finds its frames", movie->path);
    return result;
}

static enum weir_result read_movie(struct weir_view *view, struct cli_movie_file *movie)
{
    const enum weir_result result = weir_movie_read(view, &movie->found);
    CLI_FAIL_IF(result == WEIR_NOT_READY, WEIR_ERROR_DATA,
                "%s has no index: its end was cut off, or it is not a movie; weir recover "
                "says what is in it",
                movie->path);
    CLI_FAIL_IF(result == WEIR_ERROR_DATA ||
                    (result == WEIR_OK && !weir_hap_codec_of_tag(movie->found.movie.pictures.tag)),
                WEIR_ERROR_DATA, "%s is not a HAP movie; ffprobe says what it is", movie->path);
    return result == WEIR_OK && !movie->found.is_fragmented ? read_tables(view, movie) : result;
}

// Get what a file is that is no movie, by its first bytes; NULL: another one.
static const char *find_other_format(int fd)
{
    static const char *const formats[][2] = {
        {"\xabKTX 20", "a KTX2 texture"},   {"\xabKTX 11", "a KTX texture"},
        {"DDS ", "a DDS texture"},          {"\x89PNG", "a PNG picture"},
        {"\xff\xd8\xff", "a JPEG picture"}, {"GIF8", "a GIF picture"},
        {"v/1\x01", "an OpenEXR picture"},  {"\x1a\x45\xdf\xa3", "a Matroska or WebM movie"},
    };
    char head[8] = "";
    const bool is_read = pread(fd, head, sizeof(head), 0) > 0;
    for (size_t i = 0; is_read && i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (strncmp(head, formats[i][0], strlen(formats[i][0])) == 0) {
            return formats[i][1];
        }
    }
    return NULL;
}

enum weir_result cli_movie_file_read(struct cli_movie_file *movie, const char *command,
                                     const char *path)
{
    *movie = (struct cli_movie_file){.path = path};
    struct stat status;
    struct weir_view view;
    int fd = cli_read_open(command, path, O_RDONLY, &status);
    if (fd < 0) {
        return WEIR_ERROR_IO;
    }
    const char *other = find_other_format(fd);
    if (other) {
        cli_report_error("%s is %s; %s reads HAP movies", path, other, command);
        close(fd);
        return WEIR_ERROR_DATA;
    }
    movie->size = (uint64_t)status.st_size;
    const struct weir_view_source source = cli_read_source(&fd, movie->size);
    const enum weir_result result = weir_view_init(&view, &source, VIEW_ROOM)
                                        ? read_movie(&view, movie)
                                        : WEIR_ERROR_OUT_OF_MEMORY;
    weir_view_finish(&view);
    close(fd);
    return result;
}

void cli_movie_file_finish(struct cli_movie_file *movie)
{
    weir_movie_finish(&movie->found.movie);
}

double cli_movie_seconds(const struct weir_movie *movie)
{
    const bool has_frames = movie->pictures.num_frames > 0;
    return has_frames ? (double)weir_movie_end(movie) / movie->pictures.ticks_per_second : 0;
}

static uint32_t bits_of(const struct weir_movie_audio *audio)
{
    return audio->sample_size / audio->num_channels * 8;
}

void cli_movie_print_audio(const struct weir_movie *movie)
{
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        const struct weir_movie_audio *audio = &movie->audio[i];
        const bool is_usual = audio->layout == weir_layout_usual(audio->num_channels);
        char language[4], layout[WEIR_LAYOUT_TEXT];
        weir_movie_language(audio, language);
        weir_layout_format(is_usual ? 0 : audio->layout, layout);
        printf("  audio %" PRIu32 ": %" PRIu32 "-bit%s, %" PRIu32 " Hz, %" PRIu32
               " channel%s%s%s%s%s, %.3f s\n",
               i + 1, bits_of(audio), audio->is_float ? " float" : "", audio->sample_rate,
               audio->num_channels, audio->num_channels == 1 ? "" : "s", layout[0] ? ", " : "",
               layout, language[0] ? ", " : "", language,
               (double)audio->num_samples / audio->sample_rate);
    }
}

void cli_movie_print_timecode(const struct weir_movie *movie)
{
    char text[WEIR_TIMECODE_TEXT];
    if (movie->timecode.first.frames_per_second > 0) {
        weir_timecode_format(&movie->timecode.first, text);
        printf("  time code %s\n", text);
    }
}

static double start_of(const struct weir_chapter *chapter)
{
    return (double)chapter->time / WEIR_CHAPTER_UNITS_PER_SECOND;
}

void cli_movie_print_chapters(const struct weir_movie *movie)
{
    for (uint32_t i = 0; i < movie->chapters.num; i++) {
        const struct weir_chapter *chapter = &movie->chapters.items[i];
        cli_print(stdout, "  chapter from %.3f s on: %s\n", start_of(chapter), chapter->title);
    }
}

void cli_movie_json_frames(struct weir_json *json, const struct weir_movie *movie)
{
    const struct weir_movie_codec_info *codec = weir_hap_codec_of_tag(movie->pictures.tag);
    weir_json_text(json, "codec", codec ? codec->name : NULL);
    weir_json_integer(json, "width", movie->pictures.width);
    weir_json_integer(json, "height", movie->pictures.height);
    weir_json_integer(json, "frames", movie->pictures.num_frames);
    weir_json_number(json, "seconds", cli_movie_seconds(movie));
}

void cli_movie_file_json(struct weir_json *json, const struct cli_movie_file *movie)
{
    weir_json_text(json, "path", movie->path);
    cli_movie_json_frames(json, &movie->found.movie);
    weir_json_bool(json, "closed", !movie->found.is_fragmented);
}

bool cli_movie_is_part(const struct weir_segment *segment)
{
    return segment->number > 0 &&
           memcmp(segment->recording, WEIR_PART_ID, strlen(WEIR_PART_ID)) == 0;
}

const char *cli_segment_name(const struct weir_segment *segment)
{
    return cli_movie_is_part(segment) ? "part" : "segment";
}

void cli_movie_print_segment(const struct weir_movie *movie)
{
    const bool is_part = cli_movie_is_part(&movie->segment);
    if (is_part || movie->segment.number > 1) {
        printf(", %s %" PRIu32 " of a %s", cli_segment_name(&movie->segment), movie->segment.number,
               is_part ? "movie" : "recording");
    }
}

void cli_movie_json_segment(struct weir_json *json, const struct weir_segment *segment)
{
    if (segment && segment->number > 0) {
        weir_json_integer(json, "segment", segment->number);
    } else {
        weir_json_null(json, "segment");
    }
}

void cli_movie_json_timecode(struct weir_json *json, const struct weir_movie *movie)
{
    const bool has_timecode = movie->timecode.first.frames_per_second > 0;
    char text[WEIR_TIMECODE_TEXT] = "";
    if (has_timecode) {
        weir_timecode_format(&movie->timecode.first, text);
    }
    weir_json_text(json, "timecode", has_timecode ? text : NULL);
}

void cli_movie_json_audio(struct weir_json *json, const struct weir_movie *movie)
{
    weir_json_begin_array(json, "audio_tracks");
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        const struct weir_movie_audio *audio = &movie->audio[i];
        char language[4], layout[WEIR_LAYOUT_TEXT];
        weir_movie_language(audio, language);
        weir_layout_format(audio->layout, layout);
        weir_json_begin_object(json, NULL);
        weir_json_integer(json, "bits", bits_of(audio));
        weir_json_bool(json, "float", audio->is_float);
        weir_json_integer(json, "sample_rate", audio->sample_rate);
        weir_json_integer(json, "channels", audio->num_channels);
        weir_json_text(json, "layout", layout[0] ? layout : NULL);
        weir_json_text(json, "language", language[0] ? language : NULL);
        weir_json_integer(json, "samples", audio->num_samples);
        weir_json_end_object(json);
    }
    weir_json_end_array(json);
}

void cli_movie_json_chapters(struct weir_json *json, const struct weir_movie *movie)
{
    weir_json_begin_array(json, "chapters");
    for (uint32_t i = 0; i < movie->chapters.num; i++) {
        const struct weir_chapter *chapter = &movie->chapters.items[i];
        weir_json_begin_object(json, NULL);
        weir_json_number(json, "start", start_of(chapter));
        weir_json_text(json, "title", chapter->title);
        weir_json_end_object(json);
    }
    weir_json_end_array(json);
}

static bool read_source(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    return cli_read_at(*(const int *)user, offset, bytes, size);
}

struct weir_view_source cli_read_source(int *fd, uint64_t size)
{
    return (struct weir_view_source){.read = read_source, .user = fd, .size = size};
}
