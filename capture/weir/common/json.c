// SPDX-License-Identifier: MIT
// A JSON writer: objects, arrays and values, with commas and escapes in the right places.
#include "capture/weir/common/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <libavutil/avstring.h>

static void print_character(FILE *out, int32_t code, const uint8_t *bytes, size_t size)
{
    if (code == '"' || code == '\\') {
        fprintf(out, "\\%c", (char)code);
    } else if (code >= 0 && (code < 0x20 || (code >= 0x7f && code < 0xa0))) {
        fprintf(out, "\\u%04x", (unsigned)code);
    } else {
        fwrite(bytes, 1, size, out);
    }
}

// JSON is UTF-8, and names of files need not be.
static void print_string(FILE *out, const char *text)
{
    const uint8_t *at = (const uint8_t *)text, *end = at + strlen(text);
    fputc('"', out);
    while (at < end) {
        const uint8_t *next = at;
        int32_t code;
        if (av_utf8_decode(&code, &next, end, AV_UTF8_FLAG_ACCEPT_NON_CHARACTERS) < 0) {
            fputs("\\ufffd", out); // the replacement character
            next = at + 1;
        } else {
            print_character(out, code, at, (size_t)(next - at));
        }
        at = next;
    }
    fputc('"', out);
}

static void begin_value(struct cli_json *json, const char *key)
{
    if (json->depth > 0) {
        fprintf(json->out, "%s\n%*s", json->empty ? "" : ",", 2 * json->depth, "");
    }
    json->empty = false;
    if (key) {
        print_string(json->out, key);
        fputs(": ", json->out);
    }
}

static void begin(struct cli_json *json, const char *key, char bracket)
{
    begin_value(json, key);
    fputc(bracket, json->out);
    json->depth++;
    json->empty = true;
}

static void end(struct cli_json *json, char bracket)
{
    json->depth--;
    if (!json->empty) {
        fprintf(json->out, "\n%*s", 2 * json->depth, "");
    }
    fputc(bracket, json->out);
    json->empty = false;
    if (json->depth == 0) {
        fputc('\n', json->out);
    }
}

void cli_json_begin_object(struct cli_json *json, const char *key)
{
    begin(json, key, '{');
}

void cli_json_end_object(struct cli_json *json)
{
    end(json, '}');
}

void cli_json_begin_array(struct cli_json *json, const char *key)
{
    begin(json, key, '[');
}

void cli_json_end_array(struct cli_json *json)
{
    end(json, ']');
}

void cli_json_text(struct cli_json *json, const char *key, const char *text)
{
    begin_value(json, key);
    if (text) {
        print_string(json->out, text);
    } else {
        fputs("null", json->out);
    }
}

void cli_json_integer(struct cli_json *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    fprintf(json->out, "%" PRIu64, value);
}

void cli_json_number(struct cli_json *json, const char *key, double value)
{
    begin_value(json, key);
    if (isfinite(value)) {
        fprintf(json->out, "%.6g", value);
    } else {
        fputs("null", json->out);
    }
}

void cli_json_bool(struct cli_json *json, const char *key, bool value)
{
    begin_value(json, key);
    fputs(value ? "true" : "false", json->out);
}

void cli_json_null(struct cli_json *json, const char *key)
{
    cli_json_text(json, key, NULL);
}
