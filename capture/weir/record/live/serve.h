// SPDX-License-Identifier: MIT
// The page between the recorder's loop and the thread that serves it by libwebsockets.
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "capture/weir/record/live/page.h"

// Of pictures, and of facts, which are smaller [bytes].
enum { RECORD_PAGE_ROOM = 16 + RECORD_PAGE_SIDE * RECORD_PAGE_SIDE / 2 };

// The newest of its type.
struct record_page_message {
    uint64_t number; // of those that there were
    size_t size;     // [bytes]
    uint8_t data[RECORD_PAGE_ROOM];
};

struct record_page {
    int listener;
    bool is_loopback;
    char token[RECORD_PAGE_TOKEN_SIZE];
    char url[328];       // with the token
    const char *control; // the path of the recorder's socket
    char *replay;        // of replays; NULL: none are kept
    int64_t last_ns;     // of the last picture
    pthread_t thread;
    bool has_thread;
    atomic_bool is_ending;
    atomic_int num_viewers;
    struct serve *serve; // of the thread

    pthread_mutex_t mutex; // of both messages
    struct record_page_message picture, facts;
};

// False: no memory.
bool record_serve_create(struct record_page *page);
void record_serve_destroy(struct record_page *page);
// What the thread runs, until the page is ending.
void *record_serve_run(void *page);
// Let the thread send what is new. Any thread.
void record_serve_wake(struct record_page *page);
