import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';
import type { Trace, TracedChange } from '../../../packages/controller/testing/trace.ts';
import type { KeyPair } from '../../../packages/issuing/types.ts';
import { simulatedIssuer } from '../sim/issuer.ts';
import { editChanges, insertChange, put, testLies } from './edit-trace.ts';

const scenario = 'create-generated-mtls';

function secretIn(trace: Trace, name: string): TracedChange {
  const found = trace.changes.find(({ type, object }) => type === 'ADDED' && object.metadata.name === name);
  if (found === undefined) throw new Error(`no ${name} was made`);
  return found;
}

type Data = Readonly<Record<string, string>>;

function dataOf(trace: Trace, name: string): Data {
  const { object } = secretIn(trace, name);
  return (object as KubeObject & { readonly data: Readonly<Record<string, string>> }).data;
}

function written(trace: Trace, name: string, edit: (object: KubeObject) => KubeObject): Trace {
  return editChanges(
    trace,
    ({ type, object }) => type === 'ADDED' && object.metadata.name === name,
    (change) => ({ ...change, object: edit(change.object) }),
  );
}

const leaf = 'frp-web-tls';
const authority = 'frp-default-ca';

const issuer = simulatedIssuer(createChance(99));
const span = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2027-01-01T00:00:00Z' };
const otherAuthority = await issuer.authority({ commonName: 'other', ...span });
const otherLeaf = await issuer.leaf({
  commonName: 'web',
  dnsNames: ['web'],
  authority: otherAuthority,
  ...span,
  usage: 'client',
});

function encoded({ certificate, key }: KeyPair): Readonly<Record<string, string>> {
  return { 'tls.crt': Buffer.from(certificate).toString('base64'), 'tls.key': Buffer.from(key).toString('base64') };
}

/** The next authority in the Secret of one, and in its bundle. */
function successor(data: Data): Data {
  const { 'tls.crt': certificate = '', 'tls.key': key = '' } = encoded(otherAuthority);
  const both = [data['tls.crt'] ?? '', certificate].map((text) => Buffer.from(text, 'base64').toString()).join('');
  return { 'next.crt': certificate, 'next.key': key, 'ca.crt': Buffer.from(both).toString('base64') };
}

/** A run writes other data into the Secret of the authority, when all else has been done. */
function rewritten(trace: Trace, edit: (data: Data) => Data, at = trace.marks.lifted - 0.5): Trace {
  const made = secretIn(trace, authority);
  const before = trace.changes.findLast(({ object }) => object.metadata.name === authority)?.object ?? made.object;
  const object = put(before, ['data'], edit((before as KubeObject & { readonly data: Data }).data));
  return insertChange(trace, { ...made, at, type: 'MODIFIED', object, before });
}

testLies('O7', {
  'a certificate is written with another key': {
    of: scenario,
    tell: (trace) =>
      written(trace, leaf, (secret) => put(secret, ['data', 'tls.key'], dataOf(trace, authority)['tls.key'])),
    says: /Secret shop\/frp-web-tls was written with a key that does not fit/,
  },
  'a certificate is written without its key': {
    of: scenario,
    tell: (trace) => written(trace, leaf, (secret) => put(secret, ['data', 'tls.key'], undefined)),
    says: /was written without its certificate or its key/,
  },
  'a certificate is written that another authority signed': {
    of: scenario,
    tell: (trace) => written(trace, leaf, (secret) => put(secret, ['data'], encoded(otherLeaf))),
    says: /with a certificate that no stored authority has signed/,
  },
  'a person spoils the certificate, and it is no fault of a run': {
    of: scenario,
    tell: (trace) => {
      const { object } = secretIn(trace, leaf);
      const spoilt = put(object, ['data', 'tls.key'], 'c3BvaWx0');
      const [at, by, before] = [trace.marks.lifted - 0.5, { who: 'user' } as const, object];
      return insertChange(trace, { at, by, type: 'MODIFIED', object: spoilt, before });
    },
  },
  'a second authority is published': {
    of: scenario,
    tell: (trace) => {
      const made = secretIn(trace, authority);
      return insertChange(trace, { ...made, at: made.at + 0.5 });
    },
    says: /Secret shop\/frp-default-ca is a second authority of one trust domain/,
  },
  'a second authority is published because a person deleted the first': {
    of: scenario,
    tell: (trace) => {
      const made = secretIn(trace, authority);
      const gone = { ...made, at: made.at + 0.3, by: { who: 'user' }, type: 'DELETED', before: made.object } as const;
      return insertChange(insertChange(trace, gone), { ...made, at: made.at + 0.5 });
    },
  },
  'an authority is written over': {
    of: scenario,
    tell: (trace) => rewritten(trace, (data) => ({ ...data, ...encoded(otherAuthority) })),
    says: /is an authority and was changed in another way than by its rotation/,
  },
  'an authority gets a successor': {
    of: scenario,
    tell: (trace) => rewritten(trace, (data) => ({ ...data, ...successor(data) })),
  },
  'an authority gets a successor that nobody is told to trust': {
    of: scenario,
    tell: (trace) => rewritten(trace, (data) => ({ ...data, ...successor(data), 'ca.crt': data['ca.crt'] ?? '' })),
    says: /is an authority that its bundle does not hold/,
  },
  'an authority gives way to its successor while its certificates live': {
    of: scenario,
    tell: (trace) => {
      const with2 = rewritten(trace, (data) => ({ ...data, ...successor(data) }));
      const alone = { ...encoded(otherAuthority), 'ca.crt': encoded(otherAuthority)['tls.crt'] ?? '' };
      return rewritten(with2, () => alone, trace.marks.lifted - 0.3);
    },
    says: /lost an authority whose certificates still live/,
  },
  'an authority is deleted by a run': {
    of: scenario,
    tell: (trace) => {
      const made = secretIn(trace, authority);
      return insertChange(trace, { ...made, at: made.at + 0.5, type: 'DELETED', before: made.object });
    },
    says: /is an authority and was deleted by a run/,
  },
  'at rest the certificate is not that of the stored authority': {
    of: scenario,
    tell: (trace) => ({
      ...trace,
      resting: trace.resting.map((object) =>
        object.metadata.name === authority ? put(object, ['data'], encoded(otherAuthority)) : object,
      ),
    }),
    says: /holds no certificate that the stored authority has signed/,
  },
  'at rest there is no authority, because its profile is away': {
    of: scenario,
    tell: (trace) => ({ ...trace, resting: trace.resting.filter(({ metadata }) => metadata.name !== authority) }),
  },
  'at rest the authority is spoilt, which is for a person': {
    of: scenario,
    tell: (trace) => ({
      ...trace,
      resting: trace.resting.map((object) =>
        object.metadata.name === authority ? put(object, ['data', 'tls.key'], 'c3BvaWx0') : object,
      ),
    }),
  },
  'at rest the certificate has ended': {
    of: scenario,
    tell: (trace) => ({ ...trace, now: trace.now + 8 * 86_400_000 }),
    says: /holds a certificate that has ended/,
  },
});
