#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# spirv_val.sh BUILD_DIR: every kernel of shaders/ is valid SPIR-V, and is what the library has embedded. Kernels of
# encoders use no subgroups, so that their tests run at one size of these alone.
set -euo pipefail
build=$1
source=$(cd "$(dirname "$0")/../../shaders" && pwd)
command -v spirv-val >/dev/null || { echo "spirv-val is missing: ./dev setup installs it"; exit 1; }
status=0 num_kernels=0 num_without=0
for kernel in $(find "$source" -name '*.comp' -printf '%P\n' | sort); do
    name=${kernel%.comp}
    name=${name%%/*}_${name##*/} # module and file, as the library calls it
    binary=$build/shaders/$name.spv embedded=$build/shaders/$name.inc
    [ -f "$binary" ] || { echo "$kernel is not in the list of shaders/CMakeLists.txt"; status=1; continue; }
    spirv-val --target-env vulkan1.2 "$binary" || { echo "$name is not valid"; status=1; }
    uses_subgroups=$(spirv-dis "$binary" | grep -c 'OpCapability GroupNonUniform' || true)
    case $name-$uses_subgroups in
        encode_*-0) num_without=$((num_without + 1)) ;;
        encode_*)
            echo "$name uses subgroups: register the tests of encoders with WIDTHS (tests/gpu/CMakeLists.txt)"
            status=1
            ;;
        palette_count-0) echo "the subgroups of $name are not seen"; status=1 ;;
    esac
    if ! cmp -s <(od -An -v -tx4 -w4 "$binary" | tr -d ' ') \
        <(grep -oE '0x[0-9a-fA-F]+' "$embedded" | sed 's/^0x//' | tr 'A-F' 'a-f'); then
        echo "$name: the embedded words are not those of $binary"
        status=1
    fi
    num_kernels=$((num_kernels + 1))
done
[ $num_without -gt 0 ] || { echo "no kernel of an encoder was found"; exit 1; }
# The check itself must be able to fail.
if head -c 100 "$binary" | spirv-val --target-env vulkan1.2 - 2>/dev/null; then
    echo "spirv-val takes a kernel that was cut off"
    status=1
fi
echo "$num_kernels kernels"
exit $status
