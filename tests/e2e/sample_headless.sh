# SPDX-License-Identifier: MIT
# sample_capture without a window: movies of every size, complete and in order, and what it says when it
# cannot. bash sample_headless.sh SAMPLE FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/sample_common.sh"
hold sample_capture ffmpeg ffprobe
sample=$held/sample_capture

run_sample log.txt --headless --validation --size 192x108 --frames 16 --fps 30 --output film.mov \
    --picture film.png --reference film.rgb --reference-every 5
expect_movie film.mov 192 108 16
[ "$(field film.mov r_frame_rate)" = 30/1 ] || fail "the rate is $(field film.mov r_frame_rate)"
expect_numbers film.mov 192 108 0 15
expect_counts log.txt
[ "$(count log.txt dropped)" = 0 ] || fail "policy wait dropped frames"

# The movie against the frames as they were rendered, and the picture against the last of them.
ffmpeg -nostdin -v error -y -f rawvideo -pix_fmt rgb24 -s 192x108 -i film.rgb -c:v ffv1 -pix_fmt bgr0 reference.mkv
ffmpeg -nostdin -v error -y -i film.mov -vf "select=not(mod(n\,5))" -vsync passthrough -c:v ffv1 every5.mkv
expect_psnr every5.mkv reference.mkv 34
expect_last film.mov 15 film.png 34
# The reference holds the right frames, and the reader of numbers notices when they are not.
(expect_numbers reference.mkv 192 108 0 3) 2>/dev/null && fail "frames 0, 5, 10, 15 pass for 0..3"
numbers reference.mkv 192 108 | diff - <(seq 0 5 15) || fail "the reference holds other frames"

# With a slow picture and the policy drop, what is there is in order and what is not was counted.
run_sample drop.txt --headless --size 192x36 --frames 30 --policy drop --sidecar --output drop.mov
expect_counts drop.txt
judge $(count drop.txt written) $(count drop.txt dropped) <<'end' || fail "the sidecar differs from what was printed"
import json, sys
s = json.load(open("drop.mov.json"))
written, dropped = map(int, sys.argv[1:])
assert s["statistics"]["written"] == written and s["policy"] == "drop"
assert s["statistics"]["dropped"] == dropped == len(s["drops"])
assert all(d["time_ns"] // 1000 == d["frame"] * 1000000 // 60 for d in s["drops"])
end
rising=$(expect_rising drop.mov 192 36)
[ "$rising" = "$(count drop.txt written)" ] || fail "$rising frames are there, and not those written"

# So many bytes a second, by the quality of each frame.
run_sample rate.txt --headless --size 100x60 --frames 40 --fps 10 --rate 45k --output rate.mov
expect_movie rate.mov 100 60 40
grep -q "dB, quality .* to " rate.txt || fail "nothing on quality: $(cat rate.txt)"
bytes=$(ffprobe -v error -show_entries packet=size -of csv=p=0 rate.mov | awk 'NR > 20 { sum += $1 } END { print sum }')
[ "$bytes" -ge 87300 ] && [ "$bytes" -le 92700 ] || fail "the last two seconds have $bytes bytes"

# A replay buffer: nothing is written before a signal asks for it, and then the last second.
"$program" --headless --size 192x36 --frames 1000000 --sink null --replay 1 --output buffer.mov >log.txt 2>&1 &
app=$!
trap 'kill $app 2>/dev/null || true' EXIT
has_opened() { grep -q weir-replay "/proc/$app/task/"*/comm; }
until_true has_opened
save() { kill -USR1 $app && test -s buffer-replay-1.mov; }
until_true save
kill -TERM $app
status=0
wait $app || status=$?
app=
[ $status = 1 ] && [ ! -e buffer.mov ] || fail "status $status: $(cat log.txt)"
rising=$(expect_rising buffer-replay-1.mov 192 36)
[ "$rising" -ge 1 ] && [ "$rising" -le 60 ] || fail "a replay of $rising frames"
[ "$(numbers buffer-replay-1.mov 192 36 | awk '{ print $1 - NR }' | uniq | wc -l)" = 1 ] || fail "it has gaps"

# 60 of 144 frames a second: the nearest to each sixtieth, and no more than those are in the movie.
run_sample paced.txt --headless --size 192x36 --frames 36 --fps 144 --max-rate 60 --output paced.mov
expect_counts paced.txt
expect_movie paced.mov 192 36 15
[ "$(count paced.txt skipped)" = 21 ] || fail "$(count paced.txt skipped) of 36 frames were skipped, not 21"
numbers paced.mov 192 36 | diff - <(seq 0 14 | awk '{ print int($1 * 144 / 60 + 0.5) }') ||
    fail "other frames than the nearest to each sixtieth of a second"

# The same, as a movie of constant rate with time code.
run_sample constant.txt --headless --size 192x36 --frames 18 --fps 144 --max-rate 60 --constant-rate \
    --timecode 01:02:03:04 --output constant.mov
expect_counts constant.txt
rates=$(ffprobe -v error -select_streams v -show_entries stream=r_frame_rate,avg_frame_rate -of csv=p=0 constant.mov)
[ "$rates" = 60/1,60/1 ] || fail "constant.mov has the rates $rates"
[ "$(ffprobe -v error -select_streams v -show_entries stream_tags=timecode -of csv=p=0 constant.mov)" = 01:02:03:04 ] ||
    fail "constant.mov has no time code"
packets=$(ffprobe -v error -select_streams v -show_entries packet=pts -of csv=p=0 constant.mov | wc -l)
[ "$packets" = $(($(count constant.txt written) + $(count constant.txt repeated))) ] || fail "$packets packets in constant.mov"

for size in 1x1 33x17 192x16 638x358; do
    run_sample size.txt --headless --validation --size $size --frames 3 --output size.mov >/dev/null
    expect_movie size.mov ${size%x*} ${size#*x} 3
done
expect_numbers size.mov 638 358 0 2

run_sample snappy.txt --headless --size 192x36 --frames 5 --compression snappy --output snappy.mov
expect_movie snappy.mov 192 36 5
# Kinds of HAP for display codes: those that ffmpeg decodes in colour have the frames in order. HAP R, whose kernel a software
# device compiles for long, in a run of all.
for codec in hap:Hap1 hap_alpha:Hap5 hap_q_alpha:HapM hap_alpha_only:HapA ${samples_all:+hap_r:Hap7}; do
    run_sample codec.txt --headless --size 192x36 --frames 3 --codec ${codec%:*} --output codec.mov
    tag=$(ffprobe -v error -select_streams v:0 -show_entries stream=codec_tag_string -of csv=p=0 codec.mov)
    [ "$tag" = ${codec#*:} ] || fail "--codec ${codec%:*} made $tag"
    case $tag in
    HapA) [ "$(field codec.mov pix_fmt,nb_read_frames)" = gray,3 ] || fail "$(field codec.mov pix_fmt,nb_read_frames)" ;;
    Hap7) ;;
    *) expect_numbers codec.mov 192 36 0 2 ;;
    esac
done
for name in hash1 hash2; do
    run_sample $name.txt --headless --size 192x36 --frames 2 --sink hash --output $name.txt2
done
cmp hash1.txt2 hash2.txt2 || fail "two recordings of the same frames differ"

expect_status 2 "size" "$sample" --headless --size 0x0 --output bad.mov
expect_status 2 "size" "$sample" --headless --size 1280 --output bad.mov
expect_status 2 "capture FILE" "$sample" --headless
expect_status 2 "unknown option" "$sample" --headless --colour --output bad.mov
expect_status 2 "codec" "$sample" --headless --codec hap_hdr --output bad.mov
expect_status 2 "policy" "$sample" --headless --policy maybe --output bad.mov
expect_status 2 "missing" "$sample" --headless --output
expect_status 2 "one file" "$sample" --headless --output bad.mov --picture bad.mov
expect_status 1 "limit" "$sample" --headless --size 65535x16 --frames 1 --output bad.mov
expect_status 1 "bad.mov" "$sample" --headless --frames 1 --output no/such/folder/bad.mov
expect_status 1 "device" "$sample" --headless --frames 1 --device 77 --output bad.mov
[ ! -e bad.mov ] || fail "a movie was left behind"
expect_help
