// SPDX-License-Identifier: MIT
// What tests call of POSIX and GNU that mingw-w64 lacks.
#include "tests/windows/posix.h"

#include <io.h>

#include <windows.h>

static DWORD first_thread;

__attribute__((constructor)) static void note_first_thread(void)
{
    first_thread = GetCurrentThreadId();
}

bool weir_test_is_first_thread(void)
{
    return GetCurrentThreadId() == first_thread;
}

long sysconf(int name)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (long)(name == _SC_PAGESIZE ? info.dwPageSize : info.dwNumberOfProcessors);
}

char *mkdtemp(char *name)
{
    return _mktemp(name) && mkdir(name) == 0 ? name : NULL;
}

void tdestroy(void *tree, void (*free_node)(void *node))
{
    (void)tree;
    (void)free_node;
}
