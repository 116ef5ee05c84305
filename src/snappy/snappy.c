// SPDX-License-Identifier: MIT
// Snappy: three kernels, which pack fragments, plan where they go, and gather them there.
#include <weir/snappy.h>

#include "base/layout.h"
#include "base/size.h"
#include "frame/buffer.h"
#include "kernels.h"
#include "shaders/snappy/constants.h"
#include "vk/barrier.h"
#include "vk/context.h"
#include "vk/memory.h"
#include "vk/pipeline.h"

enum {
    WORD_SIZE = 4,        // [bytes]
    SIZE_MULTIPLE = 8,    // of a chunk [bytes]
    OFFSET_MULTIPLE = 16, // of what is in a buffer [bytes]
    NEEDED_SHARED = 32768,
};
_Static_assert(WEIR_SNAPPY_SHARED_SIZE <= NEEDED_SHARED, "as the header says");
_Static_assert(WEIR_SNAPPY_MAX_CHUNKS == WEIR_SNAPPY_MOST_CHUNKS, "one number");

struct push {
#include "shaders/snappy/push.glsl"
};

enum stage { PACK, PLAN, GATHER, NUM_STAGES };

struct weir_snappy {
    weir_context *context;
    struct weir_snappy_params params;
    struct weir_vk_pipeline stages[NUM_STAGES];
    struct weir_vk_buffer memory;
    struct weir_vk_descriptor_set memory_set;
};

uint64_t weir_snappy_data_offset(uint32_t num_chunks)
{
    const uint32_t sizes = num_chunks * (uint32_t)sizeof(uint32_t);
    return num_chunks > WEIR_SNAPPY_MAX_CHUNKS
               ? 0
               : weir_divide_up(sizes, OFFSET_MULTIPLE) * OFFSET_MULTIPLE;
}

uint64_t weir_snappy_destination_size(uint64_t size, uint32_t num_chunks)
{
    const uint64_t data = weir_snappy_data_offset(num_chunks);
    return data == 0 || size == 0 || size > WEIR_SNAPPY_MAX_SIZE
               ? 0
               : data + weir_divide_up((uint32_t)size, OFFSET_MULTIPLE) * OFFSET_MULTIPLE;
}

static uint32_t chunk_words(const struct weir_snappy_params *params)
{
    return (uint32_t)params->size / params->num_chunks / WORD_SIZE;
}

static uint32_t chunk_fragments(const struct weir_snappy_params *params)
{
    return weir_divide_up(chunk_words(params), WEIR_SNAPPY_FRAGMENT);
}

// Get the size of the packer's memory, as shaders/snappy/memory.glsl has it [bytes].
static uint64_t memory_size(const struct weir_snappy_params *params)
{
    const uint32_t num = params->num_chunks * chunk_fragments(params);
    const uint64_t numbers = weir_divide_up(2 * num + 1, 4) * 4;
    return (numbers + (uint64_t)num * WEIR_SNAPPY_ROOM) * WORD_SIZE;
}

static void fill_in(struct weir_snappy_params *params)
{
    params->num_chunks = params->num_chunks > 0 ? params->num_chunks : 1;
    params->least_saved = params->least_saved > 0 ? params->least_saved : 1;
}

static bool is_size_allowed(const struct weir_snappy_params *params)
{
    return params->size > 0 && params->size <= WEIR_SNAPPY_MAX_SIZE &&
           params->size % ((uint64_t)SIZE_MULTIPLE * params->num_chunks) == 0;
}

static bool has_shared_memory(const VkPhysicalDeviceLimits *limits)
{
    return limits->maxComputeSharedMemorySize >= NEEDED_SHARED &&
           limits->maxComputeWorkGroupInvocations >= WEIR_SNAPPY_GROUP;
}

bool weir_snappy_is_advised(const weir_context *context, const struct weir_snappy_params *params)
{
    if (!context || !params || context->is_software) {
        return false;
    }
    struct weir_snappy_params filled = *params;
    fill_in(&filled);
    return filled.num_chunks <= WEIR_SNAPPY_MAX_CHUNKS && is_size_allowed(&filled) &&
           has_shared_memory(&context->limits) &&
           memory_size(&filled) <= context->limits.maxStorageBufferRange;
}

static enum weir_result check_params(const weir_context *context, struct weir_snappy_params *params)
{
    const struct weir_log *log = &context->log;
    const VkPhysicalDeviceLimits *limits = &context->limits;
    fill_in(params);
    WEIR_FAIL_IF(params->num_chunks > WEIR_SNAPPY_MAX_CHUNKS, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE, "num_chunks %u is above %u", params->num_chunks,
                 WEIR_SNAPPY_MAX_CHUNKS);
    WEIR_FAIL_IF(!is_size_allowed(params), log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_snappy_params.size is %llu; it must be a multiple of %d for each of "
                 "the %u chunks, and at most %u",
                 (unsigned long long)params->size, SIZE_MULTIPLE, params->num_chunks,
                 WEIR_SNAPPY_MAX_SIZE);
    WEIR_FAIL_IF(!has_shared_memory(limits), log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_DEVICE_LIMIT,
                 "this device has maxComputeSharedMemorySize %u and "
                 "maxComputeWorkGroupInvocations %u: Snappy needs %d and %u",
                 limits->maxComputeSharedMemorySize, limits->maxComputeWorkGroupInvocations,
                 NEEDED_SHARED, WEIR_SNAPPY_GROUP);
    WEIR_FAIL_IF(memory_size(params) > limits->maxStorageBufferRange, log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_DEVICE_LIMIT,
                 "Snappy needs %llu bytes of memory for %llu, above this device's limit "
                 "of %u: use a smaller size",
                 (unsigned long long)memory_size(params), (unsigned long long)params->size,
                 limits->maxStorageBufferRange);
    return WEIR_OK;
}

static enum weir_result memory_init(weir_snappy *snappy)
{
    const uint64_t size = memory_size(&snappy->params);
    WEIR_TRY(weir_vk_buffer_init(snappy->context, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                 WEIR_VK_MEMORY_SHARED, "snappy memory", snappy->params.debug_tag,
                                 &snappy->memory));
    return weir_vk_buffer_set_init(snappy->context, snappy->memory.buffer, 0, size,
                                   &snappy->memory_set);
}

static enum weir_result stages_init(weir_snappy *snappy)
{
    static const struct weir_vk_kernel *const kernels[NUM_STAGES] = {
        [PACK] = &weir_kernel_snappy_pack,
        [PLAN] = &weir_kernel_snappy_plan,
        [GATHER] = &weir_kernel_snappy_gather,
    };
    const VkDescriptorSetLayout set_layouts[WEIR_SNAPPY_NUM_SETS] = {
        [WEIR_SNAPPY_SET_SOURCE] = snappy->context->buffer_set_layout,
        [WEIR_SNAPPY_SET_MEMORY] = snappy->context->buffer_set_layout,
        [WEIR_SNAPPY_SET_DESTINATION] = snappy->context->buffer_set_layout,
    };
    struct weir_vk_pipeline_params stages[NUM_STAGES];
    for (int i = 0; i < NUM_STAGES; i++) {
        stages[i] = (struct weir_vk_pipeline_params){
            .kernel = kernels[i],
            .push_constants_size = sizeof(struct push),
            .set_layouts = set_layouts,
            .num_set_layouts = WEIR_SNAPPY_NUM_SETS,
            .tag = snappy->params.debug_tag,
        };
    }
    return weir_vk_pipelines_init(snappy->context, stages, NUM_STAGES, snappy->stages);
}

static enum weir_result snappy_init(weir_snappy *snappy)
{
    WEIR_TRY(weir_context_check_lost(snappy->context));
    WEIR_TRY(check_params(snappy->context, &snappy->params));
    WEIR_TRY(memory_init(snappy));
    return stages_init(snappy);
}

enum weir_result weir_snappy_create(weir_context *context, const struct weir_snappy_params *params,
                                    weir_snappy **out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_context_log(context), out, context, params));
    weir_snappy *snappy = weir_object_alloc(context, WEIR_OBJECT_SNAPPY, sizeof(*snappy));
    if (!snappy) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *snappy = (weir_snappy){.context = context, .params = *params};
    const enum weir_result result = snappy_init(snappy);
    snappy->params.debug_tag = NULL;
    if (result != WEIR_OK) {
        weir_snappy_destroy(&snappy);
    }
    *out = snappy;
    return result;
}

void weir_snappy_destroy(weir_snappy **out)
{
    if (!out || !*out) {
        return;
    }
    weir_snappy *snappy = *out;
    for (int i = 0; i < NUM_STAGES; i++) {
        weir_vk_pipeline_finish(snappy->context, &snappy->stages[i]);
    }
    weir_vk_descriptor_set_finish(snappy->context, &snappy->memory_set);
    weir_vk_buffer_finish(snappy->context, &snappy->memory);
    weir_object_free(snappy->context, WEIR_OBJECT_SNAPPY, snappy);
    *out = NULL;
}

struct weir_snappy_params weir_snappy_get_params(const weir_snappy *snappy)
{
    return snappy ? snappy->params : (struct weir_snappy_params){0};
}

static enum weir_result check_run(const weir_snappy *snappy, const struct weir_snappy_run *run)
{
    const uint64_t size = snappy->params.size;
    const uint64_t room = weir_snappy_destination_size(size, snappy->params.num_chunks);
    WEIR_TRY(weir_buffer_check_room(run->source, snappy->context, "weir_snappy_run.source",
                                    run->source_offset, size, OFFSET_MULTIPLE));
    WEIR_TRY(weir_buffer_check_room(run->destination, snappy->context,
                                    "weir_snappy_run.destination", run->destination_offset, room,
                                    OFFSET_MULTIPLE));
    WEIR_FAIL_IF(run->source == run->destination &&
                     run->source_offset < run->destination_offset + room &&
                     run->destination_offset < run->source_offset + size,
                 &snappy->context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_snappy_run: source and destination overlap");
    return WEIR_OK;
}

static void dispatch(const weir_snappy *snappy, VkCommandBuffer cmd, enum stage stage,
                     uint32_t columns, uint32_t rows)
{
    const struct weir_vk_functions *vk = &snappy->context->vk;
    // Before the first one: what wrote the source, and an earlier run, whose memory this one takes.
    weir_vk_barrier(snappy->context, cmd,
                    stage == PACK ? weir_vk_all_writes : weir_vk_kernel_accesses,
                    weir_vk_kernel_accesses);
    vk->CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, snappy->stages[stage].pipeline);
    vk->CmdDispatch(cmd, columns, rows, 1);
}

static void record(const weir_snappy *snappy, VkCommandBuffer cmd,
                   const struct weir_snappy_run *run)
{
    const struct weir_vk_functions *vk = &snappy->context->vk;
    const struct weir_snappy_params *params = &snappy->params;
    const VkPipelineLayout layout = snappy->stages[PACK].layout; // that of all
    const struct push push = {
        .source = (uint32_t)(run->source_offset / WORD_SIZE),
        .destination = (uint32_t)(run->destination_offset / OFFSET_MULTIPLE),
        .num_chunks = params->num_chunks,
        .chunk_words = chunk_words(params),
        .chunk_fragments = chunk_fragments(params),
        .least_saved = params->least_saved,
    };
    const VkDescriptorSet sets[WEIR_SNAPPY_NUM_SETS] = {
        [WEIR_SNAPPY_SET_SOURCE] = run->source->set.set,
        [WEIR_SNAPPY_SET_MEMORY] = snappy->memory_set.set,
        [WEIR_SNAPPY_SET_DESTINATION] = run->destination->set.set,
    };
    vk->CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, WEIR_SNAPPY_NUM_SETS,
                              sets, 0, NULL);
    vk->CmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), &push);
    const uint32_t gathers = weir_divide_up((uint32_t)params->size, WEIR_SNAPPY_GATHERED);
    const uint32_t row = WEIR_SNAPPY_GATHER_ROW;
    dispatch(snappy, cmd, PACK, params->num_chunks * push.chunk_fragments, 1);
    dispatch(snappy, cmd, PLAN, 1, 1);
    dispatch(snappy, cmd, GATHER, weir_min(gathers, row), weir_divide_up(gathers, row));
}

enum weir_result weir_cmd_snappy(const weir_snappy *snappy, VkCommandBuffer cmd,
                                 const struct weir_snappy_run *run)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(snappy ? &snappy->context->log : NULL, snappy, cmd, run));
    WEIR_TRY(check_run(snappy, run));
    weir_vk_label_begin(snappy->context, cmd, "snappy");
    record(snappy, cmd, run);
    weir_vk_label_end(snappy->context, cmd);
    return WEIR_OK;
}
