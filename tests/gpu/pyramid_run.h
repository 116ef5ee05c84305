// SPDX-License-Identifier: MIT
// Runs a pyramid on known texels and compares every level with the reference.
#pragma once

#include "tests/gpu/pyramid_images.h"

// Every method but AUTO.
enum { PYRAMID_NUM_METHODS = WEIR_PYRAMID_BLIT };
extern const enum weir_pyramid_method pyramid_methods[PYRAMID_NUM_METHODS];

// FAST and SUBGROUP refuse sides that do not halve without a rest.
bool pyramid_needs_even_sides(enum weir_pyramid_method method);

// The state that cases share: memory, the pyramid of the last case, which the next case of the same
// kind uses again, and the images of the last case, which exist until the next one.
struct pyramid_runner {
    struct harness *harness;
    bool is_cpu;    // a software device: large sizes and many repeats are left out
    bool no_blits;  // any vkCmdBlitImage crashes Mesa 22.3's software device with 512-bit vectors
    bool all;       // --all: test every combination
    bool subgroups; // --subgroups: test only things that depend on the size of subgroups
    enum weir_pyramid_method only; // --method: leave out the others. AUTO: leave out none
    int argc;                      // the arguments, for another runner like it
    char **argv;
    struct pyramid_memory memory;
    struct pyramid_images images;
    weir_pyramid *pyramid;
    struct weir_pyramid_params params;
    uint32_t num_cases, num_refused, num_repeats;
    struct {
        uint32_t cases, refused;
    } by_method[WEIR_PYRAMID_BLIT + 1];
};

// Make the harness too. The arguments of a test: --all, --subgroups, --method NAME.
void pyramid_runner_init(struct pyramid_runner *runner, struct harness *harness,
                         bool queue_is_shared, int argc, char **argv);
// Fails a method whose every case was refused; blits a device need not have. Returns what
// harness_finish() does.
int pyramid_runner_finish(struct pyramid_runner *runner);

// Run one case and compare it. A case that the method or the device refuses is counted, not failed.
// False after a failure, which is printed with the case, the first texel that differs and both
// values.
bool pyramid_run(struct pyramid_runner *runner, const struct pyramid_case *c);

// Run one case on `input`, as for pyramid_images_init(), without a comparison. False where it is
// refused or left out, and after a failure. What came back is in `runner->images`.
bool pyramid_run_on(struct pyramid_runner *runner, const struct pyramid_case *c, const void *input);

// Compare the texels that came back, without a run.
bool pyramid_compare(struct pyramid_images *images, const struct pyramid_case *c);

// Print a failure of a case, and return false.
bool pyramid_fail(const struct pyramid_images *images, const struct pyramid_case *c,
                  const char *what);
