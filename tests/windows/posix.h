// SPDX-License-Identifier: MIT
// What tests call of POSIX and GNU that mingw-w64 lacks. Included before every test on Windows.
#pragma once

#include <direct.h>
#include <io.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { _SC_NPROCESSORS_ONLN, _SC_PAGESIZE };

long sysconf(int name);
char *mkdtemp(char *name);
void tdestroy(void *tree, void (*free_node)(void *node)); // frees nothing: the process ends soon

int memfd_create(const char *name, unsigned flags);
#define mkdir(path, mode) mkdir(path)
#define aligned_alloc(alignment, size) malloc(size)    // by 16
#define mallinfo2() ((struct { size_t uordblks; }){0}) // is not known

#define tell test_tell

// By names in UTF-8, of any length.
FILE *weir_test_fopen(const char *path, const char *mode);
int weir_test_remove(const char *path);
#define fopen weir_test_fopen
#define remove weir_test_remove

// There are no signals: a thread that is not the first one counts as one that blocks them.
typedef bool sigset_t;
#undef pthread_sigmask
#define pthread_sigmask(how, set, before) (*(before) = !weir_test_is_first_thread())
#define sigismember(set, signal) (*(set))
bool weir_test_is_first_thread(void);
