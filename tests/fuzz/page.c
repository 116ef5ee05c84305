// SPDX-License-Identifier: MIT
// What viewers of the page of weir record --live send: a message becomes one request of --ctl or
// none, and only the token, from the page itself, opens it.
#include "capture/weir/record/live/page.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

static const char token[] = "0123456789abcdef0123456789abcdef", replay[] = "/a/take-replay.mov";

// An input is a message, or a request of three lines: token, host, origin.
static const char *const seeds[] = TEST_LIST(
    "start", "stop", "pause", "mark", "mark a title", "mark \xc3\xbc \xff", "replay",
    "replay /x.mov", "status", "status json", "start now", "8000", "0.0.0.0:65535", "[::1]:0",
    "host:99999", "::1:8",
    "0123456789abcdef0123456789abcdef\nlocalhost:8000\nhttp://localhost:8000",
    "0123456789abcdef0123456789abcdef\n[::1]:1\n",
    "0123456789abcdef0123456789abcdef\nevil\nhttp://evil", "\n127.0.0.1\nhttp://127.0.0.1", NULL);
static const char *const pieces[] = TEST_LIST("mark ", "replay", "\n", "http://", "localhost", ":",
                                              " ", "]", "\xff", "0123456789abcdef0123456789abcdef",
                                              NULL);

static void translate(const char *text, size_t size)
{
    char request[RECORD_PAGE_MESSAGE + 32];
    const char *const known[] = {"start ", "stop ", "pause ", "replay /a/take-replay.mov"};
    memset(request, 'x', sizeof(request));
    if (!record_page_translate(text, size, size % 2 ? replay : NULL, request, sizeof(request))) {
        return;
    }
    fuzz_expect(memchr(request, 0, sizeof(request)) != NULL, "it ends");
    bool is_known = strncmp(request, "mark ", 5) == 0 && size <= sizeof(request) &&
                    (size < 5 || memcmp(request, text, size) == 0);
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        is_known = is_known || (strcmp(request, known[i]) == 0 && (i < 3 || size % 2));
    }
    fuzz_expect(is_known, "the request '%s'", request);
}

static void allow(char *text)
{
    char *rest, *parts[3];
    parts[0] = text;
    for (int i = 1; i < 3; i++) {
        rest = strchr(parts[i - 1], '\n');
        if (!rest) {
            return;
        }
        *rest = 0;
        parts[i] = rest + 1;
    }
    const struct record_page_request request = {parts[0], parts[1], parts[2]};
    for (int i = 0; i < 4; i++) {
        const bool is_allowed = record_page_allows(token, &request, i & 1, i & 2);
        const bool is_own = strncmp(parts[2], "http://", 7) == 0 &&
                            strcmp(parts[2] + 7, parts[1]) == 0;
        fuzz_expect(!is_allowed || (strcmp(parts[0], token) == 0 &&
                                    (is_own || (!(i & 2) && parts[2][0] == 0))),
                    "'%s' from '%s' at '%s'", parts[0], parts[2], parts[1]);
        fuzz_expect(!is_allowed || !(i & 1) || strncmp(parts[1], "localhost", 9) == 0 ||
                        strncmp(parts[1], "127.0.0.1", 9) == 0 ||
                        strncmp(parts[1], "[::1]", 5) == 0,
                    "the host '%s'", parts[1]);
    }
}

static void run(const uint8_t *data, size_t size)
{
    char text[FUZZ_MAX_SIZE + 1], address[256], port[8];
    translate((const char *)data, size);
    memcpy(text, data, size);
    text[size] = 0;
    if (record_page_split(text, address, port)) {
        fuzz_expect(strlen(address) >= 1 && strlen(port) >= 1 && strlen(port) <= 5 &&
                        strcmp(text + strlen(text) - strlen(port), port) == 0,
                    "'%s' is '%s' and '%s'", text, address, port);
    }
    allow(text);
}

const struct fuzz_target fuzz_target = TEST_LIST(.name = "page", .num_runs = 50000, .texts = seeds,
                                                 .pieces = pieces, .run = run);
