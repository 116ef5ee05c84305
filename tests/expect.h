// SPDX-License-Identifier: MIT
// What every test says: what it expects, why it is skipped, and where its files are. Random numbers
// are in tests/seeded.h.
#pragma once

#include <stdbool.h>

// Count a failure when `is_so` is false, on any thread, and print the first 20. Returns `is_so`.
bool test_expect(bool is_so, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Get the number of failures so far.
int test_num_failures(void);

// End the test if `is_so` is false: it cannot go on without `what`.
void test_must(bool is_so, const char *what);

// End the test, which is skipped for this reason.
_Noreturn void test_skip(const char *why);

// Get a path in a folder that test_finish() removes. Valid until the 8th call after it.
const char *test_path(const char *name);

// Print the number of failures, remove the folder, and return the exit status.
int test_finish(void);
