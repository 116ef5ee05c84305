// SPDX-License-Identifier: MIT
// What viewers of the page say, of which nothing is trusted.
#include "capture/weir/record/live/page.h"

#include <stdio.h>
#include <string.h>

#include "capture/weir/record/server.h"

bool record_page_split(const char *where, char address[256], char port[8])
{
    const char *colon = strrchr(where, ':');
    const char *digits = colon ? colon + 1 : where;
    const char *begin = where;
    size_t length = colon ? (size_t)(colon - where) : 0;
    if (length >= 2 && begin[0] == '[' && begin[length - 1] == ']') {
        begin++;
        length -= 2;
    } else if (memchr(begin, ':', length)) {
        return false;
    }
    const size_t num_digits = strlen(digits);
    const bool is_number = num_digits >= 1 && num_digits <= 5 &&
                           strspn(digits, "0123456789") == num_digits;
    if (!is_number || length > 255 || (colon && length == 0)) {
        return false;
    }
    snprintf(address, 256, "%.*s", colon ? (int)length : 9, colon ? begin : "127.0.0.1");
    snprintf(port, 8, "%s", digits);
    unsigned number = 0;
    return sscanf(digits, "%u", &number) == 1 && number <= 65535;
}

static bool is_same(const char *token, const char *given)
{
    const size_t length = strlen(token);
    unsigned char differences = strlen(given) != length;
    for (size_t i = 0; i < length && given[i]; i++) {
        differences |= (unsigned char)(token[i] ^ given[i]);
    }
    return differences == 0;
}

// True for a name of the loopback, and a port.
static bool is_loopback_name(const char *host)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(host, names[i], length) == 0 && (host[length] == ':' || !host[length])) {
            return true;
        }
    }
    return false;
}

bool record_page_allows(const char *token, const struct record_page_request *request,
                        bool is_loopback, bool needs_origin)
{
    static const char scheme[] = "http://";
    const size_t length = strlen(scheme);
    const bool has_token = is_same(token, request->token);
    const bool is_own = strncmp(request->origin, scheme, length) == 0 &&
                        strcmp(request->origin + length, request->host) == 0;
    return has_token && (is_own || (!needs_origin && !request->origin[0])) &&
           (!is_loopback || is_loopback_name(request->host));
}

bool record_page_translate(const char *message, size_t size, const char *replay, char *request,
                           size_t room)
{
    const char *blank = memchr(message, ' ', size);
    const size_t length = blank ? (size_t)(blank - message) : size;
    const size_t rest = blank ? size - length - 1 : 0;
    for (int verb = 0; verb < RECORD_STATUS; verb++) {
        const char *name = record_verb_name(verb);
        if (strlen(name) != length || memcmp(name, message, length) != 0) {
            continue;
        }
        const bool is_mark = verb == RECORD_MARK;
        if ((blank && !is_mark) || (blank && memchr(blank + 1, 0, rest)) ||
            (verb == RECORD_REPLAY && !replay)) {
            return false;
        }
        const int written = snprintf(request, room, "%s %.*s", name, is_mark ? (int)rest : 8192,
                                     is_mark                 ? (blank ? blank + 1 : "")
                                     : verb == RECORD_REPLAY ? replay
                                                             : "");
        return written > 0 && (size_t)written < room;
    }
    return false;
}
