// SPDX-License-Identifier: MIT
// A reader: the decoded video frames of one file or URL, in order. A sequence: the pictures of a
// list that can be decoded, in order. Decoders of
// whole picture files that FFmpeg does not read, or does not read right, and how much memory a
// picture takes, and may take: a file of a kilobyte can hold gigabytes.
#pragma once

#include <pthread.h>

#include <libavutil/frame.h>
#include <libavutil/pixfmt.h>

#include "capture/files/source/audio.h"
#include "capture/files/source/list.h"
#include "capture/files/source/mend.h"
#include "capture/files/source/source.h"

enum { WEIR_REASON_SIZE = 256 };

// Get the size of a value of a texel, as pictures are kept: 1, 2, or 4 for floats [bytes].
uint32_t weir_memory_value_size(enum AVPixelFormat format);

// Get the memory that a picture takes, decoded and worked on, at most UINT64_MAX [bytes]. `format`
// may be AV_PIX_FMT_NONE: not known yet.
uint64_t weir_memory_need(const struct weir_memory_use *use, uint64_t width, uint64_t height,
                          enum AVPixelFormat format);

// Check the size of a picture before it is decoded. After a failure `reason` says what it is and
// what helps.
// Errors: WEIR_ERROR_DATA (no texels), WEIR_ERROR_UNSUPPORTED (above the limit, or FFmpeg's own).
enum weir_result weir_memory_check(const struct weir_memory_use *use, uint64_t width,
                                   uint64_t height, enum AVPixelFormat format,
                                   char reason[WEIR_REASON_SIZE]);

// Get the number of texels above which no picture fits, whatever its format, as FFmpeg's option
// max_pixels takes it; INT_MAX is above FFmpeg's own limit.
int weir_memory_max_texels(const struct weir_memory_use *use);

struct weir_still_request {
    const char *path;
    const uint8_t *data; // the bytes of the file, unless the decoder opens it itself
    size_t size;
    const struct weir_memory_use *memory;
    const struct weir_still_params *params;
    const struct weir_log *log; // of choices
};

struct weir_still_decoder {
    bool is_associated; // by its format, colours are multiplied by alpha
    bool opens_itself;

    // How its files begin. An empty one ends the list.
    struct weir_still_mark {
        const char *bytes;
        size_t size;
    } marks[5];

    // Decode a file into an empty frame, and note its orientation there. After a failure `reason`,
    // which is empty before, may say what is wrong and what helps. Any thread; threads do not
    // disturb each other.
    // Errors: WEIR_ERROR_DATA (damaged, cut short), WEIR_ERROR_UNSUPPORTED (also above the limit
    // of the memory), WEIR_ERROR_IO, WEIR_ERROR_OUT_OF_MEMORY.
    enum weir_result (*decode)(const struct weir_still_request *request, AVFrame *frame,
                               char reason[WEIR_REASON_SIZE]);
};

// TIFF by libtiff. FFmpeg's decoder takes half floats for integers and CMYK for RGB, reads no
// floats, and refuses good files where it shall refuse damaged ones.
extern const struct weir_still_decoder weir_tiff_decoder;

// OpenEXR by its C library. FFmpeg's decoder reads R, G, B and A of one type, from windows at 0,0.
extern const struct weir_still_decoder weir_exr_decoder;

// Radiance RGBE (.hdr, .pic). FFmpeg reads it from version 6 on, without its orientations.
extern const struct weir_still_decoder weir_radiance_decoder;

// DDS, KTX2 and KTX, of one image. FFmpeg's decoder of DDS files takes channels in a wrong order,
// floats for integers, and the first face of a cube map for all of it; it knows no KTX.
extern const struct weir_still_decoder weir_texture_decoder;

// Decode a level of an image of a texture, with straight colours and signed values as 0 .. 1.
// Errors: as of weir_still_decoder.decode.
struct weir_texture;
enum weir_result weir_texture_to_frame(const struct weir_texture *texture, uint32_t level,
                                       uint32_t image, const struct weir_memory_use *memory,
                                       AVFrame *frame, char reason[WEIR_REASON_SIZE]);

struct weir_reader_params {
    const char *path;
    bool still;           // one picture of a sequence: decode its first frame only, in this thread
    bool first;           // only the first frame is wanted: no threads for those after it
    bool keeps_audio;     // of what cannot be read twice: `demux` of the reader has it
    uint32_t video_track; // counted from 1; 0: the best one
    struct weir_memory_use memory; // of a frame
    struct weir_still_params picture;
    const struct weir_log *log; // borrowed until weir_reader_close()
};

// `params.path` is borrowed until weir_reader_close().
struct weir_reader {
    struct weir_reader_params params;

    // A picture that has a decoder of its own; the members of libav are NULL then.
    const struct weir_still_decoder *still;

    AVIOContext *pipe; // that `format` reads; NULL: it opens its input itself
    AVFormatContext *format;
    struct weir_demux *demux; // reads `format`, if that cannot seek; started by the first read
    AVCodecContext *codec;
    // HAP that FFmpeg has no decoder for: `codec` is not open, and `held` is the packet to decode.
    const struct weir_movie_codec_info *hap;
    AVPacket *held;
    AVStream *stream; // of `format`
    AVPacket *packet;
    bool draining, has_read; // the end; a frame
    struct weir_mend mend;   // of the last packet
    bool lacks_memory;       // of `format`, which may have lost packets for that
    uint64_t num_errors;     // packets that could not be decoded
};

// Errors: see weir_source_open(). Close it in every case.
enum weir_result weir_reader_open(struct weir_reader *reader,
                                  const struct weir_reader_params *params);
void weir_reader_close(struct weir_reader *reader);

// Find the N-th video track of an input, from 1 on. Returns its stream, or -1 and the reason.
int weir_streams_find_video(const AVFormatContext *format, uint32_t number,
                            char reason[WEIR_REASON_SIZE]);

// Fill in what an input says of itself: its number of frames, its audio tracks, the time code of
// its first frame, texts, and what is left out of it beside the frames and audio.
void weir_reader_describe(const struct weir_reader *reader, struct weir_source_info *info);

// Get the next frame; `*end` becomes true if there is none. Packets that cannot be decoded are
// skipped.
// Errors: WEIR_ERROR_IO, WEIR_ERROR_OUT_OF_MEMORY; those of weir_still_decoder.
enum weir_result weir_reader_read(struct weir_reader *reader, AVFrame *frame, bool *end);

// Decode a packet of HAP R or HAP HDR into an empty frame. `size`: that of the movie. Returns an
// AVERROR.
int weir_hap_decode(const struct weir_movie_codec_info *codec, const AVCodecParameters *size,
                    AVPacket *packet, const struct weir_memory_use *memory, AVFrame *frame);

// Go on with a key frame that is not later than `pts`, in units of the stream's time base, so that
// every frame from `pts` on follows. False where that cannot be: the input is a pipe, or does not
// say for certain where its key frames are. It has to be opened anew then.
bool weir_reader_seek(struct weir_reader *reader, int64_t pts);

// True if seeking in an input is exact: it is no pipe, and it states a time for every frame, which
// does not start again.
bool weir_reader_is_seekable(const AVFormatContext *format);

// Open a picture, read its first frame and close it. `*decoded` is false if that failed; the log
// has the reason. `*still` becomes the decoder of its own that it has; NULL: it has none. Errors:
// WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_reader_read_picture(const struct weir_reader_params *params, AVFrame *frame,
                                          bool *decoded, const struct weir_still_decoder **still);

// Warn of options of pictures that say nothing about this input.
void weir_reader_warn_of_unused(const struct weir_still_params *params, const char *input,
                                const struct weir_still_decoder *still, bool is_picture,
                                const struct weir_log *log);

// True if the file holds one picture, by its kind. Not for a reader whose opening failed.
bool weir_reader_is_still(const struct weir_reader *reader);

// Get the nominal frame rate; {0, 0} if the input does not state one.
AVRational weir_reader_rate(const struct weir_reader *reader);

// Get the duration that the input states [ns]; 0 = unknown.
int64_t weir_reader_duration_ns(const struct weir_reader *reader);
// False if that is the length of the whole file, whose other tracks may be longer.
bool weir_reader_knows_duration(const struct weir_reader *reader);

// True if not the file but the machine is at fault: another attempt may read it.
bool weir_reader_is_failure(enum weir_result result);

// The libraries answer a failure of memory in many ways. In this thread the system has noted it, if
// errno was 0 before the call. Returns ENOMEM for such an error, and every other as it is.
int weir_reader_memory_error(int error);

// Get the error of the system that a file met when it was read, or 0. Demuxers answer EIO for a
// file that was cut short too, and the end of the file after an error.
int weir_reader_file_error(const AVFormatContext *format);

// Log the reason, and return `result`. It is a warning where the rest of a sequence goes on.
enum weir_result weir_reader_fail(const struct weir_reader *reader, enum weir_result result,
                                  enum weir_log_code code, const char *reason);

// The same for an error of FFmpeg's libraries.
enum weir_result weir_reader_fail_av(const struct weir_reader *reader, int error);

// Decode a picture of one packet by a decoder of the libraries, in this thread. `options` may be
// NULL. Returns an AVERROR.
int weir_libav_decode(enum AVCodecID codec, const void *bytes, size_t size, AVDictionary **options,
                      AVFrame *frame);

// Forget what the libraries refused on this thread, and get the size of the last picture that they
// refused because of its size, or whether they refused a list of other files, or left out a part of
// OpenEXR. They answer an error like any other, or none, and only their message says it. False if
// there was none, or if weir_source_silence_libav() was not called.
void weir_libav_forget(void);
bool weir_libav_refused_size(uint64_t *width, uint64_t *height);
bool weir_libav_refused_list(void);
bool weir_libav_lost_block(void);

enum { WEIR_SEQUENCE_MAX_THREADS = 8, WEIR_SEQUENCE_MAX_SLOTS = 2 * WEIR_SEQUENCE_MAX_THREADS };

// Set the first three members, and zero the rest.
struct weir_sequence {
    const struct weir_source_list *list;    // borrowed
    struct weir_reader_params reader;       // for every picture; `path` is not used
    size_t first;                           // the file to begin with
    const struct weir_still_decoder *still; // of the first picture; NULL: FFmpeg's
    uint64_t num_errors; // pictures that could not be decoded, which has been logged

    // Behind the first picture threads decode ahead: file i goes through slot i % num_slots.
    bool has_begun;
    struct weir_sequence_slot {
        AVFrame *frame;
        enum weir_result result;
        bool decoded; // `frame` holds a picture
        bool done;    // a thread has left the slot
    } slots[WEIR_SEQUENCE_MAX_SLOTS];
    size_t num_slots;
    pthread_t threads[WEIR_SEQUENCE_MAX_THREADS];
    int num_threads;
    pthread_mutex_t lock; // protects the members from here on, and `done` of all slots
    pthread_cond_t changed;
    size_t taken; // number of files that threads have taken: the next file to decode
    size_t given; // number of files that the caller has got: the next file to hand out
    bool stop;
};

// A zeroed one is allowed.
void weir_sequence_finish(struct weir_sequence *sequence);

// Get the next picture that can be decoded, and its number in the list. `*end` is true if there is
// none. Errors: WEIR_ERROR_IO, WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_sequence_next(struct weir_sequence *sequence, AVFrame *frame,
                                    uint64_t *number, bool *end);
