// SPDX-License-Identifier: MIT
// The window: a render loop whose images Weir reads before they are presented.
#define GLFW_INCLUDE_NONE
#include <vulkan/vulkan.h>

#include <GLFW/glfw3.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include <weir/swapchain.h>

#include "loop.h"
#include "report.h"

#define NUM_SLOTS 2

// The size of a window changes all the time while it is dragged. The next movie of a recording
// begins when the size has been the same for this long.
static const double settle_seconds = 0.3;

struct window {
    struct loop loop;
    GLFWwindow *handle;
    // The images are rendered, read by Weir in place, and presented.
    struct weir_swapchain swapchain;
    struct gpu_image images[WEIR_SWAPCHAIN_MAX_IMAGES];
    uint64_t num_frames;  // rendered, recorded or not
    bool wants_recording; // R, or --output
    bool wants_pause;     // P, of a recording
    bool is_title_old;
    double resized_at;
    double counted_at; // when frames were counted for the title, and how many there were
    uint64_t counted_frames;
    double fps;
};

static void on_error(int code, const char *text)
{
    report("GLFW error %d: %s", code, text);
}

// Libraries of a window system do not say that memory is why they failed. The C library did.
static const char *or_memory(const char *reason)
{
    return errno == ENOMEM ? "not enough memory for a window" : reason;
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int mods)
{
    struct window *window = glfwGetWindowUserPointer(handle);
    (void)scancode;
    (void)mods;
    if (action == GLFW_RELEASE) {
        return;
    }
    window->is_title_old = true;
    if (key == GLFW_KEY_ESCAPE) {
        glfwSetWindowShouldClose(handle, GLFW_TRUE);
    } else if (key == GLFW_KEY_R && action == GLFW_PRESS) {
        window->wants_recording = !window->wants_recording;
        window->wants_pause = false;
    } else if (key == GLFW_KEY_P && action == GLFW_PRESS) {
        window->wants_pause = window->wants_recording && !window->wants_pause;
    } else if (key == GLFW_KEY_F9 && action == GLFW_PRESS &&
               window->loop.sample->options.capture.replay.length_ms > 0) {
        recorder_save_replay(&window->loop.recorder);
    } else if (window->loop.sample->press) {
        window->loop.sample->press(window->loop.sample->state, key);
    }
}

static void on_size(GLFWwindow *handle, int width, int height)
{
    struct window *window = glfwGetWindowUserPointer(handle);
    (void)width;
    (void)height;
    window->swapchain.is_stale = true;
    window->resized_at = glfwGetTime();
}

static VkResult create_surface(void *user, VkInstance instance, VkSurfaceKHR *surface)
{
    return glfwCreateWindowSurface(instance, user, NULL, surface);
}

static bool open_window(struct window *window)
{
    const struct options *options = &window->loop.sample->options;
    glfwSetErrorCallback(on_error);
    errno = 0;
    if (!glfwInit()) {
        return report("%s; use --headless", or_memory("no window system here"));
    }
    if (!glfwVulkanSupported()) {
        return report("%s; use --headless", or_memory("GLFW finds no Vulkan here"));
    }
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    window->handle = glfwCreateWindow((int)options->size[0], (int)options->size[1],
                                      window->loop.sample->title, NULL, NULL);
    if (!window->handle) {
        return report("%s; use --headless", or_memory("no window could be opened"));
    }
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, on_key);
    glfwSetFramebufferSizeCallback(window->handle, on_size);
    return true;
}

// Keep the window alive during the long first frame, and say in its title what it waits for.
static void show_progress(void *user, const char *text)
{
    struct window *window = user;
    char title[160];
    snprintf(title, sizeof(title), "%s \u2014 %s", window->loop.sample->title, text);
    glfwSetWindowTitle(window->handle, title);
    glfwPollEvents();
    window->is_title_old = true;
}

// ---- Its frames: acquire, render, hand to Weir, present.

static void destroy(struct gpu *gpu, void *swapchain)
{
    weir_swapchain_finish(gpu->work, swapchain);
}

static const VkImageLayout layout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;

// Weir refuses an image that can be neither sampled nor copied, and logs the reason.
static bool start_frames(struct window *window)
{
    struct gpu *gpu = &window->loop.gpu;
    const struct weir_swapchain_params *params =
        weir_swapchain_params(.surface = weir_device_get_surface(gpu->made),
                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                              .optional_usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                                VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                              // Blending and resolving happen in linear light then.
                              .prefers_srgb = true);
    gpu_own(gpu, destroy, &window->swapchain);
    return weir_ok(weir_swapchain_init(gpu->work, params, &window->swapchain),
                   "weir_swapchain_init") &&
           loop_start(&window->loop,
                      (struct sample_images){window->swapchain.image.format, layout, NUM_SLOTS});
}

static bool make_images(struct window *window)
{
    const struct weir_swapchain *swapchain = &window->swapchain;
    struct weir_image_params params = swapchain->image;
    bool ok = true;
    for (uint32_t i = 0; ok && i < swapchain->num_images; ++i) {
        params.image = swapchain->images[i];
        ok = gpu_image_init(&window->loop.gpu, &params, 0, &window->images[i]);
    }
    return ok;
}

static bool stop_recording(struct window *window)
{
    // Submissions may wait for points of the recording: they must be through before it is closed.
    return gpu_wait_all(&window->loop.gpu) && recorder_stop(&window->loop.recorder);
}

// Fit the images to the surface; `width` and `height` are the window's.
static bool resize(struct window *window, uint32_t width, uint32_t height)
{
    struct loop *loop = &window->loop;
    struct weir_swapchain *swapchain = &window->swapchain;
    const bool ok = recorder_goes_on(&loop->recorder) ? gpu_wait_all(&loop->gpu)
                                                      : stop_recording(window);
    if (!ok || !vulkan_ok(gpu_wait_idle(&loop->gpu), "vkDeviceWaitIdle")) {
        return false;
    }
    gpu_release(&loop->gpu, loop->num_kept);
    return weir_ok(weir_swapchain_resize(loop->gpu.work, swapchain, width, height),
                   "weir_swapchain_resize") &&
           make_images(window) &&
           loop_resize(loop, swapchain->image.width, swapchain->image.height);
}

// Hand the rendered frame to Weir, so that it can be presented afterwards. If Weir works on the
// queue family that renders, it signals the semaphore for which the presentation waits. If it works
// on another one, a submission of ours takes the image back and signals.
static bool record_frame(struct window *window, uint32_t slot, struct weir_frame *frame,
                         VkSemaphore presentable)
{
    struct gpu *gpu = &window->loop.gpu;
    const bool comes_back = weir_frame_changes_owner(frame);
    struct weir_point released;
    frame->signal = comes_back ? VK_NULL_HANDLE : presentable;
    if (!recorder_frame(&window->loop.recorder, frame, &released)) {
        return false;
    }
    if (!comes_back) {
        return true;
    }
    VkCommandBuffer cmd;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    if (!gpu_begin(gpu, &cmd)) {
        return false;
    }
    weir_cmd_frame_acquire(frame, cmd, stage, 0);
    const struct weir_gpu_submission submission = {
        .wait = released, .wait_stages = stage, .signals = {presentable}};
    return gpu_submit(gpu, cmd, &submission, &window->loop.done[slot]);
}

static bool render(struct window *window, uint32_t slot, double seconds, bool is_read)
{
    const struct weir_swapchain *swapchain = &window->swapchain;
    const struct recorder *recorder = &window->loop.recorder;
    const bool recording = recorder->capture;
    struct weir_frame frame = {.time_ns = recording ? recorder_time(recorder) : 0};
    const struct loop_frame draw = {
        .picture = {.slot = slot,
                    .image = &window->images[swapchain->index],
                    .number = recording ? recorder->number : window->num_frames,
                    .seconds = recording ? (double)frame.time_ns * 1e-9 : seconds},
        .wait = {swapchain->available, 0},
        .signal = recording ? VK_NULL_HANDLE : swapchain->presentable,
        .is_read = is_read,
    };
    ++window->num_frames;
    if (!loop_draw(&window->loop, draw, &frame)) {
        return false;
    }
    return !recording || record_frame(window, slot, &frame, swapchain->presentable);
}

// Draw the frame of `seconds` (while recording: at the recording's own time), record it if a
// recording is on, and present it. Nothing is rendered where the surface has changed. With
// `picture` the frame is also written to that file. False: the reason was printed.
static bool show_frame(struct window *window, double seconds, const char *picture)
{
    struct loop *loop = &window->loop;
    const uint32_t slot = (uint32_t)(window->num_frames % NUM_SLOTS);
    weir_gpu *work = loop->gpu.work;
    if (!gpu_wait(&loop->gpu, loop->done[slot])) {
        return false;
    }
    const enum weir_result acquired = weir_swapchain_acquire(work, &window->swapchain);
    if (acquired != WEIR_OK) {
        return weir_ok(acquired, "weir_swapchain_acquire");
    }
    if (picture && !(window->swapchain.image.usage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT)) {
        return report("--picture: this window's images cannot be copied; use --headless");
    }
    return render(window, slot, seconds, picture) &&
           weir_ok(weir_swapchain_present(work, &window->swapchain), "weir_swapchain_present") &&
           loop_write(loop, picture, false);
}

// ---- The loop.

static bool start(struct window *window)
{
    if (!open_window(window)) {
        return false;
    }
    struct weir_device_params params = {.create_surface = create_surface,
                                        .surface_user = window->handle};
    params.instance_extensions = glfwGetRequiredInstanceExtensions(&params.num_instance_extensions);
    window->loop.timing.show = show_progress;
    window->loop.timing.user = window;
    return loop_open(&window->loop, params) && start_frames(window);
}

// The title is made anew twice a second, and where a key may have changed it.
static void show_title(struct window *window)
{
    const double now = glfwGetTime(), since = now - window->counted_at;
    const uint64_t frames = window->num_frames;
    char title[1024], state[512] = "";
    if (since >= 0.5) {
        window->fps = (double)(frames - window->counted_frames) / since;
        window->counted_at = now;
        window->counted_frames = frames;
    } else if (!window->is_title_old) {
        return;
    }
    if (window->loop.sample->describe) {
        window->loop.sample->describe(window->loop.sample->state, state, sizeof(state));
    }
    timing_describe(&window->loop.timing, state, sizeof(state));
    if (window->loop.recorder.capture) {
        const struct weir_capture_stats stats = weir_capture_get_stats(
            window->loop.recorder.capture);
        snprintf(title, sizeof(title),
                 "%s \u2014 \u25cf %s %" PRIu64 " frames, %" PRIu64
                 " dropped \u2014 %.0f frames/s%s \u2014 P %s, R stops",
                 window->loop.sample->title, window->loop.recorder.is_paused ? "PAUSED" : "REC",
                 stats.received - stats.skipped, stats.dropped, window->fps, state,
                 window->loop.recorder.is_paused ? "resumes" : "pauses");
    } else {
        snprintf(title, sizeof(title), "%s \u2014 %.0f frames/s%s \u2014 R records",
                 window->loop.sample->title, window->fps, state);
    }
    glfwSetWindowTitle(window->handle, title);
    window->is_title_old = false;
}

// Start, stop or pause the recording as the user wishes. A new movie waits until the size has
// settled.
static bool follow_wish(struct window *window)
{
    const bool records = window->loop.recorder.capture;
    if (records == window->wants_recording) {
        return recorder_pause(&window->loop.recorder, window->wants_pause);
    }
    window->is_title_old = true;
    if (records) {
        return stop_recording(window);
    }
    if (window->loop.recorder.num_movies > 0 &&
        glfwGetTime() - window->resized_at < settle_seconds) {
        return true;
    }
    return recorder_start(&window->loop.recorder, window->images[0].weir);
}

// One turn of the loop. `*last` becomes true with the last frame.
static bool turn(struct window *window, bool *last)
{
    const struct options *options = &window->loop.sample->options;
    int width = 0, height = 0;
    glfwPollEvents();
    glfwGetFramebufferSize(window->handle, &width, &height);
    const bool closing = glfwWindowShouldClose(window->handle) || process_interrupted();
    if (width == 0 || height == 0) { // minimised: there is nothing to render to
        *last = closing;
        if (!closing) {
            glfwWaitEventsTimeout(0.25); // a signal does not wake it
        }
        return true;
    }
    if (window->swapchain.is_stale && !resize(window, (uint32_t)width, (uint32_t)height)) {
        return false;
    }
    if (!follow_wish(window)) {
        return false;
    }
    const uint64_t before = window->num_frames;
    const uint64_t number = options->output ? window->loop.recorder.number : before;
    const bool counts = !options->output || window->loop.recorder.capture;
    const bool full = counts && options->num_frames > 0 && number + 1 == options->num_frames;
    if (!show_frame(window, glfwGetTime(), closing || full ? options->picture : NULL)) {
        return false;
    }
    *last = closing || (full && window->num_frames > before);
    show_title(window);
    return true;
}

static bool finish(struct window *window, bool ok)
{
    ok = loop_close(&window->loop, ok);
    if (window->handle) {
        glfwDestroyWindow(window->handle);
    }
    glfwTerminate();
    return ok;
}

bool window_run(const struct sample *sample)
{
    const struct options *options = &sample->options;
    const bool is_replay_only = options->capture.replay.length_ms > 0 &&
                                options->capture.sink == WEIR_SINK_NULL;
    static struct window window;
    window.loop.sample = sample;
    window.wants_recording = options->output || is_replay_only;
    window.is_title_old = true;
    bool last = false, ok = start(&window);
    while (ok && !last) {
        ok = turn(&window, &last);
    }
    return finish(&window, ok);
}
