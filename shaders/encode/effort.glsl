// SPDX-License-Identifier: MIT
// The effort of an encoder. Each has a kernel of its own, whose EFFORT is chosen where it is
// compiled (shaders/CMakeLists.txt).

#define WEIR_ENCODE_EFFORT_FAST 0
#define WEIR_ENCODE_EFFORT_DEFAULT 1
#define WEIR_ENCODE_EFFORT_HIGH 2
#define WEIR_ENCODE_EFFORT_EXHAUSTIVE 3
#define WEIR_ENCODE_EFFORT_LIVE 4

const uint EFFORT = WEIR_EFFORT;
