# SPDX-License-Identifier: MIT
# What the tests of weir record without a display share. Sourced: bash x.sh WEIR FOLDER PRESENT NUMBERS BUILD.
source "$(dirname "${BASH_SOURCE[0]}")/../cli_common.sh"
present=$3 numbers=$4 build=$5
export XDG_RUNTIME_DIR=$PWD
[ ${#PWD} -le 70 ] || export XDG_RUNTIME_DIR=/tmp # paths of sockets are short

# The recorder appends its layer, and loaders take the first place of a name (1.3.239: of a manifest).
layers=(VK_LAYER_PATH="$build/layer:/usr/share/vulkan/explicit_layer.d:$build/layer-stand-in")
plain=(env "${layers[@]}" VK_INSTANCE_LAYERS=VK_LAYER_WEIR_capture:VK_LAYER_WEIR_stand_in "$present" --headless)

# expect_frames MOVIE FRAMES: all of them, in order.
expect_frames() {
    "$numbers" "$1" >"$1.txt" || fail "no movie $1"
    [ "$(awk '$1 == NR - 1' "$1.txt" | wc -l)" = "$2" ] && [ "$(wc -l <"$1.txt")" = "$2" ] || fail "$1 has $(cat "$1.txt")"
    echo "$1: $2 frames"
}
