# SPDX-License-Identifier: MIT
# What the tests of weir texture share. Sourced before cli_common.sh, which goes to another folder.

# The kernel that a software device has soonest, where any codec will do: bc1 at effort default takes four times as long.
soonest=(--codec bc4 --effort fast)

# texture ARGUMENTS...: without one message.
texture() {
    "$weir" texture "$@" >stdout.txt 2>stderr.txt || fail "weir texture $*: $(cat stderr.txt)"
    [ ! -s stderr.txt ] || fail "weir texture $* says $(cat stderr.txt)"
}

# refuse STATUS WORDS ARGUMENTS...: weir texture ends so, as expect_status has it.
refuse() { expect_status "$1" "$2" "$weir" texture "${@:3}"; }

# decode TEXTURE PICTURE
decode() {
    "$weir" texture --decode "$1" "$2" >decoded.txt || fail "$1 is not decoded"
}

# decibels <<<"ONE OTHER [FILTER]"...: a line for each pair: how near they are once both were filtered, or else as RGB of 8
# bits [dB]. One ffmpeg, since to start it takes longer than to decode; a message of it fails the test.
decibels() {
    local one other filter inputs=() graph="" n=0 k found
    while read -r one other filter; do
        inputs+=(-threads 1 -i "$one" -threads 1 -i "$other")
        for k in $((2 * n)) $((2 * n + 1)); do
            graph+="[$k]${filter:-format=gbrp}[f$k];"
        done
        graph+="[f$((2 * n))][f$((2 * n + 1))]psnr@$n;"
        n=$((n + 1))
    done
    ffmpeg -nostdin -hide_banner -loglevel level+info -filter_complex_threads 1 "${inputs[@]}" -lavfi "${graph%;}" \
        -f null - >decibels.txt 2>&1 || fail "ffmpeg does not compare these: $(grep -v '\[info\]' decibels.txt)"
    ! grep -E '\[(warning|error|fatal)\]' decibels.txt >&2 || fail "ffmpeg has something to say of these"
    found=$(sed -n 's/^\[psnr@\([0-9]*\) @.*PSNR.*average:\([0-9.inf]*\).*/\1 \2/p' decibels.txt | sort -n)
    [ "$(wc -l <<<"$found")" = $n ] || fail "ffmpeg compared other files than these $n pairs: $(cat decibels.txt)"
    cut -d ' ' -f 2 <<<"$found"
}

# known OPTION: what weir texture says that it takes for it, such as all codecs.
known() {
    { "$weir" texture none.png none.ktx2 "--$1" none 2>&1 || true; } | sed -n 's/.*; known: //p' | tr -d ,
}

# near VALUE WANTED DISTANCE
near() {
    awk -v v="$1" -v w="$2" -v d="$3" 'BEGIN { exit !(v - w <= d && w - v <= d) }'
}

# raw FILE...: what ffmpeg decodes of each picture, FILE.rgba of 8 bits a channel. One ffmpeg for all.
raw() {
    local file inputs=() outputs=() n=0
    for file in "$@"; do
        inputs+=(-i "$file")
        outputs+=(-map $n -f rawvideo -pix_fmt rgba "$file.rgba")
        n=$((n + 1))
    done
    ffmpeg -nostdin -v error -y "${inputs[@]}" "${outputs[@]}" 2>raw.txt && [ ! -s raw.txt ] || fail "ffmpeg says $(cat raw.txt)"
}

# expect_pictures <<<"FILE WIDTHxHEIGHT FORMAT"...: by one ffmpeg.
expect_pictures() {
    local file rest inputs=() wanted=""
    while read -r file rest; do
        inputs+=(-i "$file")
        wanted+="$rest"$'\n'
    done
    { ffmpeg -nostdin -hide_banner "${inputs[@]}" 2>&1 || true; } |
        sed -nE 's/^ *Stream #[0-9]+:0: Video: [a-z]+, ([a-z0-9]+).* ([0-9]+x[0-9]+)[, ].*/\2 \1/p' >pictures.txt
    diff pictures.txt <(printf '%s' "$wanted") || fail "pictures of other sizes or kinds: ${inputs[*]}"
}
