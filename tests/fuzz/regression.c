// SPDX-License-Identifier: MIT
// A fuzzer as a test: its valid inputs, then some thousand changes of them, drawn from WEIR_SEED. A
// file on the command line is the one input instead.
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/sanitized.h"

enum { MAX_CHANGES = 4 };

static uint8_t current[FUZZ_MAX_SIZE];
static size_t current_size;
static char crash_path[256];

// Only what a signal handler may call.
static void on_crash(int number)
{
    static const char text[] = "the input is in ";
    const int file = open(crash_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0 && write(file, current, current_size) == (ssize_t)current_size &&
        write(STDOUT_FILENO, text, sizeof(text) - 1) > 0 &&
        write(STDOUT_FILENO, crash_path, strlen(crash_path)) > 0 &&
        write(STDOUT_FILENO, "\n", 1) > 0) {
        close(file);
    }
    signal(number, SIG_DFL);
    raise(number);
}

// In memory that ends where the input does.
static void run(void)
{
    uint8_t *data = malloc(current_size > 0 ? current_size : 1);
    fuzz_expect(data, "memory");
    memcpy(data, current, current_size);
    fuzz_target.run(data, current_size);
    free(data);
}

static unsigned run_seeds(void)
{
    unsigned num_seeds = 0;
    while ((current_size = fuzz_seed(num_seeds, current)) > 0) {
        run();
        num_seeds++;
    }
    fuzz_expect(num_seeds > 0, "there are valid inputs");
    return num_seeds;
}

static void run_changes(struct fuzz_random *random, unsigned num_seeds)
{
    current_size = fuzz_seed(fuzz_below(random, num_seeds), current);
    for (uint32_t left = 1 + fuzz_below(random, MAX_CHANGES); left > 0; left--) {
        const bool knows = fuzz_has_mutate() && fuzz_below(random, 2) != 0;
        current_size = (knows ? fuzz_mutate : fuzz_mutate_bytes)(random, current, current_size,
                                                                 FUZZ_MAX_SIZE);
        fuzz_expect(current_size <= FUZZ_MAX_SIZE, "%zu bytes fit", current_size);
    }
    run();
}

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    current_size = fread(current, 1, sizeof(current), file);
    fclose(file);
    run();
    printf("%s: %zu bytes passed\n", fuzz_target.name, current_size);
    return 0;
}

int main(int argc, char **argv)
{
    const char *text = getenv("WEIR_SEED");
    const uint64_t seed = text ? strtoull(text, NULL, 0)
                               : (uint64_t)time(NULL) * 0x9e3779b97f4a7c15u;
    printf("WEIR_SEED=%#llx\n", (unsigned long long)seed);
    fflush(stdout);
    if (fuzz_target.init) {
        fuzz_target.init();
    }
    if (argc > 1) {
        return run_file(argv[1]);
    }
    snprintf(crash_path, sizeof(crash_path), "fuzz_%s.crash", fuzz_target.name);
    signal(SIGABRT, on_crash);
    struct fuzz_random random = fuzz_random(seed);
    const unsigned num_seeds = run_seeds();
    const unsigned num_runs = fuzz_target.num_runs / SANITIZED_STRIDE;
    for (unsigned i = 0; i < num_runs; i++) {
        run_changes(&random, num_seeds);
    }
    printf("%s: %u valid inputs, %u changed ones\n", fuzz_target.name, num_seeds, num_runs);
    return 0;
}
