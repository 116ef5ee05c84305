// SPDX-License-Identifier: MIT
// Makes the memory of a palette reduction.
#include "palette/palette.h"

#include <math.h>

#include "base/size.h"
#include "vk/barrier.h"

// The largest numbers of cells and states for which kernels have indices and buffers.
static const uint32_t max_cells = (1u << 25) - 1;
static const uint32_t max_states = 1u << WEIR_PALETTE_MAX_STATES_LOG2;
// The smallest.
static const uint32_t min_cells = 1u << 12;
static const uint32_t min_states = 1u << WEIR_PALETTE_MIN_STATES_LOG2;
// The size of an element of Sums, Notes and Partials, of Ends, and of Unfinished, of
// shaders/palette/memory.glsl [bytes].
enum { SUM_SIZE = 32, END_SIZE = 16, UNFINISHED_SIZE = 32 };

// Tables of codes and light, as shaders/palette/memory.glsl has them; 2^31 is a unit of light.
struct tables {
    uint32_t linear[WEIR_PALETTE_NUM_CODES]; // the light of each code
    // The least light that becomes each code, halfway up from the code before; [0] is 0.
    uint32_t thresholds[WEIR_PALETTE_NUM_CODES];
    uint32_t noise[WEIR_PALETTE_NUM_NOISE / 2]; // two numbers a word
};

// The light of a code, 2^31 to a unit; decoded by IEC 61966-2-1 if it is sRGB.
static uint32_t light_of(double code, bool srgb)
{
    const double x = code / 255;
    const double light = !srgb ? x : x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
    return (uint32_t)floor(light * 2147483648.0 + 0.5);
}

// Defined by tests/ref/palette.c.
static void tables_init(struct tables *tables, bool srgb, bool has_noise)
{
    for (uint32_t code = 0; code < WEIR_PALETTE_NUM_CODES; code++) {
        tables->linear[code] = light_of(code, srgb);
        tables->thresholds[code] = code > 0 ? light_of(code - 0.5, srgb) : 0;
    }
    uint16_t noise[WEIR_PALETTE_NUM_NOISE];
    if (has_noise) {
        weir_palette_blue_noise(noise);
        for (uint32_t i = 0; i < WEIR_PALETTE_NUM_NOISE / 2; i++) {
            tables->noise[i] = noise[2 * i] | (uint32_t)noise[2 * i + 1] << 16;
        }
    }
}

static uint32_t power_of_2_above(uint64_t n, uint32_t least, uint32_t limit)
{
    uint32_t power = least;
    while (power < n && power < limit) {
        power <<= 1;
    }
    return weir_min(power, limit);
}

// The most states that the device can bind in one buffer. Every device can bind half of max_states.
static uint32_t state_limit(const weir_context *context)
{
    const bool binds_all = context->limits.maxStorageBufferRange / sizeof(uint64_t) >= max_states;
    return binds_all ? max_states : max_states / 2;
}

// The size of a buffer [bytes]. A buffer that is not used has a small size, as it is still bound.
static uint64_t size_of(const struct weir_palette_memory *memory,
                        const struct weir_palette_params *params, uint32_t binding)
{
    const bool has_weights = params->weight == WEIR_PALETTE_WEIGHT_FREQUENCY;
    const bool is_k_means = params->method == WEIR_PALETTE_METHOD_K_MEANS;
    const bool merges = !params->no_merge;
    const uint64_t colors = params->max_colors;
    const uint64_t weighted = has_weights ? colors : 1;
    const uint64_t shifted = is_k_means ? 1 : colors; // what k-means has no use for
    // Or WEIR_PALETTE_BINDING_LOOKED.
    const uint64_t weights = params->live ? WEIR_PALETTE_MAX_MEANS * WEIR_PALETTE_LIVE_SUMS
                             : is_k_means ? 1
                                          : weighted;
    const uint64_t sizes[WEIR_PALETTE_NUM_BINDINGS] = {
        [WEIR_PALETTE_BINDING_CONTROL] = WEIR_PALETTE_CONTROL_END,
        [WEIR_PALETTE_BINDING_BITS] = 2 * WEIR_PALETTE_BITS_SIZE,
        [WEIR_PALETTE_BINDING_BINS] = WEIR_PALETTE_BINS_SIZE,
        [WEIR_PALETTE_BINDING_COLORS] = colors * sizeof(uint32_t),
        [WEIR_PALETTE_BINDING_ORDER] = shifted * sizeof(uint32_t),
        [WEIR_PALETTE_BINDING_COUNTS] = weighted * sizeof(uint32_t),
        [WEIR_PALETTE_BINDING_WEIGHTS] = weights * sizeof(uint32_t),
        [WEIR_PALETTE_BINDING_POINTS] = colors * sizeof(uint64_t),
        [WEIR_PALETTE_BINDING_ENDS] = shifted * END_SIZE,
        [WEIR_PALETTE_BINDING_CELLS] = (memory->max_cells + 1) * sizeof(uint32_t),
        [WEIR_PALETTE_BINDING_STATES] = (merges ? memory->max_states : 1) * sizeof(uint64_t),
        [WEIR_PALETTE_BINDING_OWNERS] = (merges ? memory->max_states : 1) * sizeof(uint32_t),
        [WEIR_PALETTE_BINDING_UNFINISHED] = (is_k_means ? 1 : 2 * WEIR_PALETTE_MAX_UNFINISHED) *
                                            UNFINISHED_SIZE,
        [WEIR_PALETTE_BINDING_SUMS] = is_k_means ? WEIR_PALETTE_MEANS_SIZE : colors * SUM_SIZE,
        [WEIR_PALETTE_BINDING_PARTIALS] = WEIR_PALETTE_MAX_GROUPS * SUM_SIZE,
        [WEIR_PALETTE_BINDING_TABLES] = sizeof(struct tables),
    };
    return sizes[binding];
}

static enum weir_result check_limits(const weir_context *context,
                                     const struct weir_palette_memory *memory,
                                     const struct weir_palette_params *params)
{
    WEIR_FAIL_IF(context->limits.maxPerStageDescriptorStorageBuffers < WEIR_PALETTE_NUM_BINDINGS,
                 &context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_DEVICE_LIMIT,
                 "palette reduction binds %u storage buffers; this device allows %u "
                 "(maxPerStageDescriptorStorageBuffers)",
                 WEIR_PALETTE_NUM_BINDINGS, context->limits.maxPerStageDescriptorStorageBuffers);
    for (uint32_t i = 0; i < WEIR_PALETTE_NUM_BINDINGS; i++) {
        const uint64_t size = size_of(memory, params, i);
        WEIR_FAIL_IF(size > context->limits.maxStorageBufferRange, &context->log,
                     WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_DEVICE_LIMIT,
                     "palette reduction of %u colours binds a buffer of %llu bytes; this "
                     "device allows %u (maxStorageBufferRange)",
                     params->max_colors, (unsigned long long)size,
                     context->limits.maxStorageBufferRange);
    }
    return WEIR_OK;
}

static enum weir_result create_layout(weir_context *context, VkDescriptorSetLayout *out)
{
    VkDescriptorSetLayoutBinding bindings[WEIR_PALETTE_NUM_BINDINGS];
    for (uint32_t i = 0; i < WEIR_PALETTE_NUM_BINDINGS; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    }
    return weir_vk_set_layout_init(context, 0, bindings, WEIR_PALETTE_NUM_BINDINGS, out);
}

static enum weir_result create_set(weir_context *context, struct weir_palette_memory *memory,
                                   bool live)
{
    WEIR_TRY(weir_vk_descriptor_set_init(context, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         WEIR_PALETTE_NUM_BINDINGS, memory->set_layout,
                                         &memory->set));
    VkDescriptorBufferInfo ranges[WEIR_PALETTE_NUM_BINDINGS];
    for (uint32_t i = 0; i < WEIR_PALETTE_NUM_BINDINGS; i++) {
        const bool is_report = live && i == WEIR_PALETTE_BINDING_REPORTS;
        ranges[i] = (VkDescriptorBufferInfo){
            .buffer = is_report ? memory->report.buffer : memory->buffers[i].buffer,
            .range = VK_WHOLE_SIZE,
        };
    }
    weir_vk_descriptor_set_write(context, memory->set.set, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0,
                                 WEIR_PALETTE_NUM_BINDINGS, NULL, ranges);
    return WEIR_OK;
}

struct first_content {
    const struct weir_palette_memory *memory;
    struct tables tables;
};

// Record the first contents of the buffers: no colours, and the tables. A count with `clear` leaves
// the same contents.
static void record_first_content(const weir_context *context, VkCommandBuffer cmd, void *user)
{
    const struct first_content *content = user;
    const struct weir_vk_buffer *buffers = content->memory->buffers;
    context->vk.CmdFillBuffer(cmd, buffers[WEIR_PALETTE_BINDING_CONTROL].buffer, 0, VK_WHOLE_SIZE,
                              0);
    context->vk.CmdFillBuffer(cmd, buffers[WEIR_PALETTE_BINDING_BITS].buffer, 0, VK_WHOLE_SIZE, 0);
    context->vk.CmdFillBuffer(cmd, buffers[WEIR_PALETTE_BINDING_BINS].buffer, 0, VK_WHOLE_SIZE, 0);
    context->vk.CmdFillBuffer(cmd, content->memory->report.buffer, 0, VK_WHOLE_SIZE, 0);
    weir_vk_barrier(context, cmd, weir_vk_transfer_writes, weir_vk_host_reads);
    context->vk.CmdUpdateBuffer(cmd, buffers[WEIR_PALETTE_BINDING_TABLES].buffer, 0,
                                sizeof(content->tables), &content->tables);
}

static enum weir_result create_buffers(weir_context *context,
                                       const struct weir_palette_params *params,
                                       struct weir_palette_memory *memory)
{
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    WEIR_TRY(weir_vk_buffer_init(
        context, sizeof(struct weir_palette_reports),
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        WEIR_VK_MEMORY_READBACK, "palette report", params->debug_tag, &memory->report));
    for (uint32_t i = 0; i < WEIR_PALETTE_NUM_BINDINGS; i++) {
        const uint64_t size = size_of(memory, params, i);
        WEIR_TRY(weir_vk_buffer_init(context, size, usage, WEIR_VK_MEMORY_SHARED, "palette memory",
                                     params->debug_tag, &memory->buffers[i]));
    }
    return WEIR_OK;
}

enum weir_result weir_palette_memory_init(weir_context *context,
                                          const struct weir_palette_params *params,
                                          struct weir_palette_memory *out)
{
    *out = (struct weir_palette_memory){
        .max_cells = params->method == WEIR_PALETTE_METHOD_K_MEANS
                         ? 0
                         : power_of_2_above(64ull * params->max_colors, min_cells, max_cells),
        .max_states = power_of_2_above((uint64_t)WEIR_PALETTE_STATES_OF_COLOR * params->max_colors,
                                       min_states, state_limit(context)),
    };
    WEIR_TRY(check_limits(context, out, params));
    WEIR_TRY(create_buffers(context, params, out));
    WEIR_TRY(create_layout(context, &out->set_layout));
    WEIR_TRY(create_set(context, out, params->live));
    struct first_content content = {.memory = out};
    tables_init(&content.tables, params->light == WEIR_PALETTE_LIGHT_SRGB,
                params->dither == WEIR_PALETTE_DITHER_BLUE_NOISE);
    return weir_context_run_once(context, record_first_content, &content);
}

void weir_palette_memory_finish(weir_context *context, struct weir_palette_memory *memory)
{
    weir_vk_descriptor_set_finish(context, &memory->set);
    context->vk.DestroyDescriptorSetLayout(context->device, memory->set_layout, NULL);
    for (uint32_t i = 0; i < WEIR_PALETTE_NUM_BINDINGS; i++) {
        weir_vk_buffer_finish(context, &memory->buffers[i]);
    }
    weir_vk_buffer_finish(context, &memory->report);
    *memory = (struct weir_palette_memory){0};
}
