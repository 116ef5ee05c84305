# SPDX-License-Identifier: MIT
# FFmpeg's libraries that crash. Sourced behind cli_common.sh.
ulimit -c 0 # the crashes are wanted

# crashing SIGNAL PACKET INPUT COMMAND...: FFmpeg's libraries die so at that packet of that input.
crashing() {
    env WEIR_CRASH_SIGNAL="$(kill -l "$1")" WEIR_CRASH_AT="$2" WEIR_CRASH_INPUT="$3" \
        LD_PRELOAD="$(dirname "$program")/../lib/libe2e_crash.so" \
        ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" "${@:4}"
}
