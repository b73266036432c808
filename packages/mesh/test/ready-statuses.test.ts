import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readManifests } from '../manifests/read-manifests.ts';
import { readyStatuses } from '../ready-statuses.ts';

const spec = readManifests({ root: process.cwd() });
const functions = Object.fromEntries(
  spec.functions.map(({ name }, index) => [name, `http://127.0.0.1:${9000 + index}`]),
);
const places = { spec, state: { functions }, ingress: 'http://127.0.0.1:8301', now: '2026-01-01T00:00:00Z' };

/** `Kind name` → what stands there beside the conditions. */
const told: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map(
  readyStatuses(spec.objects, places).map(({ ref, status }) => [`${ref.kind} ${ref.name}`, status] as const),
);

describe('the deployed objects of Knative', () => {
  it('are all ready, and nothing else is told', () => {
    const knative = spec.objects.filter(({ apiVersion }) => apiVersion.includes('knative.dev'));
    assert.equal(told.size, knative.length);
    const ready = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
    for (const [name, { conditions }] of told) assert.deepEqual(conditions, ready, name);
  });

  const rows: readonly (readonly [string, string, unknown])[] = [
    ['Broker knudge', 'address', { url: 'http://127.0.0.1:8301/knudge/knudge' }],
    ['Trigger message-changed', 'subscriberUri', functions['message-changed']],
    ['ApiServerSource cluster-objects', 'sinkUri', 'http://127.0.0.1:8301/knudge/knudge'],
    ['PingSource resync-due', 'sinkUri', 'http://127.0.0.1:8301/knudge/knudge'],
    ['Service distributed-service', 'url', functions['distributed-service']],
  ];
  for (const [name, field, want] of rows) {
    it(`${name} says its ${field}`, () => {
      assert.ok(want);
      assert.deepEqual(told.get(name)?.[field], want);
    });
  }

  it('a sink elsewhere is told as it stands', () => {
    const [ping] = spec.pings;
    assert.ok(ping);
    const pings = [{ ...ping, sink: { kind: 'uri', uri: 'http://elsewhere.example/' } as const }];
    const found = readyStatuses(spec.objects, { ...places, spec: { ...spec, pings } });
    assert.equal(found.find(({ ref }) => ref.kind === 'PingSource')?.status['sinkUri'], 'http://elsewhere.example/');
  });
});
