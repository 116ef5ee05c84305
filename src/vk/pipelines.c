// SPDX-License-Identifier: MIT
// Makes several pipelines side by side: a driver compiles a kernel on the thread that asks for it.
#include "vk/pipeline.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

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

// New threads inherit the mask: the host's signals are for the host's threads, but for those that a
// thread raises itself, where the system would end the process.
static void block_signals(sigset_t *before)
{
    static const int own[] = {SIGSYS, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        sigdelset(&all, own[i]);
    }
    pthread_sigmask(SIG_SETMASK, &all, before);
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
    sigset_t before;
    block_signals(&before);
    while (num_threads < MAX_THREADS && num_threads + 1 < num_pipelines &&
           pthread_create(&threads[num_threads], NULL, make_pipelines, &work) == 0) {
        num_threads++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    make_pipelines(&work);
    while (num_threads > 0) {
        pthread_join(threads[--num_threads], NULL);
    }
    return (enum weir_result)atomic_load(&work.result);
}
