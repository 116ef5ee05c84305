#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_unusual.sh WEIR FOLDER PRESENT NUMBERS BUILD: programs that do what few do: they forbid themselves system calls,
# call exit() in a signal handler within a present, present from threads, to 64 windows, on two devices, with extensions of
# presents. Each ends with its own status in time; what the recorder has is right, and what it has not is said in one line.
source "$(dirname "$0")/cli_common.sh"
source "$(dirname "$0")/record/layer_common.sh"
build=$5
ulimit -c 0
cat >program <<PROGRAM
#!/bin/sh
name=\$1
shift
timeout --signal KILL 30 "\$@"
status=\$?
echo \$status >\$name.status
exit \$status
PROGRAM
chmod +x program

# try NAME STATUS OWN MOVIES FRAMES WORDS PROGRAM...: the recorder ends with that status, and the program with its own. So many
# movies have so many frames, "5-9" or "10", numbered from 0 on. All that is said is that basic regex; lines end in ";".
try() {
    local name=$1 wanted=$2 own=$3 movies=$4 frames=$5 words=$6 status=0 said is movie
    shift 6
    timeout 60 "$weir" record --quiet --effort fast --codec hap --policy wait --sync 0 --output "$name.mov" -- ./program "$name" "$@" >"$name.txt" 2>&1 || status=$?
    is=$(cat "$name.status")
    if [ "$is" = 77 ]; then
        echo "$name: not tried here, $(cat "$name.txt")"
        return
    fi
    said=$(tr '\n' ';' <"$name.txt")
    [ "$is" = "$own" ] || fail "$name: the program ended with $is instead of $own: $said"
    [ "$status" = "$wanted" ] || fail "$name: the recorder ended with $status instead of $wanted: $said"
    grep -qx -- "$words" <<<"$said" || fail "$name: $said"
    is=0
    for movie in "$name.mov" "$name"-[0-9]*.mov; do
        [ -e "$movie" ] || continue
        is=$((is + 1))
        "$read_numbers" "$movie" >movie.txt 2>/dev/null || fail "$movie is not read"
        awk -v least="${frames%-*}" -v most="${frames#*-}" '$1 != NR - 1 { exit 1 } END { if (NR < least || NR > most) exit 1 }' movie.txt ||
            fail "$movie has the frames $(cut -d ' ' -f 1 movie.txt | xargs)"
    done
    [ $is = "$movies" ] || fail "$name: $is movies instead of $movies: $said"
    echo "$name: $movies movies"
}
ten=("$present" --frames 10)

# Threads, windows, devices.
# The validation layer 1.4.309 has hazards of presents from threads that share a queue, where nobody records too.
try threads 0 0 4 10 "" "${ten[@]}" --threads 4
try threads_windows 0 0 6 10 "" "${ten[@]}" --threads 3 --windows 2 --resize-each 100
try devices 0 0 3 10 "" "${ten[@]}" --threads 3 --own-devices --validate
try windows 0 0 64 3 "" "$present" --frames 3 --windows 64 --size 64x88
refused="weir: warning: e2e_present ([0-9]*): a window of [0-9x]* is not recorded: its program shows too many windows at a time;"
try too_many 0 0 64 3 "$refused$refused" "$present" --frames 3 --windows 33 --threads 2 --size 64x88
try waits 0 0 1 10 "" "${ten[@]}" --waits 100 --validate
try extensions 0 0 2 10 "" "${ten[@]}" --windows 2 --extensions --validate --api 1.1
headless=(env VK_LAYER_PATH="$build/layer:$build/layer-stand-in" VK_INSTANCE_LAYERS=VK_LAYER_WEIR_capture:VK_LAYER_WEIR_stand_in
    "${ten[@]}" --windows 2 --headless)
try present_wait 0 0 2 10 "" "${headless[@]}" --extensions --api 1.1
try shared_call 0 0 2 10 "" "${headless[@]}" --shared-call

# System calls are forbidden behind vkCreateDevice, before the first present or between two: what might end the program is not
# tried. Where this test has a filter already, as in a container, another one is not noticed.
lost="weir: the program has filtered its system calls (seccomp); the program goes on unrecorded;"
later=(errno trap kill)
if ! grep -q "^Seccomp:[[:space:]]*0" /proc/self/status; then
    lost="weir: [^;]*\(; the program goes on unrecorded\)\?;" later=(errno trap)
fi
for filter in errno trap; do # before its first frame the driver may open files, which would end the program
    try $filter 1 0 0 0 "${lost}weir: error: nothing was recorded: [^;]*;" "${ten[@]}" --filter $filter
done
for filter in "${later[@]}"; do
    try ${filter}_later 0 0 1 4-5 "$lost" "${ten[@]}" --filter $filter --filter-at 4
done

# exit() at each place where a present holds a mutex of the layer, and in its waits.
for unlock in 1 2 3 4 5 6 7 8; do
    try unlock_$unlock 3 3 1 5-9 "" "${ten[@]}" --exit-at-unlock $unlock
done
for us in 1 2000 10000 15000; do
    try after_$us 3 3 1 15-29 "" "$present" --frames 30 --exit-after $us --fps 100
done
echo passed
