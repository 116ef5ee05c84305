// SPDX-License-Identifier: MIT
// The folder of a recorder that runs, with its sockets: how programs and --ctl find it. The end of
// its name is random, so nobody can make it before; and only folders of this user are used.
#include "capture/weir/record/server.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/path.h"
#include "capture/link/link.h"
#include "capture/weir/common/report.h"

static const char prefix[] = "weir-record-";
static const char temporary[] = "/tmp";

// A folder is there, and only this user's.
static bool is_own(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & 0077) == 0;
}

// Get the folder in which those of recorders lie. Paths of sockets are short.
static const char *get_root(void)
{
    enum { ROOM = sizeof("/weir-record-1234567890-XXXXXX/control") };
    const char *root = getenv("XDG_RUNTIME_DIR");
    return root && root[0] == '/' && is_own(root) && strlen(root) + ROOM <= RECORD_PATH_ROOM
               ? root
               : temporary;
}

// Get the path of something in a folder. False: it is too long for that of a socket.
static bool join(char path[RECORD_PATH_ROOM], const char *folder, const char *name)
{
    const bool fits = strlen(folder) + 1 + strlen(name) < RECORD_PATH_ROOM;
    stpcpy(stpcpy(stpcpy(path, fits ? folder : ""), "/"), fits ? name : "");
    return fits;
}

static void remove_sockets(const char *path)
{
    static const char *const names[] = {"layer", "control"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char name[RECORD_PATH_ROOM];
        if (join(name, path, names[i])) {
            unlink(name);
        }
    }
    rmdir(path);
}

// True if the process is gone whose folder that is. One that begins is there and listens later.
static bool is_left_over(const char *path)
{
    const long process = atol(weir_path_name(path) + strlen(prefix));
    return process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

// Connect to the recorder of a folder. -1: nobody listens there.
static int connect_to(const char *path)
{
    char name[RECORD_PATH_ROOM];
    if (!is_own(path) || !join(name, path, "control")) {
        return -1;
    }
    const int socket = link_connect(name);
    if (socket < 0 && errno == ECONNREFUSED && is_left_over(path)) {
        remove_sockets(path);
    }
    return socket;
}

// Connect to the newest recorder whose folder is in that one; 0: of any process.
static int connect_newest(const char *root, uint64_t process)
{
    struct timespec made = {0}; // of the newest so far
    char begin[48];
    snprintf(begin, sizeof(begin), "%s%" PRIu64 "-", prefix, process);
    const size_t length = process == 0 ? strlen(prefix) : strlen(begin);
    DIR *directory = opendir(root);
    int socket = -1;
    for (struct dirent *e; directory && (e = readdir(directory));) {
        char path[RECORD_PATH_ROOM];
        struct stat status;
        if (strncmp(e->d_name, begin, length) != 0 || !join(path, root, e->d_name)) {
            continue;
        }
        const bool is_newer = stat(path, &status) == 0 && (status.st_mtim.tv_sec > made.tv_sec ||
                                                           (status.st_mtim.tv_sec == made.tv_sec &&
                                                            status.st_mtim.tv_nsec > made.tv_nsec));
        const int other = is_newer ? connect_to(path) : -1;
        if (other >= 0) {
            if (socket >= 0) {
                close(socket);
            }
            socket = other;
            made = status.st_mtim;
        }
    }
    if (directory) {
        closedir(directory);
    }
    return socket;
}

int record_folder_connect(uint64_t process)
{
    const int socket = connect_newest(get_root(), process);
    if (socket < 0) {
        cli_report_error("no recorder of yours runs%s; weir record -- PROGRAM starts one",
                         process != 0 ? " in that process" : "");
    }
    return socket;
}

static int listen_at(const char *path)
{
    const int socket = link_listen(path);
    if (socket < 0) {
        cli_report_error("%s cannot be made: %s", path, strerror(errno));
    }
    return socket;
}

// Those that were killed leave their folders.
static void remove_old(const char *root)
{
    const int socket = connect_newest(root, 0);
    if (socket >= 0) {
        close(socket);
    }
}

bool record_folder_create(struct record_folder *folder)
{
    *folder = (struct record_folder){.layer_socket = -1, .control_socket = -1};
    remove_old(get_root());
    snprintf(folder->path, sizeof(folder->path), "%s/%s%d-XXXXXX", get_root(), prefix,
             (int)getpid());
    if (!mkdtemp(folder->path)) {
        cli_report_error("no folder can be made in %s: %s; XDG_RUNTIME_DIR names another place",
                         get_root(), strerror(errno));
        folder->path[0] = 0;
        return false;
    }
    join(folder->layer, folder->path, "layer");
    join(folder->control, folder->path, "control");
    folder->layer_socket = listen_at(folder->layer);
    folder->control_socket = folder->layer_socket < 0 ? -1 : listen_at(folder->control);
    return folder->control_socket >= 0;
}

void record_folder_destroy(struct record_folder *folder)
{
    if (folder->layer_socket >= 0) {
        close(folder->layer_socket);
    }
    if (folder->control_socket >= 0) {
        close(folder->control_socket);
    }
    if (folder->path[0] != 0) {
        remove_sockets(folder->path);
    }
    *folder = (struct record_folder){.layer_socket = -1, .control_socket = -1};
}
