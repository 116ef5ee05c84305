// SPDX-License-Identifier: MIT
// The buffer of an audio track: carries calls with their samples from one thread to the writer's.
#include "capture/stream/audio/audio.h"

#include <stdlib.h>
#include <string.h>

bool weir_audio_buffer_init(struct weir_audio_buffer *buffer, uint32_t num_samples,
                            uint32_t sample_size)
{
    *buffer = (struct weir_audio_buffer){.sample_size = sample_size};
    buffer->size = (size_t)num_samples * sample_size +
                   num_samples / 32 * sizeof(struct weir_audio_call);
    buffer->bytes = malloc(buffer->size);
    if (buffer->bytes) {
        memset(buffer->bytes, 0, buffer->size); // first touch is slow; not at the first call
    }
    return buffer->bytes;
}

void weir_audio_buffer_finish(struct weir_audio_buffer *buffer)
{
    free(buffer->bytes);
    buffer->bytes = NULL;
}

// Get how many bytes from a counter on lie side by side.
static size_t side_by_side(const struct weir_audio_buffer *buffer, uint64_t at, size_t size)
{
    const size_t left = buffer->size - at % buffer->size;
    return size < left ? size : left;
}

static void copy_in(struct weir_audio_buffer *buffer, uint64_t at, const void *from, size_t size)
{
    const size_t part = side_by_side(buffer, at, size);
    memcpy(buffer->bytes + at % buffer->size, from, part);
    memcpy(buffer->bytes, (const uint8_t *)from + part, size - part);
}

static void copy_out(const struct weir_audio_buffer *buffer, uint64_t at, void *to, size_t size)
{
    const size_t part = side_by_side(buffer, at, size);
    memcpy(to, buffer->bytes + at % buffer->size, part);
    memcpy((uint8_t *)to + part, buffer->bytes, size - part);
}

size_t weir_audio_buffer_filled(const struct weir_audio_buffer *buffer)
{
    // In this order the difference is never negative, whoever asks.
    const uint64_t tail = atomic_load_explicit(&buffer->tail, memory_order_acquire);
    return (size_t)(atomic_load_explicit(&buffer->head, memory_order_acquire) - tail);
}

uint32_t weir_audio_buffer_push(struct weir_audio_buffer *buffer,
                                const struct weir_audio_call *call, const uint8_t *samples)
{
    const uint64_t head = atomic_load_explicit(&buffer->head, memory_order_relaxed);
    const size_t room = buffer->size - weir_audio_buffer_filled(buffer);
    if (room < sizeof(*call) + buffer->sample_size) {
        return 0;
    }
    const size_t most = (room - sizeof(*call)) / buffer->sample_size;
    struct weir_audio_call stored = *call;
    stored.num_samples = call->num_samples < most ? call->num_samples : (uint32_t)most;
    const size_t size = (size_t)stored.num_samples * buffer->sample_size;
    copy_in(buffer, head, &stored, sizeof(stored));
    copy_in(buffer, head + sizeof(stored), samples, size);
    atomic_store_explicit(&buffer->head, head + sizeof(stored) + size, memory_order_release);
    return stored.num_samples;
}

bool weir_audio_buffer_begin(struct weir_audio_buffer *buffer, struct weir_audio_call *call)
{
    const uint64_t tail = atomic_load_explicit(&buffer->tail, memory_order_relaxed);
    if (weir_audio_buffer_filled(buffer) == 0) {
        return false;
    }
    copy_out(buffer, tail, call, sizeof(*call));
    atomic_store_explicit(&buffer->tail, tail + sizeof(*call), memory_order_release);
    return true;
}

void weir_audio_buffer_read(struct weir_audio_buffer *buffer, uint8_t *samples,
                            uint32_t num_samples)
{
    const uint64_t tail = atomic_load_explicit(&buffer->tail, memory_order_relaxed);
    const size_t size = (size_t)num_samples * buffer->sample_size;
    if (samples) {
        copy_out(buffer, tail, samples, size);
    }
    atomic_store_explicit(&buffer->tail, tail + size, memory_order_release);
}
