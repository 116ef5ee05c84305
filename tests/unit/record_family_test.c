// SPDX-License-Identifier: MIT
// Which processes weir record takes for those of its program: children of children, and no others.
#include "capture/weir/record/record.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/expect.h"

// Start a process that waits, as one started by a process that waits. False: the system has none.
static bool start_two(pid_t processes[2])
{
    int ends[2];
    if (pipe(ends) != 0 || (processes[0] = fork()) < 0) {
        return false;
    }
    if (processes[0] == 0) {
        const pid_t child = fork();
        if (child != 0) {
            (void)!write(ends[1], &child, sizeof(child));
        }
        pause();
        _exit(0);
    }
    const bool ok = read(ends[0], &processes[1], sizeof(processes[1])) ==
                    (ssize_t)sizeof(processes[1]);
    close(ends[0]);
    close(ends[1]);
    return ok && processes[1] > 0;
}

int main(void)
{
    pid_t processes[2];
    if (!start_two(processes)) {
        perror("fork");
        return 1;
    }
    const int64_t child = processes[0], grandchild = processes[1], parent = getppid();
    test_expect(record_program_has(child, 0), "a child");
    test_expect(record_program_has(grandchild, 0), "a child's child");
    test_expect(!record_program_has(getpid(), 0), "not this process");
    test_expect(!record_program_has(parent, 0), "not the parent");
    test_expect(!record_program_has(1, 0), "not the first process");
    test_expect(!record_program_has(0, 0), "no process");
    test_expect(!record_program_has(-1, 0), "no such process");
    test_expect(record_program_has(parent, parent), "the program itself");
    test_expect(record_program_has(getpid(), parent), "a child of the program");
    test_expect(!record_program_has(parent, child), "not the parent of the program");
    kill(processes[1], SIGKILL);
    kill(processes[0], SIGKILL);
    waitpid(processes[0], NULL, 0);
    test_expect(!record_program_has(child, 0), "one that has ended");
    return test_finish();
}
