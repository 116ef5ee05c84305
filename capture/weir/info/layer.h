// SPDX-License-Identifier: MIT
// weir info: whether the layer of weir record is installed, and which version.
#ifndef WEIR_CAPTURE_WEIR_INFO_LAYER_H
#define WEIR_CAPTURE_WEIR_INFO_LAYER_H

#include "capture/base/json.h"

void info_layer_print(void);
void info_layer_write(struct weir_json *json);

#endif
