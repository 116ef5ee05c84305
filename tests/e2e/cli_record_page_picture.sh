#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_page_picture.sh WEIR FOLDER PRESENT NUMBERS PREVIEWED BUILD: what the page of weir record --live shows is the frame of
# that time in the movie, made smaller by means of 2x2, 4x4 and so on; and it is what a host gets that captures the frame.
here=$(cd "$(dirname "$0")" && pwd)
source "$here/cli_common.sh"
source "$here/record/layer_common.sh"
for tool in chromium node; do
    command -v $tool >/dev/null || skip "no $tool here (./dev setup test)"
done
! grep -q "built without libwebsockets" <<<"$("$weir" record --live 0 --output no.mov -- true 2>&1)" || skip "this weir has no page"

# shown NAME SIZE PART [RECORD OPTION...] -- [PRESENT OPTION...]: the page has pictures of that size. PART: how many texels of
# the movie are one of the picture, of each side.
shown() {
    local name=$1 size=$2 part=$3
    shift 3
    start_record "$name" --live 0 --codec hap_q --sidecar "$@" --fps 20 --frames 100000
    until_true has_frames 1
    "$weir" record --ctl status --ctl-pid "$recorder" >status.txt
    timeout 240 node "$here/record/picture.mjs" "$(sed -n 's/^page: //p' status.txt)" picture.json || fail "$name: no picture: $(cat "$name.txt")"
    "$weir" record --ctl stop --ctl-pid "$recorder" >stopped.txt
    kill -TERM "$recorder"
    wait "$recorder" || true
    app=
    ffprobe -v error -select_streams v -show_entries packet=pts_time -of csv=p=0 "$name.mov" >times.txt
    ffmpeg -nostdin -v error -y -copyts -i "$name.mov" -fps_mode passthrough -enc_time_base -1 -f rawvideo -pix_fmt rgb24 frames.rgb 2>ffmpeg.txt ||
        fail "$(cat ffmpeg.txt)"
    node - "$name" "$size" "$part" <<'PROGRAM'
const fs = require('fs'), assert = require('assert'), [, , name, size, part] = process.argv;
const {time, movie: [columns, rows], sides, texels} = JSON.parse(fs.readFileSync('picture.json')), [width, height] = sides;
assert.equal(sides.join('x'), size);
const shown = Buffer.from(texels, 'base64'), frames = fs.readFileSync('frames.rgb'), frameSize = columns * rows * 3;
const times = fs.readFileSync('times.txt', 'utf8').trim().split('\n').map(parseFloat);
assert.equal(frames.length, times.length * frameSize);
const first = BigInt(fs.readFileSync(`${name}.mov.json`, 'utf8').match(/"first_time_ns": *(\d+)/)[1]);
const seconds = Number(BigInt(time) - first) / 1e9;
const index = times.findIndex(each => Math.abs(each - seconds) < 0.001);
assert(index >= 0, `no frame at ${seconds} s`);
// The mean difference of means of the movie's texels, in codes.
const error = times.map((_, frame) => {
    let sum = 0;
    for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
            for (let c = 0; c < 3; c++) {
                let all = 0;
                for (let i = 0; i < part * part; i++) {
                    const row = y * part + Math.floor(i / part), column = x * part + i % part;
                    all += frames[frame * frameSize + (row * columns + column) * 3 + c];
                }
                sum += Math.abs(all / part / part - shown[(y * width + x) * 4 + c]);
            }
        }
    }
    return sum / width / height / 3;
});
console.log(`${name}: frame ${index} of ${times.length}: ${error[index].toFixed(2)} codes on average, others ${Math.min(...error.filter((_, i) => i !== index)).toFixed(2)}`);
assert(error[index] < 2 && error.every(each => each >= error[index]), 'the picture is another one');
PROGRAM
}
start_record same --live 0 --codec hap -- --size 1001x606 --fps 20 --frames 100000
until_true has_frames 1
"$weir" record --ctl status --ctl-pid "$recorder" >status.txt
number=$(timeout 120 python3 "$here/record/viewer.py" "$(sed -n 's/^page: //p' status.txt)" same.log page.bc1)
kill -TERM "$recorder"
wait "$recorder" || true
app=
"$5" 1001 606 "$number" host.bc1 >host.txt || fail "$(cat host.txt)"
cmp page.bc1 host.bc1 || fail "the page and a host get other pictures of frame $number"
shown whole 320x240 1 -- --size 320x240
shown quarter 250x151 4 -- --size 1001x606
shown portrait 150x300 2 -- --size 301x600
shown from_half 250x150 2 --size 1/2 -- --size 1000x600
# In formats that displays here do not have.
export VK_LAYER_PATH=$6/layer:$6/layer-stand-in VK_INSTANCE_LAYERS=VK_LAYER_WEIR_capture:VK_LAYER_WEIR_stand_in
for format in rgba16f a2b10g10r10 rgba8_srgb; do
    shown $format 250x151 4 -- --headless --format $format --size 1001x606
done
echo passed
