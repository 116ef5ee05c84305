// SPDX-License-Identifier: MIT
// The program that is recorded: it is started with the layer, and its end is noticed. Also the
// signals that the recorder listens to, as a file that can be polled.
#ifndef WEIR_CAPTURE_WEIR_RECORD_PROGRAM_H
#define WEIR_CAPTURE_WEIR_RECORD_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct record_program {
    pid_t process;
    bool is_foreign; // this one did not start it, and it gets no signals of it
    int file;        // of a foreign one: it can be read when that has ended
    bool has_ended;
    bool has_children; // processes of the program that go on, or did when it was asked last
    int status;        // as a shell has it: of its exit, or 128 and the signal that killed it
};

// Start the program of `arguments`, which end with NULL, with the layer of that folder and the
// recorder's socket in its environment, and signals as they were `before`. Its processes become
// those of this one when their parents end. Prints the reason of a failure; false then.
bool record_program_start(struct record_program *program, char **arguments, const char *layer,
                          const char *socket, bool is_open_gl, const sigset_t *before);

// Watch a program that runs, and get its name. Prints the reason of a failure; false then.
bool record_program_attach(struct record_program *program, pid_t process, char *name,
                           size_t name_size);

// Note which processes have ended.
void record_program_reap(struct record_program *program);

// Pass on a signal that came to the recorder, unless the program has it from the terminal too.
void record_program_pass_on(const struct record_program *program, int signal, bool by_terminal);

// True if a process is `program`, or a child of that or of this one, or a child's child and so on.
// A recorder that starts the program has no other child, and becomes the parent of those of its
// processes whose own has ended: it has 0 for `program`.
bool record_program_has(int64_t process, int64_t program);

// Block SIGCHLD, SIGUSR1, SIGINT, SIGTERM and SIGHUP, and get a file descriptor that they come
// from; -1 with errno. Of the last three one that was ignored when the program was started stays
// so. `*before` is for a program that is started.
int record_signals_open(sigset_t *before);

// Get a signal that has come; 0: none. `*by_terminal`: the terminal sent it to all processes of
// its foreground group.
int record_signals_read(int fd, bool *by_terminal);

#endif
