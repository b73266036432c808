import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { objections, schemaProgram } from '../../tools/grafana/schema.ts';

const folder = 'deploy/components/prometheus/dashboards';
const files = readdirSync(folder).map((name) => join(folder, name));
const [first = ''] = files;

/** What somebody may break in a dashboard, and what is said of it. */
const broken: readonly (readonly [what: string, from: string, to: string, said: RegExp])[] = [
  ['a name that is wrong', '"schemaVersion"', '"schemasVersion"', /unexpected field 'schemasVersion'/],
  ['a panel without its kind', '"type": "stat",', '', /panels\[0\]: discriminator field 'type' not found/],
  [
    'a word for a number',
    '"schemaVersion": 39',
    '"schemaVersion": "new"',
    /schemaVersion: json: cannot unmarshal string/,
  ],
];

describe("the code of Grafana's schema", () => {
  let program = '';
  before(async () => {
    program = await schemaProgram(console.error);
  });

  it('objects to nothing in the dashboards', () => {
    assert.ok(files.length > 3);
    assert.deepEqual(objections(program, files), []);
  });

  for (const [what, from, to, said] of broken)
    it(`objects to ${what}`, () => {
      const temporary = mkdtempSync(join(tmpdir(), 'knudge-dashboards-'));
      try {
        const file = join(temporary, 'broken.json');
        const text = readFileSync(first, 'utf8');
        assert.ok(text.includes(from));
        writeFileSync(file, text.replace(from, to));
        assert.match(objections(program, [file]).join('\n'), said);
      } finally {
        rmSync(temporary, { recursive: true });
      }
    });
});
