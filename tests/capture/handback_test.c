// SPDX-License-Identifier: MIT
// Whatever weir_capture_frame() answers, the host's image comes back: the semaphores of a frame
// that is refused, dropped or lost are waited for and signalled as those of one that is taken.
#include <weir/capture.h>

#include <string.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

#include "fixture.h"
#include "testing.h"
#include "tests/replaced_calls.h"

enum { FRAME_NS = 1000000 }; // from one frame to the next

// A Vulkan function that fails `num_faults` times, with `fault`, after `num_good` calls.
static const char *faulty_name;
static int num_good, num_faults;
static VkResult fault;

static bool is_faulty(const char *name)
{
    return num_faults > 0 && strcmp(name, faulty_name) == 0 && num_good-- <= 0 && num_faults-- > 0;
}

#define WRAP(name, parameters, arguments)                                                          \
    static PFN_vk##name real_##name;                                                               \
    static VKAPI_ATTR VkResult VKAPI_CALL wrap_##name parameters                                   \
    {                                                                                              \
        return is_faulty(#name) ? fault : real_##name arguments;                                   \
    }
WRAP(QueueSubmit, (VkQueue q, uint32_t n, const VkSubmitInfo *i, VkFence f), (q, n, i, f))
WRAP(BeginCommandBuffer, (VkCommandBuffer c, const VkCommandBufferBeginInfo *i), (c, i))
WRAP(GetSemaphoreCounterValue, (VkDevice d, VkSemaphore s, uint64_t *v), (d, s, v))

// Recording ends whether it fails or not: a command buffer that failed to end may begin again.
static PFN_vkEndCommandBuffer real_EndCommandBuffer;
static VKAPI_ATTR VkResult VKAPI_CALL wrap_EndCommandBuffer(VkCommandBuffer commands)
{
    const VkResult result = real_EndCommandBuffer(commands);
    return is_faulty("EndCommandBuffer") ? fault : result;
}

// clang-format off
REPLACE_CALLS(
    REPLACE(wrap_, vk, QueueSubmit)
    REPLACE(wrap_, vk, BeginCommandBuffer)
    REPLACE(wrap_, vk, EndCommandBuffer)
    REPLACE(wrap_, vk, GetSemaphoreCounterValue))
// clang-format on

// A host that presents: a binary semaphore on each side of Weir.
struct host {
    struct fixture *fixture;
    VkSemaphore rendered, presentable;
};

static void host_init(struct host *host, struct fixture *fixture)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    host->fixture = fixture;
    vkCreateSemaphore(fixture->harness.vk, &info, NULL, &host->rendered);
    vkCreateSemaphore(fixture->harness.vk, &info, NULL, &host->presentable);
}

static void host_finish(struct host *host)
{
    vkDestroySemaphore(host->fixture->harness.vk, host->rendered, NULL);
    vkDestroySemaphore(host->fixture->harness.vk, host->presentable, NULL);
}

// Wait for a binary semaphore on the host's queue, and then for the queue.
static void host_wait(struct host *host, const VkSemaphore *semaphore)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .waitSemaphoreCount = 1,
                                 .pWaitSemaphores = semaphore,
                                 .pWaitDstStageMask = &stage};
    vkQueueSubmit(host->fixture->harness.host.queue, 1, &submit, VK_NULL_HANDLE);
    vkQueueWaitIdle(host->fixture->harness.host.queue);
}

// Draw, capture, present. Nothing is waited for that nobody signals, so that a failure ends.
static enum weir_result host_frame(struct host *host, weir_capture *capture,
                                   struct weir_frame frame, bool comes_back, const char *what)
{
    struct harness *h = &host->fixture->harness;
    harness_release(h, &frame);
    const VkSubmitInfo render = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .signalSemaphoreCount = 1,
                                 .pSignalSemaphores = &host->rendered};
    vkQueueSubmit(h->host.queue, 1, &render, VK_NULL_HANDLE);
    frame.wait = (struct weir_point){.semaphore = host->rendered};
    frame.signal = host->presentable;
    struct weir_point released = {.semaphore = host->rendered}; // no point of the capture's
    const enum weir_result result = weir_capture_frame(capture, &frame, &released);
    const bool came_back = released.semaphore && released.semaphore != host->rendered;
    test_expect(came_back == comes_back, "%s: %s, the image %s back", what,
                weir_result_name(result), came_back ? "comes" : "does not come");
    host_wait(host, came_back ? &host->presentable : &host->rendered);
    if (came_back) {
        harness_acquire(h, &frame, &released);
    }
    return result;
}

static void expect(struct host *host, weir_capture *capture, struct weir_frame frame,
                   enum weir_result want, const char *what)
{
    const enum weir_result result = host_frame(host, capture, frame, true, what);
    test_expect(result == want, "%s: %s", what, weir_result_name(result));
}

// A frame that is refused comes back, is not counted, and its time is free for the next frame.
static void expect_refused(struct host *host, weir_capture *capture, struct weir_frame frame,
                           const char *what)
{
    const uint64_t received = weir_capture_get_stats(capture).received;
    expect(host, capture, frame, WEIR_ERROR_INVALID, what);
    test_expect(weir_capture_get_stats(capture).received == received, "%s: it is counted", what);
    expect(host, capture, fixture_frame(host->fixture, frame.time_ns), WEIR_OK, what);
}

static void test_other_images(struct host *host, weir_capture *capture, int64_t *time_ns)
{
    static const uint8_t texels[2 * FIXTURE_WIDTH * FIXTURE_HEIGHT * 8];
    static const struct {
        VkFormat format;
        uint32_t width;
        VkImageUsageFlags usage;
        const char *what;
    } others[] = {
        {VK_FORMAT_R8G8B8A8_UNORM, FIXTURE_WIDTH * 2, VK_IMAGE_USAGE_SAMPLED_BIT, "another size"},
        {VK_FORMAT_R16G16B16A16_SFLOAT, FIXTURE_WIDTH, VK_IMAGE_USAGE_SAMPLED_BIT,
         "another format"},
        {VK_FORMAT_R8G8B8A8_UNORM, FIXTURE_WIDTH, VK_IMAGE_USAGE_STORAGE_BIT, "no kernel reads it"},
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct harness *harness = &host->fixture->harness;
        struct fixture_image image;
        fixture_image_init(harness, others[i].format, others[i].width, FIXTURE_HEIGHT,
                           others[i].usage, texels,
                           others[i].format == VK_FORMAT_R16G16B16A16_SFLOAT ? 8 : 4, &image);
        struct weir_frame frame = fixture_frame(host->fixture, *time_ns += FRAME_NS);
        frame.image = image.image;
        expect_refused(host, capture, frame, others[i].what);
        fixture_image_finish(harness, &image);
    }
}

static void test_other_fields(struct host *host, weir_capture *capture, int64_t *time_ns)
{
    static const struct {
        bool has_image;
        VkImageLayout layout;
        uint32_t queue_family; // 0: the host's
        const char *what;
    } fields[] = {
        {false, VK_IMAGE_LAYOUT_GENERAL, 0, "no image"},
        {true, VK_IMAGE_LAYOUT_UNDEFINED, 0, "no layout"},
        {true, VK_IMAGE_LAYOUT_PREINITIALIZED, 0, "a layout of images without contents"},
        {true, VK_IMAGE_LAYOUT_GENERAL, 1000, "a queue family that the device does not have"},
        {true, VK_IMAGE_LAYOUT_GENERAL, VK_QUEUE_FAMILY_IGNORED, "no queue family"},
    };
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        struct weir_frame frame = fixture_frame(host->fixture, *time_ns += FRAME_NS);
        frame.image = fields[i].has_image ? frame.image : NULL;
        frame.layout = fields[i].layout;
        frame.queue_family = fields[i].queue_family ? fields[i].queue_family : frame.queue_family;
        expect_refused(host, capture, frame, fields[i].what);
    }
}

static void test_refused(struct host *host)
{
    struct fixture *fixture = host->fixture;
    struct weir_capture_params params = fixture_params(fixture, NULL, WEIR_SINK_NULL);
    params.timing.max_rate.num = 1000000000 /
                                 FRAME_NS; // a refused frame is not the one that is due
    params.timing.max_rate.den = 1;
    weir_capture *capture = fixture_open(fixture, &params);
    int64_t time_ns = 0;
    expect(host, capture, fixture_frame(fixture, time_ns), WEIR_OK, "a good frame");
    expect(host, capture, fixture_frame(fixture, time_ns), WEIR_DROPPED, "the same time again");
    test_other_images(host, capture, &time_ns);
    test_other_fields(host, capture, &time_ns);
    struct weir_point released = {.semaphore = host->rendered};
    test_expect(weir_capture_frame(capture, NULL, &released) == WEIR_ERROR_INVALID &&
                    !released.semaphore,
                "no frame");
    fixture_expect_end(capture, WEIR_OK, 1 + (uint64_t)(time_ns / FRAME_NS), 1);
}

// Images of another context on the same device, and of another device.
static void test_foreign(struct host *host)
{
    struct fixture *fixture = host->fixture, second;
    fixture_init(&second, true);
    weir_context *other = NULL;
    weir_image *theirs = NULL;
    const struct weir_image_params image = weir_image_get_params(fixture->image);
    test_must(weir_context_create(fixture->harness.import, &other) == WEIR_OK &&
                  weir_image_create(other, &image, &theirs) == WEIR_OK,
              "another context");
    struct weir_capture_params params = fixture_params(fixture, NULL, WEIR_SINK_NULL);
    weir_capture *capture = fixture_open(fixture, &params);
    struct weir_frame frame = fixture_frame(fixture, 0);
    frame.queue_family = weir_context_get_queue(other).family; // it does not change its owner
    frame.image = theirs;
    expect_refused(host, capture, frame, "an image of another context");
    frame = fixture_frame(fixture, FRAME_NS);
    frame.image = second.image;
    struct weir_point released = {.semaphore = host->rendered};
    test_expect(weir_capture_frame(capture, &frame, &released) == WEIR_ERROR_INVALID &&
                    !released.semaphore && weir_capture_get_stats(capture).received == 1,
                "an image of another device");
    expect(host, capture, fixture_frame(fixture, FRAME_NS), WEIR_OK, "the time of a foreign image");
    fixture_expect_end(capture, WEIR_OK, 2, 0);
    weir_image_destroy(&theirs);
    weir_context_destroy(&other);
    fixture_finish(&second);
}

// The disk is full, and stays so.
static void test_disk_full(struct host *host)
{
    const char *path = test_path("handback.mov");
    struct weir_capture_params params = fixture_params(host->fixture, path, WEIR_SINK_MOV);
    weir_capture *capture = fixture_open(host->fixture, &params);
    test_limit_files(30000);
    enum weir_result result = WEIR_OK;
    for (int i = 0; i < 30; i++) {
        result = host_frame(host, capture, fixture_frame(host->fixture, i * 1000), true,
                            "a full disk");
    }
    test_expect(result == WEIR_ERROR_DISK_FULL, "the disk fills: %s", weir_result_name(result));
    test_expect(weir_capture_close(&capture, NULL) == WEIR_ERROR_DISK_FULL, "close");
    test_limit_files(0);
    unlink(path);
}

// The device fails in a call, once or for good.
static void test_faults(struct host *host)
{
    static const struct {
        const char *name;
        int num_good, num_faults;
        VkResult fault;
        enum weir_result want;
        bool comes_back, is_sticky;
    } faults[] = {
        {"QueueSubmit", 0, 1, VK_ERROR_OUT_OF_DEVICE_MEMORY, WEIR_ERROR_OUT_OF_MEMORY, true, false},
        {"QueueSubmit", 0, 2, VK_ERROR_OUT_OF_HOST_MEMORY, WEIR_ERROR_OUT_OF_MEMORY, false, false},
        // that of the copy, behind the kernels that have the image
        {"QueueSubmit", 1, 1, VK_ERROR_OUT_OF_HOST_MEMORY, WEIR_OK, true, true},
        {"BeginCommandBuffer", 0, 1, VK_ERROR_OUT_OF_HOST_MEMORY, WEIR_ERROR_OUT_OF_MEMORY, true,
         false},
        {"EndCommandBuffer", 0, 1, VK_ERROR_OUT_OF_HOST_MEMORY, WEIR_ERROR_OUT_OF_MEMORY, true,
         false},
        {"GetSemaphoreCounterValue", 0, 1, VK_ERROR_UNKNOWN, WEIR_OK, true, true},
        {"GetSemaphoreCounterValue", 0, 1, VK_ERROR_OUT_OF_HOST_MEMORY, WEIR_OK, true, true},
    };
    struct fixture *fixture = host->fixture;
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        struct weir_context_params import = *fixture->harness.import;
        import.get_instance_proc_addr = replaced_instance_proc;
        import.graphics = fixture->harness.host;
        import.compute = (struct weir_queue){0};
        memset(import.transfer, 0, sizeof(import.transfer));
        if (faults[i].num_good > 0) {
            import.transfer[0] = fixture->harness.host;
        }
        weir_context *context = NULL;
        weir_image *image = NULL;
        weir_capture *capture = NULL;
        const struct weir_image_params params = weir_image_get_params(fixture->image);
        test_must(
            weir_context_create(&import, &context) == WEIR_OK &&
                weir_image_create(context, &params, &image) == WEIR_OK &&
                weir_capture_open(context,
                                  weir_capture_params(.sink = WEIR_SINK_NULL,
                                                      .policy = WEIR_POLICY_WAIT, .like = image),
                                  &capture) == WEIR_OK,
            "a capture with faults");
        struct weir_frame frame = fixture_frame(fixture, 0);
        frame.image = image;
        faulty_name = faults[i].name;
        fault = faults[i].fault;
        num_faults = faults[i].num_faults;
        num_good = faults[i].num_good;
        enum weir_result result = host_frame(host, capture, frame, faults[i].comes_back,
                                             faulty_name);
        test_expect(result == faults[i].want, "%s: %s", faulty_name, weir_result_name(result));
        for (int later = 1; later <= 50; later++) { // until the writer has met the fault
            frame.time_ns = later * 1000;
            result = host_frame(host, capture, frame, true, "after a fault");
        }
        test_expect(num_faults == 0, "%s did not fail", faulty_name);
        test_expect((result != WEIR_OK) == faults[i].is_sticky, "later: %s",
                    weir_result_name(result));
        struct weir_capture_stats stats;
        const enum weir_result closed = weir_capture_close(&capture, &stats);
        test_expect((closed != WEIR_OK) == faults[i].is_sticky, "close: %s",
                    weir_result_name(closed));
        fixture_expect_sum(&stats);
        weir_image_destroy(&image);
        weir_context_destroy(&context);
    }
}

int main(void)
{
    for (int shared = 0; shared < 2; shared++) {
        struct fixture fixture;
        struct host host;
        fixture_init(&fixture, shared);
        host_init(&host, &fixture);
        test_refused(&host);
        if (shared) {
            test_foreign(&host);
            test_disk_full(&host);
            test_faults(&host);
        }
        host_finish(&host);
        fixture_finish(&fixture);
    }
    return test_finish();
}
