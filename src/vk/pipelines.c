// SPDX-License-Identifier: MIT
// Makes several pipelines side by side: a driver compiles a kernel on the thread that asks for it.
#include "vk/pipeline.h"

#include <stdatomic.h>

#include "base/thread.h"

enum { MAX_THREADS = 7 }; // beside the one that calls

struct work {
    weir_context *context;
    const struct weir_vk_pipeline_params *params;
    struct weir_vk_pipeline *out;
    uint32_t num;
    atomic_uint next;  // index of the next pipeline that a thread makes
    atomic_int result; // a failure of any of them
};

static void *make_pipelines(void *user)
{
    struct work *work = user;
    uint32_t i;
    while ((i = atomic_fetch_add(&work->next, 1)) < work->num &&
           atomic_load(&work->result) == WEIR_OK) {
        const enum weir_result result = work->params[i].kernel
                                            ? weir_vk_pipeline_init(work->context, &work->params[i],
                                                                    &work->out[i])
                                            : WEIR_OK;
        if (result != WEIR_OK) {
            atomic_store(&work->result, result);
        }
    }
    return NULL;
}

enum weir_result weir_vk_pipelines_init(weir_context *context,
                                        const struct weir_vk_pipeline_params *params, uint32_t num,
                                        struct weir_vk_pipeline *out)
{
    struct work work = {.context = context, .params = params, .out = out, .num = num};
    pthread_t threads[MAX_THREADS];
    uint32_t num_threads = 0, num_pipelines = 0;
    for (uint32_t i = 0; i < num; i++) {
        num_pipelines += params[i].kernel != NULL;
    }
    while (num_threads < MAX_THREADS && num_threads + 1 < num_pipelines &&
           weir_thread_create(&threads[num_threads], make_pipelines, &work)) {
        num_threads++;
    }
    make_pipelines(&work);
    while (num_threads > 0) {
        pthread_join(threads[--num_threads], NULL);
    }
    return (enum weir_result)atomic_load(&work.result);
}
