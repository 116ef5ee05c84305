// SPDX-License-Identifier: MIT
// gpu_pyramid PART [--all] [--subgroups] [--method NAME]: tests of pyramids, a part at a time.
#include "tests/gpu/pyramid_test.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    void (*run)(struct pyramid_runner *runner);
    bool has_own_queue; // the context's queue is not the host's
} parts[] = TEST_LIST(
    {"chains", pyramid_test_chains, false}, {"constants", pyramid_test_constants, false},
    {"custom", pyramid_test_custom, false}, {"errors", pyramid_test_errors, true},
    {"facts", pyramid_test_facts, false}, {"kinds", pyramid_test_kinds, false},
    {"mips", pyramid_test_mips, false}, {"pipelines", pyramid_test_pipelines, false},
    {"races", pyramid_test_races, true}, {"sizes", pyramid_test_sizes, false},
    {"srgb", pyramid_test_srgb, false}, {"version", pyramid_test_version, true},
    {"words", pyramid_test_words, false});

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (argc > 1 && strcmp(argv[1], parts[i].name) == 0) {
            struct harness harness;
            struct pyramid_runner runner;
            pyramid_runner_init(&runner, &harness, !parts[i].has_own_queue, argc - 1, argv + 1);
            parts[i].run(&runner);
            return pyramid_runner_finish(&runner);
        }
    }
    printf("usage: gpu_pyramid PART [--all] [--subgroups] [--method NAME]\n");
    return 1;
}
