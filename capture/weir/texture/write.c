// SPDX-License-Identifier: MIT
// weir texture: writes the file of a texture.
#include <stdio.h>

#include <weir/version.h>

#include "capture/base/file.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/texture/texture.h"

static enum weir_result write_bytes(void *user, const uint8_t *data, size_t size)
{
    return weir_file_write(user, data, size);
}

enum weir_result texture_write_file(const struct texture *texture, const char *output,
                                    const struct weir_texture *levels, uint64_t *size)
{
    char writer[64];
    snprintf(writer, sizeof(writer), "weir %s", weir_version());
    if (cli_interrupted()) {
        cli_report_error("interrupted; %s was not written", output);
        return WEIR_ERROR_IO;
    }
    struct weir_file file;
    enum weir_result result = weir_file_open(&file, output, &cli_log);
    if (result != WEIR_OK) {
        return result;
    }
    const struct weir_texture_sink sink = {write_bytes, &file};
    const struct weir_texture_write_params params = {
        .writer = writer, .dx10 = texture->options->dx10, .zstd = texture->options->zstd};
    result = texture->container->write(levels, &params, &sink);
    if (result == WEIR_ERROR_UNSUPPORTED) {
        cli_report_error("%s: a level of 4 GiB or more is too large for a .%s file; write a .ktx2",
                         output, texture->container->name);
    }
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        cli_report_error("%s: no memory to compress it by Zstandard", output);
    }
    if (result == WEIR_OK) {
        result = weir_file_commit(&file);
    }
    *size = file.size;
    const enum weir_result closed = weir_file_close(&file);
    return result == WEIR_OK ? closed : result;
}
