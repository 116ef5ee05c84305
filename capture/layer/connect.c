// SPDX-License-Identifier: MIT
// The sender's connection and its thread: how they begin and end.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weir/version.h>

#include "capture/layer/sender.h"

// Receive the first answer.
static enum link_result receive_setup(struct layer_sender *sender, struct link_message *message)
{
    enum { ANSWER_MS = 1000 };
    const struct timespec until = layer_time_after_ms(ANSWER_MS);
    enum link_result result;
    int fd;
    do {
        result = layer_sender_receive(sender, LAYER_WHILE_MS, message, &fd);
    } while (result == LINK_AGAIN && !layer_time_is_over(&until));
    return result;
}

// Say hello, and hear what is wanted.
static bool introduce(struct layer_sender *sender, const char *device_name)
{
    struct link_message message = {
        .hello = {.version = LINK_VERSION, .process = (uint32_t)getpid()}};
    snprintf(message.hello.program, LINK_TEXT_SIZE, "%s", program_invocation_short_name);
    snprintf(message.hello.device, LINK_TEXT_SIZE, "%s", device_name);
    snprintf(message.hello.release, LINK_TEXT_SIZE, "%s", weir_version());
    if (link_send(sender->socket.fd, LINK_HELLO, &message, -1) != LINK_OK ||
        receive_setup(sender, &message) != LINK_OK) {
        layer_print("the recorder does not answer; nothing is recorded");
        return false;
    }
    if (message.type != LINK_SETUP) {
        layer_print("the recorder is another version of Weir; nothing is recorded");
        return false;
    }
    sender->setup = message.setup;
    atomic_init(&sender->is_recording, message.setup.is_recording);
    return true;
}

static void destroy(struct layer_sender *sender)
{
    layer_sender_drop(sender);
    pthread_cond_destroy(&sender->changed);
    pthread_mutex_destroy(&sender->mutex);
    free(sender);
}

// Start the thread. No signal of the program runs on it but SIGSYS, by which a sandbox answers the
// thread's own system calls: the system ends the process where that is blocked.
static bool start(struct layer_sender *sender)
{
    sigset_t all, before;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&sender->mutex, NULL);
    pthread_cond_init(&sender->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    sigfillset(&all);
    sigdelset(&all, SIGSYS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failure = pthread_create(&sender->thread, NULL, layer_sender_run, sender);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure) {
        layer_print("no memory is left for a thread; nothing is recorded");
        return false;
    }
    return true;
}

static int first_filter; // when the layer was loaded

__attribute__((constructor)) static void find_filter(void)
{
    const int status = link_filter_open(getpid());
    first_filter = link_filter_read(status);
    close(status);
}

struct layer_sender *layer_sender_open(const char *device_name)
{
    const int status = link_filter_open(getpid());
    const char *path = link_filter_read(status) == first_filter ? layer_recorder_path() : NULL;
    if (!path) {
        close(status);
        return NULL;
    }
    struct link_descriptor socket = link_hold(link_connect(path));
    struct layer_sender *sender = socket.fd >= 0 && link_has_room(socket.fd)
                                      ? calloc(1, sizeof(*sender))
                                      : NULL;
    if (!sender) {
        layer_print("cannot reach the recorder at %s: %s; nothing is recorded", path,
                    strerror(errno));
        link_drop(&socket);
        close(status);
        return NULL;
    }
    sender->socket = socket;
    sender->process = getpid();
    sender->status = status;
    sender->filter = first_filter;
    if (!introduce(sender, device_name) || !start(sender)) {
        destroy(sender);
        return NULL;
    }
    return sender;
}

void layer_sender_close(struct layer_sender **out)
{
    struct layer_sender *sender = *out;
    *out = NULL;
    if (!sender || sender->is_stuck) {
        return; // the thread has it
    }
    if (layer_sender_is_forked(sender)) {
        link_drop(&sender->socket);
        return;
    }
    pthread_mutex_lock(&sender->mutex);
    sender->is_ending = true;
    pthread_cond_broadcast(&sender->changed);
    pthread_mutex_unlock(&sender->mutex);
    pthread_join(sender->thread, NULL);
    destroy(sender);
}
