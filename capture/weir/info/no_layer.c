// SPDX-License-Identifier: MIT
// Where there is no weir record, there is no layer.
#include "capture/weir/info/info.h"

void info_layer_print(void) {}

void info_layer_json(struct weir_json *json)
{
    weir_json_null(json, "layer");
    weir_json_null(json, "user_layer");
}
