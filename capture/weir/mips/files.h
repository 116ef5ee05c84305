// SPDX-License-Identifier: MIT
// Files that belong together: when all of them are written they take their names; else none does.
#ifndef WEIR_CAPTURE_WEIR_MIPS_FILES_H
#define WEIR_CAPTURE_WEIR_MIPS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/result.h>

enum { MIPS_MAX_FILES = 72 }; // a level has two at most, a chain 32 levels

struct mips_files {
    const char *folder; // borrowed
    bool made_folder;   // the folder did not exist before
    char *temporary;    // a hidden folder in `folder`, in which the files are written
    char *names[MIPS_MAX_FILES];
    size_t num;
};

// Make the folder, if it is missing, and the temporary one in it. Prints the reason of a failure.
// Close it in every case.
enum weir_result mips_files_open(struct mips_files *files, const char *folder);

// Add a file of that name. Write it to `*path`, and free the path. It is an error if something that
// is not a file has that name.
enum weir_result mips_files_add(struct mips_files *files, const char *name, char **path);

// Get the size of the file that was added last [bytes].
uint64_t mips_files_last_size(const struct mips_files *files);

// Give all files their names, replacing those that have them.
enum weir_result mips_files_commit(struct mips_files *files);

// Remove files that were not committed, and the folder if it was made and has stayed empty.
void mips_files_close(struct mips_files *files);

#endif
