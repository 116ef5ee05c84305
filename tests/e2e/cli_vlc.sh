#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# VLC plays movies with sound, closed and recovered: every sample as it was, every frame, and in the right order. It does
# not run as root, so there it runs as nobody.
source "$(dirname "$0")/cli_common.sh"
command -v cvlc >/dev/null || skip "no cvlc here: apt install vlc-bin vlc-plugin-base"
rate=44100 seconds=3 fps=25
as_user=()
[ "$(id -u)" != 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
"${as_user[@]}" test -x . || skip "nobody may not read the folder $PWD, and VLC does not run as root"

# A grey for each frame, and a tone with a click a second.
ffmpeg -nostdin -v error -y -f lavfi -i "color=black:s=64x48:r=$fps:d=$seconds,format=gbrp,geq=r='2*N+20':g='2*N+20':b='2*N+20'" \
    -f lavfi -i "aevalsrc='0.2*sin(2*PI*440*t)+0.6*lt(mod(t,1),1/$rate)':s=$rate:d=$seconds" -c:v ffv1 -c:a pcm_s16le source.mkv

# play MOVIE: in the folder `shown` the frames, and in sound.raw the samples.
play() {
    local scene=(--video-filter=scene --scene-path="$PWD/shown" --scene-ratio=1 --scene-format=png --scene-prefix=f)
    rm -rf shown home
    mkdir shown home
    chmod 777 shown home
    chmod a+rx . && chmod a+r "$1"
    "${as_user[@]}" env HOME="$PWD/home" XDG_RUNTIME_DIR="$PWD/home" timeout 120 cvlc --intf dummy --vout dummy --aout afile \
        --audiofile-file="$PWD/shown/sound.raw" --no-audiofile-wav --no-drop-late-frames --no-skip-frames --no-dbus \
        --play-and-exit "${scene[@]}" "$1" >vlc.txt 2>&1 || fail "cvlc $1: status $?: $(tail -n 5 vlc.txt)"
    ! grep -E "decoder error|demux error" vlc.txt || fail "VLC complains of $1"
}

# expect_played MOVIE: VLC plays all of its sound, and its frames but for a few at the start, which come before the window.
expect_played() {
    local num shown
    play "$1"
    ffmpeg -nostdin -v error -y -i "$1" -map 0:a -f s16le sound.raw
    cmp shown/sound.raw sound.raw || fail "$1: VLC plays other samples"
    num=$(field "$1" nb_read_frames)
    shown=$(find shown -name 'f*.png' | wc -l)
    [ "$shown" -ge $((num - fps / 5)) ] && [ "$shown" -le $((num + 2)) ] || fail "$1: VLC shows $shown of $num frames"
    ffmpeg -nostdin -v error -pattern_type glob -i 'shown/f*.png' -vf crop=1:1 -f rawvideo -pix_fmt gray - |
        od -An -v -t u1 -w1 | awk '$1 < last { exit 1 } { last = $1 }' || fail "$1: VLC shows frames out of order"
    echo "$1: $shown of $num frames shown, $(($(stat -c %s sound.raw) / 2)) samples"
}

for codec in hap hap_alpha hap_q; do
    "$weir" transcode source.mkv $codec.mov --codec $codec --quiet || fail "$codec was not made"
    expect_played $codec.mov
done
# The movie of a recorder that was killed, as recover leaves it.
head -c $(($(stat -c %s hap_q.mov) * 6 / 10)) hap_q.mov >cut.mov
"$weir" recover cut.mov recovered.mov >recovered.txt || fail "not recovered: $(cat recovered.txt)"
expect_played recovered.mov
frames=$(field recovered.mov nb_read_frames) samples=$(($(stat -c %s sound.raw) / 2))
apart=$((samples * fps - frames * rate)) # [samples x frames a second]
[ "${apart#-}" -le $((rate * fps)) ] || fail "$samples samples and $frames frames are more than a second apart"
echo passed
