// SPDX-License-Identifier: MIT
// What must hold of every answer.
#ifndef WEIR_TESTS_FUZZ_API_EXPECT_H
#define WEIR_TESTS_FUZZ_API_EXPECT_H

#include <weir/result.h>

void expect_known(enum weir_result result);

// An object after WEIR_OK, else none and a reason. Warnings may come with an object.
// `errors_before`: fuzz_num_errors() before the call.
void expect_made(enum weir_result result, const void *object, unsigned errors_before);

#endif
