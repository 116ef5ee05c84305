// SPDX-License-Identifier: MIT
// A JSON writer: objects, arrays and values, with commas and escapes in the right places.
#ifndef WEIR_CAPTURE_WEIR_COMMON_JSON_H
#define WEIR_CAPTURE_WEIR_COMMON_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <weir/result.h>

struct cli_json {
    FILE *out;
    int depth;
    bool empty; // nothing in the object or array that is open
};

// `key` is NULL in arrays and at the top.
void cli_json_begin_object(struct cli_json *json, const char *key);
void cli_json_end_object(struct cli_json *json);
void cli_json_begin_array(struct cli_json *json, const char *key);
void cli_json_end_array(struct cli_json *json);

void cli_json_text(struct cli_json *json, const char *key, const char *text); // NULL: null
void cli_json_integer(struct cli_json *json, const char *key, uint64_t value);
void cli_json_number(struct cli_json *json, const char *key, double value); // NAN, INFINITY: null
void cli_json_bool(struct cli_json *json, const char *key, bool value);
void cli_json_null(struct cli_json *json, const char *key);

// Write a file of what `write` makes of `user`, as cli_file_write() does; "-" is standard output.
// Prints the reason of a failure. Errors: those of cli_file_write(), WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result cli_json_write(const char *path,
                                void (*write)(struct cli_json *json, const void *user),
                                const void *user);

#endif
