#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a power cut leaves of a movie. Anyone who is root can run it:
#
#   power_cut.sh BIN FOLDER [FILE_SYSTEM...]     ext4, xfs and btrfs if none is named
#
# BIN has power_disk and power_record, FOLDER is for the images. A disk with a volatile cache (power_disk) carries the
# file system. While a movie is recorded, and once after it was closed, the power is cut at random instants: the disk as
# it is then, without what was not flushed or with a random half of it, is mounted, and its movie is compared with what
# was written. What must hold: every frame that was written when a sync began that has ended is there, and plays; a
# closed movie is whole. The table says how many seconds of frames were lost, which depends on the machine too.
#
# POWER_SYNC_MS (1000; 0 = never), POWER_SECONDS (8), POWER_CUTS (6 a recording), POWER_RATES (3 of the rates on each file
# system; with 2, WEIR_SEED says which one is left out, another one on each), WEIR_SEED.
set -euo pipefail

skip() { printf 'skipped: %s\n' "$*"; exit 77; }
bin=$1 folder=$2
shift 2
systems=("$@")
[ ${#systems[@]} -gt 0 ] || systems=(ext4 xfs btrfs)
[ "$(id -u)" = 0 ] || skip "needs root, to mount file systems"
command -v ffprobe >/dev/null || skip "needs ffprobe, the judge of movies"
losetup -f >/dev/null 2>&1 || skip "needs a loop device"
# Nobody else sees these mounts: a process that had copies of them would keep the disks from ending. In a chroot unshare
# fails, for all others too.
if [ -z "${POWER_HAS_MOUNTS:-}" ] && unshare -m true 2>/dev/null; then
    POWER_HAS_MOUNTS=1 exec unshare -m bash "$0" "$bin" "$folder" "${systems[@]}"
fi
[ -c /dev/fuse ] || skip "needs /dev/fuse, for a disk whose power can be cut"
sync_ms=${POWER_SYNC_MS:-1000} seconds=${POWER_SECONDS:-8} num_cuts=${POWER_CUTS:-6} num_rates=${POWER_RATES:-3}
seed=${WEIR_SEED:-$RANDOM$RANDOM}
printf 'seed: WEIR_SEED=%s\n' "$seed"

num_failures=0 loop='' disk='' recorder=''
fail() { printf 'not so: %s\n' "$*"; num_failures=$((num_failures + 1)); }

release() { # of one disk
    umount "$folder/mounted" 2>/dev/null || true
    [ -z "$loop" ] || losetup -d "$loop" 2>/dev/null || true
    umount "$folder/disk" 2>/dev/null || true
    [ -z "$disk" ] || wait "$disk" 2>/dev/null || true
    loop='' disk=''
}
clean_up() {
    [ -z "$recorder" ] || { kill "$recorder" && wait "$recorder"; } 2>/dev/null || true
    umount "$folder/cut" 2>/dev/null || true
    release
    rm -rf "$folder"
}

# make_disk FILE_SYSTEM: mounted at $folder/mounted.
make_disk() {
    "$bin/power_disk" "$folder/disk" 640 "$folder/images" "$RANDOM" &
    disk=$!
    until [ -f "$folder/disk/disk" ]; do
        kill -0 "$disk" 2>/dev/null || skip "power_disk could not mount its folder"
        sleep 0.05
    done
    loop=$(losetup -f --show "$folder/disk/disk") || skip "no loop device could be made"
    case $1 in
    ext4) mkfs.ext4 -q -E nodiscard "$loop" ;;
    xfs) mkfs.xfs -q -K "$loop" ;;
    btrfs) mkfs.btrfs -q -K "$loop" 2>/dev/null ;; # it notes what its defaults are
    esac
    mount -t "$1" "$loop" "$folder/mounted" || skip "this machine does not mount $1"
}

cut_power() { # N
    mkdir "$folder/disk/$1"
}

# whole_frames MOVIE: how many frames are, byte for byte, those that were written. Its first 64 bytes change when it is
# closed; behind its last frame the closed movie differs.
whole_frames() {
    local said same=
    if said=$(cmp -i 64 "$1" "$folder/movie.mov" 2>&1); then
        same=$(stat -c %s "$1")
    elif [[ $said =~ differ:\ (byte|char)\ ([0-9]+) ]]; then
        same=$((64 + BASH_REMATCH[2] - 1))
    elif [[ $said =~ after\ byte\ ([0-9]+) ]]; then
        same=$((64 + BASH_REMATCH[1]))
    fi
    awk -v same="${same:-0}" -F, '$1 + $2 <= same { num++ } END { print num + 0 }' "$folder/frames.csv"
}

# Look at the movie of cut N, and print a line of the table. $4 = 1: the movie was closed.
check_cut() { # FILE_SYSTEM RATE N CLOSED
    local image=$folder/images/$3.img options=() cut_loop when written promised whole=0 played=0 lost since=$SECONDS
    until [ -f "$image" ]; do
        [ $((SECONDS - since)) -lt 60 ] || { fail "$1, $2: the disk made no image of cut $3 in a minute"; return; }
        sleep 0.05
    done
    when=$(<"$folder/images/$3.time")
    read -r written promised < <(awk -v when="$when" '$3 <= when && $1 == "frame" { w = $2 }
        $3 <= when && $1 != "frame" { p = $2 } END { print w + 0, p + 0 }' "$folder/log")
    cut_loop=$(losetup -f --show "$image")
    [ "$1" != xfs ] || options=(-o nouuid) # that of the disk which goes on
    if mount -t "$1" "${options[@]}" "$cut_loop" "$folder/cut"; then
        if [ -f "$folder/cut/movie.mov" ]; then
            whole=$(whole_frames "$folder/cut/movie.mov")
            played=$(ffprobe -v quiet -count_packets -select_streams v:0 -of csv=p=0 \
                -show_entries stream=nb_read_packets "$folder/cut/movie.mov" || true)
            played=${played%%[!0-9]*}
        fi
        umount "$folder/cut"
    else
        fail "$1, $2: the file system of cut $3 cannot be mounted"
    fi
    losetup -d "$cut_loop"
    rm -f "$image"
    lost=$(awk -v when="$when" -v whole="$whole" '$1 == "frame" && $2 == whole + 1 && $3 <= when {
        printf "%.2f", (when - $3) / 1e9 }' "$folder/log")
    printf '%-6s %-16s %8s %8s %8s %8s %6s s\n' "$1" "$2" "$written" "$promised" "$whole" "${played:-0}" "${lost:-0}"
    [ "$whole" -ge "$promised" ] || fail "$1, $2: $whole whole frames, the disk had promised $promised"
    [ "${played:-0}" -ge "$whole" ] || fail "$1, $2: ${played:-0} frames play, $whole are whole"
    [ "$4" = 0 ] || [ "$whole" = "$written" ] || fail "$1, $2: a closed movie has $whole of $written frames"
}

# record FILE_SYSTEM NAME SIDE FPS
record() {
    local i random
    rm -rf "$folder/images" && mkdir "$folder/images"
    make_disk "$1"
    "$bin/power_record" "$folder/mounted/movie.mov" "$folder/log" "$3" "$4" "$seconds" "$sync_ms" >"$folder/said" &
    recorder=$!
    for ((i = 0; i < num_cuts; i++)); do
        random=$RANDOM # in a command substitution it is another than the seed's
        sleep "$(awk -v random="$random" -v seconds="$seconds" -v cuts="$num_cuts" \
            'BEGIN { print 1.8 * seconds / cuts * random / 32768 }')"
        kill -0 "$recorder" 2>/dev/null || break
        cut_power "$i"
    done
    wait "$recorder" || fail "$1, $2: the recording failed: $(<"$folder/said")"
    recorder=''
    cut_power 1000 # nothing that was not flushed
    cp "$folder/mounted/movie.mov" "$folder/movie.mov"
    ffprobe -v error -select_streams v:0 -show_entries packet=size,pos -of csv=p=0 "$folder/movie.mov" >"$folder/frames.csv"
    [ "$sync_ms" = 0 ] || grep -q '^sync' "$folder/log" || fail "$1, $2: the disk was never asked"
    for ((i--; i >= 0; i--)); do
        [ ! -f "$folder/images/$i.time" ] || check_cut "$1" "$2" "$i" 0
    done
    check_cut "$1" "$2, closed" 1000 $((sync_ms > 0))
    release
}

# cut_system FILE_SYSTEM SEED: at so many rates, from where the seed says.
cut_system() (
    local i rate
    local rates=("60/s, 37 KB:192:60" "60/s, 590 KB:768:60" "0.5/s, 37 KB:192:0.5")
    folder=$folder/$1 RANDOM=$2
    trap clean_up EXIT
    mkdir -p "$folder/disk" "$folder/mounted" "$folder/cut"
    for ((i = 0; i < num_rates; i++)); do
        IFS=: read -ra rate <<<"${rates[($2 + i) % 3]}"
        record "$1" "${rate[@]}"
    done
    printf '%s: %d failures\n' "$1" "$num_failures"
    [ "$num_failures" = 0 ]
)

for system in "${systems[@]}"; do
    command -v "mkfs.$system" >/dev/null || skip "needs mkfs.$system"
done
rm -rf "$folder"
mkdir -p "$folder"
printf '%-6s %-16s %8s %8s %8s %8s %8s\n' system rate written promised whole played lost
running=()
trap 'kill "${running[@]}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
for system in "${systems[@]}"; do
    cut_system "$system" $((seed + ${#running[@]})) &
    running+=($!)
done
worst=0 # a failure, and else what could not be tested
for process in "${running[@]}"; do
    status=0
    wait "$process" || status=$?
    [ "$status" = 0 ] || [ "$worst" = 1 ] || worst=$((status == 77 ? 77 : 1))
done
running=()
exit "$worst"
