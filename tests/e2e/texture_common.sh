# SPDX-License-Identifier: MIT
# What the tests of weir texture share. Sourced before cli_common.sh, which goes to another folder.

# The kernel that a software device has soonest, where any codec will do: bc1 at effort default takes four times as long.
soonest=(--codec bc4 --effort fast)

# texture ARGUMENTS...: without one message.
texture() {
    "$weir" texture "$@" >stdout.txt 2>stderr.txt || fail "weir texture $*: $(cat stderr.txt)"
    [ ! -s stderr.txt ] || fail "weir texture $* says $(cat stderr.txt)"
}

# says WORDS: the last run of weir texture printed this (a basic regex).
says() { grep -q -- "$1" stdout.txt || fail "no word of \"$1\" in: $(cat stdout.txt)"; }

# becomes WANTED WHY INPUT OUTPUT OPTIONS...: weir texture makes OUTPUT, which is the file WANTED, or WHY is wrong.
becomes() {
    texture "${@:3}"
    cmp "$4" "$1" || fail "$2: $4 is not $1"
}

# through NAME PICTURE OPTIONS...: NAME.ktx2, and NAME.png decoded from it.
through() {
    texture "$2" "$1.ktx2" "${@:3}"
    decode "$1.ktx2" "$1.png"
}

# four_cc FILE: that of a DDS file. blocks FILE: what is behind its header.
four_cc() { head -c 88 "$1" | tail -c 4; }
blocks() { if [ "$(four_cc "$1")" = DX10 ]; then tail -c +149 "$1"; else tail -c +129 "$1"; fi; }

# number FILE PLACE: 4 bytes of it.
number() { od -An -t u4 -j "$2" -N 4 "$1" | xargs; }

# refuse STATUS WORDS ARGUMENTS...: weir texture ends so, as expect_status has it.
refuse() { expect_status "$1" "$2" "$weir" texture "${@:3}"; }

# decode TEXTURE PICTURE
decode() {
    "$weir" texture --decode "$1" "$2" >decoded.txt </dev/null || fail "$1 is not decoded"
}

# decibels <<<"ONE OTHER [FILTER]"...: a line for each pair: how near they are once both were filtered, or else as RGB of 8
# bits [dB]. ONE may be a KTX2 file, which is decoded. One ffmpeg, since to start it takes longer than to decode; a message of
# it fails the test.
decibels() {
    local one other filter inputs=() graph="" n=0 k found
    while read -r one other filter; do
        if [[ $one = *.ktx2 ]]; then
            decode "$one" "$one.png"
            one=$one.png
        fi
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

# texel_of PICTURE R G B A DISTANCE: what its first texel is to be, for `expect_texels`.
texels=()
texel_of() { texels+=("$*"); }

# expect_texels: those since the last time.
expect_texels() {
    local file wanted distance got c
    raw "${texels[@]%% *}"
    for c in "${texels[@]}"; do
        read -r file wanted[0] wanted[1] wanted[2] wanted[3] distance <<<"$c"
        read -r -a got <<<"$(od -An -v -t u1 -N 4 "$file.rgba")"
        for c in 0 1 2 3; do
            near "${got[c]}" "${wanted[c]}" "$distance" || fail "$file is ${got[*]} and should be ${wanted[*]}"
        done
    done
    texels=()
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
