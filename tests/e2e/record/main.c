// SPDX-License-Identifier: MIT
// e2e_fake_layer [OPTION VALUE...]: a program that "presents" frames by a fake layer. It prints how
// many, and needs no recorder.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fake_layer.h"

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void sleep_until(int64_t time_ns)
{
    const struct timespec until = {.tv_sec = time_ns / 1000000000, .tv_nsec = time_ns % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0) {
    }
}

// False: there is no such option, or it does not take that.
static bool read_option(struct fake_options *options, const char *name, const char *value)
{
    const struct {
        const char *name;
        uint32_t *first, *second; // of NUMBER or NUMBERxNUMBER
    } table[] = {
        {"--frames", &options->frames, NULL},
        {"--fps", &options->fps, NULL},
        {"--windows", &options->windows, NULL},
        {"--lose", &options->every_lost, NULL},
        {"--format", &options->format, NULL},
        {"--color-space", &options->color_space, NULL},
        {"--child", &options->child_frames, NULL},
        {"--exit", &options->status, NULL},
        {"--kill", &options->signal, NULL},
        {"--fast", &options->is_fast, NULL},
        {"--idle", &options->idle_ms, NULL},
        {"--gone", &options->is_gone, NULL},
        {"--new-each", &options->is_new_each, NULL},
        {"--size", &options->width, &options->height},
        {"--resize", &options->resized_width, &options->resized_height},
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(name, table[i].name) == 0) {
            uint32_t none, *second = table[i].second ? table[i].second : &none;
            return sscanf(value, "%ux%u", table[i].first, second) > 0;
        }
    }
    const char **text = strcmp(name, "--hostile") == 0   ? &options->hostile
                        : strcmp(name, "--without") == 0 ? &options->without
                        : strcmp(name, "--until") == 0   ? &options->until
                                                         : NULL;
    if (text) {
        *text = value;
    }
    return text != NULL;
}

static void resize(struct fake_layer *layer, uint32_t width, uint32_t height)
{
    for (uint32_t w = 0; w < layer->options->windows; w++) {
        fake_layer_end_stream(layer, w);
        fake_layer_begin_stream(layer, w, width, height);
    }
}

// Show the last frame, or no window, for a while.
static void be_idle(struct fake_layer *layer, int64_t start_ns)
{
    const struct fake_options *options = layer->options;
    const int64_t end_ns = now_ns() + (int64_t)options->idle_ms * 1000000;
    if (options->idle_ms == 0) {
        return;
    }
    for (uint32_t w = 0; w < options->windows && options->is_gone; w++) {
        fake_layer_end_stream(layer, w);
    }
    printf("idle after %.6f s\n", (double)(now_ns() - start_ns) / 1e9);
    fflush(stdout);
    sleep_until(end_ns);
    printf("lasted %.6f s\n", (double)(now_ns() - start_ns) / 1e9);
    fflush(stdout);
}

static void present_all(struct fake_layer *layer, uint32_t frames)
{
    const struct fake_options *options = layer->options;
    for (uint32_t w = 0; w < options->windows && strcmp(options->without, "window") != 0; w++) {
        fake_layer_begin_stream(layer, w, options->width, options->height);
    }
    const int64_t period_ns = 1000000000 / options->fps, start_ns = now_ns();
    const bool has_end = !options->until;
    for (uint32_t i = 0; has_end ? i < frames : access(options->until, F_OK) != 0; i++) {
        const int64_t time_ns = start_ns + i * period_ns;
        if (!options->is_fast) {
            sleep_until(time_ns);
        }
        if (i == frames / 2 && options->resized_width > 0) {
            resize(layer, options->resized_width, options->resized_height);
        }
        if (i > 0 && options->is_new_each) {
            layer->num_gone += options->windows;
            resize(layer, options->width, options->height);
        }
        if (i == frames / 2 && options->signal != 0) {
            be_idle(layer, start_ns);
            signal((int)options->signal, SIG_DFL); // a sanitizer would print a report
            kill(getpid(), (int)options->signal);
        }
        for (uint32_t w = 0; w < options->windows; w++) {
            fake_layer_present(layer, w, i, time_ns);
        }
    }
    be_idle(layer, start_ns);
}

// Leave a child that records when this process has ended.
static bool become_child(struct fake_layer *layer)
{
    const pid_t parent = getpid();
    if (fork() != 0) {
        return false;
    }
    while (getppid() == parent) {
        usleep(10000);
    }
    usleep(300000);
    return fake_layer_connect(layer, layer->options);
}

int main(int argc, char **argv)
{
    struct fake_options options = {
        .frames = 30,
        .fps = 60,
        .windows = 1,
        .width = 64,
        .height = 48,
        .format = 44, // VK_FORMAT_B8G8R8A8_UNORM
        .without = "nothing",
    };
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 >= argc || !read_option(&options, argv[i], argv[i + 1])) {
            fprintf(stderr, "e2e_fake_layer: %s?\n", argv[i]);
            return 2;
        }
    }
    struct fake_layer layer = {.options = &options, .socket = -1};
    if (options.child_frames > 0) {
        if (become_child(&layer)) {
            present_all(&layer, options.child_frames);
        }
        return (int)options.status;
    }
    if (strcmp(options.without, "link") != 0 && !fake_layer_connect(&layer, &options)) {
        printf("no recorder\n");
    }
    if (options.hostile && !fake_hostile_run(&layer, options.hostile)) {
        return 2;
    }
    present_all(&layer, options.frames);
    printf("presented %llu, sent %llu, lost %llu%s\n", (unsigned long long)layer.num_presented,
           (unsigned long long)layer.num_sent, (unsigned long long)layer.num_lost,
           layer.socket < 0 ? ", alone" : "");
    return (int)options.status;
}
