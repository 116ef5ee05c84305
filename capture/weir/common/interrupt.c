// SPDX-License-Identifier: MIT
// Ctrl-C: the first asks the program to end well, the second ends it.
#include "capture/weir/common/interrupt.h"

#include <stdatomic.h>

#include "capture/base/process.h"

static atomic_bool interrupted; // lock-free, so a handler may set it and any thread read it

static void note(void)
{
    atomic_store(&interrupted, true);
}

void cli_interrupt_catch(void)
{
    weir_process_on_interrupt(note);
}

bool cli_interrupted(void)
{
    return atomic_load(&interrupted);
}
