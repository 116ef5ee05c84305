// SPDX-License-Identifier: MIT
// Which sanitizer a test is built with, and how many of its cases it leaves out then.
#pragma once

// gcc has macros for them, clang features.
#if defined(__has_feature)
#define SANITIZED_BY(feature) __has_feature(feature)
#else
#define SANITIZED_BY(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || SANITIZED_BY(address_sanitizer)
#define SANITIZED_ADDRESS 1
#else
#define SANITIZED_ADDRESS 0
#endif
#if defined(__SANITIZE_THREAD__) || SANITIZED_BY(thread_sanitizer)
#define SANITIZED_THREAD 1
#else
#define SANITIZED_THREAD 0
#endif

// Cases that differ in their numbers alone take many times as long with a sanitizer, and tell it no
// more than some of them do: a loop over them takes steps of this. It is a prime, so that whatever
// the loop draws from a remainder of its counter comes up as before.
enum { SANITIZED_STRIDE = SANITIZED_ADDRESS || SANITIZED_THREAD ? 7 : 1 };
