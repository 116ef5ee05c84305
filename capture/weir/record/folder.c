// SPDX-License-Identifier: MIT
// The folder of a recorder that runs, with its sockets: how programs and --ctl find it.
#include "capture/weir/record/folder.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

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
    enum { ROOM = sizeof("/weir-record-1234567890/control") };
    const char *root = getenv("XDG_RUNTIME_DIR");
    return root && root[0] == '/' && is_own(root) &&
                   strlen(root) + ROOM <= sizeof(((struct sockaddr_un *)0)->sun_path)
               ? root
               : temporary;
}

static void remove_sockets(const char *path)
{
    static const char *const names[] = {"layer", "control"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *name = NULL;
        if (asprintf(&name, "%s/%s", path, names[i]) >= 0) {
            unlink(name);
            free(name);
        }
    }
    rmdir(path);
}

// True if the process is gone whose folder that is. One that begins is there and listens later.
static bool is_left_over(const char *path)
{
    const long process = atol(strrchr(path, '-') + 1);
    return process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

// Connect to the recorder of a folder. -1: nobody listens there.
static int connect_to(const char *path)
{
    char *name = NULL;
    if (!is_own(path) || asprintf(&name, "%s/control", path) < 0) {
        return -1;
    }
    const int socket = link_connect(name);
    const int error = errno;
    free(name);
    if (socket < 0 && error == ECONNREFUSED && is_left_over(path)) {
        remove_sockets(path);
    }
    return socket;
}

// Connect to the newest recorder whose folder is in that one.
static int connect_newest(const char *root)
{
    struct timespec made = {0}; // of the newest so far
    DIR *directory = opendir(root);
    int socket = -1;
    for (struct dirent *e; directory && (e = readdir(directory));) {
        char *path = NULL;
        struct stat status;
        if (strncmp(e->d_name, prefix, strlen(prefix)) != 0 ||
            asprintf(&path, "%s/%s", root, e->d_name) < 0) {
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
        free(path);
    }
    if (directory) {
        closedir(directory);
    }
    return socket;
}

int record_folder_connect(uint64_t process)
{
    char *path = NULL;
    int socket = -1;
    if (process == 0) {
        socket = connect_newest(get_root());
    } else if (asprintf(&path, "%s/%s%" PRIu64, get_root(), prefix, process) >= 0) {
        socket = connect_to(path);
        free(path);
    }
    if (socket < 0) {
        cli_report_error("no recorder of yours runs%s; weir record -- PROGRAM starts one",
                         process != 0 ? " in that process" : "");
    }
    return socket;
}

static bool listen_at(const char *folder, const char *name, char **path, int *socket)
{
    if (asprintf(path, "%s/%s", folder, name) < 0) {
        *path = NULL;
        cli_report_error("no memory for the path of a socket");
        return false;
    }
    *socket = link_listen(*path);
    if (*socket < 0) {
        cli_report_error("%s cannot be made: %s", *path, strerror(errno));
    }
    return *socket >= 0;
}

// Those that were killed leave their folders.
static void remove_old(const char *root)
{
    const int socket = connect_newest(root);
    if (socket >= 0) {
        close(socket);
    }
}

bool record_folder_create(struct record_folder *folder)
{
    const char *root = get_root();
    *folder = (struct record_folder){.layer_socket = -1, .control_socket = -1};
    remove_old(root);
    if (asprintf(&folder->path, "%s/%s%ld", root, prefix, (long)getpid()) < 0) {
        folder->path = NULL;
        cli_report_error("no memory for the path of a folder");
        return false;
    }
    // One that is there is of an earlier process of that number.
    if (is_own(folder->path)) {
        remove_sockets(folder->path);
    }
    if (mkdir(folder->path, 0700) != 0) {
        cli_report_error("the folder %s cannot be made: %s; XDG_RUNTIME_DIR names another place",
                         folder->path, strerror(errno));
        free(folder->path);
        folder->path = NULL;
        return false;
    }
    return listen_at(folder->path, "layer", &folder->layer, &folder->layer_socket) &&
           listen_at(folder->path, "control", &folder->control, &folder->control_socket);
}

void record_folder_destroy(struct record_folder *folder)
{
    if (folder->layer_socket >= 0) {
        close(folder->layer_socket);
    }
    if (folder->control_socket >= 0) {
        close(folder->control_socket);
    }
    if (folder->path) {
        remove_sockets(folder->path);
    }
    free(folder->path);
    free(folder->layer);
    free(folder->control);
    *folder = (struct record_folder){.layer_socket = -1, .control_socket = -1};
}
