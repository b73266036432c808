import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';
import { issuer as real } from '../../../packages/issuing/issuer.ts';
import type { CertificateFacts, Issuer, KeyPair } from '../../../packages/issuing/types.ts';
import { simulatedIssuer } from './issuer.ts';

const span = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2036-01-01T00:00:00Z' };
const dnsNames = ['web.shop.distributedservices.frp.io'];

interface Made {
  readonly one: KeyPair;
  readonly two: KeyPair;
  readonly leaf: KeyPair;
  readonly other: KeyPair;
}

async function makeWith(issuer: Issuer): Promise<Made> {
  const [one, two] = [
    await issuer.authority({ commonName: 'a', ...span }),
    await issuer.authority({ commonName: 'a', ...span }),
  ];
  const request = { commonName: 'web', dnsNames, usage: 'client' as const, ...span };
  return {
    one,
    two,
    leaf: await issuer.leaf({ ...request, authority: one }),
    other: await issuer.leaf({ ...request, authority: two }),
  };
}

const valid: CertificateFacts = { ...span, dnsNames };
const rows: readonly [
  sentence: string,
  ask: (made: Made) => readonly [KeyPair, string?],
  CertificateFacts | undefined,
][] = [
  ['a leaf says its names and times', ({ leaf }) => [leaf], valid],
  ['and holds against its authority', ({ leaf, one }) => [leaf, one.certificate], valid],
  ['but not against another of the same name', ({ leaf, two }) => [leaf, two.certificate], undefined],
  ['nor against a leaf in its place', ({ leaf, other }) => [leaf, other.certificate], undefined],
  ['nor with the key of another', ({ leaf, other }) => [{ ...leaf, key: other.key }], undefined],
  ['an authority signs itself', ({ one }) => [one, one.certificate], { ...span, dnsNames: [] }],
  ['a leaf does not', ({ leaf }) => [leaf, leaf.certificate], undefined],
  ['nonsense says nothing', ({ leaf }) => [{ ...leaf, certificate: 'nonsense' }], undefined],
  ['nor does a key that is none', ({ leaf }) => [{ ...leaf, key: 'nonsense' }], undefined],
  ['nor does a leaf against nonsense', ({ leaf }) => [leaf, 'nonsense'], undefined],
];

for (const [name, issuer] of [
  ['the real issuer', real],
  ['the issuer of the simulator', simulatedIssuer(createChance(1))],
] as const) {
  test(name, async (t) => {
    const made = await makeWith(issuer);
    for (const [sentence, ask, expected] of rows)
      await t.test(sentence, async () => assert.deepEqual(await issuer.inspect(...ask(made)), expected));
  });
}

test('the same chance gives the same certificates', async () => {
  assert.deepEqual(await makeWith(simulatedIssuer(createChance(3))), await makeWith(simulatedIssuer(createChance(3))));
  assert.notDeepEqual(
    await makeWith(simulatedIssuer(createChance(3))),
    await makeWith(simulatedIssuer(createChance(4))),
  );
});
