// SPDX-License-Identifier: MIT
// Programs and processes for the tests of the capture.
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testing.h"
#include "tests/sanitized.h"

int test_run(char *output, size_t size, const char *format, ...)
{
    char command[2048];
    va_list args;
    va_start(args, format);
    int length = snprintf(command, sizeof(command), "{ ");
    length += vsnprintf(command + length, sizeof(command) - (size_t)length, format, args);
    va_end(args);
    snprintf(command + length, sizeof(command) - (size_t)length, "; } 2>&1 </dev/null");
    fflush(stdout);
    FILE *pipe = popen(command, "r");
    test_must(pipe, command);
    size_t used = 0, got = 0;
    char rest[4096];
    while ((got = used + 1 < size ? fread(output + used, 1, size - used - 1, pipe)
                                  : fread(rest, 1, sizeof(rest), pipe)) > 0) {
        used += used + 1 < size ? got : 0;
    }
    output[used] = '\0';
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

size_t test_read_command(uint8_t *bytes, size_t size, const char *format, const char *path)
{
    char command[512];
    snprintf(command, sizeof(command), format, path);
    FILE *pipe = popen(command, "r");
    size_t num = 0, got;
    while (num < size && (got = fread(bytes + num, 1, size - num, pipe)) > 0) {
        num += got;
    }
    pclose(pipe);
    return num;
}

int test_wait(pid_t child)
{
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

void test_limit_files(uint64_t size)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = size > 0 ? size : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

void test_run_killed(void (*run)(void *user), void *user)
{
    int status;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        run(user);
        fflush(stdout);
        kill(getpid(), SIGKILL);
    }
    test_expect(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
                    WTERMSIG(status) == SIGKILL,
                "the child was killed");
}

#if SANITIZED_ADDRESS || SANITIZED_THREAD // whose own memory grows with what the process does
// gcc installs no header that declares it.
size_t __sanitizer_get_current_allocated_bytes(void);

long test_memory_kib(void)
{
    return (long)(__sanitizer_get_current_allocated_bytes() / 1024);
}
#else
long test_memory_kib(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    test_expect(file && fscanf(file, "%*s %ld", &pages) == 1, "a size of memory");
    if (file) {
        fclose(file);
    }
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}
#endif
