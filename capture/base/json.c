// SPDX-License-Identifier: MIT
// A JSON writer: objects, arrays and values, with commas and escapes in the right places.
#include "capture/base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include <weir/log.h>

enum { MAX_CHARACTER = 4 }; // the most bytes of one, in UTF-8

static void put(struct weir_json *json, const char *text, size_t size)
{
    if (json->file) {
        weir_file_write(json->file, (const uint8_t *)text, size);
    } else {
        fwrite(text, 1, size, json->out);
    }
}

static void print(struct weir_json *json, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// For short texts.
static void print(struct weir_json *json, const char *format, ...)
{
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    put(json, text, (size_t)size);
}

// Get the size of the character of several bytes at `text`; 0 if it is none that a message shows.
static size_t character_size(const char *text)
{
    char character[MAX_CHARACTER + 1] = {0}, line[MAX_CHARACTER * MAX_CHARACTER + 1];
    for (size_t size = 1; size <= MAX_CHARACTER && text[size - 1] != 0; size++) {
        character[size - 1] = text[size - 1];
        weir_log_escape(character, line, sizeof(line));
        if (strcmp(character, line) == 0) {
            return size;
        }
    }
    return 0;
}

// JSON is UTF-8, and names of files need not be.
static void put_string(struct weir_json *json, const char *text)
{
    put(json, "\"", 1);
    while (*text != 0) {
        const unsigned char c = (unsigned char)*text;
        const size_t size = c < 0x80 ? 1 : character_size(text);
        if (c == '"' || c == '\\') {
            print(json, "\\%c", c);
        } else if (c < 0x20) {
            print(json, "\\u%04x", c);
        } else if (size == 0) {
            print(json, "\\ufffd"); // the replacement character
        } else {
            put(json, text, size);
        }
        text += size > 0 ? size : 1;
    }
    put(json, "\"", 1);
}

static void begin_value(struct weir_json *json, const char *key)
{
    if (json->depth > 0) {
        print(json, "%s\n%*s", json->has_values ? "," : "", 2 * json->depth, "");
    }
    json->has_values = true;
    if (key) {
        put_string(json, key);
        put(json, ": ", 2);
    }
}

static void begin(struct weir_json *json, const char *key, char bracket)
{
    begin_value(json, key);
    put(json, &bracket, 1);
    json->depth++;
    json->has_values = false;
}

static void end(struct weir_json *json, char bracket)
{
    json->depth--;
    if (json->has_values) {
        print(json, "\n%*s", 2 * json->depth, "");
    }
    print(json, "%c%s", bracket, json->depth == 0 ? "\n" : "");
    json->has_values = true;
}

void weir_json_begin_object(struct weir_json *json, const char *key)
{
    begin(json, key, '{');
}

void weir_json_end_object(struct weir_json *json)
{
    end(json, '}');
}

void weir_json_begin_array(struct weir_json *json, const char *key)
{
    begin(json, key, '[');
}

void weir_json_end_array(struct weir_json *json)
{
    end(json, ']');
}

void weir_json_text(struct weir_json *json, const char *key, const char *text)
{
    if (!text) {
        weir_json_null(json, key);
        return;
    }
    begin_value(json, key);
    put_string(json, text);
}

void weir_json_integer(struct weir_json *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    print(json, "%" PRIu64, value);
}

void weir_json_signed(struct weir_json *json, const char *key, int64_t value)
{
    begin_value(json, key);
    print(json, "%" PRId64, value);
}

void weir_json_number(struct weir_json *json, const char *key, double value)
{
    char text[32];
    if (!isfinite(value)) {
        weir_json_null(json, key);
        return;
    }
    begin_value(json, key);
    snprintf(text, sizeof(text), "%.6g", value);
    const size_t whole = strspn(text, "-0123456789");
    const size_t rest = whole + strcspn(text + whole, "0123456789");
    if (text[whole] != 0 && text[whole] != 'e') { // the point of the locale
        print(json, "%.*s.%s", (int)whole, text, text + rest);
    } else {
        print(json, "%s", text);
    }
}

void weir_json_bool(struct weir_json *json, const char *key, bool value)
{
    begin_value(json, key);
    print(json, "%s", value ? "true" : "false");
}

void weir_json_null(struct weir_json *json, const char *key)
{
    begin_value(json, key);
    print(json, "null");
}
