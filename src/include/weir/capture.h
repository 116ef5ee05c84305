// SPDX-License-Identifier: MIT
// Capture (libweir-capture): writes rendered frames to a movie file while the renderer goes on.
#ifndef WEIR_CAPTURE_H
#define WEIR_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/audio.h>
#include <weir/context.h>
#include <weir/encode.h>
#include <weir/frame.h>
#include <weir/image.h>
#include <weir/movie.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

// A movie that is being written. One thread at a time may call weir_capture_frame(),
// weir_capture_pause() and weir_capture_resume(), and one thread a track weir_capture_audio(); any
// thread may call weir_capture_get_stats() and weir_capture_save_replay(). A capture owns one
// thread that waits for the GPU, builds packets and writes them, and may own more threads that
// compress, one that makes the disk store them, one that writes replays, and with segments one that
// completes a movie.
typedef struct weir_capture weir_capture;

// How a frame is treated when every slot is in use because the disk or the GPU is behind.
enum weir_policy {
    WEIR_POLICY_DROP = 0, // the frame is dropped and counted; the render loop never waits
    WEIR_POLICY_WAIT = 1, // weir_capture_frame() sleeps until a slot is free; no frame is lost
    // As DROP, but before frames are dropped the capture gives up something else, in steps:
    // - More than half of the slots are in use, and the writing thread is what is behind: where
    //   compressing takes most of its time, frames are stored without SNAPPY; where writing does,
    //   they are compressed by it. If packets do not cost less then, this is taken back.
    // - One slot is left: every second frame is skipped (WEIR_SKIPPED).
    // Steps are taken back, the last one first, after at most half of the slots were in use for
    // 2 s, where the measured times say that there is room. That time doubles with each step taken
    // back, up to 64 s, until 64 s have passed without a step. Each step is logged
    // (WEIR_LOG_CODE_DEGRADED, WEIR_LOG_CODE_RESTORED) and counted (weir_degrade_stats). Needs the
    // memory and the threads that SNAPPY needs, with num_chunks. Use 4 slots or more.
    WEIR_POLICY_DEGRADE = 2,
};

// The destination of packets. A packet is one frame of the movie.
enum weir_sink {
    // A QuickTime movie. While it is written each frame is a fragment, so the movie plays even if
    // the program is killed. A library that was built without FFmpeg (WEIR_WITH_FFMPEG=OFF) refuses
    // it with WEIR_ERROR_UNSUPPORTED.
    WEIR_SINK_MOV = 0,
    WEIR_SINK_NULL = 1, // packets are built, counted and thrown away (for measurements)
    // A text file with one line for each frame: time stamp, size, FNV-1a 64 hash (for tests).
    WEIR_SINK_HASH = 2,
    WEIR_SINK_CALLBACK = 3, // packets are handed to the program; see struct weir_sink_callbacks
};

// What a muxer needs to know of the packets. All fields are set.
struct weir_capture_track {
    // As weir_movie_codec_info has them.
    uint32_t codec_tag, bits_per_coded_sample;
    uint32_t width, height;                      // [texels]
    uint32_t pixel_aspect_num, pixel_aspect_den; // width of a pixel to its height
    uint32_t time_base_num, time_base_den;       // the unit of pts and duration: num / den [s]
    uint32_t frame_rate_num, frame_rate_den;     // nominal frames a second
    // Code points of ISO/IEC 23091-2: 1 (BT.709), 13 (sRGB) or for HAP_HDR 8 (linear), 0 (RGB).
    uint32_t color_primaries, color_transfer, color_matrix;
};

// A packet: one frame of the movie, complete and independent of all others.
struct weir_capture_packet {
    const uint8_t *data; // valid until the call returns; must not be written to
    size_t size;         // [bytes]
    int64_t pts;         // presentation time; 0 for the first packet, then rising [time base]
    int64_t duration;    // nominal: the next frame may come earlier or later [time base]
    uint64_t time_ns;    // time since the first frame, not rounded [ns]
    bool is_key;         // decodable by itself: always true
};

// Samples of a sound track, in their order and without gaps.
struct weir_capture_audio_packet {
    uint32_t track;      // index of weir_capture_params.audio_tracks
    const uint8_t *data; // valid until the call returns; must not be written to
    uint32_t num_samples;
    size_t size; // [bytes]
    // Of the first sample: 0 is the time of the first frame [samples]
    int64_t pts;
};

// The program's own sink. The calls do not overlap. Each returns WEIR_OK or a positive result, or
// WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL or WEIR_ERROR_OUT_OF_MEMORY; any other error counts as
// WEIR_ERROR_IO. They must not call weir_capture_frame() or weir_capture_close().
struct weir_sink_callbacks {
    // Optional. Called once by weir_capture_open(), on its thread and last of all. After an error
    // weir_capture_open() returns it, and close() is not called.
    enum weir_result (*open)(void *user, const struct weir_capture_track *track);
    // Required. Called for each packet, in order, on the capture's own thread, on which all signals
    // are blocked. While it runs no slot gets free: if it takes longer than frames come, the policy
    // decides. An error is sticky as one of the disk is: it is not called again, all frames in
    // flight and all later ones are dropped (WEIR_DROP_SINK), and weir_capture_frame() and
    // weir_capture_close() return it.
    enum weir_result (*packet)(void *user, const struct weir_capture_packet *packet);
    // Required where the capture has sound tracks. Called for samples of them, after the first
    // frame, as packet() is: on the same thread, and with the same end after an error.
    enum weir_result (*audio)(void *user, const struct weir_capture_audio_packet *packet);
    // Optional. Called once by weir_capture_close(), on its thread and after the last packet, also
    // after an error of packet(). Its error is returned if there was none before.
    enum weir_result (*close)(void *user);
    void *user; // the first argument of each
};

// The second compression of a packet, after the compression into blocks. Every HAP player reads
// packets of both kinds.
enum weir_compression {
    WEIR_COMPRESSION_NONE = 0, // fastest; all frames have the same size
    // Smaller where the picture is simple. A frame is compressed as one section, or as `num_chunks`
    // sections in parallel. A frame that does not get smaller is stored uncompressed.
    WEIR_COMPRESSION_SNAPPY = 1,
};

// A value of weir_capture_params.sync_ms.
#define WEIR_SYNC_NEVER UINT32_MAX

// A value of weir_capture_params.num_chunks: one chunk for frames up to HD (1920x1088 texels), and
// for larger ones as many as this machine has cores, at most 64.
#define WEIR_CHUNKS_AUTO UINT32_MAX

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
    enum weir_decoder_model decoder; // see weir_encoder_params; for HAP_Q and HAP_Q_ALPHA
    // At most weir_movie_codec_info.max_effort. Movies of every effort have the same format and
    // size. HAP_R and HAP_HDR keep up with a renderer at FAST only (docs/encoders.md).
    enum weir_effort effort;
    enum weir_compression compression;
    // With SNAPPY, or the policy DEGRADE: the number of chunks of a texture, 1 .. 64, or
    // WEIR_CHUNKS_AUTO, which are compressed by as many threads as there are cores. 0 = 1. All
    // chunks have as many blocks, so the largest divisor of the texture's number of blocks that is
    // at most num_chunks is used.
    uint32_t num_chunks;
    enum weir_policy policy;
    uint32_t num_slots; // frames in flight, 2 .. 64; 0 = 8

    // Required: an image of the kind and the size of all frames, or with `segments` of the first
    // ones; see weir_encoder_params.like. Its sides are 1 .. 65535 texels.
    const weir_image *like;
    bool no_dither; // see weir_encoder_params
    // The colours of the images are multiplied by their alpha, on black, and a movie with alpha
    // says so (QuickTime: graphics mode 0x102). By default alpha is straight (0x100). Nothing is
    // converted.
    bool premultiplied;
    // Round the size of the movie up to multiples of 4, as some media servers want it; frames have
    // their edge texels repeated. By default players show the true size.
    bool pad;

    // The width of a pixel to its height, num / den, each 1 .. 2^31-1. Both 0 = square pixels. For
    // MOV the movie says it (the box pasp). Editors and players of movies show frames so; players
    // that draw HAP as a texture, as media servers do, take its texels as squares.
    uint32_t pixel_aspect_num, pixel_aspect_den;

    // The nominal frame rate, num / den frames a second, for the movie's header and for the
    // duration of its last frame. Both 0 = the max_rate below where there is one, else 60/1. The
    // times of frames come from weir_frame.time_ns, unless constant_rate is set.
    uint32_t frame_rate_num, frame_rate_den;

    // The most frames a second that are recorded, num / den, each 1 .. 2^31-1. Both 0 = all frames.
    // A renderer with 144 frames a second is recorded as 60 of them by 60/1. Which ones follows
    // from their times alone: one frame is due every den / num seconds, and the frame nearest to
    // that time is recorded, with its own time. So frames are spaced as evenly as those of the
    // renderer allow (60 of 144: 13.9 or 20.8 ms), and there is no drift: 60 in every second.
    // The others are skipped: weir_capture_frame() gives them back at once, answers WEIR_SKIPPED
    // and counts them as skipped, not as dropped. A renderer that is slower than max_rate, or as
    // fast, is recorded whole: after a frame that is late by more than half of den / num the next
    // is due den / num later, so frames that jitter by up to a quarter of it are all recorded. A
    // due frame that is dropped is not replaced by the next one.
    uint32_t max_rate_num, max_rate_den;

    // The movie has a frame every 1 / frame_rate seconds from the first to the last, for media
    // servers that play nothing else. Frames are put on the nearest of these times. Where several
    // fall on one the first is taken; the others are skipped, as those of max_rate are, and count
    // as skipped. Where none falls, because the renderer was late or frames were dropped, the frame
    // before is written again and counts as repeated; a sink gets that packet once more. A gap
    // of more than 60 s is not filled: frames after it are dropped (WEIR_DROP_TIME), or with
    // `segments` begin a movie of their own.
    // The times are exact: frame_rate is 1 to 1000 frames a second, and num, in lowest terms, at
    // most 1000000. One slot more than num_slots is made, which is then at most 63.
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

    // For MOV: how long a frame may be in the file before the disk has it [ms]. 0 = 1000. A power
    // cut loses the frames of that time and the one that is being written. A thread of its own
    // makes the disk store them (fdatasync); the writing thread never waits for it. A disk that
    // fails to store them is a failure of the writing thread, WEIR_ERROR_IO.
    // WEIR_SYNC_NEVER: the system stores them when it thinks fit, half a minute later on some file
    // systems; only the index is written in order.
    uint32_t sync_ms;

    // For MOV: several movies in place of one, the segments. For a path of "take.mov" they are
    // take.001.mov, take.002.mov and so on, with more digits above 999, in the folder that the path
    // means when the capture is opened. Each is a plain movie of its own that begins at time 0.
    // A segment begins with a frame:
    // - the first one that is segment_ms or more after the first of the segment;
    // - the first one with which, and with the sound up to it, the file would be larger than
    //   segment_bytes. So a file of two frames or more is never larger;
    // - one of another size or format than those before it;
    // - one that comes so late after the frame before it that a movie cannot store the gap, or
    //   constant_rate does not fill it;
    // - the first one with which a sound track would be longer than a movie can store.
    // The last frame of a segment lasts until the first one of the next. Its sound is that from the
    // time of its first frame up to the time of the first frame of the next, to the sample. So the
    // segments, one behind the other, are the movie that would be there without them. Exception: in
    // a gap that no movie can store, the last frame lasts as long as a frame does, and a track
    // without sound gets no silence.
    // Sound of the time after the last frame waits in memory for the next frame, which decides
    // where it belongs, for as long as a quarter of audio_buffer_ms is still free. A segment that
    // is due by its length or size waits for sound that is further ahead of the frames than that
    // (a warning says so, WEIR_LOG_CODE_SEGMENT), and up to audio_buffer_ms for sound that comes
    // after its frames. Sound of a segment after which sixteen others have begun is dropped,
    // WEIR_AUDIO_DROP_TIME.
    // A movie that is complete is closed on a thread of its own; if that fails, it is a failure of
    // the writing thread. Movies of those names are replaced as a path is, when their first frame
    // is written; those with higher numbers, of a longer recording of before, stay. Each segment
    // says which recording it belongs to, and where (docs/capture.md).
    // Other sinks refuse segments with WEIR_ERROR_UNSUPPORTED.
    bool segments;       // several movies, where the frames require it
    uint32_t segment_ms; // the length of a segment [ms]. 0 = no limit; else `segments` is implied
    uint64_t segment_bytes; // the size of a segment [bytes]. 0 = no limit; else likewise

    // Sound tracks, at most WEIR_MAX_AUDIO_TRACKS; see weir_capture_audio(). For MOV, NULL and
    // CALLBACK; HASH refuses them with WEIR_ERROR_UNSUPPORTED. They are copied.
    const struct weir_audio_track *audio_tracks;
    uint32_t num_audio_tracks;
    // How much sound of a track may wait to be written, 200 .. 60000 [ms]. 0 = 4000. The memory for
    // it is taken by weir_capture_open().
    uint32_t audio_buffer_ms;

    // Keep the last frames and sound in memory, as they go to the sink, so that
    // weir_capture_save_replay() can make a movie of them: how long they are kept, at most 3600000
    // [ms]. 0 = no replay. Beside any sink; with NULL there is nothing but the replay. Where a
    // segment begins because no movie can go on, what comes before it is forgotten. Needs a library
    // with FFmpeg, else WEIR_ERROR_UNSUPPORTED.
    uint32_t replay_ms;
    // The most memory for that, from four uncompressed frames on [bytes]. 0 = what replay_ms of
    // uncompressed frames at the nominal rate and the sound take, at most 1 GiB. It is taken, and
    // touched, by weir_capture_open(). Where it holds less, replays are shorter; the log says so
    // (WEIR_LOG_CODE_REPLAY_MEMORY).
    uint64_t replay_bytes;

    // For MOV: write statistics as JSON to a file beside the movie, `path`.json: what the movie is,
    // all that weir_capture_close() answers, and number, time and reason of every dropped frame
    // (docs/capture.md). It gets its name when the capture is closed, if a frame was written, and
    // replaces what has that name. If the file cannot be made, weir_capture_open() fails; if it
    // cannot be written later, that is told (WEIR_LOG_CODE_SIDECAR_FAILED) and is no failure.
    bool sidecar;
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
// WEIR_SKIPPED: the frame comes in a pause, or earlier than max_rate or constant_rate allow, or
// DEGRADE records half the rate. It is not logged.
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
WEIR_API enum weir_result weir_capture_frame(weir_capture *capture, const struct weir_frame *frame,
                                             struct weir_point *released);

// Hand over samples of a sound track, which is numbered from 0 as in params.audio_tracks. They are
// copied. `samples` holds num_samples of them, interleaved, in the format of the track. `time_ns`
// is the time of the first one, by the clock of weir_frame.time_ns.
//
// Samples are put where their time is since the movie's first frame. Before it they are cut; after
// the last frame they are kept until the capture is closed. Within a track:
// - A call whose time is at most 40 ms off the end of the call before follows it without a seam:
//   times that are rounded, or taken when a callback happens to run, change nothing.
// - One that is later leaves a gap, which is filled with silence. Of one that is earlier the
//   samples are cut that the track has already.
// - If all calls of 10 s are off by more than 5 ms to the same side, the clock of the sound and
//   that of the frames drift apart. Then one sample a call comes twice, or is left out, until they
//   agree.
// - The first samples after a pause (weir_capture_pause()) are put where their time says.
// - Without WEIR_POLICY_WAIT a track that has no sound for audio_buffer_ms after a frame gets
//   silence there, and sound for that time, if it still comes, is cut.
// Until the first frame the latest half of audio_buffer_ms is kept.
//
// WEIR_DROPPED: the buffer of the track was full, and the policy is not WAIT: what had no room is
// dropped, and replaced by silence. With WEIR_POLICY_WAIT the call sleeps until there is room. The
// log has a warning (WEIR_LOG_CODE_AUDIO_DROPPED) at most once a second for each track.
// Errors: WEIR_ERROR_INVALID (NULL, no such track), and each sticky failure of the capture.
// Allocates nothing, and waits for the disk with WEIR_POLICY_WAIT only.
// Thread safety: one thread at a time for a track; beside all other calls but weir_capture_close().
WEIR_API enum weir_result weir_capture_audio(weir_capture *capture, uint32_t track,
                                             const void *samples, uint32_t num_samples,
                                             int64_t time_ns);

// Pause: frames and samples from `time_ns` on, by the clock of weir_frame.time_ns, are not in the
// movie, until weir_capture_resume(). Such frames come back at once, as WEIR_SKIPPED; such samples
// are cut and count as WEIR_AUDIO_DROP_PAUSE. Nothing of it is logged.
//
// The time of the movie stands still meanwhile. The frame before the pause lasts until the pause
// begins, and then from the resume to the next frame; of the sound the sample before the pause is
// followed by the one at the resume. Picture and sound stay in step over any number of pauses.
// max_rate counts by the time of the movie.
//
// The time may be in the future: frames and samples before it are recorded. It must be after the
// last frame that was handed over, of whatever result, and not before the last resume. Sound of a
// time after it that was handed over before this call may be in the movie already; then as much is
// cut after the resume.
// A capture may be paused before its first frame, which is then the first one after the resume, and
// closed while it is paused.
// Errors: WEIR_ERROR_INVALID (NULL, paused already, a time that is too early; nothing changes),
// WEIR_ERROR_OUT_OF_MEMORY (a pause takes 24 bytes; nothing changes). A failure of the writing
// thread is not returned here.
// Thread safety: as weir_capture_frame().
WEIR_API enum weir_result weir_capture_pause(weir_capture *capture, int64_t time_ns);

// End the pause: frames and samples from `time_ns` on are recorded. The time must be after the last
// frame that was handed over, and not before that of the pause. Of the samples that were handed
// over in the pause the latest half of audio_buffer_ms is kept until this call, so that none is
// missing where it comes late.
// Errors: WEIR_ERROR_INVALID (NULL, not paused, a time that is too early; nothing changes).
// Thread safety: as weir_capture_frame().
WEIR_API enum weir_result weir_capture_resume(weir_capture *capture, int64_t time_ns);

// Write what the replay's memory holds (weir_capture_params.replay_ms) to a QuickTime movie of its
// own, while the recording goes on. Returns at once; the movie is written on a thread of its own.
//
// It begins, at time 0, with the first frame in memory whose sound is there too, and ends with the
// last frame that the sink had when this was called. Its sound begins and ends with its frames;
// samples that come to the sink later than a second after the call are missing at its end. The file
// takes the name `path` when it is whole, and replaces what has that name. The log
// (WEIR_LOG_CODE_REPLAY_WRITTEN) and weir_replay_stats tell the end; weir_capture_close() waits for
// it.
//
// The recording never waits for the replay. If new packets need the memory of those that are not
// written yet, they are not kept: a later replay has a gap there, with silence. It is told
// (WEIR_LOG_CODE_REPLAY_BEHIND) and counted.
//
// WEIR_NOT_READY: a replay is being written, or there is no frame in memory; nothing is begun.
// Errors: WEIR_ERROR_INVALID (NULL, an empty path, a capture without replay_ms),
// WEIR_ERROR_OUT_OF_MEMORY. A movie that cannot be written, because the disk is full or its folder
// is missing, is told (WEIR_LOG_CODE_REPLAY_FAILED) and counted; nothing of it is left, and the
// recording goes on. What is in memory can be saved again, after a failure of the recording too.
// Thread safety: any thread, beside all other calls but weir_capture_close().
WEIR_API enum weir_result weir_capture_save_replay(weir_capture *capture, const char *path);

// The reason why a frame was dropped. New reasons are appended.
enum weir_drop_reason {
    WEIR_DROP_RING_FULL = 0, // every slot is in use and the policy is not WAIT
    WEIR_DROP_TIME = 1,      // time_ns is not after the last frame's, or too long after it
    WEIR_DROP_SINK = 2,      // writing failed, for this frame or an earlier one
    WEIR_DROP_DEVICE = 3,    // the GPU failed
};
enum { WEIR_MAX_DROP_REASONS = 16 }; // the size of the table below, with room for new reasons

// What WEIR_POLICY_DEGRADE did. All zero with other policies.
struct weir_degrade_stats {
    uint64_t changes;           // steps that were taken and taken back
    uint64_t compression_ns;    // how long compression was not as asked for [ns]
    uint64_t half_rate_ns;      // how long every second frame was skipped [ns]
    uint64_t half_rate_frames;  // frames that were to be recorded in that time
    uint64_t half_rate_skipped; // frames skipped for that; they are among `skipped`
};

// The replays of a capture.
struct weir_replay_stats {
    uint64_t written, failed; // movies
    // Packets, of frames and of sound, that were not kept because what was being written needed all
    // of the memory. They are in the recording.
    uint64_t missed;
};

// The statistics of a capture. At every instant received = written + dropped + skipped + in_flight.
// After the capture was closed in_flight is 0. The movie has written + repeated packets.
struct weir_capture_stats {
    uint64_t received; // frames handed over, without those refused with WEIR_ERROR_INVALID
    uint64_t written;  // frames in the file
    uint64_t dropped;  // the sum of dropped_by_reason
    uint64_t dropped_by_reason[WEIR_MAX_DROP_REASONS]; // index: enum weir_drop_reason
    uint64_t skipped;     // frames left out: max_rate, constant_rate, a pause, DEGRADE
    uint64_t in_flight;   // frames taken, and neither written nor dropped yet
    uint64_t repeated;    // packets that hold a written frame once more (constant_rate)
    uint64_t bytes;       // size of all packets given to the sink [bytes]
    uint64_t gpu_ns;      // GPU time of all written frames [ns]; 0 where it cannot be measured
    uint64_t host_ns;     // time inside weir_capture_frame() on the caller's thread [ns]
    uint64_t host_max_ns; // time of the longest of those calls [ns]
    uint64_t wait_ns;     // part of host_ns that slept for a free slot (WEIR_POLICY_WAIT) [ns]
    uint64_t pack_ns;     // time of the writing thread for building packets, with SNAPPY [ns]
    uint64_t write_ns;    // time of the writing thread in the sink, for frames [ns]
    struct weir_degrade_stats degrade;
    struct weir_replay_stats replay;
    struct weir_audio_stats audio; // of all sound tracks together
    uint64_t segments; // movies with at least a frame, of a capture with segments; else 0
};

// Get a consistent snapshot of the statistics. All fields are zero for NULL. Thread-safe.
WEIR_API struct weir_capture_stats weir_capture_get_stats(const weir_capture *capture);

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
WEIR_API enum weir_result weir_capture_close(weir_capture **capture,
                                             struct weir_capture_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
