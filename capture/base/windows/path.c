// SPDX-License-Identifier: MIT
// Paths and errors of Windows.
//
// Source: "Naming Files, Paths, and Namespaces", "System Error Codes" (Microsoft).
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "capture/base/place.h"
#include "capture/base/windows/wide.h"

const char weir_path_separators[] = "/\\:";

// The codes of one value of errno, 0 behind the last.
static const struct {
    int error;
    DWORD codes[6];
} errors[] = {
    {ENOENT,
     {ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND, ERROR_INVALID_DRIVE, ERROR_BAD_NETPATH,
      ERROR_BAD_NET_NAME}},
    {EACCES, {ERROR_ACCESS_DENIED}},
    {EWOULDBLOCK, {ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION, ERROR_USER_MAPPED_FILE}},
    {ENOSPC, {ERROR_DISK_FULL, ERROR_HANDLE_DISK_FULL, 1295}}, // ERROR_DISK_QUOTA_EXCEEDED
    {EFBIG, {ERROR_FILE_TOO_LARGE}},
    {EEXIST, {ERROR_FILE_EXISTS, ERROR_ALREADY_EXISTS}},
    {EROFS, {ERROR_WRITE_PROTECT}},
    {ENOMEM, {ERROR_NOT_ENOUGH_MEMORY, ERROR_OUTOFMEMORY}},
    {ENAMETOOLONG, {ERROR_FILENAME_EXCED_RANGE}},
    {ENOTDIR, {ERROR_DIRECTORY}},
    {EINVAL, {ERROR_INVALID_NAME, ERROR_INVALID_PARAMETER}},
};

int weir_windows_error(void)
{
    const DWORD code = GetLastError();
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        for (const DWORD *known = errors[i].codes; *known != 0; known++) {
            if (*known == code) {
                return errors[i].error;
            }
        }
    }
    return EIO;
}

static wchar_t *widen(const char *text)
{
    const int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = size > 0 ? malloc((size_t)size * sizeof(*wide)) : NULL;
    if (wide) {
        MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, size);
    } else {
        errno = size > 0 ? ENOMEM : EILSEQ;
    }
    return wide;
}

// Put what it needs before a whole path that has at most `room` characters.
static wchar_t *add_prefix(const wchar_t *path, size_t room)
{
    const bool is_share = wcsncmp(path, L"\\\\", 2) == 0;
    const bool is_device = wcsncmp(path, L"\\\\.\\", 4) == 0;
    const bool is_done = wcsncmp(path, L"\\\\?\\", 4) == 0;
    wchar_t *whole = is_device ? NULL : malloc((room + 8) * sizeof(*whole));
    if (!whole) {
        errno = is_device ? EEXIST : ENOMEM;
        return NULL;
    }
    wcscpy(whole, is_done ? L"" : is_share ? L"\\\\?\\UNC\\" : L"\\\\?\\");
    wcscat(whole, path + (is_share && !is_done ? 2 : 0));
    return whole;
}

wchar_t *weir_wide_path(const char *path)
{
    wchar_t *given = widen(path), *whole = NULL;
    const DWORD room = given ? GetFullPathNameW(given, 0, NULL, NULL) : 0;
    wchar_t *full = room > 0 ? malloc(room * sizeof(*full)) : NULL;
    if (full && GetFullPathNameW(given, room, full, NULL) < room) {
        whole = add_prefix(full, room);
    } else if (given) {
        errno = room > 0 ? ENOMEM : ENOENT;
    }
    free(given);
    free(full);
    return whole;
}

char *weir_narrow_path(const wchar_t *path)
{
    const int size = WideCharToMultiByte(CP_UTF8, 0, path, -1, NULL, 0, NULL, NULL);
    char *narrow = size > 0 ? malloc((size_t)size) : NULL;
    if (narrow) {
        WideCharToMultiByte(CP_UTF8, 0, path, -1, narrow, size, NULL, NULL);
    }
    return narrow;
}
