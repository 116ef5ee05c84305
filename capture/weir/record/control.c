// SPDX-License-Identifier: MIT
// What the recorder does for --ctl.
#include "capture/weir/record/server.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/link/link.h"
#include "capture/weir/common/report.h"

static const uint64_t max_silence_ns = 5000000000; // until a request has come

static const char *const verb_names[] = {
    [RECORD_START] = "start", [RECORD_STOP] = "stop",     [RECORD_PAUSE] = "pause",
    [RECORD_MARK] = "mark",   [RECORD_REPLAY] = "replay", [RECORD_STATUS] = "status",
};

const char *record_verb_name(int verb)
{
    return verb >= 0 && verb < RECORD_NUM_VERBS ? verb_names[verb] : NULL;
}

static void leave(struct record_asker *asker)
{
    if (asker->socket >= 0) {
        close(asker->socket);
    }
    *asker = (struct record_asker){.socket = -1};
}

void record_control_accept(struct record_asker askers[RECORD_MAX_ASKERS], int listener)
{
    const int socket = link_accept_connection(listener);
    for (int i = 0; socket >= 0 && i < RECORD_MAX_ASKERS; i++) {
        if (askers[i].socket < 0) {
            askers[i] = (struct record_asker){.socket = socket, .since_ns = weir_clock_ns()};
            return;
        }
    }
    if (socket >= 0) {
        close(socket);
    }
}

// An answer is "ok" or "error", a blank, and a text.
static void answer(struct record_asker *asker, bool ok, const char *text)
{
    char packet[RECORD_ANSWER_SIZE];
    const int size = snprintf(packet, sizeof(packet), "%s %s", ok ? "ok" : "error", text);
    const size_t length = size < (int)sizeof(packet) ? (size_t)size : sizeof(packet) - 1;
    // One that does not read its answer misses it.
    (void)!send(asker->socket, packet, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    leave(asker);
}

static void answer_count(struct record_asker *asker, unsigned num, const char *done,
                         const char *failed)
{
    char text[128];
    snprintf(text, sizeof(text), "%s: %u movie%s", done, num, num == 1 ? "" : "s");
    answer(asker, num > 0, num > 0 ? text : failed);
}

static void answer_status(struct record_asker *asker, const struct record_recording *recording,
                          bool json)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file) {
        record_report_status(file, recording, json);
        fclose(file);
    }
    answer(asker, text != NULL, text ? text : "no memory");
    free(text);
}

static void start(struct record_asker *asker, struct record_recording *recording)
{
    const bool ok = record_start(recording);
    answer(asker, ok,
           ok                              ? "recording"
           : recording->state == RECORD_ON ? "it records already"
                                           : "the recording has ended");
}

static void answer_replay(struct record_asker *asker, struct record_recording *recording,
                          const char *path)
{
    const bool is_kept = recording->settings->capture.replay.length_ms > 0;
    const bool is_on = recording->state == RECORD_ON || recording->state == RECORD_PAUSED;
    answer_count(asker, is_kept && is_on && path[0] != 0 ? record_replay(recording, path) : 0,
                 "replay begun",
                 !is_kept ? "no frame is kept: start the recorder with --replay SECONDS"
                 : !is_on ? "nothing is recorded: begin it with --ctl start"
                          : "there is no frame yet, or another replay is being written");
}

static void take_request(struct record_asker *asker, struct record_recording *recording,
                         enum record_verb verb, const char *argument)
{
    bool ok;
    switch (verb) {
    case RECORD_START:
        start(asker, recording);
        break;
    case RECORD_STOP:
        asker->waits = record_stop(recording);
        if (!asker->waits) {
            answer(asker, false, "nothing is recorded");
        }
        break;
    case RECORD_PAUSE:
        ok = record_pause(recording);
        answer(asker, ok, ok ? "paused" : "nothing is recorded");
        break;
    case RECORD_MARK:
        answer_count(asker, record_mark(recording, argument), "marked", "no movie is recorded");
        break;
    case RECORD_REPLAY:
        answer_replay(asker, recording, argument);
        break;
    default:
        answer_status(asker, recording, argument[0] != 0);
        break;
    }
}

void record_control_read(struct record_asker *asker, struct record_recording *recording)
{
    char text[RECORD_REQUEST_SIZE];
    const ssize_t size = recv(asker->socket, text, sizeof(text) - 1, MSG_DONTWAIT);
    if (size <= 0 || asker->waits) {
        leave(asker);
        return;
    }
    text[size] = 0;
    char *blank = strchr(text, ' ');
    const char *argument = blank ? blank + 1 : "";
    if (blank) {
        *blank = 0;
    }
    for (int verb = 0; verb < RECORD_NUM_VERBS; verb++) {
        if (strcmp(text, verb_names[verb]) == 0) {
            take_request(asker, recording, (enum record_verb)verb, argument);
            return;
        }
    }
    answer(asker, false, "this recorder does not know that; it is another version");
}

void record_control_tick(struct record_asker askers[RECORD_MAX_ASKERS],
                         const struct record_recording *recording)
{
    for (int i = 0; i < RECORD_MAX_ASKERS; i++) {
        if (askers[i].socket >= 0 && askers[i].waits && !recording->closing) {
            answer(&askers[i], true, "stopped, and the movies are closed");
        } else if (askers[i].socket >= 0 && !askers[i].waits &&
                   weir_clock_ns() - askers[i].since_ns > max_silence_ns) {
            leave(&askers[i]);
        }
    }
}

enum { MAX_WAIT_MS = 60000 }; // a disk may take long to close a movie

// The recorder has a folder of its own for names that begin with none.
static bool make_request(enum record_verb verb, const char *argument, bool json, char *text,
                         size_t size)
{
    char folder[RECORD_REQUEST_SIZE] = "";
    if (verb == RECORD_REPLAY && argument[0] != '/' && !getcwd(folder, sizeof(folder))) {
        return cli_fail(false, "cannot find the current folder: %s", strerror(errno));
    }
    const int length = snprintf(text, size, "%s %s%s%s", record_verb_name(verb), folder,
                                folder[0] != 0 ? "/" : "",
                                verb == RECORD_STATUS ? (json ? "json" : "")
                                : argument            ? argument
                                                      : "");
    if (length >= (int)size) {
        return cli_fail(false, "the text is too long for a request: at most %zu bytes", size - 1);
    }
    return true;
}

static enum cli_status print_answer(const char *text)
{
    if (strncmp(text, "ok ", 3) == 0) {
        const size_t length = strlen(text);
        fputs(text + 3, stdout);
        fputs(length > 0 && text[length - 1] == '\n' ? "" : "\n", stdout);
        return CLI_DONE;
    }
    return cli_fail(CLI_FAILED, "the recorder says: %s",
                    strncmp(text, "error ", 6) == 0 ? text + 6 : text);
}

enum cli_status record_control_ask(enum record_verb verb, const char *argument, uint64_t process,
                                   bool json)
{
    char request[RECORD_REQUEST_SIZE];
    if (!make_request(verb, argument, json, request, sizeof(request))) {
        return CLI_FAILED;
    }
    const int socket = record_folder_connect(process);
    if (socket < 0) {
        return CLI_FAILED;
    }
    char *text = calloc(1, RECORD_ANSWER_SIZE);
    ssize_t size = -1;
    if (text && send(socket, request, strlen(request), MSG_NOSIGNAL) >= 0) {
        struct pollfd wait = {.fd = socket, .events = POLLIN};
        while (poll(&wait, 1, MAX_WAIT_MS) < 0 && errno == EINTR) {
        }
        size = recv(socket, text, RECORD_ANSWER_SIZE - 1, MSG_DONTWAIT);
    }
    close(socket);
    const enum cli_status status = size > 0 ? print_answer(text) : CLI_FAILED;
    if (size <= 0) {
        cli_report_error("the recorder did not answer");
    }
    free(text);
    return status;
}
