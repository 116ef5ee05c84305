# SPDX-License-Identifier: MIT
# FFmpeg's libraries that crash. Sourced behind cli_common.sh, before weir is held.
ulimit -c 0 # the crashes are wanted
held_with=$(cd "$(dirname "$program")/../lib" && pwd)/libe2e_crash.so

# crashing SIGNAL PACKET INPUT COMMAND...: FFmpeg's libraries die so at that packet of that input.
crashing() {
    env WEIR_CRASH_SIGNAL="$(kill -l "$1")" WEIR_CRASH_AT="$2" WEIR_CRASH_INPUT="$3" "${preloading[@]}" "${@:4}"
}
