// SPDX-License-Identifier: MIT
// Judges KTX2 files by ktx-parse: node check_ktx2.mjs FILE... What ktx-parse reads and writes again must be the
// same file, byte for byte: header, index, places and padding are as it would have them.
import * as ktx from 'ktx-parse';
import fs from 'node:fs';

const names = new Map(
    Object.entries(ktx).filter(([name]) => name.startsWith('VK_FORMAT_')).map(([name, value]) => [value, name]));
let file = '';

function expect(condition, text) {
    if (!condition) throw new Error(text);
}

// Every bit of a block is in one sample. Punch-through alpha is in the same bits as the colours.
function checkSamples(name, descriptor) {
    const numBits = 8 * descriptor.bytesPlane[0];
    const uses = new Array(numBits).fill(0);
    for (const sample of descriptor.samples)
        for (let bit = 0; bit <= sample.bitLength; bit++) uses[sample.bitOffset + bit]++;
    expect(uses.length === numBits, 'samples reach over the block');
    const wanted = name.includes('R8G8B8A1') ? 2 : 1;
    expect(uses.every((n) => n === wanted), 'samples do not cover the block');
}

function check(bytes) {
    const container = ktx.read(bytes);
    const name = names.get(container.vkFormat);
    const [descriptor, ...others] = container.dataFormatDescriptor;
    expect(name !== undefined && name.endsWith('_BLOCK'), `VkFormat ${container.vkFormat} is no block format`);
    expect(container.typeSize === 1, 'typeSize');
    expect(container.pixelDepth === 0 && container.layerCount === 0 && container.faceCount === 1, 'dimensions');
    expect(container.supercompressionScheme === ktx.KHR_SUPERCOMPRESSION_NONE, 'supercompression');
    expect(Object.keys(container.keyValue).join() === 'KTXwriter', 'keys and values');
    expect(others.length === 0 && descriptor.versionNumber === 2, 'one descriptor of version 1.3');
    expect(descriptor.texelBlockDimension.join() === '3,3,0,0', 'blocks of 4x4');
    const transfer = name.endsWith('_SRGB_BLOCK') ? ktx.KHR_DF_TRANSFER_SRGB : ktx.KHR_DF_TRANSFER_LINEAR;
    expect(descriptor.transferFunction === transfer, 'transfer function');
    expect(descriptor.colorPrimaries === ktx.KHR_DF_PRIMARIES_BT709, 'primaries');
    checkSamples(name, descriptor);
    container.levels.forEach((level, i) => {
        const columns = Math.ceil(Math.max(1, container.pixelWidth >> i) / 4);
        const rows = Math.ceil(Math.max(1, container.pixelHeight >> i) / 4);
        const size = columns * rows * descriptor.bytesPlane[0];
        expect(level.levelData.length === size, `level ${i} has ${level.levelData.length} bytes`);
        expect(level.uncompressedByteLength === size, `level ${i} says another size`);
    });
    const again = ktx.write(container, {keepWriter: true});
    expect(Buffer.compare(Buffer.from(again), bytes) === 0, 'ktx-parse would have written another file');
    return `${name} ${container.pixelWidth}x${container.pixelHeight} ${container.levels.length}`;
}

try {
    for (file of process.argv.slice(2)) console.log(`${file}: ${check(fs.readFileSync(file))}`);
} catch (error) {
    console.error(`${file}: ${error.message}`);
    process.exit(1);
}
