// SPDX-License-Identifier: MIT
// Inputs that are decoded in this process, where the system cannot confine another one.
#include <stdlib.h>

#include "capture/weir/common/report.h"
#include "capture/weir/decoder/decoder.h"

// A type of the program's is the one of capture/files under another name.
static weir_source *source_of(const cli_source *source)
{
    return (weir_source *)(uintptr_t)source;
}

static weir_source_frame *frame_of(cli_source_frame *frame)
{
    return (weir_source_frame *)frame;
}

static weir_audio_source *audio_of(const cli_audio_source *audio)
{
    return (weir_audio_source *)(uintptr_t)audio;
}

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
    weir_source *source = NULL;
    const enum weir_result result = weir_source_open(&own, &source);
    if (result != WEIR_OK) {
        weir_source_close(&source);
    }
    *out = (cli_source *)source;
    return result;
}

void cli_source_close(cli_source **source)
{
    weir_source *own = source_of(*source);
    weir_source_close(&own);
    *source = NULL;
}

struct weir_source_info cli_source_get_info(const cli_source *source)
{
    return weir_source_get_info(source_of(source));
}

const char *cli_source_name(const cli_source *source)
{
    return weir_source_name(source_of(source));
}

void cli_source_give_16_bits(cli_source *source)
{
    weir_source_give_16_bits(source_of(source));
}

enum weir_result cli_source_frame_create(cli_source *source, cli_source_frame **out)
{
    weir_source_frame *frame = NULL;
    const enum weir_result result = weir_source_frame_create(source_of(source), &frame);
    *out = (cli_source_frame *)frame;
    return result;
}

void cli_source_frame_destroy(cli_source_frame **frame)
{
    weir_source_frame *own = frame_of(*frame);
    weir_source_frame_destroy(&own);
    *frame = NULL;
}

enum weir_result cli_source_take(cli_source *source, cli_source_frame *frame, int64_t *time_ns,
                                 bool *end)
{
    return weir_source_take(source_of(source), frame_of(frame), time_ns, end);
}

enum weir_result cli_source_frame_convert(cli_source_frame *frame, uint8_t *pixels, size_t pitch)
{
    return weir_source_frame_convert(frame_of(frame), pixels, pitch);
}

enum weir_result cli_audio_source_open(cli_source *source, const char *path, int64_t zero_ns,
                                       bool is_part, cli_audio_source **out)
{
    const struct weir_audio_source_params params = {
        .path = path,
        .demux = source ? weir_source_get_demux(source_of(source)) : NULL,
        .zero_ns = zero_ns,
        .is_apart = !source,
        .is_part = is_part,
        .log = log_of(WEIR_LOG_WARNING),
    };
    weir_audio_source *audio = NULL;
    const enum weir_result result = weir_audio_source_open(&params, &audio);
    *out = (cli_audio_source *)audio;
    return result;
}

void cli_audio_source_close(cli_audio_source **audio)
{
    weir_audio_source *own = audio_of(*audio);
    weir_audio_source_close(&own);
    *audio = NULL;
}

uint32_t cli_audio_source_get_tracks(const cli_audio_source *audio,
                                     struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS])
{
    return weir_audio_source_get_tracks(audio_of(audio), tracks);
}

enum weir_result cli_audio_source_read(cli_audio_source *audio, struct weir_audio_block *block,
                                       bool *end)
{
    return weir_audio_source_read(audio_of(audio), block, end);
}

void cli_audio_source_end_frames(cli_audio_source *audio, int64_t end_ns)
{
    weir_audio_source_end_frames(audio_of(audio), end_ns);
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
