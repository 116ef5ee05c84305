// SPDX-License-Identifier: MIT
// All is in capture/base/windows/posix.h.
