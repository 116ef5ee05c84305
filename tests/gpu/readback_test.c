// SPDX-License-Identifier: MIT
// The readback ring: full and free slots, frames that pass, semaphores of both kinds, two devices.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include <weir/encode.h>
#include <weir/readback.h>

#include "tests/gpu/harness.h"
#include "tests/kernels/kernels.h"

enum { WIDTH = 68, HEIGHT = 36, NUM_SLOTS = 3 };
static const uint64_t SIZE = (WIDTH / 4) * (HEIGHT / 4) * 16;
enum { HEADROOM = 9, GAP = 4, FIRST_SIZE = 5 * 16 };

// A device with everything that a frame needs.
struct pipeline {
    struct harness h;
    struct weir_gpu_image image;
    weir_image *source;
    weir_encoder *encoder;
    weir_readback *readback;
    bool keep; // commands for the next frame of the same image
    bool has_parts;
    bool is_direct; // the encoder writes into host memory
    bool is_apart;  // results are copied on a queue for that
    struct weir_frame frame;
    uint8_t want[(WIDTH / 4) * (HEIGHT / 4) * 16];
};

static void pipeline_init(struct pipeline *p, bool queue_is_shared, VkImageUsageFlags usage)
{
    struct harness *h = &p->h;
    harness_init_copies(h, queue_is_shared, p->is_apart);
    static uint8_t texels[WIDTH * HEIGHT * 4], rgb[WIDTH * HEIGHT * 3];
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        for (int c = 0; c < 3; c++) {
            texels[4 * i + c] = rgb[3 * i + c] = (uint8_t)harness_random(h);
        }
    }
    kernel_encode_image(&(struct weir_encoder_params){.effort = WEIR_EFFORT_DEFAULT}, rgb, 3,
                        WIDTH * 3, WIDTH, HEIGHT, p->want);
    harness_image_init(h, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, usage, 0, texels, 4,
                       VK_IMAGE_LAYOUT_GENERAL, &p->image);
    p->source = harness_wrap(h, &p->image, WEIR_TRANSFER_DEFAULT);
    TEST_OK(weir_encoder_create(
        h->context, weir_encoder_params(.like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0)),
        &p->encoder));
    TEST_OK(weir_readback_create(
        h->context,
        weir_readback_params(.size = SIZE, .num_slots = NUM_SLOTS, .headroom = HEADROOM,
                             .first_size = p->has_parts ? FIRST_SIZE : 0,
                             .gap = p->has_parts ? GAP : 0, .direct_size = p->is_direct ? SIZE : 0),
        &p->readback));
    p->frame = (struct weir_frame){
        .image = p->source, .layout = VK_IMAGE_LAYOUT_GENERAL, .queue_family = h->host.family};
}

static int pipeline_finish(struct pipeline *p)
{
    weir_readback_destroy(&p->readback);
    weir_encoder_destroy(&p->encoder);
    weir_image_destroy(&p->source);
    harness_image_finish(&p->h, &p->image);
    return harness_finish(&p->h);
}

// begin, encode, submit; returns begin's result
static enum weir_result send(struct pipeline *p, struct weir_slot *slot)
{
    harness_release(&p->h, &p->frame);
    struct weir_point released;
    const enum weir_result result = weir_readback_begin(p->readback, &p->frame, slot);
    if (result == WEIR_OK) {
        const struct weir_encode encode = {.source = p->source,
                                           .buffer = p->is_direct
                                                         ? weir_slot_result(p->readback, slot)
                                                         : weir_slot_buffer(p->readback, slot)};
        test_expect(slot->is_recorded || weir_cmd_encode(p->encoder, slot->cmd, &encode) == WEIR_OK,
                    "encode");
        test_expect((slot->tail != VK_NULL_HANDLE) == p->is_direct, "a tail");
        slot->keep = p->keep;
        TEST_OK(weir_readback_submit(p->readback, slot, &released));
    } else {
        TEST_OK(weir_readback_pass(p->readback, &p->frame, &released));
    }
    harness_acquire(&p->h, &p->frame, &released);
    return result;
}

static bool is_wanted(const struct pipeline *p, const struct weir_readback_data *data)
{
    const uint8_t *second = data->data + FIRST_SIZE + (p->has_parts ? GAP : 0);
    return data->size == SIZE && memcmp(data->data, p->want, FIRST_SIZE) == 0 &&
           memcmp(second, p->want + FIRST_SIZE, SIZE - FIRST_SIZE) == 0;
}

static void receive(struct pipeline *p, uint32_t slot_index)
{
    struct weir_readback_data data = {0};
    const enum weir_result result = weir_readback_wait(p->readback, slot_index, UINT64_MAX, &data);
    if (test_expect(result == WEIR_OK, "wait: %s", weir_result_name(result))) {
        test_expect(is_wanted(p, &data), "the bytes of slot %u", slot_index);
        // Headroom, result and gap are the caller's.
        memset(data.data - HEADROOM, 0xee, HEADROOM + SIZE + (p->has_parts ? GAP : 0));
    }
    weir_readback_release(p->readback, slot_index);
}

static void test_ring(struct pipeline *p)
{
    struct weir_slot slots[NUM_SLOTS], extra;
    for (int i = 0; i < NUM_SLOTS; i++) {
        test_expect(send(p, &slots[i]) == WEIR_OK, "slot %d is not free", i);
    }
    for (int i = 0; i < 40; i++) { // more passes than the ring has command buffers for
        test_expect(send(p, &extra) == WEIR_NOT_READY, "a full ring takes a frame");
    }
    receive(p, slots[0].index);
    test_expect(send(p, &extra) == WEIR_OK && extra.index == slots[0].index,
                "the freed slot is not taken");
    receive(p, slots[1].index);
    receive(p, slots[2].index);
    receive(p, extra.index);
    for (int i = 0; i < 50; i++) {
        test_expect(send(p, &extra) == WEIR_OK, "round %d", i);
        receive(p, extra.index);
    }
}

// A slot that nobody waited for may be in use by the GPU: giving it back does not free it.
static void test_early_release(struct pipeline *p)
{
    struct weir_slot slots[NUM_SLOTS], extra;
    for (int i = 0; i < NUM_SLOTS; i++) {
        send(p, &slots[i]);
        weir_readback_release(p->readback, slots[i].index);
    }
    test_expect(send(p, &extra) == WEIR_NOT_READY, "a slot in flight is free");
    for (int i = 0; i < NUM_SLOTS; i++) {
        receive(p, slots[i].index);
    }
    test_expect(send(p, &extra) == WEIR_OK, "a slot that was waited for is not free");
    receive(p, extra.index);
}

static void refuse(struct pipeline *p, const struct weir_slot *slot, const char *what)
{
    struct weir_point released;
    test_expect(weir_readback_submit(p->readback, slot, &released) == WEIR_ERROR_INVALID,
                "%s is submitted", what);
}

// submit() takes a slot between begin() and submit(), and release() one after that.
static void test_misuse(struct pipeline *p)
{
    const struct weir_slot none = {.index = NUM_SLOTS};
    struct weir_slot slots[NUM_SLOTS], extra;
    refuse(p, NULL, "NULL");
    refuse(p, &none, "a slot that the ring does not have");
    test_expect(!weir_slot_buffer(p->readback, &none), "its buffer");
    test_expect(!weir_slot_buffer(NULL, &none) && !weir_slot_buffer(p->readback, NULL),
                "the buffer of NULL");
    test_expect(!weir_slot_result(p->readback, &none) && !weir_slot_result(NULL, &none) &&
                    !weir_slot_result(p->readback, NULL),
                "the result of NULL");
    test_expect(!weir_slot_result(p->readback, &(struct weir_slot){0}) == !p->is_direct,
                "the result of a slot");
    for (int i = 0; i < NUM_SLOTS; i++) {
        send(p, &slots[i]);
        refuse(p, &slots[i], "a slot in flight");
        receive(p, slots[i].index);
        refuse(p, &slots[i], "a free slot");
    }
    harness_release(&p->h, &p->frame);
    TEST_OK(weir_readback_begin(p->readback, &p->frame, &extra));
    weir_readback_release(p->readback, extra.index);
    test_expect(weir_readback_submit(p->readback, &extra, NULL) == WEIR_OK,
                "release() before submit() does nothing");
    test_expect(vkDeviceWaitIdle(p->h.vk) == VK_SUCCESS, "idle");
    harness_acquire(&p->h, &p->frame, &(struct weir_point){0});
    struct weir_readback_data data;
    TEST_OK(weir_readback_wait(p->readback, extra.index, UINT64_MAX, &data));
    weir_readback_release(p->readback, extra.index);
}

// Two images in turn: commands are kept for each, and for no other.
static void test_kept_commands(struct pipeline *p)
{
    struct weir_slot slot;
    weir_image *first = p->source;
    weir_image *second = harness_wrap(&p->h, &p->image, WEIR_TRANSFER_DEFAULT);
    p->keep = true;
    int num_recorded = 0;
    for (int i = 0; i < 20; i++) {
        p->frame.image = p->source = i % 2 ? second : first;
        test_expect(send(p, &slot) == WEIR_OK, "kept, frame %d", i);
        num_recorded += slot.is_recorded;
        receive(p, slot.index);
    }
    test_expect(num_recorded == 18, "%d of 18 frames found their commands", num_recorded);
    weir_image_destroy(&second); // the next one may take its place in memory
    second = harness_wrap(&p->h, &p->image, WEIR_TRANSFER_DEFAULT);
    p->frame.image = p->source = second;
    test_expect(send(p, &slot) == WEIR_OK && !slot.is_recorded,
                "commands of an image that is gone");
    receive(p, slot.index);
    p->frame.image = p->source = first;
    p->keep = false;
    weir_image_destroy(&second);
}

// The loop of a program that presents: binary semaphores on both sides.
static void test_binary_semaphores(struct pipeline *p)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore rendered, captured;
    vkCreateSemaphore(p->h.vk, &info, NULL, &rendered);
    vkCreateSemaphore(p->h.vk, &info, NULL, &captured);
    for (int i = 0; i < 6; i++) {
        const VkSubmitInfo render = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                     .signalSemaphoreCount = 1,
                                     .pSignalSemaphores = &rendered};
        vkQueueSubmit(p->h.host.queue, 1, &render, VK_NULL_HANDLE);
        p->frame.wait = (struct weir_point){.semaphore = rendered};
        p->frame.signal = captured;
        struct weir_slot slot = {.index = UINT32_MAX};
        const bool pass = i % 3 == 2;
        if (pass) {
            harness_release(&p->h, &p->frame);
            TEST_OK(weir_readback_pass(p->readback, &p->frame, NULL));
        } else {
            send(p, &slot);
        }
        const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
        const VkSubmitInfo present = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                      .waitSemaphoreCount = 1,
                                      .pWaitSemaphores = &captured,
                                      .pWaitDstStageMask = &stage};
        vkQueueSubmit(p->h.host.queue, 1, &present, VK_NULL_HANDLE);
        vkQueueWaitIdle(p->h.host.queue);
        if (pass) {
            p->frame.wait = (struct weir_point){0};
            harness_acquire(&p->h, &p->frame, &(struct weir_point){0});
        } else {
            receive(p, slot.index);
        }
    }
    p->frame.wait = (struct weir_point){0};
    p->frame.signal = VK_NULL_HANDLE;
    vkDestroySemaphore(p->h.vk, rendered, NULL);
    vkDestroySemaphore(p->h.vk, captured, NULL);
}

// A second ring takes the place of the first one, whose slot is still in flight: they share the
// timeline, which outlives the first.
static void test_shared_timeline(struct pipeline *p)
{
    struct weir_slot old_slot, new_slot;
    struct weir_point old_point, new_point;
    weir_readback *old = p->readback;
    test_expect(weir_readback_is_idle(NULL), "NULL is idle");
    send(p, &old_slot);
    weir_readback_pass(old, &p->frame, &old_point);
    struct weir_readback_params params = weir_readback_get_params(old);
    params.timeline_of = old;
    test_expect(weir_readback_create(p->h.context, &params, &p->readback) == WEIR_OK &&
                    !weir_readback_get_params(p->readback).timeline_of,
                "a second ring");
    send(p, &new_slot);
    weir_readback_pass(p->readback, &p->frame, &new_point);
    test_expect(new_point.semaphore == old_point.semaphore && new_point.value > old_point.value,
                "one timeline");
    receive(p, new_slot.index);
    vkQueueWaitIdle(p->h.host.queue);
    struct weir_readback_data data;
    test_expect(weir_readback_wait(old, old_slot.index, UINT64_MAX, &data) == WEIR_OK &&
                    is_wanted(p, &data) && weir_readback_is_idle(old),
                "the slot of the first ring");
    weir_readback_release(old, old_slot.index);
    weir_readback_destroy(&old);
    const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &old_point.semaphore,
                                      .pValues = &old_point.value};
    test_expect(vkWaitSemaphores(p->h.vk, &wait, UINT64_MAX) == VK_SUCCESS,
                "the point of the first ring is valid");
    send(p, &new_slot);
    receive(p, new_slot.index);
}

// The form of a result.
enum form { ONE_PART, TWO_PARTS, DIRECT };

static int test_one_device(bool queue_is_shared, VkImageUsageFlags usage, enum form form,
                           bool is_apart)
{
    struct pipeline p = {
        .has_parts = form == TWO_PARTS, .is_direct = form == DIRECT, .is_apart = is_apart};
    pipeline_init(&p, queue_is_shared, usage);
    test_ring(&p);
    test_early_release(&p);
    test_misuse(&p);
    test_kept_commands(&p);
    test_binary_semaphores(&p);
    if (queue_is_shared) {
        test_shared_timeline(&p);
    }
    return pipeline_finish(&p);
}

static int test_two_devices(void)
{
    struct pipeline *p = calloc(2, sizeof(*p));
    p[1].has_parts = p[1].is_apart = true;
    pipeline_init(&p[0], false, VK_IMAGE_USAGE_SAMPLED_BIT);
    pipeline_init(&p[1], true, VK_IMAGE_USAGE_SAMPLED_BIT);
    for (int i = 0; i < 10; i++) {
        struct weir_slot slots[2];
        for (int d = 0; d < 2; d++) {
            test_expect(send(&p[d], &slots[d]) == WEIR_OK, "device %d, round %d", d, i);
        }
        for (int d = 1; d >= 0; d--) {
            receive(&p[d], slots[d].index);
        }
    }
    const int failures = pipeline_finish(&p[1]) + pipeline_finish(&p[0]);
    free(p);
    return failures;
}

int main(void)
{
    const VkImageUsageFlags sampled = VK_IMAGE_USAGE_SAMPLED_BIT;
    int failures = test_one_device(false, sampled, ONE_PART, false);
    failures += test_one_device(true, sampled, TWO_PARTS, false);
    failures += test_one_device(false, VK_IMAGE_USAGE_TRANSFER_SRC_BIT, ONE_PART, true);
    failures += test_one_device(true, sampled, TWO_PARTS, true);
    failures += test_one_device(true, sampled, DIRECT, true);
    failures += test_two_devices();
    return failures != 0;
}
