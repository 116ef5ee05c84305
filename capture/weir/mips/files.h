// SPDX-License-Identifier: MIT
// Files that belong together: when all of them are written they take their names; else none does.
#ifndef WEIR_CAPTURE_WEIR_MIPS_FILES_H
#define WEIR_CAPTURE_WEIR_MIPS_FILES_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/result.h>

enum { MIPS_MAX_FILES = 72 }; // a level has two at most, a chain 32 levels

struct mips_file {
    char *temporary, *target; // where it is written, and where it belongs
    char *old;                // where the file is kept that had the name before
    const char *name;         // the last part of its path
    bool is_committed;        // it has its name
    bool has_old;             // there is an old one
};

struct mips_files {
    const char *folder; // borrowed
    bool made_folder;   // the folder did not exist before
    // A hidden folder in `folder`, in which the files are written, and its lock. A later run
    // empties one that a killed program has left.
    char *temporary;
    DIR *lock;
    struct mips_file list[MIPS_MAX_FILES];
    size_t num;
};

// Make the folder, if it is missing, and the temporary one in it. Prints the reason of a failure.
// Close it in every case.
enum weir_result mips_files_open(struct mips_files *files, const char *folder);

// Add a file of that name, which is to be written to file->temporary. It is an error if something
// that is not a file has that name.
enum weir_result mips_files_add(struct mips_files *files, const char *name,
                                const struct mips_file **file);

// Check that no file is the input or `other`, an output beside them or NULL. Prints an error if one
// is.
enum weir_result mips_files_check(const struct mips_files *files, const char *input,
                                  const char *other);

// Give all files their names, with the mode and the owner of those that they replace. If one cannot
// have its name, all have what they had before; prints the reason. A program that is killed
// meanwhile leaves old and new files, each of them whole.
enum weir_result mips_files_commit(struct mips_files *files);

// Give all files that were replaced their names back, and remove the others.
void mips_files_undo(struct mips_files *files);

// Remove files that were not committed, and the folder if it was made and has stayed empty.
void mips_files_close(struct mips_files *files);

// Remove what a process that was killed has left in a folder, and the folder if it was not there
// before and holds nothing else.
void mips_files_clean(const char *folder, bool was_there);

#endif
