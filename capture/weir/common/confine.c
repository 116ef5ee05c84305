// SPDX-License-Identifier: MIT
// The confinement of a child process that reads files of other people.
//
// The child decodes, but it opens the device and writes the output too. So it may read what drivers
// consist of, and change the folder of the output. The rest is Landlock's to refuse.
#include "capture/weir/common/confine.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "capture/base/size.h"
#include "capture/files/source/input.h"
#include "capture/weir/common/report.h"

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>

// Of newer headers than the oldest that has the rest: renaming to another folder, of version 2, and
// truncating, of version 3.
#define REFER (UINT64_C(1) << 13)
#define TRUNCATE (UINT64_C(1) << 14)

enum {
    FILE_RIGHTS = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE,
    READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    USE = READ | LANDLOCK_ACCESS_FS_WRITE_FILE,
    CHANGE = USE | TRUNCATE | REFER | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
             LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR,
};

// Version 1 refuses every renaming to another folder, which weir mips needs.
static void make_rules(struct cli_confinement *confinement)
{
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
                                 LANDLOCK_CREATE_RULESET_VERSION);
    confinement->rights = REFER | (REFER - 1) | (version >= 3 ? TRUNCATE : 0);
    const struct landlock_ruleset_attr handled = {.handled_access_fs = confinement->rights};
    if (version >= 2) {
        confinement->rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled),
                                          0);
    }
}

// What is not there needs no rule.
static void allow(struct cli_confinement *confinement, const char *path, uint64_t rights)
{
    struct stat status;
    const int fd = confinement->rules >= 0 ? open(path, O_PATH | O_CLOEXEC) : -1;
    if (fd < 0) {
        return;
    }
    const bool is_folder = fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
    const struct landlock_path_beneath_attr rule = {
        .allowed_access = rights & (is_folder ? UINT64_MAX : FILE_RIGHTS) & confinement->rights,
        .parent_fd = fd,
    };
    syscall(SYS_landlock_add_rule, confinement->rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
}

static void enter_rules(int rules)
{
    syscall(SYS_landlock_restrict_self, rules, 0);
}
#else
enum { READ, USE, CHANGE };

static void make_rules(struct cli_confinement *confinement)
{
    (void)confinement;
}

static void allow(struct cli_confinement *confinement, const char *path, uint64_t rights)
{
    (void)confinement;
    (void)path;
    (void)rights;
}

static void enter_rules(int rules)
{
    (void)rules;
}
#endif

// Where drivers, libraries, their settings and certificates are.
static const char *const system_folders[] = {
    "/usr",      "/lib",           "/lib32",
    "/lib64",    "/etc",           "/opt",
    "/sys",      "/nix",           "/gnu",
    "/app",      "/snap",          "/run/systemd/resolve",
    "/run/host", "/var/lib/snapd", "/var/lib/ca-certificates",
};

// Variables that name files and folders of drivers and layers.
static const char *const driver_variables[] = {
    "VK_DRIVER_FILES",   "VK_ADD_DRIVER_FILES",    "VK_ICD_FILENAMES", "VK_LAYER_PATH",
    "VK_ADD_LAYER_PATH", "VK_IMPLICIT_LAYER_PATH", "LD_LIBRARY_PATH",
};

// Where drivers keep the kernels that they have compiled, in the user's folder of caches. It
// is made where there is such a file, as the driver itself is not allowed to.
static const struct {
    const char *name, *file;
} caches[] = {
    {"mesa_shader_cache", "/"},
    {"mesa_shader_cache_db", "/"},
    {"nvidia", "/dev/nvidiactl"},
    {"AMD", "/dev/kfd"},
};
static const char *const cache_variables[] = {"MESA_SHADER_CACHE_DIR",
                                              "__GL_SHADER_DISK_CACHE_PATH"};

// Nobody has limited the time of this process before it was confined.
static bool limits_time;

#define NUM(list) (sizeof(list) / sizeof((list)[0]))

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

static void allow_folder_of(struct cli_confinement *confinement, const char *path, uint64_t rights)
{
    char folder[PATH_MAX];
    if (path && folder_of(path, folder)) {
        allow(confinement, folder, rights);
    }
}

// The library of a driver is beside its manifest, or somewhere in PREFIX if that is in
// PREFIX/share/vulkan.
static void allow_driver(struct cli_confinement *confinement, char *path)
{
    char *share = strstr(path, "/share/vulkan/");
    if (share) {
        *share = 0;
    }
    if (is_folder(path)) {
        allow(confinement, path, READ);
    } else if (access(path, F_OK) == 0) {
        allow_folder_of(confinement, path, READ);
    }
}

static void allow_drivers(struct cli_confinement *confinement, const char *variable)
{
    char path[PATH_MAX];
    const char *at = getenv(variable);
    while (at && *at) {
        const size_t length = strcspn(at, ":");
        if (length > 0 && length < sizeof(path)) {
            memcpy(path, at, length);
            path[length] = 0;
            allow_driver(confinement, path);
        }
        at += length + (at[length] == ':');
    }
}

static void allow_caches(struct cli_confinement *confinement)
{
    const char *own = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char top[4096], path[4096 + 32];
    snprintf(top, sizeof(top), "%s%s", own ? own : home ? home : "", own ? "" : "/.cache");
    mkdir(top, 0700);
    for (size_t i = 0; i < NUM(caches); i++) {
        snprintf(path, sizeof(path), "%s/%s", top, caches[i].name);
        if (access(caches[i].file, F_OK) == 0) {
            mkdir(path, 0755);
        }
        allow(confinement, path, CHANGE);
    }
    for (size_t i = 0; i < NUM(cache_variables); i++) {
        const char *folder = getenv(cache_variables[i]);
        if (folder) {
            mkdir(folder, 0755);
            allow(confinement, folder, CHANGE);
        }
    }
}

void cli_confine_begin(struct cli_confinement *confinement, uint64_t max_memory)
{
    const char *lifted = getenv("WEIR_UNCONFINED");
    *confinement = (struct cli_confinement){
        .rules = -1,
        .is_lifted = lifted && strcmp(lifted, "1") == 0,
        .max_memory = max_memory,
    };
    make_rules(confinement);
    for (size_t i = 0; i < NUM(system_folders); i++) {
        allow(confinement, system_folders[i], READ);
    }
    allow(confinement, "/dev", USE);
    allow(confinement, "/proc", USE); // the names of threads
    for (size_t i = 0; i < NUM(driver_variables); i++) {
        allow_drivers(confinement, driver_variables[i]);
    }
    allow_caches(confinement);
}

// Let it read what the links in a folder of pictures lead to.
static void allow_links(struct cli_confinement *confinement, const char *folder)
{
    DIR *entries = confinement->rules >= 0 ? opendir(folder) : NULL;
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        char path[PATH_MAX];
        if (entry->d_type == DT_LNK &&
            snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) < PATH_MAX &&
            !is_folder(path)) {
            allow(confinement, path, READ);
        }
    }
    if (entries) {
        closedir(entries);
    }
}

void cli_confine_input(struct cli_confinement *confinement, const char *path)
{
    static const char file[] = "file:";
    struct stat status;
    bool is_there = stat(path, &status) == 0;
    if (!is_there && weir_input_is_url(path)) {
        if (strncmp(path, file, strlen(file)) != 0) {
            // Such as "concat:a.ts|b.ts". A network is no file, nor is a pipe.
            confinement->is_lifted = confinement->is_lifted ||
                                     (!strstr(path, "://") && strncmp(path, "pipe:", 5) != 0);
            return;
        }
        path += strlen(file);
        is_there = stat(path, &status) == 0;
    }
    allow(confinement, path, READ);
    if (is_there && S_ISDIR(status.st_mode)) {
        allow_links(confinement, path);
    } else if (!is_there && strpbrk(path, "%#")) {
        char folder[PATH_MAX];
        if (folder_of(path, folder)) {
            allow(confinement, folder, READ);
            allow_links(confinement, folder);
        }
    } else if (weir_input_is_list(path)) {
        allow_folder_of(confinement, path, READ);
    }
}

void cli_confine_inputs(struct cli_confinement *confinement, const struct cli_inputs *inputs)
{
    for (size_t i = 0; i < inputs->num; i++) {
        cli_confine_input(confinement, inputs->paths[i]);
    }
}

void cli_confine_output(struct cli_confinement *confinement, const char *path)
{
    if (!path || strcmp(path, "-") == 0) {
        return;
    }
    if (is_folder(path)) {
        allow(confinement, path, CHANGE);
        return;
    }
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') {
        length--; // of a folder that is to be made
    }
    char name[PATH_MAX], target[PATH_MAX];
    if (snprintf(name, sizeof(name), "%.*s", (int)length, path) < PATH_MAX) {
        allow_folder_of(confinement, name, CHANGE);
    }
    allow_folder_of(confinement, realpath(path, target), CHANGE); // a link is followed
}

// Of memory that the process does not share, so that what drivers map of a device does not count.
// A picture that is allowed takes less: see weir_memory_check(), and 16 threads of a decoder.
static void limit_memory(uint64_t max_memory)
{
    const uint64_t beside = UINT64_C(4) << 30;
    uint64_t pages[6] = {0}; // the last one: data and stacks, of which sanitizers have much
    FILE *file = fopen("/proc/self/statm", "r");
    size_t num = 0;
    while (file && num < NUM(pages) && fscanf(file, "%" SCNu64, &pages[num]) == 1) {
        num++;
    }
    if (file) {
        fclose(file);
    }
    const uint64_t now = pages[5] * (uint64_t)sysconf(_SC_PAGESIZE);
    struct rlimit limit;
    if (num == NUM(pages) && getrlimit(RLIMIT_DATA, &limit) == 0) {
        limit.rlim_cur = weir_min(now + 2 * max_memory + beside, limit.rlim_max);
        setrlimit(RLIMIT_DATA, &limit);
    }
}

void cli_confine_enter(struct cli_confinement *confinement)
{
    struct rlimit limit;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (confinement->max_memory != 0) {
        limit_memory(confinement->max_memory);
    }
    limits_time = getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
    if (!confinement->is_lifted) {
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        enter_rules(confinement->rules);
    }
    if (confinement->rules >= 0) {
        close(confinement->rules);
    }
}

void cli_confine_reading(bool begins)
{
    struct timespec used;
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    if (!limits_time || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) {
        return;
    }
    if (begins) {
        // What was decoded before may be encoded on all processors meanwhile.
        limit.rlim_cur = (rlim_t)(used.tv_sec + 60 * (10 + sysconf(_SC_NPROCESSORS_ONLN)));
    }
    setrlimit(RLIMIT_CPU, &limit);
}

enum weir_result cli_picture_read(const char *path, const struct weir_memory_use *memory,
                                  struct weir_picture *picture)
{
    cli_confine_reading(true);
    const enum weir_result result = weir_picture_read(path, memory, &cli_log, picture);
    cli_confine_reading(false);
    return result;
}
