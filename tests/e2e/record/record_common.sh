# SPDX-License-Identifier: MIT
# What the tests of weir record share. Sourced behind cli_common.sh, whose third argument was a fake layer.
fake=$3

# A copy, as it is installed: with the layer's manifest beside it, which a fake layer does not need.
mkdir -p prefix/bin prefix/share/vulkan/explicit_layer.d run
cp "$program" prefix/bin/weir
echo '{}' >prefix/share/vulkan/explicit_layer.d/VkLayer_WEIR_capture.json
weir=$PWD/prefix/bin/weir
chmod 700 run
export XDG_RUNTIME_DIR=$PWD/run HOME=$PWD
# Paths of sockets are short.
if [ ${#XDG_RUNTIME_DIR} -gt 70 ]; then
    XDG_RUNTIME_DIR=$(mktemp -d)
    trap 'rm -r "$XDG_RUNTIME_DIR"' EXIT
fi

# record_status STATUS ARGUMENTS...: record HAP, of which the numbers of frames can be read, and expect that exit status. No
# frame is lost where this machine has other work.
record_status() {
    local wanted=$1 status=0
    shift
    "$weir" record --codec hap --effort fast --policy wait "$@" >stdout.txt 2>stderr.txt || status=$?
    [ "$status" = "$wanted" ] || fail "record $*: status $status instead of $wanted: $(cat stderr.txt)"
}

record() {
    record_status 0 "$@"
}

# expect_said WORDS: the recorder said so on standard error (a basic regex).
expect_said() {
    grep -q -- "$1" stderr.txt || fail "no word of \"$1\" in: $(cat stderr.txt)"
}

# numbers MOVIE: what the colours of its frames say, in a line.
numbers() {
    ffmpeg -nostdin -v error -i "$1" -fps_mode passthrough -vf crop=1:1:0:0 -f rawvideo -pix_fmt rgb24 - |
        od -v -An -tu1 -w3 | awk '{ printf("%s%d", (NR > 1 ? " " : ""), int($1 / 8) + 32 * int($2 / 4)) }'
}

# blue MOVIE: of its first frame, 8 times the number of the window.
blue() {
    ffmpeg -nostdin -v error -i "$1" -frames:v 1 -vf crop=1:1:0:0 -f rawvideo -pix_fmt rgb24 - | od -v -An -tu1 -w3 | awk '{ print $3 }'
}

# expect_list MOVIE NUMBERS: these frames and no other.
expect_list() {
    local found
    found=$(numbers "$1")
    [ "$found" = "$2" ] || fail "$1 has the frames $found instead of $2"
}

# expect_numbers MOVIE FIRST LAST: all from the first to the last.
expect_numbers() {
    expect_list "$1" "$(seq -s ' ' "$2" "$3")"
}

# start ARGUMENTS...: record in the background; `recorder` is its process.
start() {
    : >stdout.txt # what is waited for in it is not of the program before
    "$weir" record --codec hap --effort fast --policy wait "$@" >stdout.txt 2>stderr.txt &
    recorder=$!
}

# finish STATUS: wait for that.
finish() {
    local status=0
    wait "$recorder" || status=$?
    [ "$status" = "$1" ] || fail "the recorder ended with $status instead of $1: $(cat stderr.txt)"
}
