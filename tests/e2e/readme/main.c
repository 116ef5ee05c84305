// SPDX-License-Identifier: MIT
// Runs the README's program on a small renderer whose window is resized: a movie for each size.
#include "renderer.h"

#include <stdio.h>

int main(void)
{
    struct renderer r;
    renderer_init(&r);
    enum weir_result result = WEIR_OK;
    for (int i = 1; result >= WEIR_OK && renderer_begin(&r); i++) {
        char path[32];
        snprintf(path, sizeof(path), "movie-%d.mov", i);
        result = record(&r, path);
    }
    renderer_finish(&r);
    return result < WEIR_OK;
}
