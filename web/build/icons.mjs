// Draws the PNG icons from icon.svg with a browser: `node build/icons.mjs`. Their results are committed.

import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const svg = readFileSync('public/icon.svg', 'utf8');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage();
for (const [name, size, rounded] of [
  ['icon-192', 192, true],
  ['icon-512', 512, true],
  ['icon-maskable-512', 512, false],
]) {
  await page.setViewportSize({ width: size, height: size });
  const drawn = rounded ? svg : svg.replace('rx="112"', '');
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw}</style>${drawn}`);
  writeFileSync(`public/${name}.png`, await page.screenshot({ omitBackground: true }));
}
await browser.close();
