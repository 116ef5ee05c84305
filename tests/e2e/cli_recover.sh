#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir recover: movies that were cut and damaged, and recovery that is killed, judged by ffprobe, ffmpeg and mpv. Of the cuts a
# sample is made; WEIR_RECOVER_CUTS=600 makes so many. cli_recover_sound.sh kills recorders.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe
seed=${WEIR_SEED:-$RANDOM}
echo "WEIR_SEED=$seed"
RANDOM=$seed
num_cuts=${WEIR_RECOVER_CUTS:-6}

# expect_beginning MOVIE WHOLE NUM: a plain movie of the first NUM frames of WHOLE.
expect_beginning() {
    local movie=$1 whole=$2 num=$3
    packets "$movie" >got.txt
    head -n "$num" "${whole%.mov}.txt" >want.txt
    frames=$((frames + num))
    cmp got.txt want.txt || fail "$movie: $(wc -l <got.txt) frames are not the first $num of $whole"
    expect_status 0 "it needs nothing" "$weir" recover "$movie"
}

frames=0 # that were compared

# The reference: variable rate, each frame different. Written through the cache, past it, and compressed.
make source.mkv "testsrc2=s=48x32:r=50:d=2,setpts=N/50/TB+mod(N\,3)*0.006/TB" -c:v ffv1 -pix_fmt bgr0 -fps_mode vfr
make large.mkv "testsrc2=s=640x480:r=25:d=0.6" -c:v ffv1 -pix_fmt bgr0
"$weir" transcode source.mkv small.mov --quiet
"$weir" transcode source.mkv snappy.mov --quiet --compression snappy --chunks 4
"$weir" transcode large.mkv large.mov --quiet
movies=(small snappy large)
declare -A last
for movie in "${movies[@]}"; do
    packets $movie.mov >$movie.txt
    # Where frames end: 16 bytes into moov there stands the rest of the first one; the tables say the rest.
    ffprobe -v error -show_entries packet=pos,size -of csv=p=0 $movie.mov | awk -F, '{ print $1 + $2 }' | sort -n >$movie.ends
    last[$movie]=$(tail -n 1 $movie.ends)
    cp $movie.mov $movie.grown
    # The movie as it grew: the head of its first moov, which begins behind ftyp, is put back.
    moov=20
    [ "$(dd if=$movie.mov bs=1 skip=$((moov + 4)) count=4 2>/dev/null)" = mdat ] || fail "$movie.mov is not plain"
    # It ends where the first fragment begins, or the padding before that.
    size=$({ LC_ALL=C grep -obaE 'free|moof' $movie.mov || true; } | sed -n '1s/:.*//p')
    size=$((size - 4 - moov))
    printf "$(printf '\\x%02x' $((size >> 24)) $((size >> 16 & 255)) $((size >> 8 & 255)) $((size & 255)))moov\0\0\0\x6cmvhd" |
        dd of=$movie.grown bs=1 seek=$moov conv=notrunc 2>/dev/null
    truncate -s "${last[$movie]}" $movie.grown
done

# Cuts in both forms, to a new file and in place, each way once more.
early=0
for ((i = 0; i < num_cuts; i++)); do
    movie=${movies[i % 3]}
    form=$(((i / 3) % 2 == 0))
    if [ $form = 1 ]; then from=$movie.mov; else from=$movie.grown; fi
    cut=$(below "$(stat -c %s $from)")
    num=$(awk -v cut="$cut" '$1 <= cut' $movie.ends | wc -l)
    rm -f cut.mov new.mov
    head -c "$cut" $from >cut.mov
    if [ "$num" = 0 ]; then
        expect_status 1 "nothing was changed" "$weir" recover cut.mov new.mov
        expect_no new.mov
        early=$((early + 1))
        continue
    fi
    cp cut.mov before.mov
    expect_status 0 "^cut.mov: $num frame" "$weir" recover cut.mov new.mov
    cmp -s cut.mov before.mov || fail "the input was changed"
    expect_beginning new.mov $movie.mov "$num"
    "$weir" recover cut.mov --in-place >said.txt
    expect_beginning cut.mov $movie.mov "$num"
    cp cut.mov once.mov
    "$weir" recover cut.mov --in-place >said.txt
    cmp cut.mov once.mov || fail "the second time changed something"
done

echo "$num_cuts cuts, $early of them before the first frame was whole; $frames frames were compared, none was lost"

# Kills at writes of recover: none of them loses a frame.
num=$(($(wc -l <small.txt) - 7))
cut=$(($(sed -n "$((num + 1))p" small.ends) - 10))
for from in small.mov small.grown; do
    # In place: the end is cut off, the index appended, the head changed.
    for at in 1 2 3; do
        head -c $cut $from >in_place.mov
        ! killed_at $at "$program" recover in_place.mov --in-place || fail "recover was not killed at write $at"
        "$weir" recover in_place.mov --in-place >said.txt || fail "killed at write $at of recover: $(cat said.txt)"
        expect_beginning in_place.mov small.mov $num
    done
    # To a new file, which has its name when all of it is there.
    head -c $cut $from >cut.mov
    for at in 1 2 20; do
        rm -f new.mov .weir-*
        ! killed_at $at "$program" recover cut.mov new.mov || fail "recover was not killed at write $at"
        expect_no new.mov
    done
    rm -f .weir-*
done

# Other players, and the pictures.
head -c "$(sed -n 10p large.ends)" large.mov >cut.mov
recovered "" cut.mov
expect_movie new.mov 640 480 10
[ "$(psnr new.mov large.mov "trim=end_frame=10")" = inf ] || fail "the pictures are not the same"
[ "$(field new.mov r_frame_rate)" = 25/1 ] || fail "the rate is $(field new.mov r_frame_rate)"
expect_plays new.mov

# A hole that the file system knows of, inside a frame: its fragment is sound, but the frame is not taken for whole.
cp --sparse=never large.grown hole.mov
if fallocate -p -o $((($(sed -n 5p large.ends) + 40000) / 4096 * 4096)) -l 8192 hole.mov 2>/dev/null; then
    recovered "1 frame lost" hole.mov
    cmp <(packets new.mov) <(sed 6d large.txt) || fail "a hole in the sixth frame: $(cat stdout.txt)"
else
    echo "no holes here: not tested"
fi

# A wrong entry in the table of times: the fragments have them all.
cp small.mov times.mov
stts=$(LC_ALL=C grep -obaE stts times.mov | sed -n '$s/:.*//p')
printf '\x7f' | dd of=times.mov bs=1 seek=$((stts + 17)) conv=notrunc 2>/dev/null
recovered "its index is damaged" times.mov
expect_beginning new.mov small.mov "$(wc -l <small.txt)"
"$weir" recover times.mov --in-place >said.txt
expect_beginning times.mov small.mov "$(wc -l <small.txt)"

# Without its head: the index of the closed movie, or size and rate and the fragments.
cp small.mov headless.mov
zero headless.mov 0 700 /dev/urandom
recovered "" headless.mov
expect_beginning new.mov small.mov "$(wc -l <small.txt)"
truncate -s "${last[small]}" headless.mov
rm -f new.mov
expect_status 1 "--size WxH --fps N" "$weir" recover headless.mov new.mov
recovered "" headless.mov --size 48x32 --fps 50
expect_beginning new.mov small.mov "$(wc -l <small.txt)"
expect_movie new.mov 48 32 "$(wc -l <small.txt)"
expect_status 1 "no whole frame" "$weir" recover headless.mov --dry-run --size 99x99 --fps 50
expect_status 1 "leave out --in-place" "$weir" recover headless.mov --in-place --size 48x32 --fps 50

# The frames of another program's movie, whose only index is cut off: every kind of HAP that FFmpeg writes.
for kind in hap hap_alpha hap_q; do
    for chunks in 1 4; do
        make kind.mov testsrc2=s=64x48:r=25:d=0.4,format=rgba -c:v hap -format $kind -chunks $chunks
        packets kind.mov | awk '{ print $2, $3 }' >want.txt
        ends=$(ffprobe -v error -show_entries packet=pos,size -of csv=p=0 kind.mov | awk -F, '{ print $1 + $2 }' | sort -n)
        truncate -s $((${ends##*$'\n'} + 100)) kind.mov
        recovered "" kind.mov --size 64x48 --fps 25
        packets new.mov | awk '{ print $2, $3 }' >got.txt
        cmp got.txt want.txt || fail "$kind in $chunks chunks: $(wc -l <got.txt) of $(wc -l <want.txt) frames"
        [ "$(field new.mov codec_name,width,height,r_frame_rate,nb_read_frames)" = hap,64,48,25/1,10 ] ||
            fail "$kind in $chunks chunks does not play: $(field new.mov codec_name,width,height,r_frame_rate,nb_read_frames)"
    done
done

# What is not ours, and slips.
mkdir empty
: >empty.mov
make jpeg.mov testsrc2=s=64x48:r=25:d=0.2 -c:v mjpeg
make other.mov testsrc2=s=64x48:r=25:d=1 -c:v hap -movflags frag_keyframe+empty_moov -frag_duration 400000
make hap.mov testsrc2=s=64x48:r=25:d=0.2 -c:v hap -format hap_alpha
head -c "$(sed -n 30p small.ends)" small.mov >cut.mov
cp cut.mov kept.mov
cp other.mov before.mov
echo "another take" >cut.recovered.mov
ln cut.mov link.mov
rm -f new.mov
expect_table recover <<'LINES'
1|cannot open none.mov|none.mov
1|no movie is in the folder|empty
1|neither head nor index|empty.mov
1|'jpeg'|jpeg.mov
1|another program|other.mov
1|another program|other.mov --in-place
0|it needs nothing|hap.mov
1|exists and is not replaced|cut.mov
1|exists and is not replaced|cut.mov small.mov
1|exists and is not replaced|cut.mov cut.mov
1|exists and is not replaced|cut.mov link.mov
1|cannot open new.mov|cut.mov new.mov --in-place
2|1 or more|
0|30 frames of 48x32.*nothing was written|cut.mov --dry-run
LINES
cmp other.mov before.mov || fail "another program's movie was changed"
[ "$(cat cut.recovered.mov)" = "another take" ] || fail "a file was replaced"
cmp cut.mov kept.mov || fail "an attempt changed the input"
rm cut.recovered.mov
"$weir" recover cut.mov --quiet >said.txt
[ ! -s said.txt ] || fail "--quiet said $(cat said.txt)"
expect_beginning cut.recovered.mov small.mov 30
expect_status 0 '"frames": 30' "$weir" recover cut.mov new.mov --json
expect_json stdout.txt
( exec 9<>cut.mov; flock -x 9; expect_status 1 "another program is writing" "$weir" recover cut.mov --in-place ) || exit 1
rm -f new.mov
expect_status 1 "Make room" limited 20 "$weir" recover cut.mov new.mov
expect_no new.mov
expect_clean
