// SPDX-License-Identifier: MIT
// A part of the program in a child process, which may crash without the rest.
#include "capture/weir/common/child.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/weir/common/file.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"

// The exit status of the child is its result without the sign, or that what it printed is lost. The
// parent reports that, once for both.
enum { OUTPUT_LOST = 100 };

static _Noreturn void run_child(enum weir_result (*function)(void *user), void *user, pid_t parent)
{
    // A parent that was killed before this line is seen by the next.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(-WEIR_ERROR_IO);
    }
    const unsigned num_errors = cli_report_num_errors();
    const enum weir_result result = function(user);
    cli_report_no_memory(result, num_errors);
    const bool is_lost = fflush(stdout) != 0 || ferror(stdout);
    exit(result < WEIR_OK ? -result : is_lost ? OUTPUT_LOST : EXIT_SUCCESS);
}

static void wait_for(pid_t id, struct cli_child_end *end)
{
    siginfo_t info;
    int status = 0;
    // The child's number is its own until it is reaped, so that no signal goes to another process.
    while (waitid(P_PID, (id_t)id, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    cli_interrupt_pass_on(0);
    while (waitpid(id, &status, 0) < 0 && errno == EINTR) {
    }
    *end = (struct cli_child_end){.id = id};
    if (WIFSIGNALED(status)) {
        end->signal = WTERMSIG(status);
        end->result = WEIR_ERROR_IO;
    } else if (WEXITSTATUS(status) == OUTPUT_LOST) {
        end->result = WEIR_ERROR_IO;
        cli_report_output_failure("weir");
    } else if (WEXITSTATUS(status) != EXIT_SUCCESS) {
        const int result = -WEXITSTATUS(status);
        end->result = result >= WEIR_ERROR_DATA ? (enum weir_result)result : WEIR_ERROR_IO;
        cli_report_count_error();
    }
}

enum weir_result cli_child_run(enum weir_result (*function)(void *user), void *user,
                               struct cli_child_end *end)
{
    const pid_t parent = getpid();
    sigset_t all, before;
    sigfillset(&all);
    fflush(NULL); // else both processes would write what is waiting
    // A signal that comes before the child's number is known would reach this process only.
    sigprocmask(SIG_BLOCK, &all, &before);
    const pid_t id = fork();
    if (id == 0) {
        cli_interrupt_only_note();
    } else if (id > 0) {
        cli_interrupt_pass_on(id);
    }
    const int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (id == 0) {
        run_child(function, user, parent);
    }
    if (id < 0) {
        return cli_fail(WEIR_ERROR_OUT_OF_MEMORY,
                        "no process can be started: %s; end other programs", strerror(error));
    }
    wait_for(id, end);
    return WEIR_OK;
}

void *cli_child_share(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void cli_child_unshare(void *memory, size_t size)
{
    if (memory) {
        munmap(memory, size);
    }
}

void cli_child_report(const struct cli_child_end *end, const char *input, const char *output)
{
    if (end->signal == SIGXCPU) {
        cli_report_error("the process that read %s was ended: it took very much time without a "
                         "picture; the file may be damaged",
                         input);
    } else if (end->signal == SIGKILL) {
        cli_report_error("the process that read %s was killed, by the system if memory was short",
                         input);
    } else {
        cli_report_error(
            "the process that read %s crashed (%s): the file may be damaged, or memory was short",
            input, strsignal(end->signal));
    }
    if (output) {
        cli_file_remove_part(output);
    }
}

enum weir_result cli_child_make(enum weir_result (*function)(void *user), void *user,
                                const char *input, const char *output)
{
    struct cli_child_end end;
    const enum weir_result result = cli_child_run(function, user, &end);
    if (result == WEIR_OK && end.signal != 0) {
        cli_child_report(&end, input, output);
    }
    return result == WEIR_OK ? end.result : result;
}
