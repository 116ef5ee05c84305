// SPDX-License-Identifier: MIT
// A fuzzer for clang's libFuzzer. The first folder on its command line gets the valid inputs.
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

// libFuzzer has no header in C.
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

static void write_seeds(const char *folder)
{
    static uint8_t data[FUZZ_MAX_SIZE];
    size_t size;
    for (unsigned i = 0; (size = fuzz_seed(i, data)) > 0; i++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/seed_%03u", folder, i);
        FILE *file = fopen(path, "wb");
        fuzz_expect(file && fwrite(data, 1, size, file) == size && fclose(file) == 0,
                    "%s is written", path);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    if (fuzz_target.init) {
        fuzz_target.init();
    }
    for (int i = 1; i < *argc; i++) {
        struct stat status;
        if ((*argv)[i][0] != '-' && stat((*argv)[i], &status) == 0 && S_ISDIR(status.st_mode)) {
            write_seeds((*argv)[i]);
            break;
        }
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= FUZZ_MAX_SIZE) {
        fuzz_target.run(data, size);
    }
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    struct fuzz_random random = fuzz_random(seed);
    if (!fuzz_has_mutate() || size > FUZZ_MAX_SIZE || fuzz_below(&random, 2) == 0) {
        return LLVMFuzzerMutate(data, size, room);
    }
    return fuzz_mutate(&random, data, size, room < FUZZ_MAX_SIZE ? room : FUZZ_MAX_SIZE);
}
