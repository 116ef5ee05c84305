// SPDX-License-Identifier: MIT
// A pool of threads that share out the parts of one job.
#ifndef WEIR_CAPTURE_STREAM_PACKET_POOL_H
#define WEIR_CAPTURE_STREAM_PACKET_POOL_H

#include <stdint.h>

struct weir_pool;

// Start `num_workers` threads; the thread that calls run() works too. NULL: out of memory or
// threads.
struct weir_pool *weir_pool_create(uint32_t num_workers);

// Stop the threads. NULL is allowed.
void weir_pool_destroy(struct weir_pool *pool);

// Call part(user, 0) .. part(user, num_parts - 1), spread over the threads; returns when all are
// done. Allocates nothing. One run at a time.
void weir_pool_run(struct weir_pool *pool, void (*part)(void *user, uint32_t index), void *user,
                   uint32_t num_parts);

#endif
