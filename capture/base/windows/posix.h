// SPDX-License-Identifier: MIT
// What the program calls of POSIX and GNU, on Windows: included before each of its sources. Paths
// are UTF-8, of any length, and files are binary.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { O_CLOEXEC = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 };
enum { LOCK_EX = 2, LOCK_NB = 4 };
enum { MFD_CLOEXEC = 1 };
enum { SEEK_HOLE = 4 }; // refused by lseek()

// Of files and folders, which are the user's; anything else, such as a console, is S_IFCHR.
struct weir_stat {
    uint64_t st_dev, st_ino;
    int st_mode, st_uid;
    int64_t st_size;
    struct timespec st_mtim;
};
int weir_stat(const char *path, struct weir_stat *status);
int weir_fstat(int fd, struct weir_stat *status);

// A file that is open for writing is written by nobody else: there is no need for flock().
int weir_open(const char *path, int flags, ...);
FILE *weir_fopen(const char *path, const char *mode);
ssize_t pread(int fd, void *bytes, size_t size, int64_t offset);
ssize_t pwrite(int fd, const void *bytes, size_t size, int64_t offset);
int weir_cut(int fd, int64_t size);
int fdatasync(int fd);

int weir_rename(const char *from, const char *to);
int weir_unlink(const char *path);
int weir_rmdir(const char *path);
int weir_access(const char *path, int mode);

struct weir_dirent {
    char d_name[1024];
};
typedef struct weir_dir weir_dir;
weir_dir *weir_opendir(const char *path);
struct weir_dirent *weir_readdir(weir_dir *folder);
int weir_closedir(weir_dir *folder);

char *strndup(const char *text, size_t size);
void *memmem(const void *bytes, size_t size, const void *wanted, size_t wanted_size);

#undef stat
#undef fstat
#define stat weir_stat
#define lstat weir_stat
#define fstat weir_fstat
#define open weir_open
#define fopen weir_fopen
#undef ftruncate
#define ftruncate weir_cut
#define rename weir_rename
#define unlink weir_unlink
#define rmdir weir_rmdir
#define access weir_access
#define DIR weir_dir
#define dirent weir_dirent
#define opendir weir_opendir
#define readdir weir_readdir
#define closedir weir_closedir
#define mkdir(path, mode) ((void)(mode), weir_mkdir(path))
int weir_mkdir(const char *path);
#define fchmod(fd, mode) 0
#define chmod(path, mode) ((void)(mode))
#define chown(path, owner, group) (-1)
#define link(path, name) (errno = EPERM, -1) // as file systems without second names do
#define flock(fd, operation) 0
#define geteuid() 0
#define aligned_alloc(alignment, size) malloc(size) // by 16, and freed by free()
#define memfd_create(name, flags) (errno = ENOSYS, -1)
