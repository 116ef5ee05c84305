// SPDX-License-Identifier: MIT
// Serves the page by libwebsockets, on a thread of its own.
#include "capture/weir/record/live/serve.h"

#include <errno.h>
#include <libwebsockets.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/link/link.h"
#include "capture/weir/record/server.h"

enum {
    MAX_VIEWERS = 16,
    MAX_SOCKETS = 2 * MAX_VIEWERS + 8, // with those that fetch the page, and the thread's own
    MAX_AHEAD = 3,                     // pictures that a viewer has not shown yet
    SILENCE_S = 5,                     // until a request has come
    ANSWER_ROOM = 512,
};

static const uint8_t html[] = {
#include "capture/weir/record/live/page.inc"
};

struct viewer {
    bool is_counted;
    unsigned num_ahead;
    uint64_t picture, facts; // numbers of those that were sent
    int control;             // the recorder's socket while its answer is awaited, else -1
    size_t size;             // of what has come of a message
    char message[RECORD_PAGE_MESSAGE];
};

struct serve {
    struct record_page *page;
    struct lws_context *context;
    struct lws_vhost *vhost;
    uint8_t out[LWS_PRE + RECORD_PAGE_ROOM]; // what is sent
};

static struct serve *serve_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

// Get a header of a request; "" if there is none, or it is too long.
static const char *header(struct lws *wsi, enum lws_token_indexes name, char *text, int room)
{
    return lws_hdr_copy(wsi, text, room, name) > 0 ? text : "";
}

static bool is_allowed(struct lws *wsi, bool needs_origin)
{
    const struct record_page *page = serve_of(wsi)->page;
    char host[300], origin[300], argument[64];
    const char *token = lws_get_urlarg_by_name(wsi, "token=", argument, sizeof(argument));
    const struct record_page_request request = {
        .token = token ? token : "",
        .host = header(wsi, WSI_TOKEN_HOST, host, sizeof(host)),
        .origin = header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof(origin)),
    };
    return record_page_allows(page->token, &request, page->is_loopback, needs_origin);
}

// Answer a request with the head of the page, or why there is none.
static int answer_request(struct lws *wsi, const char *path)
{
    static const char *const headers[][2] = {
        {"content-security-policy:", "default-src 'none'; script-src 'unsafe-inline'; style-src "
                                     "'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'"},
        {"cache-control:", "no-store"},
        {"referrer-policy:", "no-referrer"},
        {"x-content-type-options:", "nosniff"},
    };
    uint8_t text[LWS_PRE + 1024], *at = text + LWS_PRE, *end = text + sizeof(text);
    if (strcmp(path, "/") != 0 || !is_allowed(wsi, false)) {
        const bool is_page = strcmp(path, "/") == 0;
        lws_return_http_status(wsi, is_page ? HTTP_STATUS_FORBIDDEN : HTTP_STATUS_NOT_FOUND,
                               is_page ? "Open the whole address that weir record has printed."
                                       : NULL);
        return -1;
    }
    int failure = lws_add_http_common_headers(wsi, HTTP_STATUS_OK, "text/html; charset=utf-8",
                                              sizeof(html), &at, end);
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        failure |= lws_add_http_header_by_name(wsi, (const uint8_t *)headers[i][0],
                                               (const uint8_t *)headers[i][1],
                                               (int)strlen(headers[i][1]), &at, end);
    }
    if (failure || lws_finalize_write_http_header(wsi, text + LWS_PRE, &at, end)) {
        return -1;
    }
    lws_callback_on_writable(wsi);
    return 0;
}

static int send_page(struct lws *wsi)
{
    uint8_t *body = serve_of(wsi)->out + LWS_PRE;
    _Static_assert(sizeof(html) <= RECORD_PAGE_ROOM, "the page fits");
    memcpy(body, html, sizeof(html));
    const bool is_sent = lws_write(wsi, body, sizeof(html), LWS_WRITE_HTTP_FINAL) ==
                         (int)sizeof(html);
    return !is_sent || lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int send_packet(struct lws *wsi, size_t size, enum lws_write_protocol type)
{
    lws_callback_on_writable(wsi); // there may be more
    return lws_write(wsi, serve_of(wsi)->out + LWS_PRE, size, type) < (int)size ? -1 : 0;
}

// Send the newest of its type, if that was not sent yet. False: there is none.
static bool take(struct serve *serve, const struct record_page_message *message, uint64_t *number,
                 size_t *size)
{
    pthread_mutex_lock(&serve->page->mutex);
    const bool is_new = message->number != *number;
    if (is_new) {
        memcpy(serve->out + LWS_PRE, message->data, message->size);
        *number = message->number;
        *size = message->size;
    }
    pthread_mutex_unlock(&serve->page->mutex);
    return is_new;
}

// Read the recorder's answer to a viewer. False: it has not come.
static bool take_answer(struct serve *serve, struct viewer *viewer, size_t *size)
{
    char *out = (char *)serve->out + LWS_PRE;
    const ssize_t num = viewer->control < 0 ? 0
                                            : recv(viewer->control, out, ANSWER_ROOM, MSG_DONTWAIT);
    if (viewer->control < 0 || (num < 0 && (errno == EAGAIN || errno == EINTR))) {
        return false;
    }
    close(viewer->control);
    viewer->control = -1;
    *size = num > 0 ? (size_t)num : (size_t)sprintf(out, "error the recorder did not answer");
    return true;
}

static int send_next(struct lws *wsi, struct viewer *viewer)
{
    struct serve *serve = serve_of(wsi);
    size_t size;
    if (take_answer(serve, viewer, &size) ||
        take(serve, &serve->page->facts, &viewer->facts, &size)) {
        return send_packet(wsi, size, LWS_WRITE_TEXT);
    }
    if (viewer->num_ahead < MAX_AHEAD &&
        take(serve, &serve->page->picture, &viewer->picture, &size)) {
        viewer->num_ahead++;
        return send_packet(wsi, size, LWS_WRITE_BINARY);
    }
    return 0;
}

// Hand a request of a viewer to the recorder. One at a time.
static bool ask(const struct serve *serve, struct viewer *viewer)
{
    char request[RECORD_REQUEST_SIZE];
    if (viewer->control >= 0 ||
        !record_page_translate(viewer->message, viewer->size, serve->page->replay, request,
                               sizeof(request))) {
        return false;
    }
    viewer->control = link_connect(serve->page->control);
    (void)!send(viewer->control, request, strlen(request), MSG_NOSIGNAL | MSG_DONTWAIT);
    return true;
}

// False: the viewer says what the page never does.
static bool receive(struct lws *wsi, struct viewer *viewer, const void *data, size_t size)
{
    static const char shown[] = "shown";
    if (size > sizeof(viewer->message) - viewer->size) {
        return false;
    }
    memcpy(viewer->message + viewer->size, data, size);
    viewer->size += size;
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0) {
        return true;
    }
    const bool is_shown = viewer->size == strlen(shown) &&
                          memcmp(viewer->message, shown, viewer->size) == 0;
    if (is_shown && viewer->num_ahead > 0) {
        viewer->num_ahead--;
        lws_callback_on_writable(wsi);
    }
    const bool ok = is_shown || ask(serve_of(wsi), viewer);
    viewer->size = 0;
    return ok;
}

static int serve_page(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                      size_t length)
{
    (void)user, (void)length;
    return reason == LWS_CALLBACK_HTTP             ? answer_request(wsi, in)
           : reason == LWS_CALLBACK_HTTP_WRITEABLE ? send_page(wsi)
                                                   : 0;
}

static int serve_viewer(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                        size_t length)
{
    struct viewer *viewer = user;
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return !is_allowed(wsi, true) ||
               atomic_load(&serve_of(wsi)->page->num_viewers) >= MAX_VIEWERS;
    case LWS_CALLBACK_ESTABLISHED:
        *viewer = (struct viewer){.is_counted = true, .control = -1};
        atomic_fetch_add(&serve_of(wsi)->page->num_viewers, 1);
        lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_CLOSED:
        if (viewer->is_counted) {
            atomic_fetch_sub(&serve_of(wsi)->page->num_viewers, 1);
            close(viewer->control);
        }
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return receive(wsi, viewer, in, length) ? 0 : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return send_next(wsi, viewer);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        lws_callback_on_writable_all_protocol(lws_get_context(wsi), lws_get_protocol(wsi));
        return 0;
    default:
        return 0;
    }
}

// Take the connections that have come. libwebsockets closes those that are too many.
static int serve_listener(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                          size_t length)
{
    (void)user, (void)in, (void)length;
    if (reason == LWS_CALLBACK_RAW_RX_FILE) {
        struct serve *serve = serve_of(wsi);
        const int fd = accept4(serve->page->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0) {
            lws_adopt_socket_vhost(serve->vhost, fd);
        }
    }
    return 0;
}

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = serve_page},
    {.name = "weir",
     .callback = serve_viewer,
     .per_session_data_size = sizeof(struct viewer),
     .rx_buffer_size = RECORD_PAGE_MESSAGE},
    {.name = "listener", .callback = serve_listener},
    {.name = NULL},
};

bool record_serve_create(struct record_page *page)
{
    // A viewer that is gone without a word.
    static const lws_retry_bo_t retry = {.secs_since_valid_ping = 20,
                                         .secs_since_valid_hangup = 40};
    struct serve *serve = page->serve = calloc(1, sizeof(*serve));
    struct sigaction pipe_action;
    if (!serve) {
        return false;
    }
    serve->page = page;
    lws_set_log_level(0, NULL);
    sigaction(SIGPIPE, NULL, &pipe_action); // which lws_create_context() sets
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .user = serve,
        .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME,
        .fd_limit_per_thread = MAX_SOCKETS,
        .timeout_secs = SILENCE_S,
        .keepalive_timeout = SILENCE_S,
        .retry_and_idle_policy = &retry,
        .server_string = "weir",
        .uid = (uid_t)-1,
        .gid = (gid_t)-1,
    };
    serve->context = lws_create_context(&info);
    sigaction(SIGPIPE, &pipe_action, NULL);
    serve->vhost = serve->context ? lws_create_vhost(serve->context, &info) : NULL;
    const lws_sock_file_fd_type listener = {.filefd = page->listener};
    return serve->vhost && lws_adopt_descriptor_vhost(serve->vhost, LWS_ADOPT_RAW_FILE_DESC,
                                                      listener, "listener", NULL);
}

void record_serve_destroy(struct record_page *page)
{
    if (page->serve && page->serve->context) {
        lws_context_destroy(page->serve->context);
        page->listener = -1; // libwebsockets has closed it
    }
    free(page->serve);
    page->serve = NULL;
}

void *record_serve_run(void *user)
{
    struct record_page *page = user;
    while (!atomic_load(&page->is_ending) && lws_service(page->serve->context, 0) >= 0) {
    }
    return NULL;
}

void record_serve_wake(struct record_page *page)
{
    if (page->serve) {
        lws_cancel_service(page->serve->context);
    }
}
