// SPDX-License-Identifier: MIT
// A JSON writer: objects, arrays and values, with commas and escapes in the right places.
#include "capture/weir/common/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <weir/log.h>

#include "capture/weir/common/file.h"
#include "capture/weir/common/report.h"

// Get the size of the character of several bytes at `text`; 0 if it is none that a message shows.
static size_t character_size(const char *text)
{
    enum { MAX_SIZE = 4 };
    char character[MAX_SIZE + 1] = {0}, line[MAX_SIZE * MAX_SIZE + 1];
    for (size_t size = 1; size <= MAX_SIZE && text[size - 1] != 0; size++) {
        character[size - 1] = text[size - 1];
        weir_log_escape(character, line, sizeof(line));
        if (strcmp(character, line) == 0) {
            return size;
        }
    }
    return 0;
}

// JSON is UTF-8, and names of files need not be.
static void print_string(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text != 0) {
        const unsigned char c = (unsigned char)*text;
        const size_t size = c < 0x80 ? 1 : character_size(text);
        if (c == '"' || c == '\\') {
            fprintf(out, "\\%c", c);
        } else if (c < 0x20) {
            fprintf(out, "\\u%04x", c);
        } else if (size == 0) {
            fputs("\\ufffd", out); // the replacement character
        } else {
            fwrite(text, 1, size, out);
        }
        text += size > 0 ? size : 1;
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

enum weir_result cli_json_write(const char *path,
                                void (*write)(struct cli_json *json, const void *user),
                                const void *user)
{
    if (strcmp(path, "-") == 0) {
        write(&(struct cli_json){.out = stdout}, user);
        return fflush(stdout) == 0 ? WEIR_OK
                                   : WEIR_ERROR_IO; // which every program tells at its end
    }
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool is_complete = out;
    if (out) {
        write(&(struct cli_json){.out = out}, user);
        is_complete = !ferror(out);
        is_complete = fclose(out) == 0 && is_complete;
    }
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (is_complete) {
        result = cli_file_write(path, text, size);
    } else {
        cli_report_error("no memory to write %s", path);
    }
    free(text);
    return result;
}
