// SPDX-License-Identifier: MIT
// Descriptors on Windows, those of its C library around handles: writing, cutting and syncing.
//
// Source: "File Buffering", WriteFile(), ReOpenFile() (Microsoft).
#include <errno.h>
#include <io.h>

#include <windows.h>

#include "capture/base/file_parts.h"
#include "capture/base/windows/wide.h"

bool weir_file_is_full(int error)
{
    return error == ENOSPC || error == EFBIG;
}

static HANDLE handle_of(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

int weir_descriptor_close(int fd)
{
    return _close(fd) == 0 ? 0 : errno;
}

// A handle bypasses the cache or not: direct writes have one of their own.
bool weir_descriptor_set_direct(int fd, bool is_direct, int *direct)
{
    if (*direct != fd) {
        _close(*direct);
    }
    *direct = fd;
    if (is_direct) {
        const HANDLE file = ReOpenFile(handle_of(fd), GENERIC_WRITE,
                                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                       FILE_FLAG_NO_BUFFERING);
        const int opened = file != INVALID_HANDLE_VALUE ? _open_osfhandle((intptr_t)file, 0) : -1;
        if (opened < 0) {
            return false;
        }
        *direct = opened;
    }
    return true;
}

int weir_descriptor_write(int fd, const uint8_t *data, size_t size, uint64_t offset,
                          size_t *num_written)
{
    *num_written = 0;
    while (*num_written < size) {
        const size_t rest = size - *num_written, most = 1u << 30;
        const uint64_t at = offset + *num_written;
        OVERLAPPED place = {.Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32)};
        DWORD written = 0;
        if (!WriteFile(handle_of(fd), data + *num_written, (DWORD)(rest < most ? rest : most),
                       &written, &place)) {
            return weir_windows_error();
        }
        if (written == 0) {
            return EIO;
        }
        *num_written += written;
    }
    return 0;
}

int weir_descriptor_append(int fd, const struct weir_bytes parts[2], uint64_t size,
                           size_t *num_written)
{
    size_t second = 0;
    int error = weir_descriptor_write(fd, parts[0].data, parts[0].size, size, num_written);
    if (error == 0) {
        error = weir_descriptor_write(fd, parts[1].data, parts[1].size, size + *num_written,
                                      &second);
        *num_written += second;
    }
    return *num_written > 0 ? 0 : error; // the next call fails again
}

int weir_descriptor_cut(int fd, uint64_t size)
{
    FILE_END_OF_FILE_INFO info = {.EndOfFile.QuadPart = (LONGLONG)size};
    return SetFileInformationByHandle(handle_of(fd), FileEndOfFileInfo, &info, sizeof(info))
               ? 0
               : weir_windows_error();
}

void weir_descriptor_write_back(int fd, uint64_t offset, uint64_t size)
{
    (void)fd; // the system begins by itself
    (void)offset;
    (void)size;
}

int weir_sync_data(int fd)
{
    return FlushFileBuffers(handle_of(fd)) ? 0 : weir_windows_error();
}

int weir_sync_folder(int folder)
{
    (void)folder; // names are stored with the file
    return 0;
}
