// SPDX-License-Identifier: MIT
// The folder of a recorder that runs, with its sockets: how programs and --ctl find it.
#ifndef WEIR_CAPTURE_WEIR_RECORD_FOLDER_H
#define WEIR_CAPTURE_WEIR_RECORD_FOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

enum { RECORD_PATH_ROOM = sizeof(((struct sockaddr_un *)0)->sun_path) }; // of a socket

struct record_folder {
    char path[RECORD_PATH_ROOM];  // empty: there is none
    char layer[RECORD_PATH_ROOM]; // path of the socket for programs
    int layer_socket, control_socket;
};

// Make the folder of this process and listen at both sockets. Folders of recorders that were killed
// are removed. Prints the reason of a failure; false then.
bool record_folder_create(struct record_folder *folder);
void record_folder_destroy(struct record_folder *folder);

// Connect to the socket `control` of the recorder of a process, 0 = the newest of this user's.
// Returns it, or -1: there is none, which is printed.
int record_folder_connect(uint64_t process);

#endif
