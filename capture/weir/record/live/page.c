// SPDX-License-Identifier: MIT
// Listens, makes the token, and keeps the newest picture and facts for the thread that serves them.
#include "capture/weir/record/live/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/weir/common/report.h"

// At most 30 a second, with room for times that are not exact.
static const int64_t min_step_ns = 1000000000 / 30 - 4000000;

static int listen_at(const struct addrinfo *at)
{
    const int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    if (fd >= 0 && (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
                    bind(fd, at->ai_addr, at->ai_addrlen) != 0 || listen(fd, 16) != 0)) {
        const int failure = errno;
        close(fd);
        errno = failure;
        return -1;
    }
    return fd;
}

// Note whether it is the loopback, and replace the address of all by this machine's name.
static void look_at(struct record_page *page, const struct sockaddr *own, char name[256])
{
    const struct in6_addr *six = &((const struct sockaddr_in6 *)own)->sin6_addr;
    const in_addr_t four = ntohl(((const struct sockaddr_in *)own)->sin_addr.s_addr);
    const bool is_four = own->sa_family == AF_INET;
    page->is_loopback = is_four ? four >> 24 == 127 : IN6_IS_ADDR_LOOPBACK(six);
    if (is_four ? four == INADDR_ANY : IN6_IS_ADDR_UNSPECIFIED(six)) {
        gethostname(name, 256);
    }
}

// Listen, and note at which address.
static bool open_listener(struct record_page *page, const char *where)
{
    char address[256], port[8];
    struct addrinfo *found = NULL;
    record_page_split(where, address, port);
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    const int failure = getaddrinfo(address, port, &hints, &found);
    if (failure != 0) {
        return cli_fail(false, "--live %s: %s", where, gai_strerror(failure));
    }
    page->listener = listen_at(found);
    const int error = errno;
    look_at(page, found->ai_addr, address);
    freeaddrinfo(found);
    struct sockaddr_storage own;
    socklen_t size = sizeof(own);
    if (page->listener < 0 || getsockname(page->listener, (struct sockaddr *)&own, &size) != 0 ||
        getnameinfo((struct sockaddr *)&own, size, NULL, 0, port, sizeof(port), NI_NUMERICSERV)) {
        return cli_fail(false, "--live %s: %s", where, strerror(error));
    }
    const bool is_six = strchr(address, ':') != NULL;
    snprintf(page->url, sizeof(page->url), "http://%s%s%s:%s/?token=%s", is_six ? "[" : "", address,
             is_six ? "]" : "", port, page->token);
    return true;
}

static bool make_token(char token[RECORD_PAGE_TOKEN_SIZE])
{
    unsigned char bytes[RECORD_PAGE_TOKEN_SIZE / 2];
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes)) {
        return cli_fail(false, "--live: the system has no random numbers: %s", strerror(errno));
    }
    for (size_t i = 0; i < sizeof(bytes); i++) {
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    }
    return true;
}

struct record_page *record_page_open(const char *where)
{
    struct record_page *page = calloc(1, sizeof(*page));
    if (!page) {
        return cli_fail(NULL, "no memory for the page of --live");
    }
    pthread_mutex_init(&page->mutex, NULL);
    page->listener = -1;
    if (!make_token(page->token) || !open_listener(page, where)) {
        record_page_close(&page);
    }
    return page;
}

// False: there is no memory, or no thread.
static bool start(struct record_page *page)
{
    sigset_t all, before;
    if (!record_serve_create(page)) {
        return false;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    page->has_thread = pthread_create(&page->thread, NULL, record_serve_run, page) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return page->has_thread;
}

void record_page_start(struct record_page **out, const char *control, const char *movie, bool quiet)
{
    struct record_page *page = *out;
    const size_t length = movie ? strlen(movie) - strlen(".mov") : 0;
    const size_t room = length + sizeof("-replay.mov");
    if (!page) {
        return;
    }
    page->control = control;
    page->replay = movie ? malloc(room) : NULL;
    if (page->replay) {
        snprintf(page->replay, room, "%.*s-replay.mov", (int)length, movie);
    }
    if (!start(page)) {
        cli_report_error("no memory for the page of --live");
        record_page_close(out);
        return;
    }
    cli_report_note(quiet, "watch it at %s", page->url);
}

void record_page_close(struct record_page **out)
{
    struct record_page *page = *out;
    *out = NULL;
    if (!page) {
        return;
    }
    if (page->has_thread) {
        atomic_store(&page->is_ending, true);
        record_serve_wake(page);
        pthread_join(page->thread, NULL);
    }
    record_serve_destroy(page);
    if (page->listener >= 0) {
        close(page->listener);
    }
    pthread_mutex_destroy(&page->mutex);
    free(page->replay);
    free(page);
}

const char *record_page_url(const struct record_page *page)
{
    return page ? page->url : NULL;
}

bool record_page_is_watched(const struct record_page *page)
{
    return page && atomic_load(&page->num_viewers) > 0;
}

// Replace a message by a newer one.
static void put(struct record_page *page, struct record_page_message *message, const void *head,
                size_t head_size, const void *data, size_t size)
{
    pthread_mutex_lock(&page->mutex);
    memcpy(message->data, head, head_size);
    memcpy(message->data + head_size, data, size);
    message->size = head_size + size;
    message->number++;
    pthread_mutex_unlock(&page->mutex);
    record_serve_wake(page);
}

void record_page_show(struct record_page *page, const struct weir_preview_picture *picture)
{
    if (!record_page_is_watched(page) || picture->width > RECORD_PAGE_SIDE ||
        picture->height > RECORD_PAGE_SIDE || picture->time_ns - page->last_ns < min_step_ns) {
        return;
    }
    const size_t size = (size_t)((picture->width + 3) / 4) * ((picture->height + 3) / 4) * 8;
    const struct {
        uint32_t width, height;
        int64_t time_ns;
    } head = {picture->width, picture->height, picture->time_ns};
    page->last_ns = picture->time_ns;
    put(page, &page->picture, &head, sizeof(head), picture->blocks, size);
}

void record_page_report(struct record_page *page, const char *facts, size_t size)
{
    if (page && size <= sizeof(page->facts.data)) {
        put(page, &page->facts, "", 0, facts, size);
    }
}
