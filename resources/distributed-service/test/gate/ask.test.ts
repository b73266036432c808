import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../../../packages/controller/domain/kube-object.ts';
import type { Asked } from '../../../../packages/controller/domain/ports.ts';
import { type MemoryCluster, memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService } from '../../../../test/build/objects.ts';
import { entryOf, heldClaim } from '../../claims/claim-objects.ts';
import { exposureDigest } from '../../frp/exposed-proxy.ts';
import { askGate } from '../../gate/ask.ts';
import type { DistributedServiceSpec } from '../../types.ts';
import { claiming, type Op, question } from './question.ts';

type Json = Readonly<Record<string, unknown>>;

const token = 'token-of-shop-web';
const digest = 'digest-1';
const hash = (text: string): string => (text === token ? digest : createHash('md5').update(text).digest('hex'));
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const compared: string[] = [];
const isSame = (one: string, other: string): boolean => {
  compared.push(`${one} ${other}`);
  return one === other;
};

const who = { service: 'shop/web', uid: 'uid-1', identity: digest };
const ref = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', namespace: 'shop', name: 'web' };
const web = distributedService('web', {}, { uid: 'uid-1' });
const told = { identityDigest: digest, exposureDigest: exposureDigest(web, { server: 'knudge/frps', hash }) };
const status = { serverProfile: 'knudge/frps', ...told, conditions: [] };
const place = { controllerNamespace: 'knudge', hash };
const want = { kind: 'TCPPort', value: '7001', locations: [''] } as const;
const holding = {
  namespace: 'shop',
  services: [entryOf(web, want)],
  state: 'Held',
  since: '2026-01-01T00:00:00Z',
} as const;
const held = heldClaim({ want, ...holding }, { server: 'knudge/default', ...place });

/** A cluster with the service that the recorded questions are about. */
function living(spec: Partial<DistributedServiceSpec> = {}, over: Json = {}): MemoryCluster {
  const cluster = memoryCluster({ schemas: 'none' });
  const metadata = { uid: 'uid-1', finalizers: ['frp.io/cleanup'] };
  cluster.put({ ...distributedService('web', spec, metadata), status: { ...status, ...over } } as KubeObject);
  cluster.put(held);
  return cluster;
}

async function ask(cluster: MemoryCluster, op: Op, content: Json = {}) {
  return put(cluster, question(op, content));
}

async function put(cluster: MemoryCluster, asked: Asked) {
  const { outcome, json } = await askGate(asked, { ...place, reader: cluster, isSame, md5 });
  return { outcome, json: json as { reject: boolean; reject_reason?: string; unchange?: boolean; content?: Json } };
}

const ops = ['login', 'new-proxy', 'ping'] as const;

describe('the gate', () => {
  it('lets a living service log in with its token, with the key that frps expects of its own clients', async () => {
    const cluster = living();
    const { outcome, json } = await ask(cluster, 'login');
    assert.equal(outcome, 'in');
    const { content } = question('login').body;
    const metas = { service: 'shop/web', uid: 'uid-1', identity: digest };
    const privilege_key = md5(String(content['timestamp']));
    assert.deepEqual(json, { reject: false, unchange: false, content: { ...content, metas, privilege_key } });
    assert.ok(!JSON.stringify(json).includes(token));
    assert.deepEqual(compared.at(-1), `${digest} ${digest}`);
    assert.deepEqual(
      cluster.calls.map(({ verb }) => verb),
      ['get'],
      'one read by name',
    );
  });

  for (const op of ['new-proxy', 'ping'] as const) {
    it(`answers ${op} without reading a Secret, and changes nothing`, async () => {
      const cluster = living();
      assert.deepEqual((await ask(cluster, op)).json, { reject: false, unchange: true });
      const claim = op === 'new-proxy' ? ['get'] : [];
      assert.deepEqual(cluster.calls.map(({ verb }) => verb).sort(), [...claim, 'get']);
    });
  }

  const nobody: readonly [sentence: string, change: (cluster: MemoryCluster) => unknown, code: string][] = [
    ['a service that is gone', strip, 'no-such-service'],
    ['a service of the same name with another uid', again, 'another-uid'],
    ['a service whose status tells of no token', (cluster) => tellDigest(cluster, undefined), 'no-identity'],
    ['a service whose status tells of an empty one', (cluster) => tellDigest(cluster, ''), 'no-identity'],
  ];
  for (const [sentence, change, code] of nobody) {
    for (const op of ops) {
      it(`refuses ${op} of ${sentence}, and does not say why`, async () => {
        const cluster = living();
        change(cluster);
        const { outcome, json } = await ask(cluster, op);
        assert.deepEqual(
          [outcome, json],
          [code, { reject: true, reject_reason: 'no living service has this identity' }],
        );
      });
    }
  }

  const claims: readonly [sentence: string, metas: unknown][] = [
    ['no metadatas', undefined],
    ['metadatas that are no object', ['shop/web']],
    ['no service', { uid: 'uid-1' }],
    ['no uid', { service: 'shop/web' }],
    ['a service that is no name', { ...who, service: '../web' }],
    ['two slashes', { ...who, service: 'shop/web/status' }],
    ['an encoded slash', { ...who, service: 'shop/web%2Fstatus' }],
  ];
  for (const [sentence, metas] of claims) {
    for (const op of ops) {
      it(`refuses ${op} with ${sentence}, and reads nothing`, async () => {
        const cluster = living();
        assert.equal((await ask(cluster, op, claiming(op, metas))).outcome, 'names-no-service');
        assert.equal(cluster.calls.length, 0);
      });
    }
  }

  for (const [sentence, content, code] of [
    ['another token', { privilege_key: 'another' }, 'wrong-token'],
    ['no token', { privilege_key: undefined }, 'wrong-token'],
    ['a token that is no text', { privilege_key: [token] }, 'wrong-token'],
    ["the token under another service's name", claiming('login', { ...who, service: 'shop/api' }), 'no-such-service'],
    ['a user, which would rename its proxies', { user: 'x' }, 'foreign-name'],
    ['a client id', { client_id: 'another-client' }, 'foreign-name'],
  ] as const) {
    it(`refuses a login with ${sentence}`, async () => {
      assert.equal((await ask(living(), 'login', content)).outcome, code);
    });
  }

  it('refuses a login with the digest in the place of the token', async () => {
    assert.equal((await ask(living(), 'login', { privilege_key: digest })).outcome, 'wrong-token');
  });

  for (const op of ['new-proxy', 'ping'] as const) {
    it(`refuses ${op} of a session whose token has been replaced, or that never logged in`, async () => {
      for (const identity of ['digest-of-another', '', undefined]) {
        const { outcome } = await ask(living(), op, claiming(op, { ...who, identity }));
        assert.equal(outcome, 'another-identity');
      }
    });
  }

  for (const op of ops) {
    it(`refuses ${op} of a service that is being deleted, and says so`, async () => {
      const cluster = living();
      cluster.remove(ref);
      const { outcome, json } = await ask(cluster, op);
      assert.deepEqual([outcome, json.reject_reason], ['being-deleted', 'shop/web is being deleted']);
    });

    it(`refuses ${op} at a server that the service does not use`, async () => {
      const { outcome, json } = await put(living(), { ...question(op), path: '/shop/frps' });
      assert.equal(outcome, 'another-server');
      assert.match(json.reject_reason ?? '', /its profile is knudge\/frps$/);
    });

    it(`refuses ${op} of a service whose spec makes no sense`, async () => {
      const spec = { loadBalancing: { algorithm: 'least-conn' }, serviceType: 'udp' } as const;
      assert.equal((await ask(living(spec), op)).outcome, 'invalid-spec');
    });
  }

  it('refuses the proxy of a service that another one stands in the way of', async () => {
    const message = 'port 7001 belongs to another service';
    const conditions = [{ type: 'ConfigurationValid', status: 'False', reason: 'ConflictingExposure', message }];
    const { outcome, json } = await ask(living({}, { conditions }), 'new-proxy');
    assert.deepEqual([outcome, json.reject_reason], ['conflict', message]);
  });
});

/** Puts a service into the cluster whose status has this digest of a token. */
function tellDigest(cluster: MemoryCluster, identityDigest: string | undefined): void {
  const metadata = { uid: 'uid-1', finalizers: ['frp.io/cleanup'] };
  cluster.put({ ...distributedService('web', {}, metadata), status: { ...status, identityDigest } } as KubeObject);
}

/** Takes the service out of the cluster, as if it had never existed. */
function strip(cluster: MemoryCluster): void {
  cluster.put({ ...distributedService('web', {}, { uid: 'uid-1', finalizers: [] }) });
  cluster.remove(ref);
}

function again(cluster: MemoryCluster): void {
  strip(cluster);
  cluster.put({ ...distributedService('web', {}, { uid: 'uid-2' }), status } as KubeObject);
}
