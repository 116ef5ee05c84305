// SPDX-License-Identifier: MIT
// What must hold of every answer.
#include "tests/fuzz/api/expect.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

void expect_known(enum weir_result result)
{
    fuzz_expect(strcmp(weir_result_name(result), "unknown weir_result") != 0, "result %d is known",
                (int)result);
}

void expect_made(enum weir_result result, const void *object, unsigned errors_before)
{
    expect_known(result);
    fuzz_expect((result == WEIR_OK) == (object != NULL), "an object or an error: %s",
                weir_result_name(result));
    fuzz_expect(result == WEIR_OK || result == WEIR_ERROR_DEVICE_LOST ||
                    fuzz_num_errors() > errors_before,
                "%s has a reason in the log", weir_result_name(result));
}
