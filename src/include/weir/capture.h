// SPDX-License-Identifier: MIT
// Capture (libweir-capture): writes rendered frames to a movie file while the renderer goes on.
//
// This header has what every capture needs. It includes those of what a capture may have besides:
// audio (audio.h), pauses (pause.h), chapters (chapter.h), segments (segments.h), replays
// (replay.h), sinks of the program's own (sink.h) and statistics (stats.h). Frames that are
// compressed into blocks already have blocks.h.
#ifndef WEIR_CAPTURE_H
#define WEIR_CAPTURE_H

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
#include <weir/replay.h>
#include <weir/result.h>
#include <weir/segments.h>
#include <weir/sink.h>
#include <weir/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

// A movie that is being written.
//
// One thread at a time may call weir_capture_frame(), weir_capture_pause() and
// weir_capture_resume(), and for each audio track one weir_capture_audio(). Any thread may call
// weir_capture_get_params(), weir_capture_get_stats(), weir_capture_chapter() and
// weir_capture_save_replay(). All of these calls may run beside each other, and none of them beside
// weir_capture_close().
//
// A capture owns one thread, the writing thread, that waits for the GPU, builds packets and writes
// them. It may own more: some that compress, one for each open movie that makes the disk store it,
// one that writes replays, and with segments one that completes a movie. They block all signals.
typedef struct weir_capture weir_capture;

// How a frame is treated when every slot is in use because the disk or the GPU is behind.
enum weir_policy {
    WEIR_POLICY_DROP = 0, // the frame is dropped and counted; the render loop never waits
    WEIR_POLICY_WAIT = 1, // weir_capture_frame() sleeps until a slot is free; no frame is lost
};

// The second compression of a packet, after the compression into blocks. Every HAP player reads
// packets of both kinds.
enum weir_compression {
    WEIR_COMPRESSION_NONE = 0, // fastest; all frames have the same size
    // Smaller where the picture is simple. A frame is compressed as one section, or as `num_chunks`
    // sections in parallel. A frame that does not get smaller is stored uncompressed.
    WEIR_COMPRESSION_SNAPPY = 1,
};

// The compressor of SNAPPY packets, on the GPU or on processors. Their streams differ, but decode
// to the same bytes.
enum weir_packing {
    // The GPU where weir_snappy_is_advised(), else the processor.
    WEIR_PACKING_AUTO = 0,
    // The GPU, behind the encoder: only packed bytes are brought to the host, and no thread packs.
    // Errors are those of weir_snappy_create().
    WEIR_PACKING_GPU = 1,
    WEIR_PACKING_CPU = 2, // the processor, by as many threads as there are cores and chunks
};

// A value of weir_capture_movie_params.sync_ms.
#define WEIR_SYNC_NEVER UINT32_MAX

// A value of weir_capture_rate_params.num_chunks: one chunk for frames up to HD (1920x1088 texels),
// and for larger ones as many as this machine has cores, at most 64.
#define WEIR_CHUNKS_AUTO UINT32_MAX

// A number as a fraction, each part 1 .. 2^31-1. Both parts 0 = the default.
struct weir_ratio {
    uint32_t num, den;
};

// How frames become blocks.
struct weir_capture_encoding_params {
    // LIVE, or at most weir_movie_codec_info.max_effort. Movies of every effort have the same
    // format and size. HAP_R and HAP_HDR keep up with a renderer at LIVE and FAST only
    // (docs/encoders.md).
    enum weir_effort effort;
    // See weir_encoder_params; for the colours of HAP, HAP_ALPHA, HAP_Q and HAP_Q_ALPHA.
    enum weir_decoder_model decoder;
    // For HAP, HAP_ALPHA, HAP_Q, HAP_Q_ALPHA and HAP_ALPHA_ONLY: see weir_encoder_params; with a
    // quality or a rate for these and HAP_R: see weir_rdo_params. The frame before is the last one
    // of that size and format that was encoded: frames that are dropped or skipped do not count.
    bool steady;
    bool no_dither; // see weir_encoder_params
};

// How many bytes a movie has.
struct weir_capture_rate_params {
    // For all but HAP_HDR, with SNAPPY: how much quality is given for fewer bytes, 1 .. 100, see
    // weir_rdo_params. 0 = 100: none. With bytes_per_second: the best quality that frames get.
    uint32_t quality;
    // For the same codecs, with SNAPPY: how many bytes a second the packets of the movie are to
    // have, by the times of frames. 0 = any. The quality of each frame is chosen for that, 1 ..
    // `quality`. From the third second on any two seconds have that many bytes, within 3 %, except
    // for
    // - content that needs less at the best quality, or more at quality 1 (weir_quality_stats): no
    //   frame is padded or left out for it;
    // - frames already in flight at a scene cut, which keep the old quality.
    // Between neighbouring frames quality changes by at most 0.5 dB, except where the content
    // changes and for half a second after a cut. With WEIR_POLICY_WAIT the same frames become the
    // same movie: weir_capture_frame() also sleeps until the GPU has finished the second-last
    // frame, which must not wait for what the host does later. With DROP it depends on how fast
    // frames come.
    uint64_t bytes_per_second;
    enum weir_compression compression;
    // With SNAPPY: the number of chunks of a texture, 1 .. 64, or WEIR_CHUNKS_AUTO, which are
    // compressed in parallel. 0 = 1. All chunks have as many blocks, so the largest divisor of the
    // texture's number of blocks that is at most num_chunks is used.
    uint32_t num_chunks;
    enum weir_packing packing; // with SNAPPY. Read back, it is GPU or CPU
};

// Which frames a movie has, and at which times.
struct weir_capture_timing_params {
    // The nominal frame rate [frames a second], for the movie's header and for the duration of its
    // last frame. 0 = max_rate where there is one, else 60/1. The times of frames come from
    // weir_frame.time_ns, unless constant_rate is set.
    struct weir_ratio frame_rate;

    // The most frames a second that are recorded. 0 = all frames. Of a renderer with 144 frames a
    // second 60/1 records 60. Which ones follows from their times alone: one frame is due every
    // den / num seconds, and the frame nearest to that time is recorded, with its own time. So
    // frames are spaced as evenly as those of the renderer allow (60 of 144: 13.9 or 20.8 ms), and
    // there is no drift: 60 in every second. The others are skipped: weir_capture_frame() gives
    // them back at once and answers WEIR_SKIPPED. A renderer that is slower than max_rate, or as
    // fast, is recorded whole: after a frame that is late by more than half of den / num the next
    // is due den / num later, so frames that jitter by up to a quarter of it are all recorded. A
    // due frame that is dropped is not replaced by the next one.
    struct weir_ratio max_rate;

    // The movie has a frame every 1 / frame_rate seconds from the first to the last, for media
    // servers that play nothing else. Frames are put on the nearest of these times. Where several
    // fall on one the first is recorded, and the others are skipped (WEIR_SKIPPED). Where none
    // falls, because the renderer was late or frames were dropped, the frame before is written
    // again and counts as repeated; a sink gets that packet once more. A gap of more than 60 s is
    // not filled: frames after it are dropped (WEIR_DROP_TIME), or with `segments` begin a movie of
    // their own. The times are exact: frame_rate is 1 to 1000 frames a second, and num, in lowest
    // terms, at most 1000000. One slot more than num_slots is made, which is then at most 63.
    // By default (variable rate) frames have their own times. A max_rate is needed beside it only
    // where it is lower.
    bool constant_rate;

    // Optional, for MOV: the time code of the first frame, "HH:MM:SS:FF", or "HH:MM:SS;FF" for drop
    // frame. The movie gets a track of time code (QuickTime: tmcd). It counts frames of the nominal
    // rate by the time of the movie, which is the number of frames with constant_rate. frame_rate
    // is a whole number up to 255, or such a number / 1.001; drop frame is for 29.97 and 59.94, and
    // has no frames 0 and 1 (at 59.94: 0 to 3) in minutes that are no multiple of ten. Segments
    // have that of their own first frame. Other sinks check it, and have no track for it.
    const char *timecode;
};

// What a movie says of its frames, and how it is stored.
struct weir_capture_movie_params {
    // The colours of the images are multiplied by their alpha, on black, and a movie with alpha
    // says so (QuickTime: graphics mode 0x102). By default alpha is straight (0x100). Nothing is
    // converted.
    bool premultiplied;
    // Round the size of the movie up to multiples of 4, as some media servers want it; frames have
    // their edge texels repeated. By default players show the true size.
    bool pad;
    // The width of a pixel to its height. 0 = square pixels. For MOV the movie says it (the box
    // pasp). Editors and players of movies show frames so; players that draw HAP as a texture, as
    // media servers do, take its texels as squares.
    struct weir_ratio pixel_aspect;

    // For MOV: how long a frame may be in the file before the disk has it [ms]. 0 = 1000. A power
    // cut loses the frames of that time and the one that is being written. A thread of its own
    // makes the disk store them (fdatasync); the writing thread never waits for it. A disk that
    // fails to store them is a failure of the writing thread, WEIR_ERROR_IO.
    // WEIR_SYNC_NEVER: the system stores them when it thinks fit, half a minute later on some file
    // systems; only the index is written in order.
    uint32_t sync_ms;
    // For MOV: write statistics as JSON to a file beside the movie, `path`.json: what the movie is,
    // all that weir_capture_close() answers, and number, time and reason of every dropped frame
    // (docs/capture.md). It gets its name when the capture is closed, if a frame was written, and
    // replaces what has that name. If the file cannot be made, weir_capture_open() fails; if it
    // cannot be written later, that is logged (WEIR_LOG_CODE_SIDECAR_FAILED) and is no failure.
    bool sidecar;
};

// All pointers are read during weir_capture_open() only, except for `callbacks`, which are copied.
struct weir_capture_params {
    const char *debug_tag;
    // Required for MOV and HASH. The file is created, or replaced, when the first frame is written;
    // a capture without frames leaves an existing file unchanged. A file that is replaced gives its
    // mode to the new one and, where the system permits it, its owner. Two captures, of any
    // programs, cannot write the same file at once: the second is refused with WEIR_ERROR_IO.
    const char *path;
    enum weir_sink sink;
    struct weir_sink_callbacks callbacks; // for CALLBACK
    // The kind of HAP. HAP_HDR takes images of R16G16B16A16_SFLOAT only. Alpha is taken as the
    // images have it; codecs without alpha do not read it.
    enum weir_movie_codec codec;
    enum weir_policy policy;
    uint32_t num_slots; // frames in flight, 2 .. 64; 0 = 8
    // Required: an image of the format and the size of all frames, or with `segments` of the first
    // ones; see weir_encoder_params.like. Its sides are 1 .. 65535 texels.
    const weir_image *like;
    struct weir_capture_encoding_params encoding;
    struct weir_capture_rate_params rate;
    struct weir_capture_timing_params timing;
    struct weir_capture_movie_params movie;
    struct weir_capture_segments_params segments; // segments.h
    struct weir_capture_audio_params audio;       // audio.h
    struct weir_capture_replay_params replay;     // replay.h
};
#define weir_capture_params(...) WEIR_PARAMS(weir_capture_params, __VA_ARGS__)

// Open the movie and make everything that frames need: kernels, slots, threads. The context must
// outlive the capture. Messages go to the context's log.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN,
// WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL, or that of callbacks.open(). No file is left behind then.
// Thread safety: any thread.
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
// Whatever the call answers, the frame's image comes back: frame->wait is waited for, and
// frame->signal and `released` are signalled, for a frame that is dropped, refused or lost as for
// one that is taken. So the host's loop presents and goes on after every result alike. Exceptions,
// where nothing is waited for or signalled, and `*released` becomes {VK_NULL_HANDLE, 0}:
// - `capture` or `frame` is NULL, or frame->image belongs to another device;
// - the capture is one of blocks (blocks.h), which is WEIR_ERROR_INVALID;
// - WEIR_ERROR_DEVICE_LOST, after which every wait on the device ends with that error;
// - the device has no memory for even an empty submission (WEIR_ERROR_OUT_OF_MEMORY or
//   WEIR_ERROR_VULKAN).
// A refused frame without an image, with one of another context, without a layout or with a queue
// family that the device does not have has its semaphores waited for and signalled, and no more;
// see weir_readback_pass().
//
// WEIR_DROPPED: no slot was free and the policy is not WAIT, or time_ns is not after that of the
// last frame, or is later than a movie can store and there are no segments. The log has a warning
// (WEIR_LOG_CODE_FRAME_DROPPED) for the first dropped frame, then one a second with the number of
// frames dropped since, and the rest when the capture is closed.
// WEIR_SKIPPED: the frame comes in a pause, or earlier than max_rate or constant_rate allow. It is
// not logged.
// Errors: WEIR_ERROR_INVALID (NULL, another context, no layout, or a queue family that the device
// does not have; without segments another size or format; the frame is refused, is not counted, and
// may come again with the same time), WEIR_ERROR_OUT_OF_MEMORY (of the device or the host; this
// frame is lost), WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
// WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL and every other failure of the writing thread, such as an
// error of callbacks.packet(), are sticky: every later call returns them too, unless it refuses its
// frame with WEIR_ERROR_INVALID.
// Allocates nothing. Blocks only with WEIR_POLICY_WAIT, and where weir_readback_pass() blocks.
//
// With segments a frame may have another size or format than the one before it. For the first such
// frame that has a free slot the call makes everything anew that weir_capture_open() made of
// params.like; what was there before is freed when its last frame is written. If that fails, with
// an error of weir_capture_open(), the frame is refused as above, and frames as before may come.
// No point in `released` becomes void by it.
// Thread safety: one thread at a time; beside all other calls but weir_capture_pause(),
// weir_capture_resume() and weir_capture_close().
WEIR_API enum weir_result weir_capture_frame(weir_capture *capture, const struct weir_frame *frame,
                                             struct weir_point *released);

// Get the params in force, defaults filled in; pointers are NULL. All fields are zero for NULL.
// Thread-safe.
WEIR_API struct weir_capture_params weir_capture_get_params(const weir_capture *capture);

// Write the frames in flight, complete the movie and free everything. `*stats`, if `stats` is not
// NULL, becomes the final statistics. NULL and a pointer to NULL are allowed; sets `*capture` to
// NULL. Returns the first failure of the writing thread, if there was one, or that of completing
// the movie: WEIR_OK says that the disk has every written frame and the index. Two exceptions: an
// index for which there is no room is left out (WEIR_LOG_CODE_NO_INDEX), and without syncs
// (WEIR_SYNC_NEVER) the last step, which makes the index visible, is left to the system.
// A movie that another program moved or deleted while it was written gets its name again, with a
// warning (WEIR_LOG_CODE_OUTPUT_MOVED). If another file has that name, the movie is kept under a
// name that the log says, and WEIR_ERROR_IO is returned.
// Thread safety: no other call of the capture runs beside it.
WEIR_API enum weir_result weir_capture_close(weir_capture **capture,
                                             struct weir_capture_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
