// SPDX-License-Identifier: MIT
// What weir join says of a movie: lines for people, or JSON.
#ifndef WEIR_CAPTURE_WEIR_JOIN_REPORT_H
#define WEIR_CAPTURE_WEIR_JOIN_REPORT_H

#include "capture/weir/join/plan.h"

struct join_report {
    const struct join_plan *plan;
    const char *output;
    bool is_written; // false: a dry run
};

// Print a warning on standard error where the movies' time codes do not make one.
void join_report_warn(const struct join_report *report);

void join_report_print(const struct join_report *report);
void join_report_print_json(const struct join_report *report);

#endif
