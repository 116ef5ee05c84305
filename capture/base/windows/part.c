// SPDX-License-Identifier: MIT
// The part on Windows. While a descriptor is open that does not share deleting, nobody else can
// delete, rename or replace the file: that is the lock, which ends with the process. To rename it,
// the descriptor itself may delete it until it has its name. From then on it may not, since most
// programs, such as players, do not share deleting either when they open a file.
//
// Source: "Creating and Opening Files", SetFileInformationByHandle() (Microsoft).
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/file_parts.h"
#include "capture/base/path.h"
#include "capture/base/windows/wide.h"

// The whole path of a part beside the output whose whole path is `name`.
static wchar_t *path_of(const char *name, const char *part)
{
    const size_t length = (size_t)(weir_path_name(name) - name);
    char *path = malloc(length + WEIR_PART_NAME_SIZE);
    wchar_t *wide = NULL;
    if (path) {
        memcpy(path, name, length);
        strcpy(path + length, part);
        wide = weir_wide_path(path);
    }
    free(path);
    return wide;
}

// Check that nobody holds the output so that it could not be replaced. Returns 0 or an errno value.
static int check_output(const char *name)
{
    wchar_t *wide = weir_wide_path(name);
    const HANDLE file = wide ? CreateFileW(wide, DELETE,
                                           FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                           NULL, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, NULL)
                             : INVALID_HANDLE_VALUE;
    const int error = !wide ? errno : file != INVALID_HANDLE_VALUE ? 0 : weir_windows_error();
    if (file != INVALID_HANDLE_VALUE) {
        CloseHandle(file);
    }
    free(wide);
    return error == ENOENT ? 0 : error;
}

int weir_part_create(int folder, const char *name, char part[WEIR_PART_NAME_SIZE])
{
    weir_part_name(name, part);
    wchar_t *path = path_of(name, part);
    if (!path) {
        return -errno;
    }
    const HANDLE file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE | DELETE,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, CREATE_ALWAYS,
                                    FILE_ATTRIBUTE_NORMAL, NULL);
    int error = file != INVALID_HANDLE_VALUE ? 0 : weir_windows_error();
    free(path);
    if (error != 0) {
        return -error;
    }
    const int fd = _open_osfhandle((intptr_t)file, _O_BINARY);
    if (fd < 0) {
        CloseHandle(file);
        return -EMFILE;
    }
    // Only now: the part of a program that writes this output has that name, or had it before.
    error = check_output(name);
    if (error != 0) {
        weir_part_remove(fd, folder, part);
        weir_descriptor_close(fd);
        return -error;
    }
    return fd;
}

void weir_part_unlock(int fd)
{
    (void)fd; // closing it does
}

bool weir_part_is_named(int fd, int folder, const char *name)
{
    (void)fd;
    (void)folder;
    (void)name;
    return true;
}

// Get another handle of the file of a descriptor in place of its own.
static void exchange_handle(int fd, DWORD share)
{
    const HANDLE file = ReOpenFile((HANDLE)_get_osfhandle(fd), GENERIC_READ | GENERIC_WRITE, share,
                                   0);
    const int opened = file != INVALID_HANDLE_VALUE ? _open_osfhandle((intptr_t)file, _O_BINARY)
                                                    : -1;
    if (opened >= 0) {
        _dup2(opened, fd);
        _close(opened);
    }
}

// Give up the right to delete the file. Its old handle has that right, and the last one does not
// share it, so the two cannot be open at the same time. A third handle is open between them: it has
// no right to delete, and shares it.
static void keep_name(int fd)
{
    exchange_handle(fd, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE);
    exchange_handle(fd, FILE_SHARE_READ | FILE_SHARE_WRITE);
}

int weir_part_rename(int fd, int folder, const char *part, const char *name)
{
    (void)folder;
    (void)part;
    wchar_t *wide = weir_wide_path(name);
    const size_t length = wide ? wcslen(wide) * sizeof(*wide) : 0;
    FILE_RENAME_INFO *info = wide ? calloc(1, sizeof(*info) + length) : NULL;
    int error = ENOMEM;
    if (info) {
        info->ReplaceIfExists = TRUE;
        info->FileNameLength = (DWORD)length;
        memcpy(info->FileName, wide, length);
        const BOOL is_done = SetFileInformationByHandle((HANDLE)_get_osfhandle(fd), FileRenameInfo,
                                                        info, (DWORD)(sizeof(*info) + length));
        error = is_done ? 0 : weir_windows_error();
        if (is_done) {
            keep_name(fd);
        }
    }
    free(info);
    free(wide);
    return error;
}

void weir_part_remove(int fd, int folder, const char *part)
{
    (void)folder;
    (void)part;
    FILE_DISPOSITION_INFO info = {.DeleteFile = TRUE}; // when it is closed
    SetFileInformationByHandle((HANDLE)_get_osfhandle(fd), FileDispositionInfo, &info,
                               sizeof(info));
}

enum weir_result weir_file_restore(struct weir_file *file)
{
    (void)file; // no program could move it
    return WEIR_OK;
}
