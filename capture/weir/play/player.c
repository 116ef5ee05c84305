// SPDX-License-Identifier: MIT
// The player: what time it is in the movie, which frame is shown, and what the keys change.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "capture/base/clock.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/play/show.h"

#define SECOND 1000000000

struct player {
    const struct play_options *options;
    char *const *paths;      // what is played, one after the other
    size_t num_paths, place; // 1 for several pictures
    struct show_device device;
    struct show_window *window;
    struct show show;
    struct show_sound *sound;
    // The clock: at now_ns it was time_ns in the movie.
    int64_t time_ns;
    uint64_t now_ns;
    double speed;
    enum weir_result result; // of keys
    bool is_paused, loops, has_overlay;
    bool is_old; // what is shown has changed
    uint64_t num_shown, num_dropped;
    // The rate of the file, told twice a second.
    uint64_t rate_ns, rate_bytes, told_ns;
    double rate;
    char text[512]; // of which the overlay shows SHOW_MAX_TEXT
};

// Let the clock go on from a time of the movie.
static void set_clock(struct player *player, int64_t time_ns)
{
    player->time_ns = time_ns;
    player->now_ns = weir_clock_ns();
    player->is_old = true;
    show_sound_set(player->sound, time_ns, !player->is_paused && player->speed == 1);
}

static int64_t get_end(const struct player *player)
{
    const struct show *show = &player->show;
    const bool is_over = show->stream && show_stream_get(show->stream).is_over;
    return is_over                      ? show_get_time(show, 0) + 1
           : show->info.duration_ns > 0 ? show->info.duration_ns
                                        : 1;
}

// Open what is at a place, and leave what is shown.
static enum weir_result open_input(struct player *player, size_t place,
                                   const struct play_options *options)
{
    char *const one[] = {player->paths[place], NULL};
    struct show next;
    const enum weir_result result = show_init(&next, &player->device,
                                              player->num_paths > 1 ? one : player->paths, options,
                                              show_window_swaps(player->window));
    if (result != WEIR_OK) {
        show_finish(&next);
        return result;
    }
    show_sound_close(player->sound);
    show_finish(&player->show);
    player->place = place;
    player->show = next;
    player->num_shown++;
    player->rate_bytes = 0;
    player->sound = NULL;
    player->is_paused = player->is_paused ||
                        (!player->show.play && !player->show.stream && options->rate.num == 0);
    return WEIR_OK;
}

static void begin(struct player *player, int64_t time_ns)
{
    player->sound = show_sound_open(player->show.play, player->options->quiet);
    set_clock(player, time_ns);
}

// Go on with the next input that can be shown, or the one before. False: there is none.
static bool turn_page(struct player *player, int direction)
{
    struct play_options options = *player->options;
    const size_t num = player->num_paths, last = direction > 0 ? num - 1 : 0;
    options.frame = options.mip = 0;
    for (size_t i = player->place; num > 1 && (player->loops || i != last);) {
        i = (i + num + (size_t)direction) % num;
        if (i == player->place) {
            break;
        }
        if (open_input(player, i, &options) == WEIR_OK) {
            begin(player, player->speed < 0 ? get_end(player) - 1 : 0);
            return true;
        }
    }
    return false;
}

// At an end the next input comes. Behind the last it begins again at the other end, or waits there.
static void turn_round(struct player *player)
{
    const int64_t end = get_end(player);
    const bool is_behind = player->time_ns >= end;
    if ((!is_behind && player->time_ns >= 0) || turn_page(player, is_behind ? 1 : -1)) {
        return;
    }
    player->is_paused = player->is_paused || !player->loops;
    if (player->loops) {
        set_clock(player, is_behind ? player->time_ns % end : end + player->time_ns % end);
    } else {
        set_clock(player, is_behind ? end - 1 : 0);
    }
}

// Get the time of the movie: that of the sound, where there is some.
static int64_t get_time(struct player *player)
{
    const uint64_t now = weir_clock_ns();
    int64_t heard;
    if (player->is_paused) {
        return player->time_ns;
    }
    if (show_sound_get_time(player->sound, &heard)) {
        player->time_ns = heard;
    } else {
        player->time_ns += (int64_t)((double)(now - player->now_ns) * player->speed);
    }
    player->now_ns = now;
    turn_round(player);
    return player->time_ns;
}

// Show a frame near that which is shown, and stay there.
static void step(struct player *player, int64_t frames)
{
    const int64_t num = (int64_t)player->show.info.num_frames;
    int64_t frame = (int64_t)show_find(&player->show, player->time_ns) + frames;
    frame = player->loops ? (frame + num) % num : frame < 0 ? 0 : frame >= num ? num - 1 : frame;
    set_clock(player, show_get_time(&player->show, (uint64_t)frame));
}

static void set_speed(struct player *player, double speed)
{
    get_time(player);
    if (fabs(speed) >= 1.0 / 64 && fabs(speed) <= 64) {
        player->speed = speed;
    }
    set_clock(player, player->time_ns);
}

static void pause_or_go_on(struct player *player)
{
    const int64_t time_ns = get_time(player);
    const bool is_at_end = player->is_paused && !player->loops &&
                           time_ns >= player->show.info.duration_ns - 1 && player->speed > 0;
    player->is_paused = !player->is_paused;
    set_clock(player, is_at_end ? 0 : player->time_ns);
}

static void move(struct player *player, int direction)
{
    if (player->is_paused) {
        step(player, direction);
        return;
    }
    const int64_t time_ns = get_time(player) + (int64_t)direction * SECOND;
    set_clock(player, time_ns < 0 ? 0 : time_ns);
}

static void press(void *user, int glfw_key)
{
    struct player *player = user;
    player->is_old = true;
    switch (glfw_key) {
    case GLFW_KEY_SPACE:
        pause_or_go_on(player);
        break;
    case GLFW_KEY_LEFT:
    case GLFW_KEY_RIGHT:
        move(player, glfw_key == GLFW_KEY_LEFT ? -1 : 1);
        break;
    case GLFW_KEY_LEFT_BRACKET:
    case GLFW_KEY_RIGHT_BRACKET:
        set_speed(player, player->speed * (glfw_key == GLFW_KEY_LEFT_BRACKET ? 0.5 : 2));
        break;
    case GLFW_KEY_BACKSPACE:
        set_speed(player, -player->speed);
        break;
    case GLFW_KEY_UP:
    case GLFW_KEY_DOWN:
        player->result = show_stills_change_level(&player->show, glfw_key == GLFW_KEY_UP ? -1 : 1);
        break;
    case GLFW_KEY_PAGE_UP:
    case GLFW_KEY_PAGE_DOWN:
        turn_page(player, glfw_key == GLFW_KEY_PAGE_UP ? -1 : 1);
        break;
    case GLFW_KEY_HOME:
        set_clock(player, 0);
        break;
    case GLFW_KEY_L:
        player->loops = !player->loops;
        break;
    case GLFW_KEY_O:
        player->has_overlay = !player->has_overlay;
        break;
    default:
        break;
    }
}

// Count the frames between two that were shown one after the other.
static void count_dropped(struct player *player, uint64_t before, uint64_t frame)
{
    const uint64_t between = player->speed > 0 ? frame - before : before - frame;
    if (!player->is_paused && fabs(player->speed) <= 1 && between > 1 &&
        between < player->show.info.num_frames / 2) {
        player->num_dropped += between - 1;
    }
}

// Take the frame of a time, if it has been made.
static enum weir_result take_frame(struct player *player, int64_t time_ns)
{
    const uint64_t before = player->show.image.frame, frame = show_find(&player->show, time_ns);
    const double frames = fabs(player->speed) < 1 ? copysign(1, player->speed) : player->speed;
    struct show_stream *stream = player->show.stream;
    if (frame == before || (stream && player->is_paused && !show_stream_get(stream).is_over)) {
        return WEIR_OK;
    }
    const enum weir_result result = show_take(&player->show, frame, (int32_t)lround(frames));
    if (result == WEIR_OK) {
        count_dropped(player, before, frame);
        player->is_old = true;
        player->num_shown++;
    }
    // What is damaged is left out; the log says so.
    return result == WEIR_NOT_READY || result == WEIR_ERROR_DATA || result == WEIR_ERROR_IO ||
                   result == WEIR_ERROR_UNSUPPORTED
               ? WEIR_OK
               : result;
}

// The line of facts, on the picture and in the title.
static void describe(struct player *player)
{
    char level[32] = "";
    const uint64_t now = weir_clock_ns();
    const struct weir_play_stats stats = weir_play_get_stats(player->show.play);
    const int64_t time_ms = show_get_time(&player->show, player->show.image.frame) / 1000000;
    if (now - player->rate_ns >= SECOND / 2) {
        player->rate = (double)(stats.bytes - player->rate_bytes) * 1e3 /
                       (double)(now - player->rate_ns);
        player->rate_ns = now;
        player->rate_bytes = stats.bytes;
    }
    if (player->show.stills.num_levels > 1) {
        snprintf(level, sizeof(level), "  LEVEL %u/%u", player->show.stills.level,
                 player->show.stills.num_levels);
    }
    snprintf(player->text, sizeof(player->text),
             "%" PRIu64 "/%" PRIu64 "%s  %" PRId64 ":%02" PRId64 ".%03" PRId64
             "  X%.4g%s%s  %" PRIu64 " DROPPED  %.0f MB/S",
             player->show.image.frame, player->show.info.num_frames, level, time_ms / 60000,
             time_ms / 1000 % 60, time_ms % 1000, player->speed, player->is_paused ? " PAUSED" : "",
             player->loops ? " LOOP" : "", player->num_dropped, player->rate);
}

static enum weir_result show_frame(struct player *player)
{
    char title[4096];
    describe(player);
    snprintf(title, sizeof(title), "%s  %s", player->show.name, player->text);
    show_window_set_title(player->window, title);
    player->is_old = false;
    player->told_ns = weir_clock_ns();
    return show_window_present(player->window, &player->show,
                               player->has_overlay ? player->text : NULL);
}

static enum weir_result loop(struct player *player)
{
    // What has not changed is not drawn, but the facts are told anew.
    const uint64_t num = player->options->num_frames, tell_ns = SECOND / 4;
    double wait = 0;
    while (show_window_poll(player->window, wait) && (num == 0 || player->num_shown < num)) {
        WEIR_TRY(player->result);
        WEIR_TRY(take_frame(player, get_time(player)));
        const bool is_due = player->is_old || weir_clock_ns() - player->told_ns >= tell_ns;
        if (is_due) {
            WEIR_TRY(show_frame(player));
        }
        wait = is_due ? 0 : player->is_paused ? 0.02 : 0.002;
    }
    return WEIR_OK;
}

static enum weir_result start(struct player *player)
{
    const struct play_options *options = player->options;
    const struct weir_device_params device = {.index = (uint32_t)options->device,
                                              .validation = options->validation};
    const struct show_window_params window = {.title = player->paths[0],
                                              .full_screen = options->full_screen,
                                              .press = press,
                                              .user = player};
    player->window = show_window_open(&window, &device, &player->device);
    if (!player->window) {
        return WEIR_ERROR_UNSUPPORTED;
    }
    WEIR_TRY(open_input(player, 0, options));
    show_window_fit(player->window, player->show.info.width, player->show.info.height);
    WEIR_TRY(show_frame(player));
    begin(player, show_get_time(&player->show, options->frame));
    return WEIR_OK;
}

static bool are_pictures(char *const *paths)
{
    while (*paths && weir_name_is_picture(*paths)) {
        paths++;
    }
    return !*paths;
}

enum weir_result show_player_run(char *const *paths, const struct play_options *options)
{
    struct player player = {.options = options,
                            .paths = paths,
                            .speed = options->speed,
                            .is_paused = options->paused,
                            .loops = options->loops,
                            .has_overlay = !options->no_overlay};
    if (options->speed == 0) {
        return cli_fail(WEIR_ERROR_INVALID, "--speed 0 shows nothing; use --paused");
    }
    while (paths[player.num_paths]) {
        player.num_paths++;
    }
    player.num_paths = are_pictures(paths) ? 1 : player.num_paths;
    cli_interrupt_catch();
    enum weir_result result = start(&player);
    if (result == WEIR_OK) {
        result = loop(&player);
        cli_report_note(options->quiet, "%" PRIu64 " frames shown, %" PRIu64 " dropped",
                        player.num_shown, player.num_dropped);
    }
    show_sound_close(player.sound);
    show_finish(&player.show);
    show_window_close(player.window);
    const bool is_valid = show_device_close(&player.device);
    show_window_end();
    return result == WEIR_OK && !is_valid ? WEIR_ERROR_VULKAN : result;
}
