import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { drawn, measuredFile, readMeasured } from '../../../bench/peers/draw.ts';

for (const [file, text] of drawn(readMeasured(measuredFile))) {
  it(`${file.split('/').at(-1) ?? ''} shows what bench/peers/measured.json holds`, () => {
    assert.equal(readFileSync(file, 'utf8'), text, 'npm run bench:peers -- --draw --from bench/peers/measured.json');
  });
}
