import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { CloudEvent, Destination } from '../cloud-event.ts';
import { deliverIn, here } from '../in-mesh.ts';

const event: CloudEvent = {
  attributes: { specversion: '1.0', id: '1', type: 't', source: '/s' },
  data: Buffer.alloc(0),
};
const server = createServer((request, response) => {
  request.resume();
  response.end(request.url);
});
let ingress = '';

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ingress = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.close();
  server.closeAllConnections();
});

/** Where the event arrived: a path of the server, or a function. */
async function arrive(to: Destination): Promise<string> {
  const functions = {
    urls: new Map(),
    deliver: async ({ name, path = '' }: { readonly name: string; readonly path?: string }) =>
      ({ kind: 'failed', why: `function ${name}${path}` }) as const,
  };
  const answer = await deliverIn({ ingress, services: new Set(['knudge/pod-changed']), functions })(to, event);
  return answer.kind === 'answered' ? answer.body.toString() : answer.why;
}

const uri = (text: string): Destination => ({ kind: 'uri', uri: text });
const unknown = 'dial tcp: lookup pod-changed.other.svc.cluster.local: no such host';
const rows: readonly { readonly name: string; readonly to: () => Destination; readonly arrives: string }[] = [
  {
    name: 'a function',
    to: () => ({ kind: 'function', namespace: 'knudge', name: 'pod-changed' }),
    arrives: 'function pod-changed',
  },
  {
    name: 'a path of a function',
    to: () => ({ kind: 'function', namespace: 'knudge', name: 'pod-changed', path: '/some' }),
    arrives: 'function pod-changed/some',
  },
  {
    name: 'the address of a path of it in a cluster',
    to: () => uri('http://pod-changed.knudge.svc.cluster.local/some?a=b'),
    arrives: 'function pod-changed/some?a=b',
  },
  {
    name: 'a function that nobody has',
    to: () => ({ kind: 'function', namespace: 'other', name: 'pod-changed' }),
    arrives: unknown,
  },
  { name: 'a Broker', to: () => ({ kind: 'broker', namespace: 'knudge', name: 'main' }), arrives: '/knudge/main' },
  { name: 'an address', to: () => uri(`${ingress}/any`), arrives: '/any' },
  {
    name: 'the address of a function in a cluster',
    to: () => uri('http://pod-changed.knudge.svc.cluster.local'),
    arrives: 'function pod-changed',
  },
  { name: 'the short one', to: () => uri('http://pod-changed.knudge.svc/'), arrives: 'function pod-changed' },
  {
    name: 'the address of a Broker in a cluster',
    to: () => uri('http://broker-ingress.knative-eventing.svc.cluster.local/knudge/main'),
    arrives: '/knudge/main',
  },
  {
    name: 'the address of a Kafka Broker',
    to: () => uri('http://kafka-broker-ingress.knative-eventing.svc.cluster.local/knudge/main'),
    arrives: '/knudge/main',
  },
];

for (const { name, to, arrives } of rows) {
  test(`an event reaches ${name}`, async () => {
    assert.equal(await arrive(to()), arrives);
  });
}

test('no other text is taken for the address of a Broker', () => {
  for (const text of ['knudge', 'http://broker-ingress.knative-eventing.evil.example/a/b', 'https://example.com/x']) {
    assert.equal(here(text, 'http://127.0.0.1:1'), text);
  }
});

test('an event for a Broker of this process needs no connection', async () => {
  const seen: CloudEvent[] = [];
  const brokers = new Map([
    [
      'knudge/main',
      {
        ingress: async (one: CloudEvent) => {
          seen.push(one);
          return { status: 503, message: 'full' };
        },
      },
    ],
  ]);
  const functions = { urls: new Map(), deliver: async () => ({ kind: 'failed', why: '' }) as const };
  const deliver = deliverIn({ ingress: 'http://127.0.0.1:1', services: new Set(), brokers, functions });
  const answer = await deliver({ kind: 'broker', namespace: 'knudge', name: 'main' }, event);
  assert.deepEqual(
    [answer, seen],
    [{ kind: 'answered', status: 503, headers: {}, body: Buffer.from('full') }, [event]],
  );
});
