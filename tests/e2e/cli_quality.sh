#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode --quality and --rate: fewer bytes for less quality, and so many a second, of every codec that has them.
source "$(dirname "$0")/cli_common.sh"
hold weir ffmpeg ffprobe

# Quality given for bytes: smaller, less exact, and the same movie otherwise.
make grain.mkv testsrc2=s=320x180:r=25:d=0.12,noise=alls=4:allf=t:all_seed=1 -c:v ffv1 -pix_fmt bgr0
"$weir" transcode grain.mkv q100.mov --compression snappy --quiet
"$weir" transcode grain.mkv q100b.mov --compression snappy --quality 100 --quiet
cmp q100.mov q100b.mov || fail "--quality 100 is not the default"
"$weir" transcode grain.mkv qffmpeg.mov --quality ffmpeg --quiet
"$weir" transcode grain.mkv q47.mov --quality 47 --quiet
cmp qffmpeg.mov q47.mov || fail "--quality ffmpeg is not that of hap_q"
"$weir" transcode grain.mkv q80.mov --quality 80 --validation --quiet
"$weir" transcode grain.mkv q50.mov --quality 50 --chunks 8 --quiet
for movie in q100 q80 q50; do
    expect_movie "$movie.mov" 320 180 3
    printf '%s %s\n' "$(stat -c %s "$movie.mov")" "$(psnr "$movie.mov" grain.mkv)"
done | tee sizes.txt | sort -c -k 1,1nr || fail "a lower quality has more bytes: $(cat sizes.txt)"
sort -c -k 2,2nr sizes.txt || fail "a lower quality is nearer to the source: $(cat sizes.txt)"
expect_psnr q50.mov grain.mkv "$(psnr q100.mov grain.mkv | cut -d . -f 1 | awk '{ print $1 - 5 }')"

# within RATE MOVIE FPS: from the third second on any two of a movie of FPS frames a second have that many bytes a second.
within() {
    ffprobe -v error -show_entries packet=pts_time,size -of csv=p=0 "$2" | awk -F, -v rate="$1" -v fps="$3" '
        { size[NR] = $2 }
        END {
            for (i = 2 * fps + 1; i + 2 * fps - 1 <= NR; i++) {
                num++
                sum = 0
                for (k = 0; k < 2 * fps; k++) sum += size[i + k]
                if (sum < 0.97 * 2 * rate || sum > 1.03 * 2 * rate) {
                    printf "two seconds from frame %d on have %d bytes\n", i, sum
                    exit 1
                }
            }
            exit num == 0
        }' || fail "$2: the rate does not hold"
}

# Bytes a second: any two seconds have them, and the same input becomes the same movie.
make rate.mkv testsrc2=s=100x68:r=10:d=4.2,noise=alls=6:allf=t:all_seed=1 -c:v ffv1 -pix_fmt bgr0
"$weir" transcode rate.mkv rate.mov --rate 42k --json --quiet > rate.json
"$weir" transcode rate.mkv rate2.mov --rate 0.042MB/s --quiet
cmp rate.mov rate2.mov || fail "the same rate gave another movie"
expect_movie rate.mov 100 68 42
within 42000 rate.mov 10
judge rate.json <<'end' || fail "$(cat rate.json)"
import json, sys
quality = json.load(open(sys.argv[1]))["quality"]
assert 20 < quality["mean_db"] < 50 and 1 <= quality["least"] < quality["most"] <= 100, quality
assert quality["rate_over"] == 0 and quality["rate_short"] < 40, quality
end

# packets FILE: as field, of a codec that FFmpeg does not decode.
packets() {
    ffprobe -v error -select_streams v:0 -count_packets -show_entries stream=codec_tag_string,width,height,nb_read_packets \
        -of csv=p=0 "$1"
}

# The other codecs, of still colours and alpha with noise. No side is a power of two: a software device compiles one variant of
# a kernel.
make alpha.mkv "smptebars=s=68x52:r=10:d=4.2,format=rgba,colorchannelmixer=aa=0.5,noise=alls=6:allf=t:all_seed=1,format=bgra" \
    -c:v ffv1 -pix_fmt bgra
while read -r codec tag rate effort; do
    for quality in 100 40; do
        "$weir" transcode alpha.mkv $codec$quality.mov --codec $codec --effort $effort --quality $quality --compression snappy \
            --frames 3 --json --quiet >$codec$quality.json 2>warnings.txt
    done
    case $codec in
    hap_r) what=$(packets hap_r40.mov) ;;
    *) what=$(field ${codec}40.mov codec_tag_string,width,height,nb_read_frames) ;;
    esac
    [ "$what" = "$tag,68,52,3" ] || fail "${codec}40.mov is $what and should be $tag,68,52,3"
    "$weir" transcode alpha.mkv $codec.mov --codec $codec --effort $effort --rate ${rate}k --chunks 4 --json --quiet >$codec.json 2>warnings.txt
    within ${rate}000 $codec.mov 10
    judge $codec <<'end' || fail "$codec: its bytes and decibels"
import json, sys
read = lambda name: json.load(open(sys.argv[1] + name + ".json"))
full, low, rate = (read(name) for name in ("100", "40", ""))
print(sys.argv[1], full["bytes"], low["bytes"], rate["bytes"], low["quality"], rate["quality"])
assert low["bytes"] < full["bytes"] * 0.8
assert 30 < low["quality"]["mean_db"] < 60 and 30 < rate["quality"]["mean_db"] < 60
assert 1 <= rate["quality"]["least"] < rate["quality"]["most"] <= 100
assert rate["quality"]["rate_over"] == 0 and rate["quality"]["rate_short"] == 0, rate["quality"]
end
done <<'codecs'
hap Hap1 9 fast
hap_alpha Hap5 21 fast
hap_q_alpha HapM 29 fast
hap_alpha_only HapA 9 default
hap_r Hap7 30 fast
codecs
# What the kernel says of R, G and B is what another decoder finds, but that FFmpeg's truncates.
expect_psnr hap.mov alpha.mkv "$(sed -n 's/.*"mean_db": \([0-9.]*\).*/\1/p' hap.json | awk '{ print $1 - 1 }')"
