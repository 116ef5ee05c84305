// SPDX-License-Identifier: MIT
// picture.mjs URL FILE: write what the page of weir record --live shows as JSON: its time [ns], the sides of the movie and of the
// picture, and its texels, RGBA in base64.
import {writeFileSync} from 'node:fs';
import {Browser} from './browser.mjs';

const [url, file] = process.argv.slice(2);
const browser = new Browser();
try {
    const page = await browser.open(url);
    await page.until("canvas.dataset.time && +$('frames').textContent > 10");
    writeFileSync(file, await page.evaluate(`(() => {
        const copy = document.createElement('canvas');
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const context = copy.getContext('2d');
        context.drawImage(canvas, 0, 0);
        const texels = context.getImageData(0, 0, copy.width, copy.height).data;
        return JSON.stringify({time: canvas.dataset.time, movie: $('windows').textContent.split('×').map(Number),
            sides: [copy.width, copy.height], texels: btoa(Array.from(texels, code => String.fromCharCode(code)).join(''))});
    })()`));
} finally {
    await browser.close();
}
process.exit(0);
