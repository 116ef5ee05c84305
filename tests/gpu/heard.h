// SPDX-License-Identifier: MIT
// The last message of a context, for tests of errors.
#pragma once

#include "tests/gpu/harness.h"

struct heard {
    int num; // messages since the last heard_expect()
    enum weir_log_severity severity;
    enum weir_log_code code;
    char text[512];
};

// Get a log that stores the last warning or error in a struct heard.
struct weir_log heard_log(struct heard *heard);

// A call returned `result` and logged `code` with a text that has `word` in it; no code: it logged
// nothing.
void heard_expect(struct heard *heard, const char *call, enum weir_result got,
                  enum weir_result result, enum weir_log_code code, const char *word);
