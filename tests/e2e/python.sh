# SPDX-License-Identifier: MIT
# docs/python.md: its program writes a movie and a texture of arrays, at its rate, exact to the encoder's error.
# bash python.sh WEIR FOLDER
page=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../../docs/python.md
. "$(dirname "${BASH_SOURCE[0]}")/cli_common.sh"
PATH=$(dirname "$program"):$PATH
python= # one beside Debian's may lack NumPy
for any in python3 /usr/bin/python3; do
    ! "$any" -c "import numpy" 2>/dev/null || python=$any
done
[ -n "$python" ] || skip "no NumPy here: apt install python3-numpy"

awk '/^```python$/ { on = 1; next } /^```$/ { on = 0 } on' "$page" >page.py
cat >>page.py <<'PYTHON'
for t in range(60):
    with open(f"frame_{t:03}.ppm", "wb") as file:
        file.write(ppm(np.dstack([rings(t / 5), rings(t / 7), rings(0)])))
deep = np.dstack([x * 102, y * 182, x + y]).astype(np.uint16)
write_texture("deep.ktx2", deep, "--codec", "bc6h", "--effort", "fast")
open("deep.ppm", "wb").write(ppm(deep))
try:
    write_movie("nowhere/rings.mov", [deep], 30)
    raise SystemExit("a movie in a folder that is missing")
except (RuntimeError, BrokenPipeError):
    pass
PYTHON
"$python" page.py || fail "the program of the page failed"

expect_movie rings.mov 640 360 60
[ "$(ffprobe -v error -show_entries stream=avg_frame_rate -of csv=p=0 rings.mov)" = 30/1 ] || fail "the rate of rings.mov"
expect_psnr() { # MOVIE PICTURES AT_LEAST
    ffmpeg -nostdin -v info -i "$1" -framerate 30 -i "$2" -lavfi '[0]format=gbrp[a];[1]format=gbrp[b];[a][b]psnr' -f null - 2>psnr.txt
    awk -v least="$3" -F'average:' '/average:/ { found = $2 + 0 >= least } END { exit !found }' psnr.txt ||
        fail "$1 is not $2: $(tail -n 1 psnr.txt)"
}
expect_psnr rings.mov frame_%03d.ppm 38
"$weir" texture deep.ppm named.ktx2 --codec bc6h --effort fast >/dev/null
cmp named.ktx2 deep.ktx2 || fail "16 bits become another texture"
grep -q 640x360 <<<"$("$weir" info rings.ktx2)" || fail "$("$weir" info rings.ktx2)"
