// SPDX-License-Identifier: MIT
// The parts of gpu_pyramid, each on a device of its own.
#pragma once

#include "tests/gpu/pyramid_run.h"

void pyramid_test_chains(struct pyramid_runner *runner);
void pyramid_test_constants(struct pyramid_runner *runner);
void pyramid_test_custom(struct pyramid_runner *runner);
void pyramid_test_errors(struct pyramid_runner *runner);
void pyramid_test_facts(struct pyramid_runner *runner);
void pyramid_test_kinds(struct pyramid_runner *runner);
void pyramid_test_mips(struct pyramid_runner *runner);
void pyramid_test_pipelines(struct pyramid_runner *runner);
void pyramid_test_races(struct pyramid_runner *runner);
void pyramid_test_sizes(struct pyramid_runner *runner);
void pyramid_test_srgb(struct pyramid_runner *runner);
void pyramid_test_version(struct pyramid_runner *runner);
void pyramid_test_words(struct pyramid_runner *runner);
