// SPDX-License-Identifier: MIT
// Where a path leads on Windows. A file that is open for a capture can be neither moved nor
// deleted, nor can the folders that it is in: so a whole path stays right, and no folder is held
// open.
#include "capture/base/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/path.h"
#include "capture/base/windows/wide.h"

int weir_place_make_folder(const char *path, bool *is_new)
{
    wchar_t *wide = weir_wide_path(path);
    *is_new = wide && CreateDirectoryW(wide, NULL);
    int error = !wide ? errno : *is_new ? 0 : weir_windows_error();
    if (error == EEXIST) {
        error = GetFileAttributesW(wide) & FILE_ATTRIBUTE_DIRECTORY ? 0 : ENOTDIR;
    }
    free(wide);
    return error;
}

// Get the path without links of the file that has this one, if there is a file. Takes the path.
static wchar_t *follow(wchar_t *path)
{
    const HANDLE file = CreateFileW(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    const DWORD room = file != INVALID_HANDLE_VALUE ? GetFinalPathNameByHandleW(file, NULL, 0, 0)
                                                    : 0;
    wchar_t *found = room > 0 ? malloc((room + 1) * sizeof(*found)) : NULL;
    if (found && GetFinalPathNameByHandleW(file, found, room + 1, 0) > 0) {
        free(path);
        path = found;
    } else {
        free(found);
    }
    if (file != INVALID_HANDLE_VALUE) {
        CloseHandle(file);
    }
    return path;
}

char *weir_place_folder(const char *path)
{
    wchar_t *wide = weir_wide_path(path);
    char *whole = wide ? weir_narrow_path(wide) : NULL;
    free(wide);
    if (whole) {
        whole[weir_path_name(whole) - whole] = '\0';
    }
    return whole;
}

int weir_place_output(const char *path, bool follows, int *folder, char **name, char **folder_path)
{
    *folder = -1;
    *folder_path = NULL;
    wchar_t *wide = path[0] ? weir_wide_path(path) : NULL;
    if (!wide) {
        return path[0] ? errno : ENOENT;
    }
    wide = follows ? follow(wide) : wide;
    *name = weir_narrow_path(wide);
    const DWORD found = GetFileAttributesW(wide);
    free(wide);
    if (!*name) {
        return ENOMEM;
    }
    if (!weir_path_name(*name)[0]) {
        return EISDIR;
    }
    return found == INVALID_FILE_ATTRIBUTES   ? 0
           : found & FILE_ATTRIBUTE_DIRECTORY ? EISDIR
           : found & FILE_ATTRIBUTE_READONLY  ? EACCES
                                              : 0;
}

bool weir_place_is_foreign(int folder, const char *name)
{
    (void)folder;
    (void)name;
    return false; // no folder is as /tmp is
}

const char *weir_place_error(int error)
{
    return strerror(error);
}

bool weir_place_cache(char *folder, size_t size)
{
    const wchar_t *wide = _wgetenv(L"LOCALAPPDATA");
    char *found = wide ? weir_narrow_path(wide) : NULL;
    const bool fits = found && found[0] && strlen(found) < size;
    if (fits) {
        strcpy(folder, found);
    }
    free(found);
    return fits;
}
