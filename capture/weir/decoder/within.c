// SPDX-License-Identifier: MIT
// Inputs that are decoded in this process, where the system cannot confine another one.
#include <stdlib.h>

#include "capture/weir/common/report.h"
#include "capture/weir/decoder/decoder.h"

struct cli_source {
    weir_source *source;
};

struct cli_source_frame {
    weir_source_frame *frame;
};

struct cli_audio_source {
    weir_audio_source *audio;
};

static struct weir_log log_of(enum weir_log_severity least)
{
    struct weir_log log = cli_log;
    log.least_severity = least;
    return log;
}

enum weir_result cli_source_open(const struct weir_source_params *params, uint64_t max_memory,
                                 cli_source **out)
{
    (void)max_memory;
    struct weir_source_params own = *params;
    own.log = log_of(params->log.least_severity);
    weir_source_silence_libav();
    *out = calloc(1, sizeof(**out));
    const enum weir_result result = *out ? weir_source_open(&own, &(*out)->source)
                                         : WEIR_ERROR_OUT_OF_MEMORY;
    if (result != WEIR_OK) {
        cli_source_close(out);
    }
    return result;
}

void cli_source_close(cli_source **source)
{
    if (*source) {
        weir_source_close(&(*source)->source);
    }
    free(*source);
    *source = NULL;
}

struct weir_source_info cli_source_get_info(const cli_source *source)
{
    return weir_source_get_info(source->source);
}

const char *cli_source_name(const cli_source *source)
{
    return weir_source_name(source->source);
}

void cli_source_give_16_bits(cli_source *source)
{
    weir_source_give_16_bits(source->source);
}

enum weir_result cli_source_frame_create(cli_source *source, cli_source_frame **out)
{
    *out = calloc(1, sizeof(**out));
    const enum weir_result result = *out ? weir_source_frame_create(source->source, &(*out)->frame)
                                         : WEIR_ERROR_OUT_OF_MEMORY;
    if (result != WEIR_OK) {
        cli_source_frame_destroy(out);
    }
    return result;
}

void cli_source_frame_destroy(cli_source_frame **frame)
{
    if (frame && *frame) {
        weir_source_frame_destroy(&(*frame)->frame);
        free(*frame);
        *frame = NULL;
    }
}

enum weir_result cli_source_take(cli_source *source, cli_source_frame *frame, int64_t *time_ns,
                                 bool *end)
{
    return weir_source_take(source->source, frame->frame, time_ns, end);
}

enum weir_result cli_source_frame_convert(cli_source_frame *frame, uint8_t *pixels, size_t pitch)
{
    return weir_source_frame_convert(frame->frame, pixels, pitch);
}

enum weir_result cli_audio_source_open(cli_source *source, const char *path, int64_t zero_ns,
                                       bool is_part, cli_audio_source **out)
{
    const struct weir_audio_source_params params = {
        .path = path,
        .demux = source ? weir_source_get_demux(source->source) : NULL,
        .zero_ns = zero_ns,
        .is_apart = !source,
        .is_part = is_part,
        .log = log_of(WEIR_LOG_WARNING),
    };
    *out = calloc(1, sizeof(**out));
    const enum weir_result result = *out ? weir_audio_source_open(&params, &(*out)->audio)
                                         : WEIR_ERROR_OUT_OF_MEMORY;
    if (*out && !(*out)->audio) {
        cli_audio_source_close(out);
    }
    return result;
}

void cli_audio_source_close(cli_audio_source **audio)
{
    if (*audio) {
        weir_audio_source_close(&(*audio)->audio);
    }
    free(*audio);
    *audio = NULL;
}

uint32_t cli_audio_source_get_tracks(const cli_audio_source *audio,
                                     struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS])
{
    return weir_audio_source_get_tracks(audio->audio, tracks);
}

enum weir_result cli_audio_source_read(cli_audio_source *audio, struct weir_audio_block *block,
                                       bool *end)
{
    return weir_audio_source_read(audio->audio, block, end);
}

void cli_audio_source_end_frames(cli_audio_source *audio, int64_t end_ns)
{
    weir_audio_source_end_frames(audio->audio, end_ns);
}

enum weir_result cli_picture_read(struct cli_pictures *pictures, const char *path,
                                  const struct weir_memory_use *memory,
                                  struct weir_picture *picture)
{
    const struct weir_log log = log_of(WEIR_LOG_WARNING);
    weir_source_silence_libav();
    return weir_picture_read(path, memory, &pictures->still, &log, picture);
}

void cli_pictures_finish(struct cli_pictures *pictures)
{
    (void)pictures;
}

int decoder_serve(const char *socket)
{
    (void)socket;
    return EXIT_FAILURE;
}
