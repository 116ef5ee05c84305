// SPDX-License-Identifier: MIT
// Capture (libweir-capture): writes rendered frames to a movie file while the renderer goes on.
//
// This header has what every capture needs, and includes the optional parts: audio.h, pause.h,
// chapter.h, segments.h, replay.h, preview.h, sink.h (a program's own sink) and stats.h. For frames
// that are already compressed into blocks see blocks.h.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/audio.h>
#include <weir/chapter.h>
#include <weir/context.h>
#include <weir/encode.h>
#include <weir/frame.h>
#include <weir/image.h>
#include <weir/movie.h>
#include <weir/pause.h>
#include <weir/preview.h>
#include <weir/replay.h>
#include <weir/result.h>
#include <weir/segments.h>
#include <weir/sink.h>
#include <weir/stats.h>

// A movie that is being written.
//
// One thread at a time may call weir_capture_frame(), weir_capture_pause() and
// weir_capture_resume(). For each audio track one thread at a time may call weir_capture_audio().
// Any thread may call weir_capture_get_params(), weir_capture_get_stats(), weir_capture_chapter()
// and weir_capture_save_replay(). All of these may run at the same time, but none during
// weir_capture_close().
//
// A capture owns one thread, the writing thread, which waits for the GPU, builds packets and writes
// them. Depending on its params it owns more threads: to compress, to sync each open movie to the
// disk, to write replays, and with segments to complete a movie. They block all signals
// but those that a thread raises itself, such as SIGSEGV.
typedef struct weir_capture weir_capture;

// What happens to a frame when every slot is in use because the disk or the GPU is too slow.
enum weir_policy {
    WEIR_POLICY_DROP = 0, // the frame is dropped and counted; the render loop never waits
    WEIR_POLICY_WAIT = 1, // weir_capture_frame() sleeps until a slot is free; no frame is lost
};

// The second compression of a packet, after the compression into blocks. Every HAP player reads
// both.
enum weir_compression {
    WEIR_COMPRESSION_NONE = 0, // fastest; all frames have the same size
    // Smaller where the picture is simple. A frame is compressed as one section, or as `num_chunks`
    // sections in parallel. A frame that does not get smaller is stored uncompressed.
    WEIR_COMPRESSION_SNAPPY = 1,
};

// Where SNAPPY packets are compressed. The streams of GPU and CPU differ, but decode to the same
// bytes.
enum weir_packing {
    // The GPU where weir_snappy_is_advised(), else the processor.
    WEIR_PACKING_AUTO = 0,
    // The GPU, after the encoder: only packed bytes are copied to the host. weir_capture_open()
    // then also returns the errors of weir_snappy_create().
    WEIR_PACKING_GPU = 1,
    WEIR_PACKING_CPU = 2, // the processor; threads: the smaller of cores and chunks
};

// A value of weir_capture_movie_params.sync_ms.
#define WEIR_SYNC_NEVER UINT32_MAX

// A value of weir_capture_rate_params.num_chunks: 1 for frames up to HD (1920x1088 texels), for
// larger ones the number of cores of this machine, at most 64.
#define WEIR_CHUNKS_AUTO UINT32_MAX

// A number as a fraction, each part 1 .. 2^31-1. Both parts 0 = the default.
struct weir_ratio {
    uint32_t num, den;
};

// How frames become blocks.
struct weir_capture_encoding_params {
    // LIVE, or at most weir_movie_codec_info.max_effort. The effort changes neither format nor size
    // of a movie without SNAPPY. HAP_R and HAP_HDR are fast enough for a renderer only at LIVE and
    // FAST (docs/encoders.md).
    enum weir_effort effort;
    // See weir_encoder_params; for the colours of HAP, HAP_ALPHA, HAP_Q and HAP_Q_ALPHA.
    enum weir_decoder_model decoder;
    // Still parts of the picture flicker less: see weir_encoder_params, and with a quality or a
    // rate weir_rdo_params. Not for HAP_HDR; for HAP_R only with a quality or a rate. Frames that
    // were dropped or skipped do not count as the frame before.
    bool steady;
    bool no_dither; // see weir_encoder_params
};

// The size of a movie.
struct weir_capture_rate_params {
    // For all codecs but HAP_HDR, with SNAPPY: less quality for fewer bytes, 1 .. 100, see
    // weir_rdo_params. 0 = 100: nothing is changed. With bytes_per_second: the best quality of
    // frames.
    uint32_t quality;
    // For the same codecs, with SNAPPY: the wanted packet bytes for each second of the movie. 0 =
    // any. The quality of each frame, 1 .. `quality`, is chosen accordingly. From the third second
    // on any two seconds have that many bytes, within 3 %, except for
    // - content that needs less at the best quality, or more at quality 1 (weir_quality_stats): no
    //   frame is padded or left out for it;
    // - frames already in flight at a scene cut, which keep the old quality.
    // Between neighbouring frames quality changes by at most 0.5 dB, except where the content
    // changes and for half a second after a cut. With WEIR_POLICY_WAIT the same frames give the
    // same movie: weir_capture_frame() also sleeps until the GPU has finished the second-last
    // frame, which must not depend on later work of the host. With DROP the movie depends on how
    // fast frames come.
    uint64_t bytes_per_second;
    enum weir_compression compression;
    // With SNAPPY: the number of chunks of a texture, 1 .. 64, or WEIR_CHUNKS_AUTO. 0 = 1. Chunks
    // are compressed and decompressed in parallel. All have the same number of blocks, so the
    // largest divisor of the texture's number of blocks that is at most num_chunks is used.
    uint32_t num_chunks;
    enum weir_packing packing; // with SNAPPY. weir_capture_get_params() has GPU or CPU
};

// Which frames a movie has, and their times.
struct weir_capture_timing_params {
    // The nominal frame rate [frames a second], for the movie's header, and for the duration of its
    // last frame unless weir_capture_close_at() gives it another. 0 = max_rate if set, else 60/1.
    // Without constant_rate frames have the times of weir_frame.time_ns.
    struct weir_ratio frame_rate;

    // The most frames a second that are recorded. 0 = all frames. A frame is due every den / num
    // seconds; the frame nearest to that time is recorded, with its own time. Others are skipped:
    // weir_capture_frame() returns WEIR_SKIPPED at once. So 60/1 records exactly 60 of 144 frames
    // in every second, 13.9 or 20.8 ms apart. Frames of a renderer that is not faster than max_rate
    // are all recorded, even if they jitter by a quarter of den / num: after a frame that is late
    // by more than half of den / num, the next one is due den / num later. A due frame that is
    // dropped is not replaced by the next one.
    struct weir_ratio max_rate;

    // The movie has a frame every 1 / frame_rate seconds, for media servers that require it. Each
    // frame is moved to the nearest of these times. If several fall on one time, the first is
    // recorded and the others are skipped (WEIR_SKIPPED). If none does, because the renderer was
    // late or frames were dropped, the frame before is written again: the sink gets its packet once
    // more, and it counts as repeated. A gap of more than 60 s is not filled: frames after it are
    // dropped (WEIR_DROP_TIME), or with segments begin another movie. frame_rate must be 1 to 1000
    // frames a second, with num in lowest terms at most 1000000, so that times are exact. num_slots
    // is at most 63. Set max_rate too only if it is lower than frame_rate.
    bool constant_rate;

    // Optional, for MOV: the time code of the first frame, "HH:MM:SS:FF", or "HH:MM:SS;FF" for drop
    // frame. The movie gets a time code track (QuickTime: tmcd), which counts frames of the nominal
    // rate in the movie's time. frame_rate must be a whole number up to 255, or such a number /
    // 1.001. Drop frame is for 29.97 and 59.94; it has no frames 0 and 1 (at 59.94: 0 to 3) in
    // minutes that are not a multiple of ten. Each segment has the time code of its own first
    // frame. Other sinks check the value and ignore it.
    const char *timecode;
};

// The description of frames in the movie, and how the movie is stored.
struct weir_capture_movie_params {
    // The colours of the images are multiplied by their alpha; a movie with alpha states it
    // (QuickTime: graphics mode 0x102). By default alpha is straight (0x100). Nothing is converted.
    bool premultiplied;
    // Round the movie's size up to multiples of 4, as some media servers require; edge texels are
    // repeated. By default players show the true size.
    bool pad;
    // The width of a pixel to its height, for MOV (the box pasp). 0 = square pixels. Editors and
    // movie players use it; media servers that draw HAP as a texture ignore it.
    struct weir_ratio pixel_aspect;
    // Optional, for MOV: a title and a comment, UTF-8, cut after WEIR_MAX_MOVIE_TEXT bytes at a
    // whole character; and when the content was made [s since 1970, UTC]. 0, and a time before 1904
    // or after 2040: not said. Players show them; each segment and replay has them.
    const char *title, *comment;
    int64_t creation_time;

    // For MOV: the longest time before a written frame is on the disk [ms]. 0 = 1000. A power cut
    // loses at most the frames of that time and the one that is being written. A separate thread
    // calls fdatasync(); the writing thread never waits for it. If it fails, that is a failure of
    // the writing thread, WEIR_ERROR_IO. WEIR_SYNC_NEVER: the system decides when to store frames,
    // on some file systems after half a minute; only the index is written in order.
    uint32_t sync_ms;
    // For MOV: write statistics as JSON to a file beside the movie, `path`.json: facts of the
    // movie, the final weir_capture_stats, and number, time and reason of every dropped frame
    // (docs/capture.md). It appears when the capture is closed, if a frame was written, and
    // replaces an existing file. If the file cannot be created, weir_capture_open() fails; if it
    // cannot be written later, that is only logged (WEIR_LOG_CODE_SIDECAR_FAILED).
    bool sidecar;
};

// All pointers are read during weir_capture_open() only, except for `callbacks`, which are copied.
struct weir_capture_params {
    const char *debug_tag;
    // Required for MOV and HASH. The file is created or replaced when the first frame is written; a
    // capture without frames leaves an existing file unchanged. A replaced file of this user passes
    // its mode, and its group if the system permits, to the new one. Links are followed, but not
    // those that have the name of a segment or sidecar: they are replaced. WEIR_ERROR_IO refuses a
    // file that another capture, of any program, writes. It refuses links and files of another user
    // in a sticky folder that all may write, such as /tmp.
    const char *path;
    enum weir_sink sink;
    // For CALLBACK. With another sink they may be set too, and get every packet beside it; see
    // weir_sink_callbacks.
    struct weir_sink_callbacks callbacks;
    // HAP_HDR requires images of R16G16B16A16_SFLOAT. Codecs without alpha ignore that of the
    // images.
    enum weir_movie_codec codec;
    enum weir_policy policy;
    uint32_t num_slots; // frames in flight, 2 .. 64 (63 with constant_rate); 0 = 8
    // Required: an image of the format and size of all frames (with segments or on_resize: of the
    // first); see weir_encoder_params.like. Its sides are 1 .. 65535 texels.
    const weir_image *like;
    // What happens to a frame of another size than `like`. With FIT and PAD the movie has one size,
    // and such a frame needs what weir_readback_resize says. Not for frames of blocks.
    enum weir_resize on_resize;
    struct weir_capture_encoding_params encoding;
    struct weir_capture_rate_params rate;
    struct weir_capture_timing_params timing;
    struct weir_capture_movie_params movie;
    struct weir_capture_segments_params segments; // segments.h
    struct weir_capture_audio_params audio;       // audio.h
    struct weir_capture_replay_params replay;     // replay.h
    struct weir_capture_preview_params preview;   // preview.h
};
#define weir_capture_params(...) WEIR_PARAMS(weir_capture_params, __VA_ARGS__)

// Open the movie and create everything that frames need: kernels, slots, threads. The context must
// outlive the capture. Messages go to the context's log.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN,
// WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL, or the error of callbacks.open(). No file is left behind
// then. Thread safety: any thread.
WEIR_API enum weir_result weir_capture_open(weir_context *context,
                                            const struct weir_capture_params *params,
                                            weir_capture **out);

// Hand over a frame. Submits its encoding to Weir's queue, where it waits for frame->wait, and
// returns.
//
// `*released`, if `released` is not NULL, becomes the timeline point at which the image is the
// host's again. frame->signal is signalled at the same time. The semaphore of the point belongs to
// the capture: submissions of the host that wait for it must have finished before
// weir_capture_close().
//
// Whatever the result, the frame's image comes back: frame->wait is waited for, and frame->signal
// and `released` are signalled, also if the frame is dropped, refused or lost. So the host's loop
// can present and go on after every result. Exceptions, where nothing is waited for or signalled,
// and `*released` becomes {VK_NULL_HANDLE, 0}:
// - `capture` or `frame` is NULL, or frame->image belongs to another device;
// - the capture is one of blocks (blocks.h), which is WEIR_ERROR_INVALID;
// - WEIR_ERROR_DEVICE_LOST: every wait on the device then returns that error;
// - the device has no memory for even an empty submission (WEIR_ERROR_OUT_OF_MEMORY or
//   WEIR_ERROR_VULKAN).
// If a refused frame has no image, one of another context, no layout, or a queue family that the
// device does not have, only its semaphores are waited for and signalled; see weir_readback_pass().
//
// WEIR_DROPPED: no slot was free and the policy is not WAIT; or time_ns is not after that of the
// last frame, or later than a movie without segments can store. The log has a warning
// (WEIR_LOG_CODE_FRAME_DROPPED) for the first dropped frame, then one a second with the number of
// frames dropped since, and the rest when the capture is closed.
// WEIR_SKIPPED: the frame is in a pause, or earlier than max_rate or constant_rate allow. Not
// logged.
// Errors: WEIR_ERROR_INVALID (NULL, another context, no layout, a queue family that the device does
// not have, without segments another format, or without segments and on_resize another size; such a
// frame is not counted, and its time may be used again), WEIR_ERROR_UNSUPPORTED (on_resize: an
// image without TRANSFER_SRC; this frame is lost), WEIR_ERROR_OUT_OF_MEMORY (of the device or the
// host; this frame is lost), WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
// WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL and every other failure of the writing thread, such as an
// error of callbacks.packet(), are sticky: every later call returns them too, unless it refuses its
// frame with WEIR_ERROR_INVALID.
// Allocates only for the first frame of another size or format. Blocks only with WEIR_POLICY_WAIT,
// and where weir_readback_pass() blocks.
//
// With segments a frame may have another size or format than the one before it. The call then
// creates again what weir_capture_open() created for params.like, once a slot is free; the old
// objects are freed when their last frame is written. If that fails, it returns an error of
// weir_capture_open(), and frames as before are still accepted. All points in `released` stay
// valid.
// Thread safety: one thread at a time, and not during weir_capture_pause(), weir_capture_resume()
// and weir_capture_close().
WEIR_API enum weir_result weir_capture_frame(weir_capture *capture, const struct weir_frame *frame,
                                             struct weir_point *released);

// Get the params in force, defaults filled in; pointers are NULL. All fields are zero for NULL.
// Thread-safe.
WEIR_API struct weir_capture_params weir_capture_get_params(const weir_capture *capture);

// Write the frames in flight, complete the movie and free everything. `*stats`, if `stats` is not
// NULL, becomes the final statistics. NULL and a pointer to NULL are allowed; sets `*capture` to
// NULL. Returns the first failure of the writing thread or of completing the movie. WEIR_OK: every
// written frame and the index are on the disk. Two exceptions: an index for which there is no room
// is left out (WEIR_LOG_CODE_NO_INDEX), and with WEIR_SYNC_NEVER the system decides when the index
// becomes visible on the disk.
// If another program moved or deleted the movie meanwhile, it gets its name back, with a warning
// (WEIR_LOG_CODE_OUTPUT_MOVED). If another file has that name, the log has the movie's name, and
// the call returns WEIR_ERROR_IO.
// Thread safety: no other call of the capture may run at the same time.
WEIR_API enum weir_result weir_capture_close(weir_capture **capture,
                                             struct weir_capture_stats *stats);

// The same, and the movie ends at `time_ns`, by the clock of weir_frame.time_ns: its last frame is
// shown until then. With weir_capture_close() it has the nominal duration, 1 / frame_rate, also if
// the renderer had nothing new to show for minutes. So a recording should end at the time at which
// it was stopped.
//
// With constant_rate the last frame is repeated at each 1 / frame_rate before `time_ns`. In a pause
// the movie ends where the pause begins. Audio tracks are neither cut nor filled. The last frame
// has the nominal duration if `time_ns` is not after it, and at most the longest gap between two
// frames that the movie allows: 6.6 hours or so, with constant_rate 60 s. A later `time_ns` is
// logged (WEIR_LOG_CODE_TIME_GAP).
// Results and thread safety: as weir_capture_close().
WEIR_API enum weir_result weir_capture_close_at(weir_capture **capture, int64_t time_ns,
                                                struct weir_capture_stats *stats);
