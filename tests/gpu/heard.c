// SPDX-License-Identifier: MIT
// The last message of a context, for tests of errors.
#include "tests/gpu/heard.h"

#include <stdio.h>
#include <string.h>

static void on_message(void *user, const struct weir_log_message *message)
{
    struct heard *heard = user;
    heard->num++;
    heard->severity = message->severity;
    heard->code = message->code;
    snprintf(heard->text, sizeof(heard->text), "%s", message->text);
}

struct weir_log heard_log(struct heard *heard)
{
    return (struct weir_log){on_message, heard, WEIR_LOG_WARNING};
}

void heard_expect(struct heard *heard, const char *call, enum weir_result got,
                  enum weir_result result, enum weir_log_code code, const char *word)
{
    test_expect(got == result, "%s: %s", call, weir_result_name(got));
    if (code) {
        test_expect(heard->num == 1 && heard->code == code && strstr(heard->text, word),
                    "%s: %d messages, the last of code %d: %s", call, heard->num, (int)heard->code,
                    heard->text);
    } else {
        test_expect(heard->num == 0, "%s says: %s", call, heard->text);
    }
    heard->num = 0;
    heard->text[0] = 0;
}
