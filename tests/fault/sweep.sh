#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The n-th call of each program to the system (fault.c) or to the device (layer.c) fails, of every kind and in every way:
# each of Weir's own allocations, and of other calls about twelve (of libraries' allocations 60), evenly spread.
# What the program says is held against what it left behind:
# - it ends, and neither it nor a child process by a signal, but in FFmpeg's own code where FFmpeg's own memory failed;
# - status 0: every output is there and is what it is without a fault. Decoders of FFmpeg take memory that fails for a
#   damaged file, so a movie may lack frames then;
# - another status: a message, no line of it twice, in words of the program's users. It names the file whose call failed, or
#   one of the command line, or says that memory or a thread failed. A movie that is there decodes, with as many frames as
#   are said to be written; every other output is absent, or whole;
# - no other file is left;
# - a recorder leaves nothing in its folder and no process, a program that is recorded ends with its own status, and frames are
#   missing only where a message says why.
# bash sweep.sh BIN FAULT.so LAYER_FOLDER FOLDER JOBS CASES [PREFIX]: CASES, or "all", of those that begin with PREFIX, a
# regular expression such as "transcode write:", JOBS at a time. A number of them lie evenly in the list, from where
# WEIR_SEED says; without PREFIX they are of four programs, all drawn by WEIR_SEED. FOLDER is made anew.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
bin=$(realpath "$1") library=$(realpath "$2") layers=$(realpath "$3") folder=$4 jobs=$5 cases=$6 prefix=${7:-}
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
. "$here/judge.sh"

live="--live 0"
[[ "$("$bin/weir" record $live -- true 2>&1)" != *"built without"* ]] || live=

# ---- the programs, on small inputs: each writes into the folder out of a worker's
declare -A commands=(
    [info]="weir info"
    [transcode]="weir transcode ../../in.mkv movie.mov --effort fast"
    [snappy]="weir transcode ../../frames/f_%02d.png movie.mov --compression snappy --chunks 2 --effort fast"
    [scale]="weir transcode ../../in.mkv movie.mov --scale 50% --effort fast"
    [texture]="weir texture ../../in.tif picture.ktx2 --mips --codec bc4 --effort fast"
    [textures]="weir texture ../../frames folder --codec bc4 --effort fast --zstd --quality 60"
    [rewrap]="weir texture ../../in.ktx2 picture.dds"
    [decode]="weir texture ../../in.ktx2 picture.png --decode"
    [mips]="weir mips ../../in.png folder --json facts.json"
    [palette]="weir palette ../../in.png picture.png --export colors.gpl"
    [best]="weir palette ../../in.png picture.png --colors 4 --dither diffusion"
    [palettes]="weir palette ../../frames folder"
    [recolor]="weir palette ../../in.mkv movie.mov"
    [bench]="weir-bench palette --quick --colors 300 --methods ours --repeats 1 --json facts.json"
    [sample]="sample_capture --headless --size 64x48 --frames 5 --output movie.mov --picture picture.png"
    [sound]="weir transcode ../../sound.mkv movie.mov --effort fast"
    [recover]="weir recover ../../grown.mov movie.mov"
    [in_place]="weir recover movie.mov --in-place"
    [join]="weir join ../../a.mov ../../b.mov movie.mov"
    [window]="sample_capture --size 64x48 --frames 5 --fps 60 --policy wait --output movie.mov"
    [record]="weir record $live --codec hap --policy wait --quiet --output movie.mov -- ../../own.sh e2e_fake_layer --frames 5"
    [recorded]="weir record $live --codec hap --policy wait --quiet --output movie.mov -- ../../own.sh e2e_present --frames 5 --headless --size 1000x96"
)
build=$(dirname "$bin")
# Where calls fail: in the recorder, or in the layer in the program.
declare -A environments=(
    [record]="WEIR_FAULT_IN=weir"
    [recorded]="WEIR_FAULT_IN=e2e_present WEIR_FAULT_OBJECT=libVkLayer_WEIR_capture
        VK_LAYER_PATH=$build/layer:$layers:$build/layer-stand-in
        VK_INSTANCE_LAYERS=VK_LAYER_WEIR_capture:VK_LAYER_WEIR_fault:VK_LAYER_WEIR_stand_in"
)
programs=(info transcode snappy scale texture textures rewrap decode mips palette best palettes recolor bench sound recover
    in_place join record)
[ ! -x "$bin/sample_capture" ] || programs+=(sample)
[ ! -x "$bin/e2e_present" ] || programs+=(recorded)

# A display for the window; without one it fails.
start_display() {
    [ -x "$bin/sample_capture" ] && command -v Xvfb >/dev/null || return 1
    unset WAYLAND_DISPLAY
    Xvfb -displayfd 3 -screen 0 640x480x24 3>display.txt >xvfb.txt 2>&1 &
    xvfb=$!
    trap 'kill $xvfb' EXIT
    until [ -s display.txt ]; do
        kill -0 $xvfb 2>/dev/null || { trap - EXIT; return 1; }
        sleep 0.1
    done
    DISPLAY=:$(cat display.txt)
    export DISPLAY
}

# needs PROGRAM...: one of these is to run.
needs() {
    local program
    for program in "$@"; do
        [[ " ${programs[*]} " != *" $program "* ]] || return 0
    done
    return 1
}

make_inputs() {
    local one=(-map 0 -frames:v 1)
    # A program that is recorded: the status with which it ends is a file.
    printf '#!/bin/sh\n"%s/$@"\necho $? >status.txt\n' "$bin" >own.sh
    chmod +x own.sh
    mkdir frames
    ffmpeg -nostdin -v error -f lavfi -i testsrc=size=24x16:rate=5:duration=1 -f lavfi -i sine=duration=1:sample_rate=8000 \
        -f lavfi -i sine=duration=1:sample_rate=11025 -map 0 -c:v png in.mkv -map 0 -t 0.4 frames/f_%02d.png \
        "${one[@]}" in.png "${one[@]}" in.tif -map 0 -map 1 -map 2 -c:v png -c:a pcm_s24le sound.mkv
    ! needs rewrap decode || "$bin/weir" texture in.png in.ktx2 >/dev/null
    ! needs recover in_place join || "$bin/weir" transcode sound.mkv a.mov --quiet
    ! needs join || cp a.mov b.mov
    ! needs recover in_place || make_grown a.mov grown.mov
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

# ---- helpers of a worker, each a process that answers lines
declare -A to from ids

# start NAME COMMAND...: in place of the one of that name.
start() {
    local name=$1 in out
    stop "$name"
    mkfifo ask answer
    "${@:2}" <ask >answer &
    ids[$name]=$!
    exec {in}>ask {out}<answer
    rm ask answer
    to[$name]=$in from[$name]=$out
}

stop() {
    local in=${to[$1]:-} out=${from[$1]:-}
    [ -n "$in" ] || return 0
    exec {in}>&- {out}<&-
    to[$1]=
    wait "${ids[$1]}" || fail "$1 ended with status $?"
}

# ask NAME LINE: sets `answer`.
ask() {
    printf '%s\n' "$2" >&"${to[$1]}"
    read -r -t 300 answer <&"${from[$1]}" || fail "$1 was asked '$2' and answered nothing"
}

enter() {
    mkdir "$1"
    cd "$1"
    export XDG_RUNTIME_DIR=$PWD/run
    if [ ${#PWD} -gt 60 ]; then # paths of sockets are short
        XDG_RUNTIME_DIR=$(mktemp -d)
    fi
    mkdir -p "$XDG_RUNTIME_DIR"
    start judge "$bin/fault_judge"
    started=
}

leave() {
    stop program
    stop judge
    cd ..
}

# The software driver, which the programs load again in each run if it is not loaded before. Empty: another one.
driver=$(sed -n 's/.*"library_path": *"\(.*lvp.*\)".*/\1/p' "${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-/dev/null}}" 2>/dev/null) ||
    driver=

# run PROGRAM FAULT: in a folder "out" that is empty; leaves status, out.txt, err.txt and log.txt. The program is started
# once for all its faults (server.h).
run() {
    local command environment
    if [ "$started" != "$1" ]; then
        read -ra command <<<"${commands[$1]}"
        read -ra environment -d '' <<<"${environments[$1]:-}" || true
        start program env WEIR_FAULT_SERVER="$PWD" ${driver:+WEIR_FAULT_DRIVER="$driver"} WEIR_FAULT_LOG="$PWD/log.txt" \
            LD_PRELOAD="$library" LD_LIBRARY_PATH="${library%/*}" VK_LAYER_PATH="$layers" \
            VK_INSTANCE_LAYERS=VK_LAYER_WEIR_fault "${environment[@]}" "$bin/${command[0]}" \
            "${command[@]:1}"
        started=$1
    fi
    rm -rf out
    mkdir out
    [ "$1" != in_place ] || cp ../grown.mov out/movie.mov
    : >log.txt
    ask program "$2"
    status=$answer
}

# What each program makes without a fault, and how many calls of each kind it makes.
declare -A counts
make_references() {
    local program kind number verb
    enter references
    for program in "${programs[@]}"; do
        run "$program" none
        [ $status = 0 ] || fail "$program, without a fault: status $status: $(cat err.txt)"
        mkdir -p "../right/$program"
        cp -r out/. "../right/$program"
        while read -r verb kind number; do
            [ "$verb" != calls ] || counts[$program $kind]=$number
        done <log.txt
    done
    leave
}

kinds=(open read write pwrite fdatasync fsync ftruncate rename mkdir mmap pthread_create malloc malloc_lib
    submit wait acquire present create allocate map record socket connect send receive poll descriptor process)

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
    socket | descriptor) echo EMFILE EACCES ;;
    connect) echo EMFILE EACCES EINTR ;;
    send | receive) echo ENOMEM EINTR EPERM ;;
    poll) echo EINTR ENOMEM ;;
    process) echo EAGAIN EACCES ;;
    esac
}

# list_cases: a line "PROGRAM KIND:N:MODE" each. Errors of a disk come to stay as well ("N+"). Of kinds that have hundreds
# of calls some dozens, over all of the run.
list_cases() {
    local program kind n mode number step
    for program in "${programs[@]}"; do
        for kind in "${kinds[@]}"; do
            number=${counts[$program $kind]:-0} step=1
            case $kind:$program in
            *:record) ;;
            present:recorded) continue ;; # what it answers is the program's
            *:recorded) ;;
            send:sound | receive:sound | poll:sound | descriptor:sound | process:sound) ;; # to what decodes
            socket:* | connect:* | send:* | receive:* | poll:* | descriptor:* | process:*) continue ;;
            esac
            case $kind in malloc) ;; malloc_lib) step=$((number / 60 + 1)) ;; *) step=$((number / 12 + 1)) ;; esac
            for ((n = 1; n <= number; n += step)); do
                for mode in $(modes $kind); do
                    case $program:$kind:$mode in record:receive:EPERM) continue ;; esac # a sandbox of the program
                    echo "$program $kind:$n:$mode"
                    case $kind:$mode in *write:EIO | *write:ENOSPC | open:EMFILE) echo "$program $kind:$n+:$mode" ;; esac
                done
            done
        done
    done
}

choose_programs() {
    if [ -n "$prefix" ]; then
        programs=("${prefix%% *}")
        [ "${programs[0]}" != window ] || start_display || skip "no display for the window"
        return
    fi
    ! start_display || programs+=(window)
    [ "$cases" = all ] ||
        mapfile -t programs < <(printf '%s\n' "${programs[@]}" | shuf -n 4 --random-source=<(yes "$seed"))
}

# choose_cases: of all.txt into chosen.txt, those of a program one behind the other.
choose_cases() {
    if [ -z "$prefix" ] && [ "$cases" != all ]; then
        shuf -n "$cases" --random-source=<(yes "$seed") all.txt | sort -s -k 1,1 >chosen.txt
        return
    fi
    grep "^$prefix" all.txt >chosen.txt || fail "no case begins with '$prefix'"
    if [ "$cases" != all ]; then
        awk -v num="$(wc -l <chosen.txt)" -v cases="$cases" -v seed="$seed" \
            '((NR - 1) * cases + seed) % num < cases' chosen.txt >some.txt
        mv some.txt chosen.txt
    fi
}

# work NUMBER: every so many of the cases; leaves what they came to in the file "sums" of its folder.
work() {
    local program fault num=0 bad=0 unreached=0 refused=0 text
    library_crashes=0
    enter "worker$1"
    while read -r program fault; do
        run "$program" "$fault"
        num=$((num + 1))
        read_run
        [ -n "$reached" ] || unreached=$((unreached + 1))
        [ "$status" = 0 ] || refused=$((refused + 1))
        judge "$program" "$fault" >wrong.txt
        if [ -s wrong.txt ]; then
            bad=$((bad + 1))
            text=$(head -n 4 err.txt | sed 's/^/    /')
            printf '%s %s: %s\n%s\n' "$program" "$fault" "$(paste -s -d ';' wrong.txt)" "$text"
        fi
    done < <(awk -v jobs="$jobs" -v number="$1" 'NR % jobs == number' ../chosen.txt)
    echo $num $refused $unreached $library_crashes $bad >sums
    leave
}

if [ "$cases" != all ]; then
    seed=${WEIR_SEED:-$(date +%s)}
    echo "seed: WEIR_SEED=$seed"
fi
choose_programs
make_inputs
make_references
list_cases >all.txt
choose_cases

workers=()
for ((number = 0; number < jobs; number++)); do
    (work $number) &
    workers+=($!)
done
for worker in "${workers[@]}"; do
    wait "$worker" || fail "a worker ended with status $?"
done
read -r num refused unreached library_crashes bad < <(cat worker*/sums |
    awk '{ for (i = 1; i <= 5; i++) sum[i] += $i } END { print sum[1], sum[2], sum[3], sum[4], sum[5] }')
[ "$num" = "$(wc -l <chosen.txt)" ] || fail "$num of $(wc -l <chosen.txt) faults were tried"
echo "$num faults of $(wc -l <all.txt) in ${programs[*]}: $refused ended in an error, $((num - refused)) did no harm," \
    "$unreached were not reached; $library_crashes ended inside FFmpeg's libraries; $bad were answered wrongly"
[ "$bad" = 0 ] || fail "$bad faults were answered wrongly"
