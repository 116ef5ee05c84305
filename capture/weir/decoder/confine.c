// SPDX-License-Identifier: MIT
// The confinement of the process that decodes files of other people: limits of resources, Landlock
// for what it reads, and seccomp for what else it may ask of the system.
#include "capture/weir/decoder/decoder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <seccomp.h>

#include "capture/base/size.h"
#include "capture/files/source/input.h"

enum { READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR };

// Rules about all that the version of Landlock knows, of which some are newer than the headers.
static int make_rules(void)
{
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
                                 LANDLOCK_CREATE_RULESET_VERSION);
    const int num_rights = 13 + (version >= 2) + (version >= 3) + (version >= 5);
    const struct landlock_ruleset_attr handled = {.handled_access_fs = (1u << num_rights) - 1};
    return version < 1 ? -1
                       : (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0);
}

// What is not there needs no rule.
static void allow(int rules, const char *path)
{
    struct stat status;
    const int fd = rules >= 0 ? open(path, O_PATH | O_CLOEXEC) : -1;
    if (fd < 0) {
        return;
    }
    const bool is_folder = fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
    const struct landlock_path_beneath_attr rule = {
        .allowed_access = is_folder ? READ : LANDLOCK_ACCESS_FS_READ_FILE,
        .parent_fd = fd,
    };
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
}

#define NUM(list) (sizeof(list) / sizeof((list)[0]))

// What the resolution of names and TLS read.
static const char *const network_files[] = {
    "/etc", "/lib", "/lib64", "/usr", "/run/systemd/resolve", "/var/lib/ca-certificates",
    "/nix", "/gnu",
};

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool folder_of(const char *path, char folder[PATH_MAX])
{
    const char *end = strrchr(path, '/');
    return snprintf(folder, PATH_MAX, "%.*s", end ? (int)(end - path) + 1 : 1, end ? path : ".") <
           PATH_MAX;
}

// What the links in a folder of pictures lead to.
static void allow_links(int rules, const char *folder)
{
    DIR *entries = rules >= 0 ? opendir(folder) : NULL;
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        char path[PATH_MAX];
        if (entry->d_type == DT_LNK &&
            snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) < PATH_MAX &&
            !is_folder(path)) {
            allow(rules, path);
        }
    }
    if (entries) {
        closedir(entries);
    }
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

// How an input is read, beside files of its own.
enum kind { FILES, DESCRIPTOR, NETWORK, OTHER };

static bool is_device(const char *path)
{
    return begins(path, "/dev/") || begins(path, "/proc/");
}

// OTHER: what only FFmpeg's libraries know, such as "concat:a.ts|b.ts". A link may lead to
// /dev/stdin.
static enum kind kind_of(const char *path)
{
    struct stat status;
    char target[8] = "";
    const bool is_link = readlink(path, target, sizeof(target) - 1) > 0;
    const bool has_descriptor = is_device(path) || (is_link && is_device(target));
    if (has_descriptor || stat(path, &status) == 0 || !weir_input_is_url(path)) {
        return has_descriptor || strcmp(path, "-") == 0 ? DESCRIPTOR : FILES;
    }
    return begins(path, "file:")                          ? FILES
           : begins(path, "pipe:") || begins(path, "fd:") ? DESCRIPTOR
           : strstr(path, "://")                          ? NETWORK
                                                          : OTHER;
}

static void allow_input(int rules, const char *path)
{
    char folder[PATH_MAX];
    struct stat status;
    if (stat(path, &status) != 0 && begins(path, "file:")) {
        path += strlen("file:");
    }
    allow(rules, path);
    const bool is_there = stat(path, &status) == 0, is_sequence = !is_there && strpbrk(path, "%#");
    if (is_there && S_ISDIR(status.st_mode)) {
        allow_links(rules, path);
    } else if ((is_sequence || weir_input_is_list(path)) && folder_of(path, folder)) {
        allow(rules, folder);
        if (is_sequence) {
            allow_links(rules, folder);
        }
    }
}

// What decoders and their threads ask for, by name: no system has them all.
static const char calls[] =
    "access brk clock_getres clock_gettime clock_gettime64 clock_nanosleep clock_nanosleep_time64 "
    "close dup dup2 dup3 exit exit_group faccessat faccessat2 fadvise64 fstat fstat64 fstatat64 "
    "fstatfs futex futex_time64 getcwd getdents getdents64 getegid geteuid getgid getpid getppid "
    "getrandom getrusage gettid gettimeofday getuid lseek _llseek lstat lstat64 madvise mmap mmap2 "
    "mprotect mremap munmap nanosleep newfstatat poll ppoll ppoll_time64 pread64 "
    "pselect6 read readlink readlinkat readv recvmsg restart_syscall rseq rt_sigaction "
    "rt_sigprocmask rt_sigreturn sched_getaffinity sched_yield select sendmsg set_robust_list "
    "sigaltstack sigreturn stat stat64 statx sysinfo time uname write writev";
static const char network_calls[] =
    "accept accept4 bind connect epoll_create1 epoll_ctl epoll_pwait epoll_wait eventfd2 "
    "getpeername getsockname getsockopt ioctl listen pipe2 recvfrom recvmmsg sendmmsg sendto "
    "setsockopt shutdown";

// A socket of another family could reach programs of the user.
static const int families[] = {AF_INET, AF_INET6, AF_NETLINK};
// One that sets the owner of a descriptor could signal other processes.
static const int file_controls[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL};

static void allow_calls(scmp_filter_ctx filter, const char *names)
{
    char name[32];
    for (int size; sscanf(names, "%31s%n", name, &size) == 1; names += size) {
        seccomp_rule_add(filter, SCMP_ACT_ALLOW, seccomp_syscall_resolve_name(name), 0);
    }
}

// Allow a call where the bits of a mask of an argument have a value.
static void allow_masked(scmp_filter_ctx filter, int call, unsigned place, uint64_t mask,
                         uint64_t value)
{
    const struct scmp_arg_cmp argument = {place, SCMP_CMP_MASKED_EQ, mask, value};
    seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &argument);
}

static void allow_values(scmp_filter_ctx filter, int call, unsigned place, const int *values,
                         size_t num)
{
    for (size_t i = 0; i < num; i++) {
        allow_masked(filter, call, place, UINT32_MAX, (uint64_t)values[i]);
    }
}

// Without seccomp in the system the rest holds.
static void enter_filter(bool has_network)
{
    const uint64_t process = (uint64_t)getpid();
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) {
        return;
    }
    allow_calls(filter, calls);
    allow_values(filter, SCMP_SYS(fcntl), 1, file_controls, NUM(file_controls));
    allow_values(filter, SCMP_SYS(fcntl64), 1, file_controls, NUM(file_controls));
    allow_masked(filter, SCMP_SYS(open), 1, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY);
    allow_masked(filter, SCMP_SYS(openat), 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY);
    allow_masked(filter, SCMP_SYS(prctl), 0, UINT32_MAX, PR_SET_NAME);
    allow_masked(filter, SCMP_SYS(kill), 0, UINT32_MAX, process);
    allow_masked(filter, SCMP_SYS(tgkill), 0, UINT32_MAX, process);
    allow_masked(filter, SCMP_SYS(prlimit64), 2, UINT64_MAX, 0); // which sets none
    allow_masked(filter, SCMP_SYS(clone), 0, CLONE_THREAD, CLONE_THREAD);
    // Its flags are in memory; without it the C library takes the other one.
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    if (has_network) {
        allow_calls(filter, network_calls);
        allow_values(filter, SCMP_SYS(socket), 0, families, NUM(families));
    }
    seccomp_load(filter);
    seccomp_release(filter);
}

// A picture that is allowed takes less: see weir_memory_check(), and 16 threads of a decoder.
static void limit_memory(uint64_t max_memory)
{
    const uint64_t beside = UINT64_C(4) << 30;
    struct rlimit limit;
    if (max_memory != 0 && !WEIR_SANITIZED && getrlimit(RLIMIT_DATA, &limit) == 0) {
        limit.rlim_cur = weir_min(2 * max_memory + beside, limit.rlim_max);
        setrlimit(RLIMIT_DATA, &limit);
    }
}

// Close what this process was started with beside its socket and standard output and error, unless
// an input names a descriptor. With "-" that is standard input.
static void close_others(char *const *paths, size_t num_paths, int socket)
{
    bool keeps_input = false;
    for (size_t i = 0; i < num_paths; i++) {
        const enum kind kind = kind_of(paths[i]);
        const bool is_input = strcmp(paths[i], "-") == 0;
        if (!is_input && (kind == DESCRIPTOR || kind == OTHER)) {
            return;
        }
        keeps_input = keeps_input || is_input;
    }
    if (!keeps_input) {
        close(STDIN_FILENO);
        open("/dev/null", O_RDONLY); // which is the lowest number
    }
    syscall(SYS_close_range, STDERR_FILENO + 1, socket - 1, 0);
    syscall(SYS_close_range, socket + 1, ~0u, 0);
}

void decoder_confine(char *const *paths, size_t num_paths, uint64_t max_memory, int socket)
{
    const char *lifted = getenv("WEIR_UNCONFINED");
    bool has_network = false, has_other = false;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    limit_memory(max_memory);
    close_others(paths, num_paths, socket);
    const int rules = make_rules();
    for (size_t i = 0; i < num_paths; i++) {
        const enum kind kind = kind_of(paths[i]);
        has_network = has_network || kind == NETWORK;
        has_other = has_other || kind == OTHER;
        allow_input(rules, paths[i]);
    }
    for (size_t i = 0; has_network && i < NUM(network_files); i++) {
        allow(rules, network_files[i]);
    }
    if (!WEIR_SANITIZED && (!lifted || strcmp(lifted, "1") != 0)) { // which ask for more
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (!has_other) {
            syscall(SYS_landlock_restrict_self, rules, 0);
        }
        enter_filter(has_network);
    }
    if (rules >= 0) {
        close(rules);
    }
}
