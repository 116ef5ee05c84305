// SPDX-License-Identifier: MIT
// What the program calls of POSIX and GNU, by the calls of Windows.
//
// Source: "File Management Functions" (Microsoft); POSIX.1-2017.
#include "capture/base/windows/posix.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "capture/base/file_parts.h"
#include "capture/base/place.h"
#include "capture/base/windows/wide.h"

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

static HANDLE handle_of(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

// Returns 0, or -1 and errno.
static int finish(BOOL is_done)
{
    errno = is_done ? errno : weir_windows_error();
    return is_done ? 0 : -1;
}

static HANDLE open_handle(const char *path, DWORD access, DWORD share, DWORD flags)
{
    wchar_t *wide = path[0] ? weir_wide_path(path) : NULL;
    const HANDLE file = wide ? CreateFileW(wide, access, share, NULL, OPEN_EXISTING, flags, NULL)
                             : INVALID_HANDLE_VALUE;
    if (!path[0]) {
        errno = ENOENT;
    } else if (wide && file == INVALID_HANDLE_VALUE) {
        errno = weir_windows_error();
    }
    free(wide);
    return file;
}

// Source of the constant: [MS-FSCC], days from 1601 to 1970.
static struct timespec time_of(const FILETIME *time)
{
    const uint64_t ticks = (uint64_t)time->dwHighDateTime << 32 | time->dwLowDateTime;
    return (struct timespec){(time_t)(ticks / 10000000u) - 11644473600,
                             (long)(ticks % 10000000u) * 100};
}

static int stat_handle(HANDLE file, struct weir_stat *status)
{
    BY_HANDLE_FILE_INFORMATION info;
    *status = (struct weir_stat){.st_mode = S_IFCHR};
    if (GetFileType(file) != FILE_TYPE_DISK) {
        return 0;
    }
    if (!GetFileInformationByHandle(file, &info)) {
        return finish(FALSE);
    }
    *status = (struct weir_stat){
        .st_dev = info.dwVolumeSerialNumber,
        .st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow,
        .st_mode = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? S_IFDIR : S_IFREG,
        .st_size = (int64_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow),
        .st_mtim = time_of(&info.ftLastWriteTime),
    };
    return 0;
}

int weir_stat(const char *path, struct weir_stat *status)
{
    const HANDLE file = open_handle(path, 0, SHARE_ALL, FILE_FLAG_BACKUP_SEMANTICS);
    if (file == INVALID_HANDLE_VALUE) {
        return -1;
    }
    const int result = stat_handle(file, status);
    CloseHandle(file);
    return result;
}

int weir_fstat(int fd, struct weir_stat *status)
{
    return stat_handle(handle_of(fd), status);
}

int weir_open(const char *path, int flags, ...)
{
    const bool writes = (flags & (O_WRONLY | O_RDWR)) != 0;
    const HANDLE file = open_handle(path, writes ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ,
                                    writes ? FILE_SHARE_READ | FILE_SHARE_DELETE : SHARE_ALL,
                                    writes ? 0 : FILE_FLAG_BACKUP_SEMANTICS); // folders too
    const int fd = file != INVALID_HANDLE_VALUE ? _open_osfhandle((intptr_t)file, _O_BINARY) : -1;
    if (file != INVALID_HANDLE_VALUE && fd < 0) {
        CloseHandle(file);
    }
    return fd;
}

int weir_place_open(const char *path, int flags)
{
    return weir_open(path, flags);
}

FILE *weir_fopen(const char *path, const char *mode)
{
    wchar_t *wide = weir_wide_path(path);
    FILE *file = wide ? _wfopen(wide, mode[0] == 'r' ? L"rbN" : L"wbN") : NULL;
    free(wide);
    return file;
}

ssize_t pread(int fd, void *bytes, size_t size, int64_t offset)
{
    OVERLAPPED place = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
    DWORD num = 0;
    if (ReadFile(handle_of(fd), bytes, size < 1u << 30 ? (DWORD)size : 1u << 30, &num, &place) ||
        GetLastError() == ERROR_HANDLE_EOF) {
        return (ssize_t)num;
    }
    return finish(FALSE);
}

static int take_error(int error)
{
    errno = error != 0 ? error : errno;
    return error != 0 ? -1 : 0;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, int64_t offset)
{
    size_t written;
    return take_error(weir_descriptor_write(fd, bytes, size, (uint64_t)offset, &written)) == 0
               ? (ssize_t)written
               : -1;
}

int weir_cut(int fd, int64_t size)
{
    return take_error(weir_descriptor_cut(fd, (uint64_t)size));
}

int fdatasync(int fd)
{
    return take_error(weir_sync_data(fd));
}

int weir_rename(const char *from, const char *to)
{
    wchar_t *wide = weir_wide_path(from), *target = weir_wide_path(to);
    const int result = wide && target ? finish(MoveFileExW(wide, target, MOVEFILE_REPLACE_EXISTING))
                                      : -1;
    free(wide);
    free(target);
    return result;
}

static int change(BOOL WINAPI (*call)(LPCWSTR path), const char *path)
{
    wchar_t *wide = weir_wide_path(path);
    const int result = wide ? finish(call(wide)) : -1;
    free(wide);
    return result;
}

int weir_unlink(const char *path)
{
    return change(DeleteFileW, path);
}

int weir_rmdir(const char *path)
{
    return change(RemoveDirectoryW, path);
}

int weir_mkdir(const char *path)
{
    bool is_new = false;
    const int error = weir_place_make_folder(path, &is_new);
    return take_error(error == 0 && !is_new ? EEXIST : error);
}

int weir_access(const char *path, int mode)
{
    const int fd = weir_open(path, mode & W_OK ? O_RDWR : O_RDONLY);
    return fd >= 0 ? close(fd) : -1;
}

struct weir_dir {
    HANDLE found;
    WIN32_FIND_DATAW next;
    bool has_next;
    struct weir_dirent entry;
};

weir_dir *weir_opendir(const char *path)
{
    wchar_t *wide = path[0] ? weir_wide_path(path) : NULL;
    const size_t length = wide ? wcslen(wide) : 0;
    wchar_t *pattern = wide ? realloc(wide, (length + 3) * sizeof(*pattern)) : NULL;
    weir_dir *folder = pattern ? calloc(1, sizeof(*folder)) : NULL;
    if (folder) {
        wcscpy(pattern + length, pattern[length - 1] == L'\\' ? L"*" : L"\\*");
        folder->found = FindFirstFileW(pattern, &folder->next);
        folder->has_next = folder->found != INVALID_HANDLE_VALUE;
        if (!folder->has_next) {
            errno = weir_windows_error();
            free(folder);
            folder = NULL;
        }
    }
    free(pattern ? pattern : wide);
    return folder;
}

struct weir_dirent *weir_readdir(weir_dir *folder)
{
    if (!folder->has_next) {
        return NULL;
    }
    WideCharToMultiByte(CP_UTF8, 0, folder->next.cFileName, -1, folder->entry.d_name,
                        sizeof(folder->entry.d_name), NULL, NULL);
    folder->has_next = FindNextFileW(folder->found, &folder->next);
    return &folder->entry;
}

int weir_closedir(weir_dir *folder)
{
    FindClose(folder->found);
    free(folder);
    return 0;
}

char *strndup(const char *text, size_t size)
{
    const size_t length = strnlen(text, size);
    char *copy = calloc(length + 1, 1);
    return copy ? memcpy(copy, text, length) : NULL;
}

void *memmem(const void *bytes, size_t size, const void *wanted, size_t wanted_size)
{
    const char *at = bytes, *first = wanted;
    for (; size >= wanted_size; at++, size--) {
        if (*at == *first && memcmp(at, wanted, wanted_size) == 0) {
            return (void *)(uintptr_t)at;
        }
    }
    return NULL;
}
