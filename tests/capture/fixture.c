// SPDX-License-Identifier: MIT
// A device, an image on it and a host that captures it: for tests of the capture as a whole.
#include "fixture.h"

#include <stdlib.h>

#include <vulkan/vulkan.h>

#include "testing.h"

void fixture_image_init(struct harness *harness, VkFormat format, uint32_t width, uint32_t height,
                        VkImageUsageFlags usage, const void *texels, uint32_t texel_size,
                        struct fixture_image *image)
{
    harness_image_init(harness, format, width, height, usage, 0, texels, texel_size,
                       VK_IMAGE_LAYOUT_GENERAL, &image->texels);
    image->image = harness_wrap(harness, &image->texels, WEIR_TRANSFER_DEFAULT);
}

void fixture_image_finish(struct harness *harness, struct fixture_image *image)
{
    weir_image_destroy(&image->image);
    harness_image_finish(harness, &image->texels);
}

enum weir_result fixture_send(struct harness *harness, weir_capture *capture,
                              const struct weir_frame *frame, struct weir_point *released)
{
    harness_release(harness, frame);
    const enum weir_result result = weir_capture_frame(capture, frame, released);
    test_expect(released->semaphore != VK_NULL_HANDLE, "the image comes back");
    harness_acquire(harness, frame, released);
    return result;
}

void fixture_send_image(struct harness *harness, weir_capture *capture,
                        const struct fixture_image *image, int64_t time_ns)
{
    const struct weir_frame frame = {.image = image->image,
                                     .layout = VK_IMAGE_LAYOUT_GENERAL,
                                     .queue_family = harness->host.family,
                                     .time_ns = time_ns};
    struct weir_point released;
    test_expect(fixture_send(harness, capture, &frame, &released) == WEIR_OK, "the frame at %lld",
                (long long)time_ns);
}

void fixture_init(struct fixture *fixture, bool shared)
{
    uint8_t rgba[FIXTURE_WIDTH * FIXTURE_HEIGHT * 4];
    test_random_bytes(rgba, sizeof(rgba));
    harness_init_copies(&fixture->harness, shared, !shared);
    fixture_image_init(&fixture->harness, VK_FORMAT_R8G8B8A8_UNORM, FIXTURE_WIDTH, FIXTURE_HEIGHT,
                       VK_IMAGE_USAGE_SAMPLED_BIT, rgba, 4, &fixture->own);
    fixture->image = fixture->own.image;
}

void fixture_finish(struct fixture *fixture)
{
    fixture_image_finish(&fixture->harness, &fixture->own);
    test_expect(harness_finish(&fixture->harness) == 0, "the device has no complaints");
}

struct weir_capture_params fixture_params(const struct fixture *fixture, const char *path,
                                          enum weir_sink sink)
{
    return (struct weir_capture_params){
        .path = path,
        .sink = sink,
        .policy = WEIR_POLICY_WAIT,
        .like = fixture->image,
    };
}

weir_capture *fixture_open(struct fixture *fixture, const struct weir_capture_params *params)
{
    weir_capture *capture = NULL;
    fixture->released = (struct weir_point){VK_NULL_HANDLE, 0};
    const enum weir_result result = weir_capture_open(fixture->harness.context, params, &capture);
    test_must(test_expect(result == WEIR_OK, "open: %s", weir_result_name(result)), "that");
    return capture;
}

struct weir_frame fixture_frame(struct fixture *fixture, int64_t time_ns)
{
    return (struct weir_frame){
        .image = fixture->image,
        .layout = VK_IMAGE_LAYOUT_GENERAL,
        .queue_family = fixture->harness.host.family,
        .time_ns = time_ns,
    };
}

enum weir_result fixture_present(struct fixture *fixture, weir_capture *capture, int64_t time_ns)
{
    const struct weir_frame frame = fixture_frame(fixture, time_ns);
    return fixture_send(&fixture->harness, capture, &frame, &fixture->released);
}

VkSemaphore fixture_make_gate(const struct fixture *fixture)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    VkSemaphore gate = VK_NULL_HANDLE;
    vkCreateSemaphore(fixture->harness.vk, &info, NULL, &gate);
    return gate;
}

void fixture_open_gate(const struct fixture *fixture, VkSemaphore gate)
{
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = gate, .value = 1};
    vkSignalSemaphore(fixture->harness.vk, &signal);
}

void fixture_close_gate(const struct fixture *fixture, VkSemaphore gate)
{
    vkQueueWaitIdle(fixture->harness.host.queue); // frames that passed may still wait for it
    vkDestroySemaphore(fixture->harness.vk, gate, NULL);
}

enum weir_result fixture_hand_over(struct fixture *fixture, weir_capture *capture, VkSemaphore gate,
                                   int64_t time_ns)
{
    struct weir_frame frame = fixture_frame(fixture, time_ns);
    frame.wait = (struct weir_point){.semaphore = gate, .value = 1};
    struct weir_point released = {VK_NULL_HANDLE, 0};
    const enum weir_result result = weir_capture_frame(capture, &frame, &released);
    test_expect(released.semaphore != VK_NULL_HANDLE, "taken or not, the image comes back");
    return result;
}

void fixture_expect_sum(const struct weir_capture_stats *stats)
{
    uint64_t dropped = 0;
    for (int i = 0; i < WEIR_MAX_DROP_REASONS; i++) {
        dropped += stats->dropped_by_reason[i];
    }
    test_expect(dropped == stats->dropped, "dropped is the sum of its reasons");
    test_expect(stats->received ==
                    stats->written + stats->dropped + stats->skipped + stats->in_flight,
                "received %llu = written %llu + dropped %llu + skipped %llu + in flight %llu",
                (unsigned long long)stats->received, (unsigned long long)stats->written,
                (unsigned long long)stats->dropped, (unsigned long long)stats->skipped,
                (unsigned long long)stats->in_flight);
}

void fixture_expect_end(weir_capture *capture, enum weir_result want, uint64_t written,
                        uint64_t dropped)
{
    struct weir_capture_stats stats;
    const enum weir_result result = weir_capture_close(&capture, &stats);
    test_expect(result == want && !capture, "close: %s", weir_result_name(result));
    fixture_expect_sum(&stats);
    test_expect(stats.written == written && stats.dropped == dropped && stats.in_flight == 0,
                "%llu written, %llu dropped, want %llu, %llu", (unsigned long long)stats.written,
                (unsigned long long)stats.dropped, (unsigned long long)written,
                (unsigned long long)dropped);
}
