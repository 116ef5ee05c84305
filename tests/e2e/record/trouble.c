// SPDX-License-Identifier: MIT
// A filter of system calls, and exit() in a signal handler.
#include "trouble.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

enum { STATUS = 3 };

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(1);
}

#ifndef SYS_newfstatat // its name where programs have 32 bits
#define SYS_newfstatat SYS_fstatat64
#endif

// What such a program does not need any more.
enum { NUM_FORBIDDEN = 10 };
static const int forbidden_calls[][NUM_FORBIDDEN] = {
    [FORBID_MANY] = {SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_pipe2, SYS_execve,
                     SYS_eventfd2, SYS_memfd_create, SYS_openat, SYS_sendmsg},
    [FORBID_PRCTL] = {SYS_prctl},
    [FORBID_FSTAT] = {SYS_fstat, SYS_newfstatat},
    [FORBID_WRITE] = {SYS_write, SYS_pwrite64},
};

// The system call that was trapped fails.
static void on_trap(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    mcontext_t *registers = &((ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
    registers->gregs[REG_RAX] = -EPERM;
#elif defined(__aarch64__)
    registers->regs[0] = (unsigned long long)-EPERM;
#else
    (void)registers;
    _exit(77);
#endif
}

static void install(uint32_t action, const int forbidden[NUM_FORBIDDEN])
{
    struct sock_filter code[64] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    unsigned short size = 1;
    for (size_t i = 0; i < NUM_FORBIDDEN && forbidden[i] != 0; i++) {
        code[size++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                    (uint32_t)forbidden[i], 0, 1);
        code[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
    }
    code[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {.len = size, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) {
        fail("seccomp");
    }
}

void trouble_set_filter(enum filter filter, enum forbidden forbidden)
{
    const struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    if (filter == FILTER_TRAP) {
        sigaction(SIGSYS, &action, NULL);
    }
    install(filter == FILTER_TRAP   ? SECCOMP_RET_TRAP
            : filter == FILTER_KILL ? SECCOMP_RET_KILL_PROCESS
                                    : SECCOMP_RET_ERRNO | EPERM,
            forbidden_calls[forbidden]);
}

void trouble_limit_files(uint32_t most)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        fail("getrlimit");
    }
    limit.rlim_cur = most;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        fail("setrlimit");
    }
}

static void on_signal(int number)
{
    (void)number;
    exit(STATUS);
}

void trouble_exit_after(uint32_t us)
{
    const struct itimerval timer = {.it_value.tv_usec = us};
    if (us > 0) {
        signal(SIGALRM, on_signal);
        setitimer(ITIMER_REAL, &timer, NULL);
    }
}

static uint32_t left; // calls until then, of one thread
static pthread_t counted;

void trouble_exit_at_unlock(uint32_t number)
{
    counted = pthread_self();
    signal(SIGUSR1, on_signal);
    left = number;
}

static bool is_of_layer(void *address)
{
    struct dl_find_object found;
    return _dl_find_object(address, &found) == 0 &&
           strstr(found.dlfo_link_map->l_name, "VkLayer_WEIR_capture");
}

// In the place of the C library's, also for layers.
__attribute__((visibility("default"))) int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    static int (*next)(pthread_mutex_t *);
    if (!next) {
        void *symbol = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
        memcpy(&next, &symbol, sizeof(next));
    }
    if (left > 0 && pthread_equal(counted, pthread_self()) &&
        is_of_layer(__builtin_return_address(0)) && --left == 0) {
        raise(SIGUSR1);
    }
    return next(mutex);
}
