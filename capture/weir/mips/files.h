// SPDX-License-Identifier: MIT
// Files that belong together: they take their names when all of them are written, or none does.
#ifndef WEIR_CAPTURE_WEIR_MIPS_FILES_H
#define WEIR_CAPTURE_WEIR_MIPS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/result.h>

enum { MIPS_MAX_FILES = 72 }; // a level has two at most, a chain 32 levels

struct mips_files {
    const char *folder; // borrowed
    bool made_folder;   // it was not there before
    char *temporary;    // a hidden folder in it that the files are written in
    char *names[MIPS_MAX_FILES];
    size_t num;
};

// Make the folder, if it is missing, and the temporary one in it. Prints the reason of a failure.
// Close it in every case.
enum weir_result mips_files_open(struct mips_files *files, const char *folder);

// Add a file of that name. `*path` is where to write it: free it. What stands in its way is
// refused.
enum weir_result mips_files_add(struct mips_files *files, const char *name, char **path);

// The size of the file added last [bytes].
uint64_t mips_files_last_size(const struct mips_files *files);

// Give all files their names, replacing those that have them.
enum weir_result mips_files_commit(struct mips_files *files);

// Remove what was not committed, and a folder that was made for nothing.
void mips_files_close(struct mips_files *files);

#endif
