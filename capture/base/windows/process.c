// SPDX-License-Identifier: MIT
// Arguments, standard streams and the console.
//
// Source: CommandLineToArgvW(), SetConsoleCtrlHandler(), "Console Virtual Terminal Sequences"
// (Microsoft).
#include "capture/base/process.h"

#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/base/windows/wide.h"

#include <shellapi.h>

// Arguments that cannot be had stay as they are.
static void take_arguments(int *argc, char ***argv)
{
    int num = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &num);
    char **arguments = wide ? calloc((size_t)num + 1, sizeof(*arguments)) : NULL;
    bool is_whole = arguments;
    for (int i = 0; is_whole && i < num; i++) {
        arguments[i] = weir_narrow_path(wide[i]);
        is_whole = arguments[i];
    }
    if (is_whole) {
        *argc = num;
        *argv = arguments;
    }
    LocalFree(wide);
}

void weir_process_prepare(int *argc, char ***argv)
{
    take_arguments(argc, argv);
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    const HANDLE console = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode;
    if (GetConsoleMode(console, &mode)) {
        SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING); // the progress line
    }
}

static void (*note_interrupt)(void);

static BOOL WINAPI handle(DWORD event)
{
    static LONG num;
    (void)event;
    note_interrupt();
    return InterlockedIncrement(&num) == 1; // later ones end the program
}

void weir_process_on_interrupt(void (*note)(void))
{
    note_interrupt = note;
    SetConsoleCtrlHandler(handle, TRUE);
}
