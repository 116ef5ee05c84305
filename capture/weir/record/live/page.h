// SPDX-License-Identifier: MIT
// The page of weir record --live: a browser shows what is recorded, and controls it.
//
// A thread serves it over HTTP and a WebSocket. The recorder's loop hands over pictures and facts,
// and never waits: only the newest of each is kept. What viewers ask goes to the recorder's socket
// `control`, as --ctl does.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <weir/preview.h>

enum {
    RECORD_PAGE_SIDE = 480,      // longest side of pictures [texels]
    RECORD_PAGE_MESSAGE = 512,   // that a viewer may send [bytes]
    RECORD_PAGE_TOKEN_SIZE = 33, // with the 0 at its end
};

struct record_page;

// Listen at what record_page_split() accepts. Prints the reason of a failure; NULL then.
struct record_page *record_page_open(const char *where);

// Begin to serve the page, and print its address, unless `quiet`. `control`: the path of the
// recorder's socket, which is borrowed; `movie`: that of the first movie, beside which replays are
// saved, NULL: none are kept. A page that cannot be served is closed, which is printed. NULL is
// allowed.
void record_page_start(struct record_page **page, const char *control, const char *movie,
                       bool quiet);
// NULL is allowed; sets `*page` to NULL.
void record_page_close(struct record_page **page);

// The rest accepts NULL, and is for one thread.

// Get the address of the page, with the token. NULL for NULL.
const char *record_page_url(const struct record_page *page);

// True if somebody looks.
bool record_page_is_watched(const struct record_page *page);

// Show a picture of at most RECORD_PAGE_SIDE, unless nobody looks or the last one was shown less
// than 1/30 s before.
void record_page_show(struct record_page *page, const struct weir_preview_picture *picture);

// Show facts: JSON.
void record_page_report(struct record_page *page, const char *facts, size_t size);

// What viewers say. Pure.

// Split [ADDRESS:]PORT, where an address with colons stands in brackets; without one it is the
// loopback's. False: it is none.
bool record_page_split(const char *where, char address[256], char port[8]);

// What a browser has sent with a request; empty: it has not.
struct record_page_request {
    const char *token, *host, *origin;
};
// True if it may have an answer: it has the token, in constant time, and comes from the page itself
// and not from one that has made its own name an address of this machine. A WebSocket needs an
// origin.
bool record_page_allows(const char *token, const struct record_page_request *request,
                        bool is_loopback, bool needs_origin);

// Make what is sent to the recorder's socket of a viewer's message: a verb of --ctl, and for mark a
// title. `replay` as above. False: it is no message that the page sends.
bool record_page_translate(const char *message, size_t size, const char *replay, char *request,
                           size_t room);
