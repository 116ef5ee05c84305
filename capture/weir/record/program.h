// SPDX-License-Identifier: MIT
// The program that is recorded: it is started with the layer, and its end is noticed.
#ifndef WEIR_CAPTURE_WEIR_RECORD_PROGRAM_H
#define WEIR_CAPTURE_WEIR_RECORD_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#define RECORD_LAYER_NAME "VK_LAYER_WEIR_capture"

struct record_program {
    pid_t process;
    bool has_ended;
    bool has_children; // processes of the program that go on, or did when it was asked last
    int status;        // as a shell has it: of its exit, or 128 and the signal that killed it
};

// Get the folder of the layer's manifest, as this program was installed or built. NULL: it is not
// there, which is printed. The caller frees it.
char *record_program_find_layer(void);

// Start the program of `arguments`, behind which stands NULL, with the layer of that folder and the
// recorder's socket in its environment, and signals as they were `before`. Its processes become
// those of this one when their parents end. Prints the reason of a failure; false then.
bool record_program_start(struct record_program *program, char **arguments, const char *layer,
                          const char *socket, bool is_open_gl, const sigset_t *before);

// Note which processes have ended.
void record_program_reap(struct record_program *program);

// Pass on a signal that came to the recorder, unless the program has it from the terminal too.
void record_program_pass_on(const struct record_program *program, int signal, bool by_terminal);

#endif
