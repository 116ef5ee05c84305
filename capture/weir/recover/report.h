// SPDX-License-Identifier: MIT
// What weir recover says of a movie: one line for people, or JSON.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_REPORT_H
#define WEIR_CAPTURE_WEIR_RECOVER_REPORT_H

#include "capture/base/json.h"
#include "capture/weir/recover/find.h"

struct recover_report {
    const char *input;
    const char *output;                // NULL: nothing was written
    const struct recover_found *found; // NULL: it failed, and the reason was printed
};

void recover_report_print(const struct recover_report *report);

// Write it as an object: the whole output, or one of an array.
void recover_report_print_json(const struct recover_report *report, struct weir_json *json);

#endif
