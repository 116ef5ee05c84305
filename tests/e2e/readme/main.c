// SPDX-License-Identifier: MIT
// Runs the README's program on a small renderer.
#include "renderer.h"

int main(void)
{
    struct renderer r;
    renderer_init(&r, 320, 180);
    const enum weir_result result = record(&r);
    renderer_finish(&r);
    return result < WEIR_OK;
}
