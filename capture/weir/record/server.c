// SPDX-License-Identifier: MIT
// The loop of the recorder: sockets of layers and of --ctl, signals, times.
#include "capture/weir/record/record.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/link/link.h"
#include "capture/weir/common/layer.h"
#include "capture/weir/common/report.h"
#include "capture/weir/record/audio/audio.h"
#include "capture/weir/record/live/page.h"
#include "capture/weir/record/server.h"

enum {
    MAX_CONNECTIONS = 64,
    TICK_MS = 100, // how late times are noticed
};

static const uint64_t max_silence_ns = 5000000000; // until a layer has said who it is
static const uint64_t pause_ns = 1000000000;       // until another connection is tried

// What the loop waits for, in this order; connections come behind it.
enum { WAIT_SIGNALS, WAIT_WAKE, WAIT_LAYERS, WAIT_CONTROL, WAIT_ASKERS };
enum { WAIT_CONNECTIONS = WAIT_ASKERS + RECORD_MAX_ASKERS };

struct server {
    const struct record_settings *settings;
    const struct record_options *options; // of them
    struct record_folder folder;
    struct record_program program;
    struct record_recording recording;
    struct record_audio *audio;
    struct record_live live;
    struct record_connection *connections;
    struct record_asker askers[RECORD_MAX_ASKERS];
    int signals, wake;
    uint64_t start_ns, num_connections;
    uint64_t deaf_until_ns; // the system has no file for another connection
    unsigned num_ends;      // signals to end
    int last_end;           // the last of them
    bool is_left;           // the program goes on without the recorder
    bool has_told_children, has_told_stop;
    bool had_hello, had_stream;
    struct pollfd waits[WAIT_CONNECTIONS + MAX_CONNECTIONS];
};

static unsigned count_connections(const struct server *server)
{
    unsigned num = 0;
    for (const struct record_connection *c = server->connections; c; c = c->next) {
        num++;
    }
    return num;
}

// Take a program's connection. One too many is closed, and that program goes on unrecorded.
static void accept_layer(struct server *server)
{
    const int socket = link_accept_connection(server->folder.layer_socket);
    if (socket < 0) {
        const bool is_short = errno == EMFILE || errno == ENFILE || errno == ENOMEM;
        server->deaf_until_ns = is_short ? weir_clock_ns() + pause_ns : 0;
        return;
    }
    if (count_connections(server) >= MAX_CONNECTIONS) {
        cli_report_warning("a device is not recorded: there are %d already", MAX_CONNECTIONS);
        close(socket);
        return;
    }
    struct record_connection *connection = record_connection_create(&server->recording, socket,
                                                                    ++server->num_connections);
    if (!connection) {
        cli_report_error("no memory for a device, which is not recorded");
        server->recording.has_failed = true;
        return;
    }
    connection->next = server->connections;
    server->connections = connection;
}

static void take_signal(struct server *server, int signal, bool by_terminal)
{
    if (signal == SIGCHLD) {
        record_program_reap(&server->program);
    } else if (signal == SIGUSR1) {
        if (!record_pause(&server->recording)) {
            record_start(&server->recording);
        }
    } else {
        record_end(&server->recording);
        record_program_pass_on(&server->program, signal, by_terminal);
        server->is_left = server->num_ends++ > 0;
        server->last_end = signal;
    }
}

static int fill_waits(struct server *server)
{
    struct pollfd *waits = server->waits;
    waits[WAIT_SIGNALS] = (struct pollfd){.fd = server->signals, .events = POLLIN};
    waits[WAIT_WAKE] = (struct pollfd){.fd = server->wake, .events = POLLIN};
    waits[WAIT_LAYERS] = (struct pollfd){
        .fd = weir_clock_ns() < server->deaf_until_ns ? -1 : server->folder.layer_socket,
        .events = POLLIN};
    waits[WAIT_CONTROL] = (struct pollfd){.fd = server->folder.control_socket, .events = POLLIN};
    for (int i = 0; i < RECORD_MAX_ASKERS; i++) {
        waits[WAIT_ASKERS + i] = (struct pollfd){.fd = server->askers[i].socket, .events = POLLIN};
    }
    int num = WAIT_CONNECTIONS;
    for (struct record_connection *c = server->connections; c; c = c->next) {
        waits[num++] = (struct pollfd){.fd = c->socket,
                                       .events = (short)(POLLIN | (c->is_full ? POLLOUT : 0))};
    }
    return num;
}

// Read what has come. Connections are in the order in which fill_waits() saw them.
static void read_all(struct server *server)
{
    const struct pollfd *waits = server->waits;
    uint64_t count;
    (void)!read(server->wake, &count, sizeof(count));
    int i = WAIT_CONNECTIONS;
    for (struct record_connection *c = server->connections; c; c = c->next, i++) {
        if (waits[i].revents & (POLLIN | POLLHUP | POLLERR)) {
            record_connection_read(c);
        }
        server->had_hello = server->had_hello || c->has_hello;
        server->had_stream = server->had_stream || c->has_stream;
    }
    for (int j = 0; j < RECORD_MAX_ASKERS; j++) {
        if (server->askers[j].socket >= 0 && waits[WAIT_ASKERS + j].revents != 0) {
            record_control_read(&server->askers[j], &server->recording);
        }
    }
    if (waits[WAIT_CONTROL].revents & POLLIN) {
        record_control_accept(server->askers, server->folder.control_socket);
    }
    int signal;
    bool by_terminal;
    while ((signal = record_signals_read(server->signals, &by_terminal)) != 0) {
        take_signal(server, signal, by_terminal);
    }
    // Whoever connected and ended since poll() is here too.
    if (waits[WAIT_LAYERS].revents & POLLIN || server->program.has_ended) {
        accept_layer(server);
    }
}

static void write_all(struct server *server)
{
    struct record_connection **at = &server->connections;
    while (*at) {
        struct record_connection *connection = *at;
        if (!connection->has_hello && connection->socket >= 0 &&
            weir_clock_ns() - connection->since_ns > max_silence_ns) {
            record_connection_close(connection);
        }
        record_connection_write(connection);
        if (record_connection_is_done(connection)) {
            *at = connection->next;
            record_connection_destroy(connection);
        } else {
            at = &connection->next;
        }
    }
}

// True if processes of a program that has ended may open the first window yet.
static bool waits_for_children(const struct server *server)
{
    return server->program.has_ended && server->program.has_children && !server->connections &&
           server->recording.num_frames == 0 && server->recording.state != RECORD_OVER;
}

// What time brings: the begin by --after, the end by --duration, movies that are closed.
static void tick(struct server *server)
{
    struct record_recording *recording = &server->recording;
    if (server->program.is_foreign) {
        record_program_reap(&server->program);
    }
    if (recording->state == RECORD_WAITING && !server->options->paused &&
        weir_clock_ns() - server->start_ns >= server->settings->after_ns) {
        record_start(recording);
    }
    record_tick(recording);
    if (!server->options->quiet) {
        record_report_closed(recording);
    }
    if (waits_for_children(server) && !server->has_told_children) {
        server->has_told_children = true;
        cli_report_note(server->options->quiet, "the program has ended, and processes of it go on: "
                                                "their windows are recorded; Ctrl-C ends it");
    }
    if (recording->state == RECORD_STOPPED && !recording->closing && !server->program.is_foreign &&
        !server->program.has_ended && !server->has_told_stop) {
        server->has_told_stop = true;
        cli_report_note(server->options->quiet,
                        "the recording has ended, and the program goes on: Ctrl-C ends it");
    }
    record_control_tick(server->askers, recording);
    record_live_update(&server->live, recording);
}

// True if nothing more can be recorded, and all that was is closed.
static bool is_done(const struct server *server)
{
    if (server->recording.closing || (!server->program.has_ended && !server->is_left)) {
        return false;
    }
    return server->is_left || server->recording.state == RECORD_OVER ||
           (!server->connections && !waits_for_children(server));
}

static void run_loop(struct server *server)
{
    while (!is_done(server)) {
        const int num = fill_waits(server);
        if (poll(server->waits, (nfds_t)num, TICK_MS) < 0) {
            continue; // signals come by their file; memory may be there the next time
        }
        read_all(server);
        write_all(server);
        tick(server);
    }
}

// What a program may lack that makes no Vulkan device.
static const char *find_hint(void)
{
    return getenv("DISPLAY") || getenv("WAYLAND_DISPLAY")
               ? "If it draws with OpenGL, try --gl; programs of 32 bits need the package "
                 "weir-layer of theirs; those that are set-user-ID or run in a sandbox of their "
                 "own take no layer"
               : "There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set";
}

// Say why there is no movie.
static void tell_of_nothing(const struct server *server, const char *program)
{
    if (!server->had_hello && server->options->gl) {
        cli_report_error("nothing was recorded: %s made no Vulkan device; Mesa's zink is not here, "
                         "or found none (LIBGL_ALWAYS_SOFTWARE=1 lets it take a software device)",
                         program);
    } else if (!server->had_hello) {
        cli_report_error(
            "nothing was recorded: %s made no Vulkan device with the layer " CLI_LAYER_NAME ". %s",
            program, find_hint());
    } else if (!server->recording.has_begun) {
        cli_report_error("nothing was recorded: %s ended before the recording had begun%s", program,
                         server->options->paused ? "; with --paused, --ctl start begins it" : "");
    } else if (!server->had_stream) {
        cli_report_error("nothing was recorded: %s made a Vulkan device, and no window", program);
    } else if (server->recording.num_windows == 0) {
        cli_report_error("nothing was recorded: the lines above say why its windows are not");
    } else {
        cli_report_error("nothing was recorded: %s presented no frame during the recording",
                         program);
    }
}

// Make what programs and signals need. `name` is that of the program.
static bool begin(struct server *server, const char *name, sigset_t *before)
{
    server->signals = record_signals_open(before);
    server->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (server->signals < 0 || server->wake < 0) {
        return cli_fail(false, "no file for signals can be opened: %s", strerror(errno));
    }
    if (!record_folder_create(&server->folder)) {
        return false;
    }
    if (!record_recording_init(&server->recording, server->settings, name, server->wake)) {
        return cli_fail(false, "no memory for the name of the movie");
    }
    server->start_ns = weir_clock_ns();
    return true;
}

// Serve the page. Without it the recording goes on.
static void begin_page(struct server *server)
{
    const struct record_settings *settings = server->settings;
    const bool has_replay = settings->capture.replay.length_ms > 0 && !settings->receiver.is_all;
    record_page_start(&server->recording.page, server->folder.control,
                      has_replay ? server->recording.first_path : NULL, server->options->quiet);
}

// Begin what has threads, which hold back the signals of the loop, and the recording.
static void begin_recording(struct server *server)
{
    const struct record_options *options = server->options;
    const bool is_asked = options->audio >= 0;
    server->audio = record_audio_start(is_asked ? (enum record_audio_kind)options->audio
                                                : RECORD_AUDIO_PROGRAM,
                                       (int64_t)options->served, options->quiet && !is_asked);
    server->recording.audio = record_audio_ring(server->audio);
    begin_page(server);
    if (!options->paused && server->settings->after_ns == 0) {
        record_start(&server->recording);
    }
}

// Start the program, with the layer.
static bool start(struct server *server, char **arguments)
{
    struct cli_layer layer;
    sigset_t before;
    cli_layer_find(&layer);
    if (!layer.manifest[0]) {
        cli_report_error("the layer's " CLI_LAYER_MANIFEST " is not in %s: install all of Weir "
                         "(./dev install PREFIX), or build the target weir-layer",
                         layer.folder);
    }
    const bool ok = layer.manifest[0] && begin(server, arguments[0], &before) &&
                    record_program_start(&server->program, arguments, layer.folder,
                                         server->folder.layer, server->options->gl, &before);
    if (ok) {
        begin_recording(server);
    }
    return ok;
}

// Serve a program that runs, whose layer has started this command: it reads the path of the socket
// from standard output.
static bool serve(struct server *server, char *name, size_t name_size)
{
    sigset_t before;
    if (!record_program_attach(&server->program, (pid_t)server->options->served, name, name_size) ||
        !begin(server, name, &before)) {
        return false;
    }
    begin_recording(server);
    printf("%s\n", server->folder.layer);
    fflush(stdout);
    return freopen("/dev/null", "we", stdout) != NULL;
}

static void finish(struct server *server)
{
    record_page_close(&server->recording.page);
    while (server->connections) {
        struct record_connection *next = server->connections->next;
        record_connection_destroy(server->connections);
        server->connections = next;
    }
    record_folder_destroy(&server->folder);
    record_audio_stop(server->audio, server->options->quiet || server->recording.num_frames == 0);
    record_recording_finish(&server->recording);
    const int files[] = {server->signals, server->wake};
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (files[i] >= 0) {
            close(files[i]);
        }
    }
}

int record_run(const struct record_settings *settings, char **arguments)
{
    char name[64];
    char *served[] = {name, NULL};
    const struct record_options *options = settings->options;
    struct server server = {.settings = settings, .options = options, .signals = -1, .wake = -1};
    server.folder = (struct record_folder){.layer_socket = -1, .control_socket = -1};
    for (int i = 0; i < RECORD_MAX_ASKERS; i++) {
        server.askers[i].socket = -1;
    }
    int status = CLI_FAILED;
    server.recording.page = options->live ? record_page_open(options->live) : NULL;
    if (options->live && !server.recording.page && options->served == 0) {
        return CLI_FAILED; // another program of the same launcher may have the page
    }
    if (options->served != 0 ? serve(&server, name, sizeof(name)) : start(&server, arguments)) {
        arguments = options->served != 0 ? served : arguments;
        record_live_begin(&server.live, arguments[0], options->quiet || options->served != 0);
        run_loop(&server);
        record_live_end(&server.live);
        status = server.is_left ? 128 + server.last_end : server.program.status;
        if (server.recording.num_frames == 0 && !server.recording.has_failed) {
            tell_of_nothing(&server, arguments[0]);
        }
        if (server.recording.num_frames == 0 || server.recording.has_failed) {
            status = CLI_FAILED;
        }
        if (options->json) {
            record_report_json(&server.recording, arguments[0], status);
        }
    }
    finish(&server);
    return status;
}
