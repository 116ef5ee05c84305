// SPDX-License-Identifier: MIT
// The log receives the reason of every error and warning, with a stable code that a program or a
// test can act on.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <weir/result.h>

// How severe a message is.
enum weir_log_severity {
    WEIR_LOG_DEFAULT = 0, // as WEIR_LOG_INFO
    WEIR_LOG_ERROR = 1,   // a call failed; the text says why
    WEIR_LOG_WARNING = 2, // a call succeeded, but not as well as asked; the text names the remedy
    WEIR_LOG_INFO = 3,    // a choice that Weir made
};

// The codes of messages. They are never renumbered; new ones are appended to their group of 100.
enum weir_log_code {
    WEIR_LOG_CODE_NONE = 0,

    WEIR_LOG_CODE_NULL_ARGUMENT = 100,    // a required pointer or handle is NULL
    WEIR_LOG_CODE_OUT_OF_RANGE = 101,     // a field is outside its range
    WEIR_LOG_CODE_UNKNOWN_VALUE = 102,    // an enumeration or a name that Weir does not know
    WEIR_LOG_CODE_OUT_OF_MEMORY = 103,    // no host or device memory is left
    WEIR_LOG_CODE_VULKAN_ERROR = 104,     // a Vulkan call failed; the text has both names
    WEIR_LOG_CODE_VULKAN_VERSION = 105,   // that of the instance or the device is too old
    WEIR_LOG_CODE_MISSING_FUNCTION = 106, // the host's proc address does not know a function
    // A feature is not available or not enabled; the text has its name.
    WEIR_LOG_CODE_MISSING_FEATURE = 107,
    WEIR_LOG_CODE_MISSING_USAGE = 108,  // an image or buffer lacks a usage flag
    WEIR_LOG_CODE_MISSING_FORMAT = 109, // no kernel reads this format
    WEIR_LOG_CODE_MISSING_QUEUE = 110,  // no queue with the capabilities that are needed
    WEIR_LOG_CODE_NO_DEVICE = 111,      // no Vulkan device, or none with that number
    WEIR_LOG_CODE_DEVICE_LOST = 112,    // the device was lost, now or before
    // A limit of the device is exceeded; the text has both numbers.
    WEIR_LOG_CODE_DEVICE_LIMIT = 113,
    WEIR_LOG_CODE_DEVICE_CHOSEN = 114, // the text names the device, queues and memory in use
    WEIR_LOG_CODE_VALIDATION = 115,    // a message of the validation layer (device helper only)
    WEIR_LOG_CODE_FALLBACK = 116,      // a slower path is used; the text says why
    WEIR_LOG_CODE_SLOW_DEVICE = 117,   // a frame has waited many seconds for the GPU or the host
    WEIR_LOG_CODE_ONE_LEVEL = 118,     // a pyramid has no level to compute: its images have one
    WEIR_LOG_CODE_LIVE_OBJECTS = 119,  // a context was destroyed before its objects
    WEIR_LOG_CODE_CACHE_IGNORED = 120, // compiled kernels are damaged, or of another driver

    WEIR_LOG_CODE_BUFFER_TOO_SMALL = 200, // an encoder's buffer has no room for all blocks
    // An image differs from the one that the encoder was made for, in format, flags or transfer.
    WEIR_LOG_CODE_FORMAT_MISMATCH = 201,
    // A program's own kernel was compiled for another version of the library.
    WEIR_LOG_CODE_KERNEL_VERSION = 202,
    WEIR_LOG_CODE_KERNEL_LEFT_OUT = 203, // the library was built without this codec

    // Frames were dropped. Logged for the first one, then at most once a second; the text has the
    // number of frames, the time and the reasons.
    WEIR_LOG_CODE_FRAME_DROPPED = 300,
    WEIR_LOG_CODE_TIME_NOT_INCREASING = 301, // a time stamp is not after the last one
    WEIR_LOG_CODE_TIME_GAP = 302,   // a gap between two frames is longer than a movie can store
    WEIR_LOG_CODE_FRAME_SIZE = 303, // a frame has another size than those before it
    // Samples of audio were dropped or cut, or a gap was filled with silence. Logged at most once a
    // second for each track, and once at the end.
    WEIR_LOG_CODE_AUDIO_DROPPED = 304,
    // weir_capture_pause() was called in a pause, or weir_capture_resume() outside of one.
    WEIR_LOG_CODE_PAUSE_STATE = 305,
    // A chapter was refused or left out; the text says why.
    WEIR_LOG_CODE_CHAPTER = 306,
    // 310 and 311 are not used.

    // With weir_capture_params.rate.bytes_per_second: the content needs less than that even at the
    // best quality, or more even at quality 1. Each is logged once.
    WEIR_LOG_CODE_RATE = 312,

    WEIR_LOG_CODE_OPEN_FAILED = 400,   // a file or folder cannot be opened or made
    WEIR_LOG_CODE_WRITE_FAILED = 401,  // writing failed; the text has the system's reason
    WEIR_LOG_CODE_DISK_FULL = 402,     // no space is left; what was written stays playable
    WEIR_LOG_CODE_READ_FAILED = 403,   // an input cannot be read or decoded
    WEIR_LOG_CODE_NOT_A_PICTURE = 404, // an input holds no picture and no movie
    WEIR_LOG_CODE_PLAYER_LIMIT = 406,  // the movie is valid, but some players refuse it
    WEIR_LOG_CODE_NO_FRAMES = 407,     // a capture ended without a frame: no file was made
    WEIR_LOG_CODE_NO_INDEX = 408,      // a movie stays in fragments: complete, but slower to open
    // An output was moved, deleted or replaced while it was written; the text says where it is.
    WEIR_LOG_CODE_OUTPUT_MOVED = 409,
    // Info: a segment of a recording begins; the text has its name and time. Warning: a segment is
    // due, but cannot begin yet; the text says why.
    WEIR_LOG_CODE_SEGMENT = 410,
    // An output of libavformat cannot be opened or written, or packets for it were dropped.
    WEIR_LOG_CODE_RECEIVER = 411,
    WEIR_LOG_CODE_REPLAY_WRITTEN = 420, // a replay is complete; the text has its name and frames
    WEIR_LOG_CODE_REPLAY_FAILED = 421,  // a replay could not be written; the recording goes on
    // The replay that is being written fills the memory: the next replay will have a gap.
    WEIR_LOG_CODE_REPLAY_BEHIND = 422,
    // replay.max_bytes is less than replay.length_ms may need, or less than one frame takes, which
    // replays then lack.
    WEIR_LOG_CODE_REPLAY_MEMORY = 423,
    WEIR_LOG_CODE_SIDECAR_FAILED = 424, // the file of JSON beside a movie could not be written
};

// One message, as the log receives it.
struct weir_log_message {
    enum weir_log_severity severity;
    enum weir_log_code code;
    // One line without a newline, escaped as by weir_log_escape(). Valid during the call only.
    const char *text;
};

// A receiver of messages. Calls copy the struct. A zeroed struct receives nothing.
struct weir_log {
    // Called from any thread, also from several at a time. Must not call back into Weir. NULL: all
    // messages are thrown away.
    void (*print)(void *user, const struct weir_log_message *message);
    void *user; // the first argument of `print`
    // Messages with a higher number (less severe) are not sent. 0 = WEIR_LOG_INFO.
    enum weir_log_severity least_severity;
};

// A ready-made `print` that writes lines such as "weir: error 400: text" to standard error. `user`
// is not used. Writes nothing if `message` or its text is NULL. Thread-safe.
WEIR_API void weir_log_print_stderr(void *user, const struct weir_log_message *message);

// Write `text` to `line` as one line that is safe to print on a terminal: control characters, and
// bytes that are not UTF-8, become \x and two hexadecimal digits. (Names of files may hold them.)
// Escaping a text twice changes nothing. `line` has `line_size` bytes, the zero at the end
// included; the text is cut before the first character that does not fit. NULL for `text` counts as
// empty; if `line_size` is 0, nothing is written. Thread-safe.
WEIR_API void weir_log_escape(const char *text, char *line, size_t line_size);

// Format a message as printf() does and send it to `log`, unless `severity` is above its
// least_severity. The text is escaped as by weir_log_escape() and cut after 511 bytes. Sends
// nothing if `log` or `format` is NULL. For libraries on top of Weir. Thread-safe.
WEIR_API void weir_log_printf(const struct weir_log *log, enum weir_log_severity severity,
                              enum weir_log_code code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

// Log an error, as weir_log_printf() does, and return `result`, as in
// `return weir_fail(log, WEIR_ERROR_IO, WEIR_LOG_CODE_OPEN_FAILED, "%s: %s", path, reason)`. For
// libraries on top of Weir. Thread-safe.
WEIR_API enum weir_result weir_fail(const struct weir_log *log, enum weir_result result,
                                    enum weir_log_code code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
