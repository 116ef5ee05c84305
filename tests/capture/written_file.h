// SPDX-License-Identifier: MIT
// A file that is written in two halves, and the folder around it, for tests of written files.
#pragma once

#include <stdbool.h>

#include "capture/base/file.h"

// Some blocks and a rest, so that a copy has both.
enum { WRITTEN_SIZE = 3 * (1 << 20) + 777 };
extern uint8_t written_content[WRITTEN_SIZE];

// Draw the content.
void written_init(void);

// Begin a file with its first half committed.
bool written_begin(struct weir_file *file, const char *path);

// Write and commit the second half, and close the file.
enum weir_result written_finish(struct weir_file *file);

void written_expect_whole(const char *what, const char *path);
void written_expect_entries(const char *what, const char *folder, int want);

// Make an empty folder. Free its path.
char *test_folder(const char *name);

// Get the path of a file in a folder. It lives until eight others were asked for.
const char *path_in(const char *folder, const char *name);
