#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# spirv_val.sh BUILD_DIR: every kernel of shaders/ is valid SPIR-V, as the library has it embedded. Some use no
# subgroups, so that their tests run at one size of these alone.
set -euo pipefail
build=$1
shaders=$(cd "$(dirname "$0")/../../shaders" && pwd)
command -v spirv-val >/dev/null || { echo "spirv-val is missing: ./dev setup installs it"; exit 1; }
status=0 num_kernels=0 num_without=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# check NAME: a binary of the folder.
check() {
    local name=$1 binary=$build/shaders/$1.spv
    spirv-val --target-env vulkan1.2 "$binary" || { echo "$name is not valid"; status=1; }
    # What src/vk/pipeline.c gives to devices of Vulkan 1.1: the second word of the header is the version.
    { head -c 4 "$binary"; printf '\0\4\1\0'; tail -c +9 "$binary"; } | spirv-val --target-env vulkan1.1spv1.4 - ||
        { echo "$name is not valid in SPIR-V 1.4"; status=1; }
    case $name-$(grep -cx "$name" "$work/subgroups.txt" || true) in
        encode_*-0 | palette_m*-0) num_without=$((num_without + 1)) ;;
        encode_* | palette_m*)
            echo "$name uses subgroups: register its tests with WIDTHS (tests/gpu/CMakeLists.txt)"
            status=1
            ;;
        palette_count-0) echo "the subgroups of $name are not seen"; status=1 ;;
    esac
    num_kernels=$((num_kernels + 1))
}

# Those that have one of the capabilities GroupNonUniform, which are 61 to 68, are listed in subgroups.txt (SPIR-V 1.5,
# 2.3 and 3.31).
python3 - "$build/shaders" >"$work/subgroups.txt" <<'end'
import pathlib, struct, sys
OP_CAPABILITY, HEADER = 17, 5
def capabilities(words):
    at = HEADER
    while at < len(words) and words[at] & 0xffff == OP_CAPABILITY:
        yield words[at + 1]
        at += words[at] >> 16
for binary in pathlib.Path(sys.argv[1]).glob("*.spv"):
    words = [word for word, in struct.iter_unpack("<I", binary.read_bytes())]
    if any(61 <= capability <= 68 for capability in capabilities(words)):
        print(binary.stem)
end
for source in $(find "$shaders" -name '*.comp' -printf '%P\n' | sort); do
    grep -qE " $source[ )]" "$shaders/kernels.cmake" || { echo "$source is not in shaders/kernels.cmake"; status=1; }
done
for name in $(sed -n 's/.* weir_kernel_\(.*\);/\1/p' "$build/shaders/kernels.h"); do
    check "$name"
done
[ $num_without -gt 0 ] || { echo "no kernel of an encoder and of means was found"; exit 1; }
# The check itself must be able to fail.
if head -c 100 "$build/shaders/$name.spv" | spirv-val --target-env vulkan1.2 - 2>/dev/null; then
    echo "spirv-val takes a kernel that was cut off"
    status=1
fi
echo "$num_kernels kernels"
exit $status
