// SPDX-License-Identifier: MIT
// e2e_present: a program to be recorded, which knows nothing of Weir. The pictures of its frames
// say their numbers.
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "disturb.h"
#include "frames.h"
#include "trouble.h"

enum { NUM_SIZES = 3, SIZE_STEP = 32, SECOND_WIDER = 64, SECOND_HIGHER = 32 };
#define SECOND_NS INT64_C(1000000000)

struct program {
    struct options options;
    struct gpu gpu;
    struct display *display;
    struct window windows[MAX_WINDOWS];
    struct frames frames;
    int log;               // -1: none
    struct program *owner; // of the device, if it is another one
};

static struct program programs[MAX_THREADS]; // each with a thread

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * SECOND_NS + now.tv_nsec;
}

static int open_log(const char *path)
{
    if (!path) {
        return -1;
    }
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) {
        perror(path);
        exit(1);
    }
    return file;
}

// In one call, so that a process that ends at any time leaves whole lines.
static void write_log(int file, uint32_t number, int64_t begin_ns)
{
    char line[64];
    const int size = snprintf(line, sizeof(line), "%" PRIu32 " %" PRId64 " %" PRId64 "\n", number,
                              now_ns(), begin_ns);
    if (file >= 0 && write(file, line, (size_t)size) != size) {
        perror("e2e_present: the present log");
        exit(1);
    }
}

// The windows differ in their sizes.
static uint32_t wider(uint32_t window)
{
    return window % 2 * SECOND_WIDER;
}

static uint32_t higher(uint32_t window)
{
    return window % 2 * SECOND_HIGHER;
}

static void start(struct program *program, const struct options *chosen, uint32_t number)
{
    program->options = *chosen;
    const struct options *options = &program->options;
    const bool is_owner = number == 0 || options->own_devices;
    program->owner = is_owner ? program : &programs[0];
    program->log = number == 0 ? open_log(options->present_log) : -1;
    program->display = options->is_headless ? NULL : display_open();
    if (is_owner) {
        gpu_make_instance(&program->gpu, options);
        program->gpu.number = number;
    } else {
        program->gpu = gpu_share(&program->owner->gpu, number);
    }
    for (uint32_t w = 0; w < options->num_windows; w++) {
        window_open(&program->windows[w], program->display, &program->gpu,
                    options->width + wider(w), options->height + higher(w));
    }
    if (is_owner && options->filters_early) {
        trouble_set_filter((enum filter)options->filter, (enum forbidden)options->forbidden);
    }
    if (is_owner) {
        gpu_make_device(&program->gpu, options, program->windows[0].surface);
    }
    if (options->most_files > 0) {
        trouble_limit_files(options->most_files);
    }
    frames_init(&program->frames, &program->gpu, options, program->windows);
}

static void finish(struct program *program)
{
    frames_finish(&program->frames);
    for (uint32_t w = 0; w < program->options.num_windows; w++) {
        window_close(&program->windows[w], &program->gpu);
    }
    if (program->owner == program) {
        gpu_finish(&program->gpu);
    }
    display_close(program->display);
}

// One of three sizes, so that a size comes back too, or of seven.
static void resize(struct program *program, uint32_t turn)
{
    static const uint32_t seven[][2] = {{96, 96}, {129, 97}, {65, 161}, {1, 1},
                                        {1, 200}, {301, 1},  {192, 128}};
    const struct options *options = &program->options;
    const uint32_t more = turn % NUM_SIZES * SIZE_STEP, *other = seven[turn % 7];
    for (uint32_t w = 0; w < options->num_windows; w++) {
        const bool is_other = options->has_seven_sizes;
        window_resize(&program->windows[w], &program->gpu,
                      is_other ? other[0] : options->width + wider(w) + more,
                      is_other ? other[1] : options->height + higher(w) + more);
    }
    frames_remake(&program->frames);
}

// The other of UNORM and sRGB.
static void change_format(struct program *program)
{
    static const uint32_t pairs[][2] = {{VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB},
                                        {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB}};
    uint32_t *format = &program->options.format;
    frames_finish(&program->frames);
    for (int i = 0; i < 2; i++) {
        if (*format == pairs[i][0] || *format == pairs[i][1]) {
            *format = pairs[i][*format == pairs[i][0]];
            break;
        }
    }
    frames_init(&program->frames, &program->gpu, &program->options, program->windows);
}

// Fork: one child becomes another program, the other stays for a moment, with all that the process
// has open.
static void fork_child(bool becomes_other)
{
    const struct timespec moment = {.tv_nsec = 200000000};
    const pid_t child = fork();
    if (child < 0) {
        perror("e2e_present: fork");
        exit(1);
    }
    if (child == 0) {
        if (becomes_other) {
            execlp("true", "true", (char *)NULL);
        }
        nanosleep(&moment, NULL);
        _exit(0);
    }
}

static void pace(int64_t begin_ns, uint32_t fps, uint32_t number)
{
    if (fps > 0) {
        const int64_t due_ns = begin_ns + number * SECOND_NS / fps;
        const struct timespec due = {.tv_sec = due_ns / SECOND_NS, .tv_nsec = due_ns % SECOND_NS};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
    }
}

static void make_trouble(const struct program *program, uint32_t number)
{
    const struct options *options = &program->options;
    if (options->closes && number == options->num_frames / 3) {
        disturb_close((enum closing)options->closes, program->log);
    }
    if (options->filter != FILTER_NONE && !options->filters_early && number == options->filter_at) {
        trouble_set_filter((enum filter)options->filter, (enum forbidden)options->forbidden);
    }
    if (number == options->num_frames / 2) {
        trouble_exit_after(options->exit_after_us);
        trouble_exit_at_unlock(options->exit_at_unlock);
    }
}

static void present_all(struct program *program)
{
    const struct options *options = &program->options;
    const int64_t begin_ns = now_ns();
    for (uint32_t number = 0; number < options->num_frames; number++) {
        if (options->resize_each > 0 && number > 0 && number % options->resize_each == 0) {
            resize(program, number / options->resize_each);
        }
        if (options->recreate_each > 0 && number > 0 && number % options->recreate_each == 0) {
            frames_remake(&program->frames);
        }
        if (options->format_each > 0 && number > 0 && number % options->format_each == 0) {
            change_format(program);
        }
        if (options->forks &&
            (number == options->num_frames / 3 || number == options->num_frames * 2 / 3)) {
            fork_child(number == options->num_frames / 3);
        }
        pace(begin_ns, options->fps, number);
        if (program == &programs[0]) {
            make_trouble(program, number);
        }
        const int64_t frame_ns = now_ns();
        while (!frames_present(&program->frames, number)) {
            frames_remake(&program->frames);
        }
        write_log(program->log, number, frame_ns);
    }
}

static void print_times(struct program *program)
{
    if (program->options.times) {
        VkPhysicalDeviceProperties device;
        vkGetPhysicalDeviceProperties(program->gpu.physical, &device);
        present_times_print(&program->frames.times, device.deviceName);
    }
}

// End in any way but END_EXIT and END_LEAK, which return.
static void end_as(uint32_t end)
{
    switch (end) {
    case END_ABORT:
        abort();
    case END_SEGV:
        raise(SIGSEGV);
        break;
    case END_KILL:
        raise(SIGKILL);
        break;
    case END_EXEC:
        execlp("true", "true", (char *)NULL);
        perror("e2e_present: true");
        _exit(1);
    default:
        break;
    }
}

static void *run(void *user)
{
    present_all(user);
    return NULL;
}

// The first one on this thread.
static void run_all(uint32_t num)
{
    pthread_t threads[MAX_THREADS];
    for (uint32_t i = 1; i < num; i++) {
        if (pthread_create(&threads[i], NULL, run, &programs[i]) != 0) {
            fputs("e2e_present: no thread\n", stderr);
            exit(1);
        }
    }
    run(&programs[0]);
    for (uint32_t i = 1; i < num; i++) {
        pthread_join(threads[i], NULL);
    }
}

int main(int argc, char **argv)
{
    const struct options options = options_read(argc, argv);
    unsigned num_messages = 0;
    disturb_by_signals((enum signals)options.signals);
    for (uint32_t i = 0; i < options.num_threads; i++) {
        start(&programs[i], &options, i);
    }
    run_all(options.num_threads);
    print_times(&programs[0]);
    usleep(1000 * options.idle_ms);
    end_as(options.end);
    for (uint32_t i = options.num_threads; i-- > 0;) {
        if (options.end == END_EXIT) {
            finish(&programs[i]);
        }
        num_messages += programs[i].owner == &programs[i] ? programs[i].gpu.num_messages : 0;
    }
    while (wait(NULL) > 0) { // no child is left
    }
    if (!disturb_is_untouched()) {
        fputs("e2e_present: somebody has used a descriptor of the program\n", stderr);
        return 1;
    }
    return num_messages > 0;
}
