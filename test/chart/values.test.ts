import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { version } from '../../packages/start/version.ts';
import { wrong } from './wrong-values.ts';

const text = (name: string): string => readFileSync(`charts/knudge/${name}`, 'utf8');
const schema = JSON.parse(text('values.schema.json')) as Schema;
const values = parse(text('values.yaml')) as Record<string, unknown>;
const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

describe('the values of the chart', () => {
  it('are right as they come', () => {
    validate(values);
    assert.deepEqual(validate.errors, null);
  });

  for (const { what, values: bad, where } of wrong) {
    it(`are refused with ${what}`, () => {
      assert.equal(validate(bad), false);
      const paths = validate.errors?.map(({ instancePath }) => instancePath) ?? [];
      assert.ok(paths.includes(where), `the error is at ${paths.join(' ')}`);
    });
  }

  it('have a default for all that the schema knows', () => {
    const known = leaves(schema).filter((path) => path !== 'global' && !inMaps.test(path));
    assert.deepEqual(
      known.filter((path) => at(path) === undefined),
      [],
    );
  });

  it('are in the README with their defaults, all of them and no others', () => {
    const rows = [...text('README.md').matchAll(/^\| `([\w.]+)` \| `(.*?)` \|/gm)].map(([, path = '', value = '']) => [
      path,
      value,
    ]);
    const listed = rows.map(([path = '']) => [path, shown(at(path))]);
    assert.deepEqual(rows, listed);
    assert.deepEqual(
      leavesOf(values).filter((path) => !rows.some(([row]) => `${path}.`.startsWith(`${row}.`))),
      [],
    );
  });
});

describe('the chart', () => {
  it('is of this version', () => {
    const { version: its, appVersion } = parse(text('Chart.yaml')) as { version: string; appVersion: string };
    assert.deepEqual([its, appVersion], [version, version]);
  });
});

/** Keys that people choose. */
const inMaps = /namespaceSelector\.|resources\.(limits|requests)$/;

function shown(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

function at(path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values);
}

function leavesOf(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0)
    return [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, path === '' ? key : `${path}.${key}`));
}

function leaves(node: Schema, path = ''): readonly string[] {
  const own = node.$ref === undefined ? node : schema.definitions?.[node.$ref.replace('#/definitions/', '')];
  if (own?.properties === undefined) return [path];
  return Object.entries(own.properties).flatMap(([key, inner]) => leaves(inner, path === '' ? key : `${path}.${key}`));
}
