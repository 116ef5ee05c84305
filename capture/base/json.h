// SPDX-License-Identifier: MIT
// A JSON writer: objects, arrays and values, with commas and escapes in the right places. Nothing
// is allocated, and nothing depends on the locale.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "capture/base/file.h"

// Set one of the first two, and zero the rest. A failure stays with the stream or the file.
struct weir_json {
    FILE *out;
    struct weir_file *file;

    int depth;
    bool has_values; // in the object or array that is open
};

// `key` is NULL in arrays and at the top.
void weir_json_begin_object(struct weir_json *json, const char *key);
void weir_json_end_object(struct weir_json *json);
void weir_json_begin_array(struct weir_json *json, const char *key);
void weir_json_end_array(struct weir_json *json);

void weir_json_text(struct weir_json *json, const char *key, const char *text); // NULL: null
void weir_json_integer(struct weir_json *json, const char *key, uint64_t value);
void weir_json_signed(struct weir_json *json, const char *key, int64_t value);
// Six digits. NAN, INFINITY: null
void weir_json_number(struct weir_json *json, const char *key, double value);
void weir_json_bool(struct weir_json *json, const char *key, bool value);
void weir_json_null(struct weir_json *json, const char *key);
