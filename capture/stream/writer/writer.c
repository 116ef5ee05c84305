// SPDX-License-Identifier: MIT
// The writer: a thread that waits for the GPU, builds packets and gives them to a sink, and audio.
#include "capture/stream/writer/writer.h"

#include "capture/base/clock.h"
#include "capture/base/thread.h"
#include "capture/stream/clock/clock.h"

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
    const struct weir_slot_source *source = &item->encoding->source;
    for (;;) {
        const enum weir_result result = source->wait(source->user, item->slot, PATIENCE_NS, data);
        if (result != WEIR_NOT_READY) {
            return result;
        }
        weir_log_printf(
            &writer->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_SLOW_DEVICE,
            "waiting for the GPU for %u s: it hangs, or what the frame waits for is not "
            "rendered yet",
            (unsigned)(PATIENCE_NS / 1000000000u));
    }
}

// Write the chapters that begin before a time. They follow a frame.
static void write_chapters(struct weir_writer *writer, uint64_t until_ns)
{
    struct weir_pending_chapter chapter;
    uint64_t time_ns;
    if (writer->next_ticks == 0 || !writer->chapters || !writer->mux->ops->write_chapter) {
        return;
    }
    while (weir_pending_chapters_next(writer->chapters, writer->first_ns, until_ns, &chapter,
                                      &time_ns)) {
        const struct weir_mux_chapter timed = {
            .time_ns = time_ns,
            .ticks = weir_ticks_from_ns(time_ns, writer->ticks_per_second),
            .title = chapter.title,
        };
        writer->mux->ops->write_chapter(writer->mux, &timed);
    }
}

// Write a packet behind the chapters before it.
static enum weir_result write_packet(struct weir_writer *writer,
                                     const struct weir_mux_packet *packet)
{
    write_chapters(writer, packet->time_ns);
    return writer->mux->ops->write(writer->mux, packet);
}

// Give the picture of a frame to the host.
static void show_preview(struct weir_writer *writer, const struct weir_ring_item *item,
                         const struct weir_readback_data *data)
{
    const struct weir_encoding_gpu *gpu = &item->encoding->gpu;
    const struct weir_preview_info info = weir_preview_get_info(gpu->preview);
    const struct weir_preview_picture picture = {.width = info.width,
                                                 .height = info.height,
                                                 .time_ns = item->shown_ns,
                                                 .blocks = data->data + gpu->preview_offset};
    weir_previews_show(writer->previews, &picture, info.size);
}

// Write a frame. `written` gets its packet, which is valid until the next call, and as long as
// `data` is.
static enum weir_result write_frame(struct weir_writer *writer, const struct weir_ring_item *item,
                                    const struct weir_readback_data *data,
                                    struct weir_mux_packet *written)
{
    const uint64_t begin_ns = weir_clock_ns();
    const struct weir_packet packet = weir_packer_pack(item->encoding->packer, data->data);
    const uint64_t packed_ns = weir_clock_ns();
    // Two frames closer than half a tick must not fall on the same one.
    uint64_t ticks = weir_ticks_from_ns(item->time_ns, writer->ticks_per_second);
    if (ticks < writer->next_ticks) {
        ticks = writer->next_ticks;
    }
    *written = (struct weir_mux_packet){
        .data = packet.data,
        .size = packet.size,
        .time_ns = item->time_ns,
        .ticks = ticks,
        .format = item->encoding->movie,
    };
    const enum weir_result result = write_packet(writer, written);
    writer->next_ticks = ticks + 1;
    writer->pack_ns = packed_ns - begin_ns;
    writer->write_ns = weir_clock_ns() - packed_ns;
    return result;
}

static void count_repeated(struct weir_writer *writer, uint32_t size)
{
    writer->repeated_size += size;
    struct weir_counts *counts = &writer->stats->writer;
    weir_counts_begin(counts);
    weir_counts_add(counts, WEIR_COUNT(repeated), 1);
    weir_counts_add(counts, WEIR_COUNT(bytes), size);
    weir_counts_end(counts);
}

static void count_quality(struct weir_counts *counts, double quality, double psnr)
{
    const double millions = 1e6;
    const uint64_t in_millionths = (uint64_t)(quality * millions + 0.5);
    weir_counts_add(counts, WEIR_COUNT(quality.frames), 1);
    weir_counts_add(counts, WEIR_COUNT(quality.mean_db), (uint64_t)(psnr * millions + 0.5));
    weir_counts_set(counts, WEIR_COUNT(quality.last), in_millionths);
    weir_counts_raise(counts, WEIR_COUNT(quality.most), in_millionths);
    weir_counts_raise(counts, WEIR_COUNT(quality.least),
                      (uint64_t)(100 * millions) - in_millionths);
}

// Count a frame, and report it to the rate. `size`: of its packet.
static void count_written(struct weir_writer *writer, const struct weir_ring_item *item,
                          uint32_t size, const struct weir_readback_data *data)
{
    const struct weir_encoding *encoding = item->encoding;
    const struct weir_rate_written written = {
        .number = item->rate_number,
        .size = size,
        .repeated = writer->repeated_size,
        .coded = weir_encoding_get_result(encoding, data->control),
    };
    struct weir_counts *counts = &writer->stats->writer;
    weir_counts_begin(counts);
    weir_counts_add(counts, WEIR_COUNT(written), 1);
    weir_counts_add(counts, WEIR_COUNT(bytes), size);
    weir_counts_add(counts, WEIR_COUNT(gpu_ns), data->gpu_ns);
    weir_counts_add(counts, WEIR_COUNT(pack_ns), writer->pack_ns);
    weir_counts_add(counts, WEIR_COUNT(write_ns), writer->write_ns);
    if (data->control) {
        count_quality(counts, item->quality, weir_encoding_psnr(encoding, &written.coded));
    }
    weir_counts_end(counts);
    if (writer->rate) {
        weir_rate_loop_written(writer->rate, &written);
    }
    writer->repeated_size = 0;
}

static void count_dropped(struct weir_writer *writer, const struct weir_ring_item *item,
                          enum weir_drop_reason reason)
{
    weir_counts_change(&writer->stats->writer, WEIR_COUNT(dropped_by_reason) + reason, 1);
    weir_sidecar_write(writer->sidecar,
                       &(struct weir_sidecar_drop){item->number, (int64_t)item->time_ns, reason});
    weir_drop_log_dropped(writer->drops, item->number, item->time_ns, weir_clock_ns());
}

// Write the audio that waits. Its time is known from the first frame that was written on. `frame`:
// the one that was just written, or NULL.
static void write_audio(struct weir_writer *writer, const struct weir_ring_item *frame, bool all)
{
    struct weir_audio *audio = writer->audio;
    if (!audio) {
        return;
    }
    if (weir_writer_failure(writer) != WEIR_OK) {
        weir_audio_drop(audio, WEIR_AUDIO_DROP_SINK);
        return;
    }
    if (frame && !audio->has_begun) {
        writer->audio_ns = frame->time_ns;
        weir_audio_begin(audio, (int64_t)((uint64_t)writer->first_ns + frame->time_ns));
    }
    if (frame) {
        weir_audio_frame(audio, frame->time_ns - writer->audio_ns);
    }
    enum weir_result result = weir_audio_write(audio, writer->mux, all);
    if (result == WEIR_OK && frame) {
        result = weir_audio_follow(audio, writer->mux, frame->time_ns - writer->audio_ns);
    }
    if (result != WEIR_OK) {
        atomic_store_explicit(&writer->failure, result, memory_order_release);
        weir_audio_drop(audio, WEIR_AUDIO_DROP_SINK);
    } else if (all) {
        weir_audio_drop(audio, WEIR_AUDIO_DROP_TIME); // no frame came: there is no movie
    }
}

// Give a slot back: the last use of its encoding, which the other thread may free then.
static void release(struct weir_encoding *encoding, uint32_t slot)
{
    encoding->source.release(encoding->source.user, slot);
    atomic_fetch_sub_explicit(&encoding->num_in_flight, 1, memory_order_release);
}

static void release_kept(struct weir_writer *writer)
{
    if (writer->kept_encoding) {
        release(writer->kept_encoding, writer->kept_slot);
        writer->kept_encoding = NULL;
    }
}

// Keep a packet that was written, in place of the one before it, or give its slot back.
static void keep(struct weir_writer *writer, const struct weir_mux_packet *packet,
                 const struct weir_ring_item *item)
{
    if (writer->ticks_per_frame == 0) {
        release(item->encoding, item->slot);
        return;
    }
    release_kept(writer);
    writer->kept = *packet;
    writer->kept_encoding = item->encoding;
    writer->kept_slot = item->slot;
}

// Constant rate: write the packet that is kept wherever a frame is missing before the next one of
// the same movie, or of one that follows without a gap.
static enum weir_result repeat_until(struct weir_writer *writer, uint64_t next_ns)
{
    const uint64_t next = weir_ticks_from_ns(next_ns, writer->ticks_per_second);
    struct weir_mux_packet *kept = &writer->kept;
    enum weir_result result = WEIR_OK;
    if (!writer->kept_encoding || next_ns - kept->time_ns > writer->max_gap_ns) {
        return WEIR_OK;
    }
    while (result == WEIR_OK && kept->ticks + writer->ticks_per_frame < next) {
        kept->ticks += writer->ticks_per_frame;
        kept->time_ns = weir_ticks_to_ns(kept->ticks, writer->ticks_per_second);
        result = write_packet(writer, kept);
        if (result == WEIR_OK) {
            count_repeated(writer, kept->size);
            write_audio(writer, NULL, false); // beside the frames, and so that it has room
            result = weir_writer_failure(writer);
        }
    }
    return result;
}

// Show the frame that was written last until the movie ends.
static void write_end(struct weir_writer *writer)
{
    const uint64_t end = weir_ticks_from_ns(writer->end_ns, writer->ticks_per_second);
    enum weir_result result = weir_writer_failure(writer);
    if (result != WEIR_OK || writer->next_ticks == 0 || end < writer->next_ticks) {
        return;
    }
    if (writer->ticks_per_frame > 0) {
        result = repeat_until(writer, writer->end_ns);
        atomic_store_explicit(&writer->failure, result, memory_order_release);
    } else if (writer->mux->ops->end) {
        writer->mux->ops->end(writer->mux, end);
    }
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
    struct weir_mux_packet packet;
    enum weir_result result = wait_for_slot(writer, item, &data);
    if (result == WEIR_OK && failure != WEIR_OK) {
        return failure;
    }
    if (result == WEIR_OK && !item->is_encoded) {
        return WEIR_ERROR_VULKAN;
    }
    if (result == WEIR_OK && item->has_preview) {
        show_preview(writer, item, &data);
    }
    if (result == WEIR_OK) {
        result = repeat_until(writer, item->time_ns);
    }
    if (result == WEIR_OK) {
        result = write_frame(writer, item, &data, &packet);
    }
    if (result == WEIR_OK) {
        count_written(writer, item, packet.size, &data);
        keep(writer, &packet, item);
    } else {
        atomic_store_explicit(&writer->failure, result, memory_order_release);
    }
    return result;
}

// Offline: write the audio that belongs before the next frame, all of which is here by now.
static void write_due_audio(struct weir_writer *writer)
{
    if (writer->audio && writer->audio->params.waits && writer->next_ticks > 0) {
        writer->audio->due_ticks = writer->next_ticks - 1;
        write_audio(writer, NULL, false);
        writer->audio->due_ticks = 0;
    }
}

static void write_item(struct weir_writer *writer, const struct weir_ring_item *item)
{
    write_due_audio(writer);
    const enum weir_result result = wait_and_write(writer, item);
    if (result != WEIR_OK) {
        if (weir_writer_failure(writer) != WEIR_OK) {
            release_kept(writer); // nothing is repeated any more, and slots come back in order
        }
        release(item->encoding, item->slot);
        count_dropped(writer, item,
                      weir_writer_is_device_failure(result) ? WEIR_DROP_DEVICE : WEIR_DROP_SINK);
    }
    weir_ring_release(writer->ring);
    write_audio(writer, result == WEIR_OK ? item : NULL, false);
}

static void *run(void *user)
{
    struct weir_writer *writer = user;
    struct weir_ring_item item;
    enum weir_ring_event event;
    while ((event = weir_ring_pop(writer->ring, &item)) != WEIR_RING_CLOSED) {
        if (event == WEIR_RING_ITEM) {
            write_item(writer, &item);
        } else {
            write_audio(writer, NULL, false);
        }
        weir_sidecar_write_sent(writer->sidecar);
    }
    write_end(writer);
    release_kept(writer);
    if (weir_writer_failure(writer) == WEIR_OK) {
        write_chapters(writer, UINT64_MAX);
    }
    write_audio(writer, NULL, true);
    return NULL;
}

enum weir_result weir_writer_start(struct weir_writer *writer)
{
    atomic_init(&writer->failure, WEIR_OK);
    writer->next_ticks = 0;
    if (!weir_thread_start(&writer->thread, "weir-writer", run, writer)) {
        return weir_fail(&writer->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "the system gives no thread for writing");
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
