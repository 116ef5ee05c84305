// SPDX-License-Identifier: MIT
// Inputs that are decoded by another process, which does nothing else: it has no device, no output
// and no descriptor of this one, and reads the inputs only. A file that takes it over, or crashes
// it, gains and costs nothing but what is made of that file.
//
// The calls are those of source.h, audio.h and picture.h, with these differences: the process may
// end, which is WEIR_ERROR_IO, and is printed once; and what it answers is checked. Messages are
// printed. Ctrl-C ends what waits for it with WEIR_ERROR_IO.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/files/picture/picture.h"
#include "capture/files/source/audio.h"
#include "capture/files/source/list.h"
#include "capture/files/source/source.h"

#ifdef WEIR_DECODES_WITHIN // this process (within.c): most calls are those of capture/files
#define cli_source weir_source
#define cli_source_frame weir_source_frame
#define cli_audio_source weir_audio_source
#define cli_source_close weir_source_close
#define cli_source_get_info weir_source_get_info
#define cli_source_name weir_source_name
#define cli_source_give_16_bits weir_source_give_16_bits
#define cli_source_frame_create weir_source_frame_create
#define cli_source_frame_destroy weir_source_frame_destroy
#define cli_source_take weir_source_take
#define cli_source_frame_convert weir_source_frame_convert
#define cli_audio_source_close weir_audio_source_close
#define cli_audio_source_get_tracks weir_audio_source_get_tracks
#define cli_audio_source_read weir_audio_source_read
#define cli_audio_source_end_frames weir_audio_source_end_frames
#endif

// A source, with a process of its own.
typedef struct cli_source cli_source;
typedef struct cli_source_frame cli_source_frame;
typedef struct cli_audio_source cli_audio_source;

// Of the params `log` is not read but for its severity. `max_memory`: that of the user, 0 = none
// given.
enum weir_result cli_source_open(const struct weir_source_params *params, uint64_t max_memory,
                                 cli_source **out);
void cli_source_close(cli_source **source);

// End the process, so that a thread which waits for it gets WEIR_ERROR_IO, and nothing is printed.
void cli_source_stop(cli_source *source);

struct weir_source_info cli_source_get_info(const cli_source *source);
const char *cli_source_name(const cli_source *source);

void cli_source_give_16_bits(cli_source *source);

enum weir_result cli_source_frame_create(cli_source *source, cli_source_frame **out);
void cli_source_frame_destroy(cli_source_frame **frame);
enum weir_result cli_source_take(cli_source *source, cli_source_frame *frame, int64_t *time_ns,
                                 bool *end);
enum weir_result cli_source_frame_convert(cli_source_frame *frame, uint8_t *pixels, size_t pitch);

// The audio of a source, `path`, which is closed after it. NULL: of a file beside it, which has a
// process of its own; zero_ns is counted from its beginning on. `is_part`: see audio.h.
enum weir_result cli_audio_source_open(cli_source *source, const char *path, int64_t zero_ns,
                                       bool is_part, cli_audio_source **out);
void cli_audio_source_close(cli_audio_source **audio);
uint32_t cli_audio_source_get_tracks(const cli_audio_source *audio,
                                     struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS]);
enum weir_result cli_audio_source_read(cli_audio_source *audio, struct weir_audio_block *block,
                                       bool *end);
void cli_audio_source_end_frames(cli_audio_source *audio, int64_t end_ns);

// Pictures, which a process reads one after the other. A crash costs the picture that it is at; the
// next one has another process.
struct cli_pictures {
    const struct weir_source_list *list; // all that will be read; NULL: one. Borrowed
    const char *path;                    // that one
    uint64_t max_memory;                 // as above
    struct weir_still_params still;      // how they are read
    struct decoder_process *process;     // NULL: none runs
};

enum weir_result cli_picture_read(struct cli_pictures *pictures, const char *path,
                                  const struct weir_memory_use *memory,
                                  struct weir_picture *picture);
void cli_pictures_finish(struct cli_pictures *pictures);

// The first argument of the program with which it is that process; the second is the number of a
// socket.
#define DECODER_ARGUMENT "decode-for-weir"

// Be the process. Returns the exit status.
int decoder_serve(const char *socket);

// confine.c: confine this process for good, before it has a second thread: it reads the inputs, a
// file, a folder, the folder of a numbered sequence or of a list each, and opens nothing else. It
// writes no file, starts no program, gains no privileges and leaves no core file. `max_memory`:
// that of the user, 0 = none given. Of its descriptors it keeps `socket`, and those that an input
// may name.
void decoder_confine(char *const *paths, size_t num_paths, uint64_t max_memory, int socket);
