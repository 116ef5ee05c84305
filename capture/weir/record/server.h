// SPDX-License-Identifier: MIT
// The server of weir record: what it is asked, its folder, its reports, its connections.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/un.h>

#include "capture/weir/common/program.h"
#include "capture/weir/common/report.h"
#include "capture/weir/record/recording.h"

enum record_verb {
    RECORD_START, // or go on after a pause
    RECORD_STOP,
    RECORD_PAUSE,
    RECORD_MARK,
    RECORD_REPLAY,
    RECORD_STATUS,
    RECORD_NUM_VERBS,
};

// Get the name of a verb; NULL after the last.
const char *record_verb_name(int verb);

// Of each packet, with the 0 at its end.
enum { RECORD_REQUEST_SIZE = 8192, RECORD_ANSWER_SIZE = 65536, RECORD_MAX_ASKERS = 8 };

// Who has connected to the socket `control`.
struct record_asker {
    int socket; // -1: nobody
    uint64_t since_ns;
    bool waits; // for the movies to be closed
};

// Take a connection. One that does not fit is closed.
void record_control_accept(struct record_asker askers[RECORD_MAX_ASKERS], int listener);
// Read a request and answer it.
void record_control_read(struct record_asker *asker, struct record_recording *recording);
// Answer those that wait for movies which are closed by now; end with those that say nothing.
void record_control_tick(struct record_asker askers[RECORD_MAX_ASKERS],
                         const struct record_recording *recording);

// Send a verb to the recorder of a process, 0 = the newest, and print its answer. `argument`: a
// title or a file; NULL: none.
enum cli_status record_control_ask(enum record_verb verb, const char *argument, uint64_t process,
                                   bool json);

// The folder of a recorder that runs, with its sockets: how programs and --ctl find it.

enum { RECORD_PATH_ROOM = sizeof(((struct sockaddr_un *)0)->sun_path) }; // of a socket

struct record_folder {
    char path[RECORD_PATH_ROOM];                             // empty: there is none
    char layer[RECORD_PATH_ROOM], control[RECORD_PATH_ROOM]; // paths of the sockets
    int layer_socket, control_socket;
};

// Make the folder of this process and listen at both sockets. Folders of recorders that were killed
// are removed. Prints the reason of a failure; false then.
bool record_folder_create(struct record_folder *folder);
void record_folder_destroy(struct record_folder *folder);

// Connect to the socket `control` of the recorder of a process, 0 = the newest of this user's.
// Returns it, or -1: there is none, which is printed.
int record_folder_connect(uint64_t process);

// What is said of a recording: a line while it runs, a line of each movie, and JSON.

// How fast it is: what was done since a second ago.
struct record_pace {
    uint64_t last_ns, frames_before, bytes_before; // when it was measured last
    double fps, rate;                              // frames, and MB, a second
};

// The line that is drawn while it runs, on a terminal, and the page of --live.
struct record_live {
    struct cli_progress progress;
    struct record_pace pace;
    uint64_t reported_ns; // when the page got its last facts
    uint64_t block;       // of audio, that is measured next
    const char *program;
};

void record_live_begin(struct record_live *live, const char *program, bool quiet);
// Draw the line anew, once a second, and give the page facts, several times.
void record_live_update(struct record_live *live, const struct record_recording *recording);
void record_live_end(struct record_live *live);

// Print a line on each movie that is closed, once.
void record_report_closed(const struct record_recording *recording);

// Write what is recorded now: a line for each movie, or JSON.
void record_report_status(FILE *out, const struct record_recording *recording, bool json);

// Print JSON on all movies and the program to standard output.
void record_report_json(const struct record_recording *recording, const char *program, int status);

// A connection: one layer, of a device of a process, with its streams.

struct record_connection {
    struct record_connection *next;
    struct record_recording *recording;
    uint64_t number;
    int socket; // -1: it is closed, and the capture has slots of it still
    uint64_t since_ns;
    bool has_hello, has_stream;
    bool is_told; // that frames are recorded
    bool is_told_watched;
    bool is_full; // the socket has no room for messages to the layer
    unsigned num_lines;
    uint32_t process;
    int status, filter; // where its filters of system calls are read, -1: nowhere; the last answer
    char program[LINK_TEXT_SIZE];
    uint32_t next_stream;                            // numbers of streams that begin are not below
    struct record_stream *streams[LINK_MAX_STREAMS]; // that are open; NULL: room for another
    struct record_stream *ended;
};

// Begin with a socket, which becomes the connection's. NULL: there is no memory, and it is closed.
struct record_connection *record_connection_create(struct record_recording *recording, int socket,
                                                   uint64_t number);

// Read what has come, at most so many messages that others have their turn. One that is not allowed
// closes the connection, which is reported.
void record_connection_read(struct record_connection *connection);

// Send the layer the free slots and whether frames are recorded; forget streams that have ended.
void record_connection_write(struct record_connection *connection);

// Close the socket, and the movies of its windows.
void record_connection_close(struct record_connection *connection);

// True if it is closed and the capture has none of its slots: it may be destroyed.
bool record_connection_is_done(const struct record_connection *connection);
void record_connection_destroy(struct record_connection *connection);
