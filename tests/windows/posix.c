// SPDX-License-Identifier: MIT
// What tests call of POSIX and GNU that mingw-w64 lacks.
#include "tests/windows/posix.h"

#include <fcntl.h>
#include <io.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <windows.h>

enum { MAX_WHOLE = 1024 };

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
    return _mktemp(name) && _mkdir(name) == 0 ? name : NULL;
}

int memfd_create(const char *name, unsigned flags)
{
    char path[MAX_PATH];
    (void)flags;
    GetTempPathA(sizeof(path), path);
    GetTempFileNameA(path, name, 0, path);
    return _open(path, _O_RDWR | _O_TEMPORARY | _O_BINARY);
}

// The whole path in UTF-16, behind the prefix that takes any length.
static const wchar_t *widen(const char *path, wchar_t whole[MAX_WHOLE])
{
    wchar_t wide[MAX_WHOLE];
    wcscpy(whole, L"\\\\?\\");
    MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, MAX_WHOLE);
    GetFullPathNameW(wide, MAX_WHOLE - 4, whole + 4, NULL);
    return whole;
}

FILE *weir_test_fopen(const char *path, const char *mode)
{
    wchar_t whole[MAX_WHOLE], wide_mode[8] = L"";
    mbstowcs(wide_mode, mode, 7);
    return _wfopen(widen(path, whole), wide_mode);
}

int weir_test_remove(const char *path)
{
    wchar_t whole[MAX_WHOLE];
    return _wremove(widen(path, whole)) == 0 || _wrmdir(whole) == 0 ? 0 : -1;
}

// That of mingw-w64 rounds the product too. Here a sum that is not exact is rounded to odd, so that
// it becomes the right float.
//
// Source: Boldo and Melquiond, "Emulation of a FMA and correctly-rounded sums".
float fmaf(float x, float y, float z)
{
    const double product = (double)x * y, sum = product + z, part = sum - product;
    const double error = (product - (sum - part)) + (z - part);
    double odd = sum;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof(bits));
    if (isfinite(sum) && error != 0 && bits % 2 == 0) {
        bits += (error > 0) == (sum > 0) ? 1 : (uint64_t)-1;
        memcpy(&odd, &bits, sizeof(odd));
    }
    return (float)odd;
}

// That of mingw-w64 makes 1 of the float below 0.5.
float roundf(float x)
{
    const float whole = truncf(x);
    return fabsf(x - whole) >= 0.5f ? whole + copysignf(1, x) : whole;
}

void tdestroy(void *tree, void (*free_node)(void *node))
{
    (void)tree;
    (void)free_node;
}
