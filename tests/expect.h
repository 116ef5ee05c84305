// SPDX-License-Identifier: MIT
// What every test says: what it expects, why it is skipped, and where its files are. Random numbers
// are in tests/seeded.h.
#pragma once

#include <stdbool.h>

// An initialiser whose members stand several in a line, as clang-format has arguments.
#define TEST_LIST(...)                                                                             \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

// Count a failure when `is_so` is false, on any thread, and print the first 20. Returns `is_so`.
bool test_expect(bool is_so, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define TEST_OK(call) test_expect((call) == WEIR_OK, "%s", #call)

// Get the number of failures so far.
int test_num_failures(void);

// End the test if `is_so` is false: it cannot go on without `what`.
void test_must(bool is_so, const char *what);
#define TEST_MUST(call) test_must((call) == WEIR_OK, #call)

// End the test, which is skipped for this reason.
_Noreturn void test_skip(const char *why);

// Get a path in a folder that test_finish() removes. Valid until the 8th call after it.
const char *test_path(const char *name);

// Print the number of failures, remove the folder, and return the exit status.
int test_finish(void);
