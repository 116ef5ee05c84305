// SPDX-License-Identifier: MIT
// Files that are made to keep a search for frames busy: it takes time in proportion to their size,
// and ends at once when nobody waits for it.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "recover_movie.h"
#include "testing.h"
#include "tests/fuzz/hostile_movie.h"
#include "tests/sanitized.h"

enum { SIZE = 4 << 20, NS_PER_BYTE = 2000 };

// A file that somebody stops reading.
struct reading {
    struct movie_bytes file;
    uint64_t num_reads, most_reads;
    double stopped; // when
};

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool has_ended(void *user)
{
    const struct reading *reading = user;
    return reading->num_reads > reading->most_reads;
}

static bool read_some(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    struct reading *reading = user;
    if (++reading->num_reads > reading->most_reads) {
        reading->stopped = reading->stopped > 0 ? reading->stopped : processor_seconds();
        return false;
    }
    memcpy(bytes, reading->file.bytes + offset, size);
    return true;
}

// Returns how many reads there were. `most_reads`: then it is stopped.
static uint64_t search(uint32_t kind, struct movie_bytes file, uint64_t most_reads)
{
    struct reading reading = {.file = file, .most_reads = most_reads};
    const struct recover_params params = {
        .source = {.read = read_some, .has_ended = has_ended, .user = &reading, .size = file.size},
        .size = {HOSTILE_MOVIE_WIDTH, HOSTILE_MOVIE_HEIGHT},
        .rate = {60, 1}};
    struct recover_found found;
    const double began = processor_seconds();
    recover_find(&params, &found);
    const double ended = processor_seconds();
    const double most = (double)file.size * NS_PER_BYTE / 1e9 * SANITIZED_STRIDE;
    test_expect(ended - began < most, "file %u: %.2f s", kind, ended - began);
    test_expect(reading.stopped == 0 || ended - reading.stopped < 0.2 * SANITIZED_STRIDE,
                "file %u: it went on for %.2f s", kind, ended - reading.stopped);
    recover_found_finish(&found);
    return reading.num_reads;
}

int main(void)
{
    struct movie_bytes file = {.size = SIZE / SANITIZED_STRIDE};
    file.bytes = malloc(file.size);
    test_must(file.bytes, "memory");
    for (uint32_t kind = 0; kind < HOSTILE_MOVIE_NUM_KINDS; kind++) {
        hostile_movie_fill(kind, file.bytes, file.size);
        const uint64_t num_reads = search(kind, file, UINT64_MAX);
        for (int i = 0; i < 4; i++) {
            search(kind, file, num_reads * (uint64_t)i / 4 + test_random() % 100);
        }
    }
    free(file.bytes);
    return test_finish();
}
