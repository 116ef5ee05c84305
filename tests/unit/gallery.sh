#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/gallery.md is what docs/data/gallery.sh makes of the samples' texts and times, and has all its pictures.
set -euo pipefail
cd "$(dirname "$0")/../.."
bash docs/data/gallery.sh page | diff - docs/gallery.md || {
    echo "docs/gallery.md is another page: bash docs/data/gallery.sh page >docs/gallery.md"
    exit 1
}
for picture in $(grep -o 'images/sample_[a-z]*\.png' docs/gallery.md); do
    [ "$(stat -c %s "docs/$picture")" -lt 400000 ] || { echo "docs/$picture is too large"; exit 1; }
done
echo passed
