// SPDX-License-Identifier: MIT
// Starts a program once for many faults.
#ifndef WEIR_TESTS_FAULT_SERVER_H
#define WEIR_TESTS_FAULT_SERVER_H

// With WEIR_FAULT_SERVER=FOLDER in the environment, run the program once for each line of standard
// input, which is the fault (WEIR_FAULT) of that run: in FOLDER/out, its output in FOLDER/out.txt
// and FOLDER/err.txt. A line of standard output answers how it ended: its exit status, 128 and the
// number of the signal that ended it, or 137 when it had not ended after two minutes. Returns in
// each process that is to be the program, and at once without such an environment; at the end of
// the input this process ends.
void fault_serve(void);

#endif
