// SPDX-License-Identifier: MIT
// Inputs that are decoded in this process, where the system cannot confine another one.
#include <stdlib.h>

#include "capture/weir/common/report.h"
#include "capture/weir/decoder/decoder.h"

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
    const enum weir_result result = weir_source_open(&own, out);
    if (result != WEIR_OK) {
        weir_source_close(out);
    }
    return result;
}

enum weir_result cli_audio_source_open(cli_source *source, const char *path, int64_t zero_ns,
                                       bool is_part, cli_audio_source **out)
{
    const struct weir_audio_source_params params = {
        .path = path,
        .demux = source ? weir_source_get_demux(source) : NULL,
        .zero_ns = zero_ns,
        .is_apart = !source,
        .is_part = is_part,
        .log = log_of(WEIR_LOG_WARNING),
    };
    return weir_audio_source_open(&params, out);
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
