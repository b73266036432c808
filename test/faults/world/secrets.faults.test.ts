import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';
import type { KeyPair } from '../../../packages/issuing/types.ts';
import * as cast from '../scenarios/cast.ts';
import { inspectSimulated, simulatedIssuer } from '../sim/issuer.ts';
import { givenOf, place } from '../sim/prepare.ts';
import { inWorld, type World } from './world.ts';

const nothing = async (): Promise<void> => undefined;
const from = await givenOf(cast.aboutWeb({ name: 'every-child', given: cast.withEveryChild, when: nothing }));
const leafRef = cast.childRef(place, 'tls');
const authorityRef = cast.refIn(place, 'Secret', 'frp-default-ca');

const encode = (text: string): string => Buffer.from(text).toString('base64');
const text = (encoded = ''): string => Buffer.from(encoded, 'base64').toString();
const dataOf = ({ certificate, key }: KeyPair) => ({ 'tls.crt': encode(certificate), 'tls.key': encode(key) });
const life = { notBefore: '2025-01-01T00:00:00Z', notAfter: '2035-01-01T00:00:00Z' };
const issuer = simulatedIssuer(createChance(99));
const other = await issuer.authority({ commonName: 'other', ...life });
const names = { commonName: 'web', dnsNames: ['web.shop.distributedservices.frp.io'], usage: 'client' } as const;
const otherLeaf = await issuer.leaf({ ...names, authority: other, ...life });

/** Whether the stored leaf has its key and is signed by the stored authority. */
function leafHolds({ find }: World): boolean {
  const [leaf, authority] = [find(leafRef), find(authorityRef)];
  const pair = { certificate: text(leaf?.data?.['tls.crt']), key: text(leaf?.data?.['tls.key']) };
  return inspectSimulated(pair, text(authority?.data?.['tls.crt'])) !== undefined;
}

/** What becomes of a leaf that is ours: it is made anew, in one write. */
const corruptions: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'bytes in its certificate': { data: { 'tls.crt': encode('garbage') } },
  'bytes in its key': { data: { 'tls.key': encode('garbage') } },
  'no certificate': { data: { 'tls.crt': '' } },
  'the key of another': { data: { 'tls.key': encode(otherLeaf.key) } },
  'a certificate of another authority': { data: dataOf(otherLeaf) },
  'the authority’s own pair': { data: dataOf(other) },
  'a certificate cut in half': { data: { 'tls.crt': encode(otherLeaf.certificate.slice(0, 80)) } },
  'bytes that are no text': { data: { 'tls.crt': '/////w==', 'tls.key': 'AAECAw==' } },
};

for (const [what, change] of Object.entries(corruptions)) {
  test(`X12: a leaf with ${what} is made anew, once`, async () => {
    await inWorld({ from }, async (world) => {
      const authority = world.see(authorityRef).metadata.uid;
      await world.user.patch(leafRef, change);
      assert.ok(!leafHolds(world));
      await world.settle();
      assert.ok(leafHolds(world));
      assert.equal(world.see(authorityRef).metadata.uid, authority);
      const leafWrites = world.writes().filter((write) => write === 'apply secrets frp-web-tls');
      assert.equal(leafWrites.length, 1);
      assert.equal(world.state(), 'Running');
      await world.rest();
    });
  });
}

/** The leaf deleted and made again by somebody, in one go: nobody has seen it missing. */
async function replace({ user, see, simulation }: World, ref: typeof leafRef, fields: object): Promise<KubeObject> {
  const { metadata, ...live } = see(ref);
  const { name, namespace, labels, annotations, ownerReferences } = metadata;
  await user.delete(ref);
  simulation.queue.length = 0;
  return user.create({
    ...live,
    metadata: { name, namespace, labels, annotations, ownerReferences },
    ...fields,
  } as KubeObject);
}

test('X12: a leaf of the wrong type, which nobody can change, is told; once it is deleted all is right', async () => {
  await inWorld({ from }, async (world) => {
    await replace(world, leafRef, { type: 'Opaque', data: { nothing: encode('here') } });
    await world.settle();
    assert.match(world.condition('Ready'), /^False (InvalidObject|CertificatesIssuing)$/);
    const before = world.writes().length;
    await world.resync();
    assert.ok(world.writes().length - before <= 2, world.writes().slice(before).join(', '));
    await world.user.delete(leafRef);
    await world.settle();
    assert.ok(leafHolds(world));
    assert.equal(world.state(), 'Running');
    await world.rest();
  });
});

test('X12: a leaf that somebody made immutable is told when it is due; once it is deleted all is right', async () => {
  await inWorld({ from }, async (world) => {
    await world.user.patch(leafRef, { immutable: true });
    await world.settle();
    assert.equal(world.state(), 'Running');
    world.simulation.clock.pass(5 * 86_400_000);
    await world.resync();
    assert.equal(world.condition('ConfigurationValid'), 'False InvalidObject');
    await world.user.delete(leafRef);
    await world.settle();
    assert.ok(leafHolds(world));
    assert.equal(world.state(), 'Running');
    await world.rest();
  });
});

test('X12: a Secret of the user’s in the leaf’s place is not touched, and told', async () => {
  await inWorld({ from }, async (world) => {
    const theirs = await replace(world, leafRef, { data: dataOf(otherLeaf) }).then(async () => {
      const stripped = { labels: null, annotations: null, ownerReferences: null };
      return world.user.patch(leafRef, { metadata: stripped });
    });
    await world.settle();
    await world.resync();
    assert.equal(world.condition('ConfigurationValid'), 'False NameConflict');
    assert.equal(world.see(leafRef).metadata.resourceVersion, theirs.metadata.resourceVersion);
    await world.rest();
  });
});

for (const [what, data] of [
  ['no key', { 'tls.crt': encode(other.certificate), 'tls.key': '' }],
  ['bytes for a certificate', { 'tls.crt': encode('garbage'), 'tls.key': encode(other.key) }],
  ['bytes for a key', { 'tls.crt': encode(other.certificate), 'tls.key': encode('garbage') }],
  ['the pair of a leaf', dataOf(otherLeaf)],
] as const) {
  test(`X12: an authority with ${what} is told and kept; once it is deleted every certificate is made anew`, async () => {
    await inWorld({ from }, async (world) => {
      await replace(world, authorityRef, { data });
      await cast.wake(world.user, cast.webRef(place));
      await world.settle();
      const bad = world.simulation.trace([]).answers.filter(({ status }) => status >= 500);
      assert.deepEqual(
        bad.map(({ stem, status, body }) => `${stem} ${status} ${body}`),
        [],
      );
      assert.equal(world.condition('CertificatesReady'), 'False AuthorityInvalid');
      await world.user.delete(authorityRef);
      await world.resync();
      assert.ok(leafHolds(world));
      assert.equal(world.state(), 'Running');
      await world.rest();
    });
  });
}

test('X12: another authority under our labels signs from then on, and nobody is left with the old one', async () => {
  await inWorld({ from }, async (world) => {
    await replace(world, authorityRef, { data: dataOf(other) });
    await world.resync();
    assert.ok(leafHolds(world));
    assert.equal(text(world.see(authorityRef).data?.['tls.crt']), other.certificate);
    await world.rest();
  });
});

test('X12: an authority of the user’s signs nothing, is not touched, and told', async () => {
  await inWorld({ from }, async (world) => {
    const { metadata } = await replace(world, authorityRef, { data: dataOf(other) });
    await world.user.patch(authorityRef, { metadata: { labels: null, ownerReferences: null } });
    const leaf = world.see(leafRef).metadata.resourceVersion;
    await world.resync();
    assert.equal(world.condition('CertificatesReady'), 'False AuthorityForeign');
    assert.equal(world.see(authorityRef).metadata.uid, metadata.uid);
    assert.equal(world.see(leafRef).metadata.resourceVersion, leaf, 'the leaf that runs stays');
    await world.rest();
  });
});
