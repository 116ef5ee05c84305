// SPDX-License-Identifier: MIT
// What a sidecar says, as JSON: a head, the drops as they come, and an end. docs/capture.md has its
// fields. A failure of the file stays with the file.
#ifndef WEIR_CAPTURE_STREAM_SIDECAR_JSON_H
#define WEIR_CAPTURE_STREAM_SIDECAR_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/base/file.h"
#include "capture/stream/sidecar.h"

void weir_sidecar_print_head(struct weir_file *file, const struct weir_capture_params *params,
                             const struct weir_mux_params *movie);
void weir_sidecar_print_drop(struct weir_file *file, const struct weir_sidecar_drop *drop,
                             bool is_first);
void weir_sidecar_print_end(struct weir_file *file, const struct weir_sidecar_end *end,
                            bool has_drop, uint64_t num_not_listed);

#endif
