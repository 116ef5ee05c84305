# SPDX-License-Identifier: MIT
# What the tests of the program weir share. Sourced: bash cli_x.sh WEIR FOLDER, where FOLDER is made anew.
set -euo pipefail
weir=$(realpath "$1")
program=$weir
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
folder=$PWD

# part NAME: what follows has a folder of its own.
part() {
    printf '%s\n' "-- $1"
    mkdir "$folder/$1"
    cd "$folder/$1"
}

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

skip() {
    printf 'skipped: %s\n' "$*"
    exit 77
}

export OMP_NUM_THREADS=1 # ImageMagick's and pngquant's threads wait for each other in loops

for tool in ffmpeg ffprobe; do
    command -v $tool >/dev/null || skip "no $tool here, and it is the judge"
done

sanitized=yes
[ ! -e "$(dirname "$program")/../lib/libe2e_launch_server.so" ] || sanitized=
# numbers_of ONE...: all, or with sanitizers the first, as cases that differ in numbers alone tell them no more.
numbers_of() { if [ -n "$sanitized" ]; then echo "$1"; else echo "$*"; fi; }

# hold PROGRAM...: of weir, other programs beside it, ffmpeg and ffprobe, those that this test runs many times. Each is
# started once and held before its main(), and a run of it is a child process from there (launch/server.c): to load and bind
# their libraries, and those of all of Mesa's drivers, takes longer than most runs. "$program" stays weir by itself, for what
# kills it; "$held/NAME" is another one that is held. held_with is a library to preload into them, but for FFmpeg's:
# env "${preloading[@]}" "$weir" has it with sanitizers too, where nothing is held, and in what weir starts to decode.
preloading=()
hold() {
    local bin name manifests drivers own with script=$BASHPID
    bin=$(dirname "$program") held=$(dirname "$program")
    if [ -n "$sanitized" ]; then
        [ -z "${held_with:-}" ] ||
            preloading=("LD_PRELOAD=$held_with" "ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0")
        return 0
    fi
    IFS=: read -ra manifests <<<"${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-}}"
    [ ${#manifests[@]} -gt 0 ] || manifests=(/usr/share/vulkan/icd.d/*.json)
    drivers=$(sed -n 's/.*"library_path": *"\(.*libvulkan_.*\)".*/\1:/p' "${manifests[@]}" 2>/dev/null | tr -d '\n') || true
    # The process that weir starts to decode is no child of what is held.
    [ -z "${held_with:-}" ] || preloading=("LD_PRELOAD=$held_with")
    export WEIR_LAUNCH="weir-$$-$RANDOM" WEIR_LAUNCH_PATH=$bin:$PATH
    mkdir held
    held=$PWD/held
    for name in "$@"; do
        own=$drivers with=${held_with:+:$held_with}
        [[ $name != ff* ]] || own='' with=''
        env WEIR_LAUNCH_SERVER="$WEIR_LAUNCH-$name" WEIR_LAUNCH_SCRIPT=$script WEIR_LAUNCH_DRIVERS="$own" \
            LD_PRELOAD="$bin/../lib/libe2e_launch_server.so$with" \
            "$(PATH=$WEIR_LAUNCH_PATH command -v "$name")" </dev/null &>/dev/null &
        disown
        ln -s "$bin/e2e_launch" "held/$name"
        [ "$name" != weir ] || weir=$held/weir
    done
    PATH=$held:$PATH
}

# make OUTPUT FILTER [OUTPUT OPTIONS...]: a file from a lavfi source.
make() {
    local output=$1 filter=$2
    shift 2
    ffmpeg -nostdin -v error -y -f lavfi -i "$filter" "$@" "$output" || fail "ffmpeg did not make $output"
}

# note_turn INPUT ANGLE OUTPUT: the same movie, with the note that it is to be turned by that angle to stand upright.
note_turn() {
    local before=() after=(-metadata:s:v "rotate=$2") # as before FFmpeg 6.0
    if grep -q display_rotation <<<"$(ffmpeg -hide_banner -h full 2>/dev/null)"; then
        before=(-display_rotation "$2") after=()
    fi
    ffmpeg -nostdin -v error -y "${before[@]}" -i "$1" -c copy "${after[@]}" "$3" || fail "ffmpeg did not make $3"
}

# field FILE ENTRY: values of the video stream, whose every frame is decoded; a message on the way becomes part of them.
field() {
    ffprobe -v warning -select_streams v:0 -count_frames -show_entries "stream=$2" -of csv=p=0 "$1" 2>&1
}

# expect_decodes FILE: every frame, without one message.
expect_decodes() {
    local frames
    frames=$(field "$1" nb_read_frames)
    [[ $frames =~ ^[1-9][0-9]*$ ]] || fail "$1 does not decode: $frames"
}

# probe FILE ENTRIES [OPTIONS...]: what ffprobe says of these.
probe() { ffprobe -v error "${@:3}" -show_entries "$2" -of csv=p=0 "$1"; }

# packets MOVIE: a line a frame: its time stamp, its size and the hash of its bytes; a message of ffmpeg's fails the test.
packets() {
    local to=packets.$BASHPID # two run side by side
    ffmpeg -nostdin -v error -i "$1" -map 0:v -c copy -f framehash - >$to 2>$to.err && [ ! -s $to.err ] ||
        fail "ffmpeg of $1: $(head -n 3 $to.err)"
    grep -v '^#' $to | awk -F', *' '{ print $3, $5, $6 }'
}

# expect_packets MOVIE OTHER [WHY]: the same frames at the same times.
expect_packets() { cmp <(packets "$1") <(packets "$2") || fail "$1 has other frames than $2${3:+: $3}"; }

# expect_movie FILE WIDTH HEIGHT FRAMES: HAP Q, of that size and length, decoded without one message.
expect_movie() {
    local what
    what=$(field "$1" codec_name,codec_tag_string,width,height,nb_read_frames)
    [ "$what" = "hap,HapY,$2,$3,$4" ] || fail "$1 is $what and should be hap,HapY,$2,$3,$4"
}

# psnr MOVIE SOURCE [FILTER]: of R, G and B of all frames together [dB]; FILTER is applied to the source.
# Frames are paired by their order. Chroma lies at the left.
psnr() {
    local rgb="scale=in_h_chr_pos=0:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=gbrp"
    ffmpeg -nostdin -hide_banner -i "$1" -i "$2" -lavfi \
        "[0]settb=1/1000,setpts=N,$rgb[a];[1]${3:+$3,}settb=1/1000,setpts=N,$rgb[b];[a][b]psnr" \
        -f null - 2>&1 | sed -n 's/.*PSNR.*average:\([0-9.inf]*\).*/\1/p'
}

# colours MOVIE: the colour of each frame, as bits of red, green and blue.
colours() {
    ffmpeg -nostdin -v error -i "$1" -vf scale=1:1 -f rawvideo -pix_fmt rgb24 - |
        od -An -v -t u1 -w3 | awk '{ printf "%d%d%d ", ($1 > 127), ($2 > 127), ($3 > 127) }'
}

# at_least VALUE BOUND: in dB; "inf" is the most.
at_least() {
    awk -v v="$1" -v b="$2" 'BEGIN { exit !(v == "inf" || (b != "inf" && v != "" && v + 0 >= b + 0)) }'
}

# expect_psnr MOVIE SOURCE BOUND [FILTER]
expect_psnr() {
    local value
    value=$(psnr "$1" "$2" "${4:-}")
    [ -n "$value" ] || fail "$1 could not be compared with $2"
    at_least "$value" "$3" || fail "$1: $value dB against $2, and $3 are wanted"
    printf '%s: %s dB against %s (at least %s)\n' "$1" "$value" "$2" "$3"
}

# pfm_turn: the filter by which this ffmpeg reads and writes PFM files, which begin with the bottom row, upright.
pfm_turn() {
    printf 'Pf\n1 2\n-1.0\n\0\0\200\077\0\0\0\0' >bottom.pfm
    case $(ffmpeg -nostdin -v error -i bottom.pfm -f rawvideo -pix_fmt grayf32le - | od -An -t f4 | xargs) in
    "0 1") echo null ;;
    *) echo vflip ;;
    esac
}

# expect_status STATUS WORDS COMMAND...: the exit status, and words on standard error (a basic regex), or also on standard
# output where it succeeds.
expect_status() {
    local wanted=$1 words=$2 status=0 said=(stderr.txt)
    shift 2
    "$@" >stdout.txt 2>stderr.txt || status=$?
    [ "$status" = "$wanted" ] || fail "$*: status $status instead of $wanted: $(cat stderr.txt)"
    [ "$wanted" != 0 ] || said+=(stdout.txt)
    grep -qi -- "$words" "${said[@]}" || fail "$*: no word of \"$words\" in: $(cat "${said[@]}")"
    printf '%s -> %s: %s\n' "${*##*/}" "$status" "$(head -n 1 stderr.txt)"
}

# recovered WORDS INPUT [OPTIONS...]: weir recover makes new.mov of it, and says this.
recovered() {
    rm -f new.mov
    expect_status 0 "$1" "$weir" recover "$2" new.mov "${@:3}"
}

# zero FILE PLACE SIZE [FROM]: so many bytes of it are zeros, or those of another file.
zero() { head -c "$3" "${4:-/dev/zero}" | dd of="$1" bs=64k seek="$2" oflag=seek_bytes conv=notrunc status=none; }

# frame_at MOVIE N: where the N-th frame lies.
frame_at() { probe "$1" packet=pos -select_streams v | sed -n "$2s/,.*//;$2p"; }

# expect_table [PREFIX...] <<<"STATUS|WORDS|ARGUMENTS"...: expect_status of weir with the arguments of each line, as a shell
# splits them. With sanitizers, of each third line: fuzz_options reads command lines with them too.
expect_table() {
    local status words arguments line=0
    while IFS='|' read -r -u 3 status words arguments; do
        [ -z "$sanitized" ] || [ $((line++ % 3)) = 0 ] || continue
        eval "arguments=($arguments)"
        expect_status "$status" "$words" "$weir" "$@" "${arguments[@]}"
    done 3<&0 </dev/null
}

# begin COMMAND...: in the background, as `app`; Ctrl-C ends it as it does in a terminal. What it says is in messages.txt.
begin() {
    env --default-signal=INT,HUP "$@" >stdout.txt 2>messages.txt &
    app=$!
}

# expect_end STATUS WORDS: so that program ends, and says this.
expect_end() {
    local status=0
    wait "$app" || status=$?
    app=
    [ $status = "$1" ] || fail "status $status instead of $1: $(cat messages.txt)"
    grep -q -- "$2" messages.txt || fail "no word of \"$2\" in: $(cat messages.txt)"
}

# until_true COMMAND...: tries until it is true; the test's own limit ends a wait in vain. `app`, if set, lives until then.
app=
until_true() {
    until "$@" >/dev/null 2>&1; do
        [ -z "$app" ] || kill -0 "$app" 2>/dev/null || fail "the program ended before: $*: $(cat log.txt messages.txt 2>/dev/null)"
        sleep 0.02
    done
}

# is_grown FILE BYTES: it has them, or more.
is_grown() { [ "$(stat -c %s "$1")" -ge "$2" ]; }

# until_ended PROCESS: when it returns, no thread of that process runs, so its files and their locks are released. State Z of the
# process alone does not tell: its first thread may be gone before the others.
until_ended() {
    for ((wait = 0; wait < 1000; wait++)); do
        grep -qs '^State:[[:space:]]*[^ZX[:space:]]' /proc/"$1"/task/*/status || return 0
        sleep 0.01
    done
    fail "process $1 goes on"
}

# faulty NAME=VALUE... COMMAND...: on a disk with these faults (disk_faults.c).
faulty() {
    env LD_PRELOAD="$(dirname "$program")/../lib/libe2e_disk_faults.so" \
        ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" "$@"
}

# limited KIB COMMAND...: on a disk that lets no file grow beyond that size.
limited() { faulty WEIR_FULL_DISK="$1" "${@:2}"; }

# killed_at N COMMAND...: at that write of a file in this folder; calls.txt gets how many writes and bytes there were.
killed_at() {
    faulty WEIR_KILL_AT="$1" WEIR_KILL_FOLDER="$PWD" WEIR_KILL_COUNT="$PWD/calls.txt" "${@:2}" >said.txt 2>&1
}

# most_texels: how many a side the device takes.
most_texels() { "$weir" info | sed -n 's/^  limits *\([0-9]*\) texels a side.*/\1/p' | head -n 1; }

# below N: a number from 0 to N - 1.
below() { echo $(((RANDOM << 15 | RANDOM) % $1)); }

# expect_plays MOVIE: in mpv, where it is here.
expect_plays() {
    command -v mpv >/dev/null || return 0
    mpv --no-config --vo=null --ao=null --untimed --msg-level=all=warn "$1" >mpv.txt 2>&1 && ! grep -qi error mpv.txt ||
        fail "mpv of $1: $(cat mpv.txt)"
}

# expect_no FILE...
expect_no() {
    local file
    for file in "$@"; do
        [ ! -e "$file" ] || fail "$file was left behind"
    done
}

# expect_clean: no file of a name that Weir takes until a file is whole.
expect_clean() {
    [ -z "$(find . -name '.weir*')" ] || fail "something was left behind: $(find . -name '.weir*')"
}

# judge ARGUMENTS... <<PROGRAM: a program in Python that says if JSON is right.
judge() {
    if command -v python3 >/dev/null; then
        python3 - "$@"
    else
        printf 'no python3 here to read the JSON\n'
    fi
}

# expect_json FILE: JSON, as another reader of it says.
expect_json() {
    if command -v python3 >/dev/null; then
        python3 -m json.tool "$1" >/dev/null || fail "$1 is no JSON"
    elif command -v node >/dev/null; then
        node -e 'JSON.parse(require("fs").readFileSync(process.argv[1]))' "$1" || fail "$1 is no JSON"
    else
        printf '%s was not read: neither python3 nor node is here\n' "$1"
    fi
}
