#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The n-th call of each program to the system (fault.c) or to the device (layer.c) fails, of every kind and in every way,
# and what the program says is held against what it left behind:
# - it ends, and neither it nor a child process by a signal, but in FFmpeg's own code where FFmpeg's own memory failed;
# - status 0: every output is there and is what it is without a fault. Decoders of FFmpeg take memory that fails for a
#   damaged file, so a movie may lack frames then;
# - another status: a message, no line of it twice, in words of the program's users. It names the file whose call failed, or
#   one of the command line, or says that memory or a thread failed. A movie that is there decodes, with as many frames as
#   are said to be written; every other output is absent, or whole;
# - no other file is left.
# bash sweep.sh BIN FAULT.so LAYER_FOLDER FOLDER CASES [PREFIX]: so many cases of four programs, drawn by WEIR_SEED, or
# "all" that begin with PREFIX, a regular expression such as "transcode write:". FOLDER is made anew.
set -euo pipefail
bin=$(realpath "$1") library=$(realpath "$2") layers=$(realpath "$3") folder=$4 cases=$5 prefix=${6:-}
rm -rf "$folder"
mkdir -p "$folder"
folder=$(realpath "$folder")
cd "$folder"

fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
skip() { printf 'skipped: %s\n' "$*"; exit 77; }
for tool in ffmpeg ffprobe; do
    command -v $tool >/dev/null || skip "no $tool here, and it is the judge"
done
"$bin/weir" info >/dev/null 2>&1 || skip "no Vulkan device is usable"

# ---- the programs, on small inputs: each writes into out/
declare -A commands=(
    [info]="weir info"
    [transcode]="weir transcode ../in.mkv movie.mov"
    [snappy]="weir transcode ../frames/f_%02d.png movie.mov --compression snappy --chunks 2"
    [scale]="weir transcode ../in.mkv movie.mov --scale 50%"
    [texture]="weir texture ../in.tif picture.ktx2 --mips"
    [textures]="weir texture ../frames folder --codec bc1"
    [rewrap]="weir texture ../in.ktx2 picture.dds"
    [decode]="weir texture ../in.ktx2 picture.png --decode"
    [mips]="weir mips ../in.png folder --json facts.json"
    [palette]="weir palette ../in.png picture.png --export colors.gpl"
    [best]="weir palette ../in.png picture.png --colors 4 --dither diffusion"
    [palettes]="weir palette ../frames folder"
    [recolor]="weir palette ../in.mkv movie.mov"
    [bench]="weir-bench palette --quick --colors 300 --methods ours --repeats 1 --json facts.json"
    [sample]="sample_capture --headless --size 64x48 --frames 5 --output movie.mov --picture picture.png"
    [sound]="weir transcode ../sound.mkv movie.mov"
    [recover]="weir recover ../grown.mov movie.mov"
    [in_place]="weir recover movie.mov --in-place"
    [join]="weir join ../a.mov ../b.mov movie.mov"
    [window]="sample_capture --size 64x48 --frames 5 --fps 60 --policy wait --output movie.mov"
)
programs=(info transcode snappy scale texture textures rewrap decode mips palette best palettes recolor bench sound recover
    in_place join)
[ ! -x "$bin/sample_capture" ] || programs+=(sample)

# A display for the window; without one there is none.
start_display() {
    [ -x "$bin/sample_capture" ] && command -v Xvfb >/dev/null || return 0
    unset WAYLAND_DISPLAY
    Xvfb -displayfd 3 -screen 0 640x480x24 3>display.txt >xvfb.txt 2>&1 &
    xvfb=$!
    trap 'kill $xvfb' EXIT
    until [ -s display.txt ]; do
        kill -0 $xvfb 2>/dev/null || { trap - EXIT; return 0; }
        sleep 0.1
    done
    DISPLAY=:$(cat display.txt)
    export DISPLAY
    programs+=(window)
}

make_inputs() {
    local source=testsrc=size=24x16:rate=5 name
    mkdir frames
    ffmpeg -nostdin -v error -f lavfi -i $source:duration=1 -c:v png in.mkv
    ffmpeg -nostdin -v error -f lavfi -i $source:duration=0.4 frames/f_%02d.png
    cp frames/f_01.png in.png
    ffmpeg -nostdin -v error -i in.png in.tif
    "$bin/weir" texture in.png in.ktx2 >/dev/null
    for name in sound a b; do
        ffmpeg -nostdin -v error -f lavfi -i $source:duration=1 -f lavfi -i sine=duration=1:sample_rate=8000 \
            -f lavfi -i sine=duration=1:sample_rate=11025 -map 0 -map 1 -map 2 -c:v png -c:a pcm_s24le $name.mkv
    done
    "$bin/weir" transcode a.mkv a.mov --quiet
    "$bin/weir" transcode b.mkv b.mov --quiet
    make_grown a.mov grown.mov
}

# make_grown CLOSED GROWN: the movie as it was before it was closed: without its index, and with the head of moov, which
# begins behind ftyp and ends where the first fragment begins.
make_grown() {
    local moov=20 size last
    size=$({ LC_ALL=C grep -obaE 'free|moof' "$1" || true; } | sed -n '1s/:.*//p')
    size=$((size - 4 - moov))
    last=$(ffprobe -v error -show_entries packet=pos,size -of csv=p=0 "$1" | awk -F, '{ print $1 + $2 }' | sort -n | tail -n 1)
    cp "$1" "$2"
    printf "$(printf '\\x%02x' 0 0 $((size >> 8 & 255)) $((size & 255)))moov\0\0\0\x6cmvhd" |
        dd of="$2" bs=1 seek=$moov conv=notrunc 2>/dev/null
    truncate -s "$last" "$2"
}

# run PROGRAM FAULT: in a folder "out" that is empty; leaves status, out.txt, err.txt and log.txt. A program that has not
# ended after two minutes never will.
run() {
    local command
    read -ra command <<<"${commands[$1]}"
    command[0]=$bin/${command[0]}
    rm -rf out
    mkdir out
    [ "$1" != in_place ] || cp grown.mov out/movie.mov
    : >log.txt
    status=0
    (cd out && exec timeout -s KILL 120 env WEIR_FAULT="$2" WEIR_FAULT_LOG="$folder/log.txt" LD_PRELOAD="$library" \
        VK_LAYER_PATH="$layers" VK_INSTANCE_LAYERS=VK_LAYER_WEIR_fault "${command[@]}" >../out.txt 2>../err.txt) \
        2>/dev/null || status=$?
}

files() { (cd "$1" && find . -type f | sort); }
# Frames with their times, and the samples of each track: how these are cut into packets differs from run to run.
digest() {
    ffmpeg -nostdin -v error -i "$1" -map 0:v -f framemd5 - 2>&1 | grep -v '^#'
    ffmpeg -nostdin -v error -i "$1" -map '0:a?' -f streamhash - 2>/dev/null || true
}

# What each program makes without a fault, and how many calls of each kind it makes.
declare -A counts
make_references() {
    local program kind number verb
    for program in "${programs[@]}"; do
        run "$program" none
        [ $status = 0 ] || fail "$program, without a fault: status $status: $(cat err.txt)"
        mkdir -p "right/$program"
        cp -r out/. "right/$program"
        while read -r verb kind number; do
            [ "$verb" != calls ] || counts[$program $kind]=$number
        done <log.txt
    done
}

kinds=(open read write pwrite fdatasync fsync ftruncate rename mkdir mmap pthread_create malloc malloc_lib
    submit wait acquire present create allocate map record)

# modes KIND: the ways in which such a call fails.
modes() {
    case $1 in
    open) echo EMFILE EACCES EINTR ;;
    read) echo EIO EINTR short slow ;;
    write | pwrite) echo EIO ENOSPC EINTR short slow ;;
    fdatasync | fsync) echo EIO ENOSPC EINTR slow ;;
    ftruncate) echo EIO EINTR ;;
    rename) echo EIO EACCES ;;
    mkdir) echo EACCES ENOSPC ;;
    mmap | malloc | malloc_lib) echo ENOMEM ;;
    pthread_create) echo EAGAIN ;;
    submit | wait) echo DEVICE_LOST OUT_OF_HOST_MEMORY ;;
    acquire) echo DEVICE_LOST SURFACE_LOST OUT_OF_DATE SUBOPTIMAL TIMEOUT ;;
    present) echo DEVICE_LOST SURFACE_LOST OUT_OF_DATE SUBOPTIMAL ;;
    create | allocate) echo OUT_OF_DEVICE_MEMORY ;;
    map) echo MEMORY_MAP_FAILED OUT_OF_DEVICE_MEMORY ;;
    record) echo OUT_OF_HOST_MEMORY ;;
    esac
}

# list_cases: a line "PROGRAM KIND:N:MODE" each. Errors of a disk come to stay as well ("N+"). Of kinds that have hundreds
# of calls some dozens, over all of the run.
list_cases() {
    local program kind n mode number step
    for program in "${programs[@]}"; do
        for kind in "${kinds[@]}"; do
            number=${counts[$program $kind]:-0} step=1
            case $kind in malloc) ;; malloc_lib) step=$((number / 60 + 1)) ;; *) step=$((number / 12 + 1)) ;; esac
            for ((n = 1; n <= number; n += step)); do
                for mode in $(modes $kind); do
                    echo "$program $kind:$n:$mode"
                    case $kind:$mode in *write:EIO | *write:ENOSPC | open:EMFILE) echo "$program $kind:$n+:$mode" ;; esac
                done
            done
        done
    done
}

# Same frames, or the same bytes.
is_right() {
    cmp -s "out/$2" "right/$1/$2" && return 0
    case $2 in
    *.mov) [ "$(digest "out/$2")" = "$(digest "right/$1/$2")" ] ;;
    */facts.json) python3 -m json.tool "out/$2" >/dev/null ;; # times differ
    *) return 1 ;;
    esac
}

num_frames() {
    ffprobe -v error -select_streams v:0 -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$1" 2>&1
}

# said_frames: how many the program says to have written, if it says so.
said_frames() {
    sed -nE 's/^frames .*written ([0-9]+).*/\1/p; s/.*holds ([0-9]+) frames?, and plays.*/\1/p' out.txt err.txt | head -n 1
}

# judge_movies: all that are there decode, with as many frames in all as are said to be written. Sets `total`.
judge_movies() {
    local file number said
    total=0
    while read -r file; do
        number=$(num_frames "out/$file") || true
        [[ $number =~ ^[0-9]+$ ]] || { echo "$file does not decode: $number"; continue; }
        total=$((total + number))
    done < <(files out | grep '\.mov$')
    said=$(said_frames)
    [ -z "$said" ] || [ "$said" = "$total" ] || echo "$said frames are said to be written, $total are there"
}

judge_success() {
    local program=$1 fault=$2 file total
    if [ "$program" = window ]; then # a new swapchain begins another segment
        judge_movies
        [ "$total" = "$(num_frames right/window/movie.mov)" ] || echo "status 0 and $total frames"
        return
    fi
    while read -r file; do
        if [ ! -e "out/$file" ]; then
            echo "status 0 without $file"
        elif ! is_right "$program" "$file"; then
            case $fault:$file in
            malloc_lib:*.mov) num_frames "out/$file" | grep -qx '[0-9]*' || echo "$file does not decode" ;;
            *) echo "status 0 and another $file" ;;
            esac
        fi
    done < <(files "right/$program")
}

# says WORD...: one of these words is in the messages.
says() {
    local word
    for word in "$@"; do
        ! grep -qiF -- "$word" err.txt out.txt || return 0
    done
    return 1
}

judge_error() {
    local program=$1 fault=$2 file name names words twice total
    if [ ! -s err.txt ]; then
        echo "status $status without a message"
        return
    fi
    twice=$(sort err.txt | uniq -d | head -n 1)
    [ -z "$twice" ] || echo "says twice: $twice"
    case ${commands[$program]} in "weir "*) # the samples are programs of people who know the API
        ! grep -qE '\bweir_[a-z]|\bWEIR_[A-Z]' err.txt || echo "speaks of the API" ;;
    esac
    judge_movies
    while read -r file; do
        is_right "$program" "$file" || echo "status $status and half of $file"
    done < <(files out | grep -v '\.mov$')
    name=$(sed -n 's/^failed [a-z_]* //p' log.txt | head -n 1)
    mapfile -t names < <(sed -n 's/^failed [a-z_]* //p' log.txt | sed 's#/*$##; s#.*/##' | sort -u | grep .)
    mapfile -t words < <(grep -oE '[a-z]+\.[a-z0-9]+' <<<"${commands[$program]}")
    case $fault in
    malloc* | mmap*) says memory allocate || echo "no word of memory" ;;
    pthread*) says thread || echo "no word of threads" ;;
    submit* | wait* | acquire* | present* | create* | allocate* | map* | record*)
        says "$name" memory "device was lost" "surface was lost" || echo "no word of $name" ;;
    *) says "${names[@]}" "${words[@]}" f_0 in_ || echo "no word of $name" ;;
    esac
}

# judge PROGRAM FAULT: prints what is wrong, if anything is.
judge() {
    local program=$1 fault=$2 file object
    [ $status != 137 ] || { echo "did not end"; return; }
    object=$(sed -n 's/^crash [0-9]* //p' log.txt | head -n 1) # of a child process too
    case $fault:$object in
    *:) [ $status -le 128 ] || echo "ended by a signal, status $status" ;;
    malloc_lib:*:libav* | malloc_lib:*:libsw* | malloc_lib:*:libpng* | malloc_lib:*:libtiff*)
        library_crashes=$((library_crashes + 1)) ;;
    *) echo "crashed in $object, status $status" ;;
    esac
    [ $status -le 128 ] || return 0
    while read -r file; do
        case $program:$file in window:./movie-*.mov) continue ;; esac # a segment after a new swapchain
        [ -e "right/$program/$file" ] || echo "left $file behind"
    done < <(files out)
    if [ $status = 0 ]; then
        judge_success "$@"
    else
        judge_error "$@"
    fi
}

if [ "$cases" != all ]; then
    seed=${WEIR_SEED:-$(date +%s)}
    echo "seed: WEIR_SEED=$seed"
fi
make_inputs
start_display
if [ "$cases" != all ]; then
    mapfile -t programs < <(printf '%s\n' "${programs[@]}" | shuf -n 4 --random-source=<(yes "$seed"))
elif [ -n "$prefix" ]; then
    programs=("${prefix%% *}")
fi
make_references
list_cases >all.txt
if [ "$cases" = all ]; then
    grep "^$prefix" all.txt >chosen.txt || fail "no case begins with '$prefix'"
else
    shuf -n "$cases" --random-source=<(yes "$seed") all.txt >chosen.txt
fi

library_crashes=0 num=0 bad=0 unreached=0 refused=0
while read -r program fault; do
    run "$program" "$fault"
    num=$((num + 1))
    grep -q '^failed' log.txt || unreached=$((unreached + 1))
    [ $status = 0 ] || refused=$((refused + 1))
    judge "$program" "$fault" >wrong.txt
    if [ -s wrong.txt ]; then
        bad=$((bad + 1))
        printf '%s %s: %s\n' "$program" "$fault" "$(paste -s -d ';' wrong.txt)"
        head -n 4 err.txt | sed 's/^/    /'
    fi
done <chosen.txt
echo "$num faults of $(wc -l <all.txt) in ${programs[*]}: $refused ended in an error, $((num - refused)) did no harm," \
    "$unreached were not reached; $library_crashes ended inside FFmpeg's libraries; $bad were answered wrongly"
[ $bad = 0 ] || fail "$bad faults were answered wrongly"
