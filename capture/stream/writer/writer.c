// SPDX-License-Identifier: MIT
// The writer: a thread that waits for the GPU, builds packets and gives them to a sink, and sound.
#include "capture/stream/writer/writer.h"

#include "capture/base/clock.h"
#include "capture/base/thread.h"
#include "capture/stream/clock/ticks.h"

// The time after which the thread logs that it still waits for the GPU.
#define PATIENCE_NS 10000000000u

bool weir_writer_is_device_failure(enum weir_result failure)
{
    return failure == WEIR_ERROR_DEVICE_LOST || failure == WEIR_ERROR_VULKAN;
}

enum weir_result weir_writer_failure(struct weir_writer *writer)
{
    return (enum weir_result)atomic_load_explicit(&writer->failure, memory_order_acquire);
}

static enum weir_result wait_for_slot(struct weir_writer *writer, const struct weir_ring_item *item,
                                      struct weir_readback_data *data)
{
    const struct weir_writer_source *source = &item->kind->source;
    for (;;) {
        const enum weir_result result = source->wait(source->user, item->slot, PATIENCE_NS, data);
        if (result != WEIR_NOT_READY) {
            return result;
        }
        weir_log_printf(&writer->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_SLOW_DEVICE,
                        "waiting for the GPU for %u s: it hangs, or the host has not yet signalled "
                        "the frame's semaphore",
                        (unsigned)(PATIENCE_NS / 1000000000u));
    }
}

static enum weir_result write_frame(struct weir_writer *writer, const struct weir_ring_item *item,
                                    const struct weir_readback_data *data, uint32_t *size)
{
    const struct weir_packet packet = weir_packer_pack(item->kind->packer, data->data);
    // Two frames closer than half a tick must not fall on the same one.
    uint64_t ticks = weir_ticks_from_ns(item->time_ns, writer->ticks_per_second);
    if (ticks < writer->next_ticks) {
        ticks = writer->next_ticks;
    }
    writer->next_ticks = ticks + 1;
    *size = packet.size;
    return writer->mux->ops->write(writer->mux, &(struct weir_mux_packet){
                                                    .data = packet.data,
                                                    .size = packet.size,
                                                    .time_ns = item->time_ns,
                                                    .ticks = ticks,
                                                    .kind = item->kind->movie,
                                                });
}

static void count_written(struct weir_writer *writer, uint32_t size, uint64_t gpu_ns)
{
    struct weir_counts *counts = &writer->stats->writer;
    weir_counts_begin(counts);
    weir_counts_add(counts, WEIR_COUNT_WRITTEN, 1);
    weir_counts_add(counts, WEIR_COUNT_BYTES, size);
    weir_counts_add(counts, WEIR_COUNT_GPU_NS, gpu_ns);
    weir_counts_end(counts);
}

static void count_dropped(struct weir_writer *writer, const struct weir_ring_item *item,
                          enum weir_drop_reason reason)
{
    struct weir_counts *counts = &writer->stats->writer;
    weir_counts_begin(counts);
    weir_counts_add(counts, WEIR_COUNT_DROPPED + reason, 1);
    weir_counts_end(counts);
    weir_drop_log_dropped(writer->drops, item->number, item->time_ns, weir_clock_ns());
}

// Wait for a frame and write it. A slot may be released only when the GPU is done with it. So the
// thread waits for a frame even after the sink has failed, but not after the device has failed.
static enum weir_result wait_and_write(struct weir_writer *writer,
                                       const struct weir_ring_item *item)
{
    const enum weir_result failure = weir_writer_failure(writer);
    if (weir_writer_is_device_failure(failure)) {
        return failure;
    }
    if (!item->is_submitted) {
        return WEIR_ERROR_VULKAN;
    }
    struct weir_readback_data data = {.size = 0};
    uint32_t size = 0;
    enum weir_result result = wait_for_slot(writer, item, &data);
    if (result == WEIR_OK && failure != WEIR_OK) {
        return failure;
    }
    if (result == WEIR_OK && !item->is_encoded) {
        return WEIR_ERROR_VULKAN;
    }
    if (result == WEIR_OK) {
        result = write_frame(writer, item, &data, &size);
    }
    if (result == WEIR_OK) {
        count_written(writer, size, data.gpu_ns);
    } else {
        atomic_store_explicit(&writer->failure, result, memory_order_release);
    }
    return result;
}

// Write the sound that waits. Its time is known from the first frame that was written on. `frame`:
// the one that was just written, or NULL.
static void write_sound(struct weir_writer *writer, const struct weir_ring_item *frame, bool all)
{
    struct weir_sound *sound = writer->sound;
    if (!sound) {
        return;
    }
    if (weir_writer_failure(writer) != WEIR_OK) {
        weir_sound_drop(sound, WEIR_AUDIO_DROP_SINK);
        return;
    }
    if (frame && !sound->has_begun) {
        writer->sound_ns = frame->time_ns;
        weir_sound_begin(sound, (int64_t)((uint64_t)writer->first_ns + frame->time_ns));
    }
    if (frame) {
        weir_sound_frame(sound, frame->time_ns - writer->sound_ns);
    }
    enum weir_result result = weir_sound_write(sound, writer->mux, all);
    if (result == WEIR_OK && frame) {
        result = weir_sound_follow(sound, writer->mux, frame->time_ns - writer->sound_ns);
    }
    if (result != WEIR_OK) {
        atomic_store_explicit(&writer->failure, result, memory_order_release);
        weir_sound_drop(sound, WEIR_AUDIO_DROP_SINK);
    } else if (all) {
        weir_sound_drop(sound, WEIR_AUDIO_DROP_TIME); // no frame came: there is no movie
    }
}

static void take_item(struct weir_writer *writer, const struct weir_ring_item *item)
{
    const enum weir_result result = wait_and_write(writer, item);
    if (result != WEIR_OK) {
        count_dropped(writer, item,
                      weir_writer_is_device_failure(result) ? WEIR_DROP_DEVICE : WEIR_DROP_SINK);
    }
    item->kind->source.release(item->kind->source.user, item->slot);
    // The last use of the kind, which the other thread may free then.
    atomic_fetch_sub_explicit(&item->kind->num_in_flight, 1, memory_order_release);
    weir_ring_give_room(writer->ring);
    write_sound(writer, result == WEIR_OK ? item : NULL, false);
}

static void *run(void *user)
{
    struct weir_writer *writer = user;
    struct weir_ring_item item;
    enum weir_ring_event event;
    while ((event = weir_ring_pop(writer->ring, &item)) != WEIR_RING_CLOSED) {
        if (event == WEIR_RING_ITEM) {
            take_item(writer, &item);
        } else {
            write_sound(writer, NULL, false);
        }
    }
    write_sound(writer, NULL, true);
    return NULL;
}

enum weir_result weir_writer_start(struct weir_writer *writer)
{
    atomic_init(&writer->failure, WEIR_OK);
    writer->next_ticks = 0;
    if (!weir_thread_start(&writer->thread, "weir-writer", run, writer)) {
        weir_log_printf(&writer->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY,
                        "the system gives no thread for writing");
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    return WEIR_OK;
}

enum weir_result weir_writer_finish(struct weir_writer *writer)
{
    weir_ring_close(writer->ring);
    pthread_join(writer->thread, NULL);
    enum weir_result result = weir_writer_failure(writer);
    if (writer->mux) {
        const enum weir_result closed = writer->mux->ops->close(writer->mux);
        result = result == WEIR_OK ? closed : result;
        writer->mux = NULL;
    }
    return result;
}
