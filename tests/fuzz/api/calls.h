// SPDX-License-Identifier: MIT
// Calls with any objects and numbers.
#ifndef WEIR_TESTS_FUZZ_API_CALLS_H
#define WEIR_TESTS_FUZZ_API_CALLS_H

void call_encode(void);
void call_rdo(void);
void call_snappy(void);
void call_readback(void);
void call_palette(void);
void call_pyramid(void);
void call_capture(void);
void call_capture_audio(void);
void call_capture_pause(void);
void call_capture_chapter(void);
void call_capture_replay(void);
void call_pure(void);

#endif
