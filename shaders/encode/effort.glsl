// SPDX-License-Identifier: MIT
// EFFORT, the effort of an encoder: a kernel of one effort is compiled for it
// (shaders/CMakeLists.txt), others are specialised.

#include "encode/constants.h"

#ifdef WEIR_EFFORT
const uint EFFORT = WEIR_EFFORT;
#else
layout(constant_id = WEIR_ENCODE_CONSTANT_EFFORT) const uint EFFORT = WEIR_ENCODE_EFFORT_DEFAULT;
#endif
