// SPDX-License-Identifier: MIT
// --ctl: asks the recorder that runs.
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/weir/common/report.h"
#include "capture/weir/record/control.h"
#include "capture/weir/record/folder.h"

enum { MAX_WAIT_MS = 60000 }; // a disk may take long to close a movie

// The recorder has a folder of its own for names that begin with none.
static bool make_request(enum record_verb verb, const char *argument, bool json, char *text,
                         size_t size)
{
    char folder[RECORD_REQUEST_SIZE] = "";
    if (verb == RECORD_REPLAY && argument[0] != '/' && !getcwd(folder, sizeof(folder))) {
        cli_report_error("the current folder is not known: %s", strerror(errno));
        return false;
    }
    const int length = snprintf(text, size, "%s %s%s%s", record_verb_name(verb), folder,
                                folder[0] != 0 ? "/" : "",
                                verb == RECORD_STATUS ? (json ? "json" : "")
                                : argument            ? argument
                                                      : "");
    if (length >= (int)size) {
        cli_report_error("the text is too long for a request: at most %zu bytes", size - 1);
        return false;
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
    cli_report_error("the recorder says: %s", strncmp(text, "error ", 6) == 0 ? text + 6 : text);
    return CLI_FAILED;
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
