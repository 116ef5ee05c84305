// SPDX-License-Identifier: MIT
// Time code: the number that a movie's first frame has in hours, minutes, seconds and frames.
//
// Source: SMPTE ST 12-1, "Time and Control Code". Drop frame leaves out the first two numbers (at
// 59.94 a second: four) of each minute but every tenth.
#include "capture/movie/movie.h"

#include <stdio.h>
#include <string.h>

#define MOST_FRAMES 255 // the sample description has eight bits

struct parts {
    unsigned hours, minutes, seconds, frames;
    bool is_drop;
};

// True if a rate is so many frames a second, by one part in ten thousand.
static bool is_rate(uint64_t num, uint64_t den, uint64_t rate_num, uint64_t rate_den)
{
    const uint64_t a = num * rate_den, b = rate_num * den;
    return (a > b ? a - b : b - a) * 10000 < b;
}

// Split the text. Each part has two digits, but for frames of more than 100 a second, which may
// have three.
static bool split(const char *text, struct parts *parts)
{
    char separator = 0;
    const size_t length = strlen(text);
    bool fits = length == 11 || length == 12;
    for (size_t i = 0; fits && i < length; i++) {
        fits = i == 2 || i == 5 ? text[i] == ':'
               : i == 8         ? text[i] == ':' || text[i] == ';'
                                : text[i] >= '0' && text[i] <= '9';
    }
    fits = fits && sscanf(text, "%u:%u:%u%c%u", &parts->hours, &parts->minutes, &parts->seconds,
                          &separator, &parts->frames) == 5;
    parts->is_drop = separator == ';';
    return fits;
}

// Get how many frames of a rate are counted in a second. 0: it is none of time code.
static uint32_t frames_per_second(uint32_t rate_num, uint32_t rate_den, bool *is_fractional)
{
    const uint64_t rounded = ((uint64_t)rate_num + rate_den / 2) / rate_den;
    *is_fractional = is_rate(rate_num, rate_den, rounded * 1000, 1001);
    const bool is_known = rounded > 0 && rounded <= MOST_FRAMES &&
                          (rounded * rate_den == rate_num || *is_fractional);
    return is_known ? (uint32_t)rounded : 0;
}

// How many numbers come before a minute.
static uint32_t number_of(uint32_t minutes, uint32_t rate, uint32_t num_dropped)
{
    return minutes * 60 * rate - num_dropped * (minutes - minutes / 10);
}

// How many numbers drop frame leaves out in a minute.
static uint32_t num_dropped_of(uint32_t rate, bool is_drop)
{
    return is_drop ? rate / 15 : 0;
}

const char *weir_timecode_parse(const char *text, uint32_t rate_num, uint32_t rate_den,
                                struct weir_timecode *timecode)
{
    struct parts parts;
    bool is_fractional;
    const uint32_t rate = frames_per_second(rate_num, rate_den, &is_fractional);
    if (!split(text, &parts)) {
        return "it must be HH:MM:SS:FF, or HH:MM:SS;FF for drop frame";
    }
    if (rate == 0) {
        return "time code needs a nominal rate of a whole number of frames a second, 1 to 255, or "
               "such a number / 1.001";
    }
    if (parts.is_drop && !(is_fractional && (rate == 30 || rate == 60))) {
        return "drop frame (';') is for nominal rates of 29.97 and 59.94 frames a second; write "
               "':'";
    }
    if (parts.hours > 23 || parts.minutes > 59 || parts.seconds > 59) {
        return "it must be at most 23:59:59";
    }
    if (parts.frames >= rate) {
        return "the frame number must be below the nominal rate";
    }
    const uint32_t minutes = parts.hours * 60 + parts.minutes;
    const uint32_t num_dropped = num_dropped_of(rate, parts.is_drop);
    if (minutes % 10 != 0 && parts.seconds == 0 && parts.frames < num_dropped) {
        return "drop frame has no such number: minutes that are not a multiple of ten begin with "
               "frame 2, at 59.94 with frame 4";
    }
    *timecode = (struct weir_timecode){
        .start = number_of(minutes, rate, num_dropped) + parts.seconds * rate + parts.frames,
        .frames_per_second = rate,
        .is_drop = parts.is_drop,
    };
    return NULL;
}

struct weir_timecode weir_timecode_after(const struct weir_timecode *first, uint64_t num_frames)
{
    struct weir_timecode timecode = *first;
    const uint32_t rate = first->frames_per_second;
    if (rate > 0) {
        const uint32_t day = number_of(24 * 60, rate, num_dropped_of(rate, first->is_drop));
        timecode.start = (uint32_t)((first->start + num_frames) % day);
    }
    return timecode;
}

// Get the number that the same frame would have if drop frame left out none.
static uint32_t undropped(const struct weir_timecode *timecode)
{
    const uint32_t rate = timecode->frames_per_second;
    const uint32_t num_dropped = num_dropped_of(rate, timecode->is_drop);
    const uint32_t ten_minutes = number_of(10, rate, num_dropped);
    const uint32_t tens = timecode->start / ten_minutes, rest = timecode->start % ten_minutes;
    // The first minute of the ten is whole.
    const uint32_t minutes = rest < 60 * rate ? 0
                                              : 1 + (rest - 60 * rate) / (60 * rate - num_dropped);
    return timecode->start + num_dropped * (9 * tens + minutes);
}

void weir_timecode_format(const struct weir_timecode *timecode, char text[WEIR_TIMECODE_TEXT])
{
    const uint32_t rate = timecode->frames_per_second, number = undropped(timecode);
    const uint32_t seconds = number / rate;
    snprintf(text, WEIR_TIMECODE_TEXT, "%02u:%02u:%02u%c%02u", seconds / 3600 % 24,
             seconds / 60 % 60, seconds % 60, timecode->is_drop ? ';' : ':', number % rate);
}

uint64_t weir_timecode_num_frames(const struct weir_timecode_track *track, uint64_t ticks,
                                  uint32_t ticks_per_second)
{
    const double most = 1e18; // what 64 bits hold
    // One division of what is exact up to 2^53, so that halves are rounded up as by the capture.
    const double num = (double)ticks * track->rate_num /
                       ((double)track->rate_den * ticks_per_second);
    return num < most ? (uint64_t)(num + 0.5) : 0; // more are damage
}
