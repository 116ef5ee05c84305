// SPDX-License-Identifier: MIT
// Fails one system call of the program that this is loaded into by LD_PRELOAD.
//
// WEIR_FAULT=KIND:N:MODE picks the N-th call of KIND, counted from 1, or with N+ that and all later
// ones. MODE is the name of an error (EIO), short (half of the bytes), or slow (a quarter of a
// second late). Only calls are counted and failed that Weir, FFmpeg's libraries, libpng or libtiff
// make: the Vulkan driver and its compiler abort without memory, and that is theirs. Memory of
// Weir's own code is the kind malloc, that of the libraries the kind malloc_lib.
//
// WEIR_FAULT_IN=NAME: only in processes of that name. WEIR_FAULT_OBJECT=NAME: only calls of the
// object whose name begins so, in place of those above.
//
// WEIR_FAULT_LOG=FILE gets lines: "failed KIND NAME", with the file of the call where it has one;
// "crash SIGNAL OBJECT", with the first object on the stack that is not of the C library; and, with
// the fault "none", "calls KIND NUMBER" at the end.
#include "fault.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *const kind_names[FAULT_NUM_KINDS] = {
    "open",    "read",  "write",   "pwrite",         "fdatasync",  "fsync",      "ftruncate",
    "rename",  "mkdir", "mmap",    "pthread_create", "malloc",     "malloc_lib", "socket",
    "connect", "send",  "receive", "poll",           "descriptor", "process",
};
static const struct {
    const char *name;
    int number;
} errors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"ENOMEM", ENOMEM}, {"EAGAIN", EAGAIN},
              {"EINTR", EINTR},   {"EMFILE", EMFILE}, {"EACCES", EACCES}, {"EROFS", EROFS},
              {"EDQUOT", EDQUOT}, {"EBADF", EBADF},   {"EPERM", EPERM}};
enum mode { FAILS, SHORT, SLOW };

static struct {
    bool is_on;
    enum fault_kind kind;
    int first, last;
    enum mode mode;
    int error;
} fault;
static const char *log_path;
// In memory that a program has in common with its child processes and with the process that decodes
// for it, which may not write files (capture/weir/decoder): calls by their kind, and lines that the
// program appends to the log in its place.
static struct shared {
    atomic_int calls[FAULT_NUM_KINDS];
    atomic_size_t size; // of the lines [bytes]
    char lines[1 << 15];
} early, *shared = &early;
static pid_t program;
static bool is_decoder;
static bool is_other; // a process that is left out

// Append lines to the log by system calls alone, as memory may be what fails.
static void append(const char *lines, size_t size)
{
    const long fd = log_path ? syscall(SYS_openat, AT_FDCWD, log_path,
                                       O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)
                             : -1;
    if (fd >= 0) {
        (void)!syscall(SYS_write, fd, lines, size);
        syscall(SYS_close, fd);
    }
}

static void tell(const char *verb, const char *what, const char *name)
{
    char line[512];
    const int saved = errno;
    const int length = snprintf(line, sizeof(line), "%s %s %s\n", verb, what, name);
    const size_t size = (size_t)length < sizeof(line) ? (size_t)length : sizeof(line) - 1;
    if (is_decoder) {
        const size_t at = atomic_fetch_add(&shared->size, size);
        if (at + size <= sizeof(shared->lines)) {
            memcpy(shared->lines + at, line, size);
        }
    } else {
        append(line, size);
    }
    errno = saved;
}

static void name_of_fd(int fd, char *name, size_t size)
{
    char link[64];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, name, size - 1);
    name[length > 0 ? length : 0] = 0;
}

bool fault_is_chosen(enum fault_kind kind, void *caller, int fd, const char *path)
{
    const enum owner owner = owner_of(caller);
    const bool is_memory = kind == FAULT_MALLOC;
    if (is_other || owner == OWNER_OTHER || (fd >= 0 && fd <= STDERR_FILENO)) {
        return false;
    }
    kind = is_memory && owner == OWNER_LIBRARY ? FAULT_MALLOC_LIB : kind;
    const int number = atomic_fetch_add(&shared->calls[kind], 1) + 1;
    if (!fault.is_on || kind != fault.kind || number < fault.first || number > fault.last) {
        return false;
    }
    char name[256] = "";
    if (fd >= 0) {
        name_of_fd(fd, name, sizeof(name));
    }
    tell("failed", kind_names[kind], path ? path : name);
    if (fault.mode == SLOW) {
        nanosleep(&(struct timespec){.tv_nsec = 250000000}, NULL);
        return false;
    }
    errno = fault.error;
    return true;
}

bool fault_is_short(void)
{
    return fault.mode == SHORT;
}

static void on_crash(int number)
{
    char text[16];
    snprintf(text, sizeof(text), "%d", number);
    tell("crash", text, owner_of_stack());
    signal(number, SIG_DFL);
    raise(number);
}

// Get the memory that processes share. Calls of other libraries have begun already.
static void share(void)
{
    const char *name = "WEIR_FAULT_SHARED";
    char number[16];
    long fd = is_decoder && getenv(name) ? atoi(getenv(name)) : -1;
    if (fd < 0) {
        const long low = syscall(SYS_memfd_create, "fault", 0);
        fd = syscall(SYS_fcntl, low, F_DUPFD, 512);
        syscall(SYS_close, low);
        syscall(SYS_ftruncate, fd, sizeof(early));
        snprintf(number, sizeof(number), "%ld", fd);
        setenv(name, number, 1);
    }
    const long memory = syscall(SYS_mmap, NULL, sizeof(early), PROT_READ | PROT_WRITE, MAP_SHARED,
                                fd, 0);
    if (memory != -1) {
        shared = (struct shared *)memory;
        for (int i = 0; i < FAULT_NUM_KINDS; i++) {
            atomic_fetch_add(&shared->calls[i], atomic_load(&early.calls[i]));
        }
    }
}

__attribute__((constructor)) static void begin(int argc, char **arguments)
{
    is_decoder = argc == 3 && strcmp(arguments[1], "decode-for-weir") == 0;
    owner_of_stack(); // loads what it needs, before memory fails
    fault_serve();
    program = getpid();
    share();
    const char *text = getenv("WEIR_FAULT"), *in = getenv("WEIR_FAULT_IN");
    log_path = getenv("WEIR_FAULT_LOG");
    is_other = in && strcmp(in, program_invocation_short_name) != 0;
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++) {
        signal(crashes[i], on_crash);
    }
    char kind[32] = "", mode[32] = "";
    int first = 0;
    char plus = 0;
    if (!text || (sscanf(text, "%31[a-z_]:%d:%31[A-Za-z]", kind, &first, mode) != 3 &&
                  (sscanf(text, "%31[a-z_]:%d%c:%31[A-Za-z]", kind, &first, &plus, mode) != 4 ||
                   plus != '+'))) {
        return;
    }
    fault.first = first;
    fault.last = plus ? 1 << 30 : first;
    fault.mode = strcmp(mode, "short") == 0 ? SHORT : strcmp(mode, "slow") == 0 ? SLOW : FAILS;
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        if (strcmp(errors[i].name, mode) == 0) {
            fault.error = errors[i].number;
        }
    }
    for (int i = 0; i < FAULT_NUM_KINDS; i++) {
        if (strcmp(kind_names[i], kind) == 0) {
            fault.kind = (enum fault_kind)i;
            fault.is_on = true;
        }
    }
}

__attribute__((destructor)) static void end(void)
{
    const size_t size = atomic_load(&shared->size), room = sizeof(shared->lines);
    if (!is_decoder && getpid() == program) {
        append(shared->lines, size < room ? size : room);
    }
    for (int i = 0; i < FAULT_NUM_KINDS && !fault.is_on && !is_other && getpid() == program; i++) {
        char number[16];
        snprintf(number, sizeof(number), "%d", atomic_load(&shared->calls[i]));
        tell("calls", kind_names[i], number);
    }
}
