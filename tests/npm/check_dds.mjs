// SPDX-License-Identifier: MIT
// Judges DDS files by the loader of three.js: node check_dds.mjs FILE... The levels that it finds must be the rest of
// the file, one after the other, and reach its end.
import * as three from 'three';
import { DDSLoader } from 'three/addons/loaders/DDSLoader.js';
import fs from 'node:fs';

const names = new Map(
    Object.entries(three).filter(([name]) => name.endsWith('_Format')).map(([name, value]) => [value, name]));

function check(file) {
    const { buffer, byteOffset, byteLength } = fs.readFileSync(file);
    const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
    const texture = new DDSLoader().parse(bytes, true);
    if (!names.has(texture.format)) throw new Error('three.js does not read it');
    let end = texture.mipmaps[0].data.byteOffset;
    for (const [i, { data }] of texture.mipmaps.entries()) {
        if (data.byteOffset !== end) throw new Error(`level ${i} is at ${data.byteOffset} and not at ${end}`);
        end += data.byteLength;
    }
    if (end !== bytes.byteLength) throw new Error(`its levels end at ${end} of ${bytes.byteLength} bytes`);
    console.log(`${file}: ${names.get(texture.format)} ${texture.width}x${texture.height} ${texture.mipmapCount}`);
}

for (const file of process.argv.slice(2)) {
    try {
        check(file);
    } catch (error) {
        console.error(`${file}: ${error.message}`);
        process.exitCode = 1;
    }
}
