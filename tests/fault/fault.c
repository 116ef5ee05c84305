// SPDX-License-Identifier: MIT
// Fails one system call of the program that this is loaded into by LD_PRELOAD.
//
// WEIR_FAULT=KIND:N:MODE picks the N-th call of KIND, counted from 1, or with N+ that and all later
// ones. MODE is the name of an error (EIO), short (half of the bytes), or slow (a quarter of a
// second late). Only calls are counted and failed that Weir, FFmpeg's libraries, libpng or libtiff
// make: the Vulkan driver and its compiler abort without memory, and that is theirs. Memory of
// Weir's own code is the kind malloc, that of the libraries the kind malloc_lib.
//
// WEIR_FAULT_LOG=FILE gets lines: "failed KIND NAME", with the file of the call where it has one;
// "crash SIGNAL OBJECT", with the first object on the stack that is not of the C library; and, with
// the fault "none", "calls KIND NUMBER" at the end.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// The allocator of the GNU C library below its public names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t num, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum kind {
    OPEN,
    READ,
    WRITE,
    PWRITE,
    FDATASYNC,
    FSYNC,
    FTRUNCATE,
    RENAME,
    MKDIR,
    MMAP,
    THREAD,
    MALLOC,
    MALLOC_LIB,
    NUM_KINDS,
};
static const char *const kind_names[NUM_KINDS] = {
    "open",   "read",  "write", "pwrite",         "fdatasync", "fsync",      "ftruncate",
    "rename", "mkdir", "mmap",  "pthread_create", "malloc",    "malloc_lib",
};
static const struct {
    const char *name;
    int number;
} errors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"ENOMEM", ENOMEM}, {"EAGAIN", EAGAIN},
              {"EINTR", EINTR},   {"EMFILE", EMFILE}, {"EACCES", EACCES}, {"EROFS", EROFS},
              {"EDQUOT", EDQUOT}, {"EBADF", EBADF}};
enum mode { FAILS, SHORT, SLOW };

static struct {
    bool is_on;
    enum kind kind;
    int first, last;
    enum mode mode;
    int error;
} fault;
static const char *log_path;
static atomic_int early_calls[NUM_KINDS], *calls = early_calls; // of child processes too
static pid_t program;

// Append a line to the log by system calls alone, as memory may be what fails.
static void tell(const char *verb, const char *what, const char *name)
{
    char line[512];
    const int size = snprintf(line, sizeof(line), "%s %s %s\n", verb, what, name);
    const int saved = errno;
    const long fd = log_path ? syscall(SYS_openat, AT_FDCWD, log_path,
                                       O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)
                             : -1;
    if (fd >= 0) {
        const size_t most = (size_t)size < sizeof(line) ? (size_t)size : sizeof(line) - 1;
        (void)!syscall(SYS_write, fd, line, most);
        syscall(SYS_close, fd);
    }
    errno = saved;
}

// The name of the object whose code is at this address; the program is called so. dladdr() would
// look for a symbol too, and of the driver's compiler there are so many that it seems to hang.
static const char *object_of(void *address)
{
    struct dl_find_object found;
    if (_dl_find_object(address, &found) != 0) {
        return "";
    }
    const char *name = found.dlfo_link_map->l_name;
    const char *slash = strrchr(name, '/');
    return name[0] == 0 ? "the program" : slash ? slash + 1 : name;
}

static bool begins_with_any(const char *name, const char *const *words)
{
    while (*words && strncmp(name, *words, strlen(*words)) != 0) {
        words++;
    }
    return *words != NULL;
}

// Whose code is at this address? Weir's, that of a library that reads and writes for it, or other.
enum owner { WEIR, LIBRARY, OTHER };
static enum owner owner_of(void *address)
{
    static const char *const libraries[] = {"libav", "libsw", "libpng", "libtiff", NULL};
    const char *name = object_of(address);
    if (strcmp(name, "the program") == 0 || strncmp(name, "libweir", 7) == 0) {
        return WEIR;
    }
    return begins_with_any(name, libraries) ? LIBRARY : OTHER;
}

static void name_of_fd(int fd, char *name, size_t size)
{
    char link[64];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, name, size - 1);
    name[length > 0 ? length : 0] = 0;
}

// Count a call of this kind. True if it is to fail.
static bool is_chosen(enum kind kind, void *caller, int fd, const char *path)
{
    const enum owner owner = owner_of(caller);
    const bool is_memory = kind == MALLOC;
    if (owner == OTHER || (fd >= 0 && fd <= STDERR_FILENO)) {
        return false;
    }
    kind = is_memory && owner == LIBRARY ? MALLOC_LIB : kind;
    const int number = atomic_fetch_add(&calls[kind], 1) + 1;
    if (!fault.is_on || kind != fault.kind || number < fault.first || number > fault.last) {
        return false;
    }
    char name[256] = "";
    if (fd >= 0) {
        name_of_fd(fd, name, sizeof(name));
    }
    tell("failed", kind_names[kind], path ? path : name);
    if (fault.mode == SLOW) {
        nanosleep(&(struct timespec){.tv_nsec = 250000000}, NULL);
        return false;
    }
    errno = fault.error;
    return true;
}

static void on_crash(int number)
{
    static const char *const system[] = {"libc.", "libc-", "libpthread", "libfault", "ld-", NULL};
    void *stack[64];
    const int depth = backtrace(stack, 64);
    const char *name = "?";
    for (int i = 0; i < depth; i++) {
        name = object_of(stack[i]);
        if (!begins_with_any(name, system)) {
            break;
        }
    }
    char text[16];
    snprintf(text, sizeof(text), "%d", number);
    tell("crash", text, name);
    signal(number, SIG_DFL);
    raise(number);
}

// Count in memory that child processes share. Calls of other libraries have begun already.
static void share_calls(void)
{
    const long memory = syscall(SYS_mmap, NULL, sizeof(early_calls), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != -1) {
        memcpy((void *)memory, early_calls, sizeof(early_calls));
        calls = (atomic_int *)memory;
    }
}

__attribute__((constructor)) static void begin(void)
{
    program = getpid();
    share_calls();
    const char *text = getenv("WEIR_FAULT");
    log_path = getenv("WEIR_FAULT_LOG");
    void *stack[1];
    backtrace(stack, 1); // loads what it needs, before memory fails
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++) {
        signal(crashes[i], on_crash);
    }
    char kind[32] = "", mode[32] = "";
    int first = 0;
    char plus = 0;
    if (!text || (sscanf(text, "%31[a-z_]:%d:%31[A-Za-z]", kind, &first, mode) != 3 &&
                  (sscanf(text, "%31[a-z_]:%d%c:%31[A-Za-z]", kind, &first, &plus, mode) != 4 ||
                   plus != '+'))) {
        return;
    }
    fault.first = first;
    fault.last = plus ? 1 << 30 : first;
    fault.mode = strcmp(mode, "short") == 0 ? SHORT : strcmp(mode, "slow") == 0 ? SLOW : FAILS;
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        if (strcmp(errors[i].name, mode) == 0) {
            fault.error = errors[i].number;
        }
    }
    for (int i = 0; i < NUM_KINDS; i++) {
        if (strcmp(kind_names[i], kind) == 0) {
            fault.kind = (enum kind)i;
            fault.is_on = true;
        }
    }
}

__attribute__((destructor)) static void end(void)
{
    for (int i = 0; i < NUM_KINDS && !fault.is_on && getpid() == program; i++) {
        char number[16];
        snprintf(number, sizeof(number), "%d", atomic_load(&calls[i]));
        tell("calls", kind_names[i], number);
    }
}

#define CALLER __builtin_return_address(0)
#define NEXT(type, name)                                                                           \
    static type *next;                                                                             \
    if (!next) {                                                                                   \
        void *symbol = dlsym(RTLD_NEXT, name);                                                     \
        memcpy(&next, &symbol, sizeof(next));                                                      \
    }

// The mode of a call to open(), which is given only where a file may be made.
#define OPEN_MODE(flags, mode)                                                                     \
    mode_t mode = 0;                                                                               \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                         \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        mode = va_arg(arguments, mode_t);                                                          \
        va_end(arguments);                                                                         \
    }

typedef int open_function(const char *path, int flags, ...);
int open(const char *path, int flags, ...)
{
    OPEN_MODE(flags, mode)
    NEXT(open_function, "open")
    return is_chosen(OPEN, CALLER, -1, path) ? -1 : next(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    OPEN_MODE(flags, mode)
    NEXT(open_function, "open64")
    return is_chosen(OPEN, CALLER, -1, path) ? -1 : next(path, flags, mode);
}

typedef int openat_function(int folder, const char *path, int flags, ...);
int openat(int folder, const char *path, int flags, ...)
{
    OPEN_MODE(flags, mode)
    NEXT(openat_function, "openat")
    return is_chosen(OPEN, CALLER, -1, path) ? -1 : next(folder, path, flags, mode);
}

typedef FILE *fopen_function(const char *path, const char *mode);
FILE *fopen(const char *path, const char *mode)
{
    NEXT(fopen_function, "fopen")
    return is_chosen(OPEN, CALLER, -1, path) ? NULL : next(path, mode);
}

typedef DIR *opendir_function(const char *path);
DIR *opendir(const char *path)
{
    NEXT(opendir_function, "opendir")
    return is_chosen(OPEN, CALLER, -1, path) ? NULL : next(path);
}

typedef ssize_t read_function(int fd, void *data, size_t size);
ssize_t read(int fd, void *data, size_t size)
{
    NEXT(read_function, "read")
    if (is_chosen(READ, CALLER, fd, NULL)) {
        if (fault.mode != SHORT) {
            return -1;
        }
        size = size > 1 ? size / 2 : size;
    }
    return next(fd, data, size);
}

typedef size_t fread_function(void *data, size_t size, size_t num, FILE *file);
size_t fread(void *data, size_t size, size_t num, FILE *file)
{
    NEXT(fread_function, "fread")
    if (is_chosen(READ, CALLER, fileno(file), NULL) && fault.mode == FAILS) {
        file->_flags |= 0x20; // what ferror() reads in the GNU C library
        return 0;
    }
    return next(data, size, num, file);
}

typedef ssize_t write_function(int fd, const void *data, size_t size);
ssize_t write(int fd, const void *data, size_t size)
{
    NEXT(write_function, "write")
    if (is_chosen(WRITE, CALLER, fd, NULL)) {
        if (fault.mode != SHORT) {
            return -1;
        }
        size = size > 1 ? size / 2 : size;
    }
    return next(fd, data, size);
}

typedef ssize_t writev_function(int fd, const struct iovec *parts, int num_parts);
ssize_t writev(int fd, const struct iovec *parts, int num_parts)
{
    NEXT(writev_function, "writev")
    if (is_chosen(WRITE, CALLER, fd, NULL)) {
        if (fault.mode != SHORT) {
            return -1;
        }
        struct iovec half = parts[0];
        half.iov_len = half.iov_len > 1 ? half.iov_len / 2 : half.iov_len;
        return next(fd, &half, 1);
    }
    return next(fd, parts, num_parts);
}

typedef ssize_t pwrite_function(int fd, const void *data, size_t size, off_t offset);
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    NEXT(pwrite_function, "pwrite")
    if (is_chosen(PWRITE, CALLER, fd, NULL)) {
        if (fault.mode != SHORT) {
            return -1;
        }
        size = size > 1 ? size / 2 : size;
    }
    return next(fd, data, size, offset);
}

typedef int fd_function(int fd);
int fdatasync(int fd)
{
    NEXT(fd_function, "fdatasync")
    return is_chosen(FDATASYNC, CALLER, fd, NULL) ? -1 : next(fd);
}

int fsync(int fd)
{
    NEXT(fd_function, "fsync")
    return is_chosen(FSYNC, CALLER, fd, NULL) ? -1 : next(fd);
}

typedef int ftruncate_function(int fd, off_t size);
int ftruncate(int fd, off_t size)
{
    NEXT(ftruncate_function, "ftruncate")
    return is_chosen(FTRUNCATE, CALLER, fd, NULL) ? -1 : next(fd, size);
}

typedef int rename_function(const char *from, const char *to);
int rename(const char *from, const char *to)
{
    NEXT(rename_function, "rename")
    return is_chosen(RENAME, CALLER, -1, to) ? -1 : next(from, to);
}

typedef int mkdir_function(const char *path, mode_t mode);
int mkdir(const char *path, mode_t mode)
{
    NEXT(mkdir_function, "mkdir")
    return is_chosen(MKDIR, CALLER, -1, path) ? -1 : next(path, mode);
}

typedef void *mmap_function(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    NEXT(mmap_function, "mmap")
    return is_chosen(MMAP, CALLER, fd, NULL) ? MAP_FAILED
                                             : next(at, size, protection, flags, fd, offset);
}

void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    NEXT(mmap_function, "mmap64")
    return is_chosen(MMAP, CALLER, fd, NULL) ? MAP_FAILED
                                             : next(at, size, protection, flags, fd, offset);
}

typedef int thread_function(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*run)(void *), void *user);
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *user)
{
    NEXT(thread_function, "pthread_create")
    return is_chosen(THREAD, CALLER, -1, NULL) ? fault.error : next(thread, attributes, run, user);
}

void *malloc(size_t size)
{
    return is_chosen(MALLOC, CALLER, -1, NULL) ? NULL : __libc_malloc(size);
}

void *calloc(size_t num, size_t size)
{
    return is_chosen(MALLOC, CALLER, -1, NULL) ? NULL : __libc_calloc(num, size);
}

void *realloc(void *old, size_t size)
{
    return size > 0 && is_chosen(MALLOC, CALLER, -1, NULL) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return is_chosen(MALLOC, CALLER, -1, NULL) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *memory = is_chosen(MALLOC, CALLER, -1, NULL) ? NULL : __libc_memalign(alignment, size);
    if (!memory) {
        return ENOMEM;
    }
    *out = memory;
    return 0;
}

char *strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = is_chosen(MALLOC, CALLER, -1, NULL) ? NULL : __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}
