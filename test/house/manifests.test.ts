import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { otherTriggers, type Stem, serviceNames, serviceOf } from '../../functions/table.ts';
import { apartMs, gatherMs, settleMs } from '../../packages/controller/resync/restart.ts';
import { forEvent, patience } from '../../packages/event-log/store/bounded.ts';
import { bridged } from '../../packages/event-log/store/unattended.ts';
import { wants } from '../../packages/mesh/broker/trigger-filter.ts';
import type { CloudEvent } from '../../packages/mesh/cloud-event.ts';
import { readManifests } from '../../packages/mesh/manifests/read-manifests.ts';
import { eventOf } from '../../packages/source/event-of.ts';
import { version } from '../../packages/start/version.ts';
import { changeStems, eventStems } from '../build/stems.ts';
import { filesOf, root, textOf } from './files.ts';
import { manifest } from './manifest.ts';
import { watched } from './watched.ts';

const spec = readManifests({ root });
const deadLettered = { kind: 'function', namespace: 'knudge', name: 'event-log', path: '/dead-lettered' } as const;
/** A sink, so nothing wakes it by a Trigger. */
const woken = eventStems.filter((stem) => stem !== 'dead-lettered');
/** What every event goes to, and nobody may wait for. */
const recording = 'event-recorded';
/** The one writer of its file, which nobody may wait for either. */
const alwaysAwake = serviceOf(recording);

describe('each function is deployed', () => {
  it('as a Knative Service of its name', () => {
    assert.deepEqual(spec.functions.map(({ name }) => name).sort(), [...serviceNames].sort());
  });

  for (const fn of spec.functions) {
    it(`${fn.name} sleeps if it may, is bounded, and is let finish`, () => {
      const isOne = fn.name === alwaysAwake;
      assert.equal(fn.minScale, isOne ? 1 : 0);
      assert.ok(fn.maxScale >= 1 && fn.maxScale <= (isOne ? 1 : 20), 'max-scale is bounded');
      assert.ok(fn.containerConcurrency >= 10, 'a burst must not make one Pod an event');
      assert.ok(fn.timeoutSeconds >= 40, 'it is the grace period too, and the drain takes 30 s of it');
    });

    it(`${fn.name} is shut off, restricted, and of this version`, () => {
      const text = textOf(`deploy/functions/${fn.name}.yaml`);
      for (const line of [
        'networking.knative.dev/visibility: cluster-local',
        `image: knudge/knudge:${version}`,
        'runAsNonRoot: true',
        'readOnlyRootFilesystem: true',
        'allowPrivilegeEscalation: false',
        'drop: [ALL]',
        'type: RuntimeDefault',
        'path: /health/liveness',
      ]) {
        assert.ok(text.includes(line), `has no ${line}`);
      }
      assert.ok(!text.includes('readinessProbe'), "Knative's own is the fastest");
    });
  }
});

describe('each function is woken', () => {
  it('by a Trigger of its name, in a file of its name, and by those that the table names', () => {
    const all = [...woken, ...Object.keys(otherTriggers)];
    assert.deepEqual(spec.triggers.map(({ name }) => name).sort(), all.sort());
    for (const name of all) {
      const [document] = manifest(`eventing/triggers/${name}.yaml`);
      assert.equal(document?.metadata.name, name);
    }
  });

  for (const [name, stem] of Object.entries(otherTriggers)) {
    it(`${name}: wakes ${stem}, and its tries last longer than two resyncs for restarts are apart`, () => {
      const trigger = spec.triggers.find((one) => one.name === name);
      assert.deepEqual(trigger?.subscriber, subscriberOf(stem));
      const { deadLetterSink, timeoutMs, retry, backoff, backoffDelayMs } = trigger.delivery;
      assert.deepEqual(deadLetterSink, deadLettered);
      const own = spec.triggers.find((one) => one.name === stem);
      assert.deepEqual([timeoutMs, backoff], [own?.delivery.timeoutMs, 'exponential']);
      const waits = Array.from({ length: retry }, (_, index) => backoffDelayMs * 2 ** index);
      assert.ok(waits.reduce((sum, wait) => sum + wait, 0) >= apartMs + settleMs + gatherMs);
      assert.ok(Math.max(...waits) <= apartMs + settleMs, 'none comes a minute late');
    });
  }

  const usual = spec.triggers.filter(({ name }) => name !== recording && !(name in otherTriggers));
  for (const { name, subscriber, delivery, broker } of usual) {
    it(`${name}: with short retries, and a place for what fails`, () => {
      assert.equal(broker, 'knudge');
      assert.deepEqual(subscriber, subscriberOf(name as Stem));
      const { deadLetterSink, timeoutMs, retry, backoff, backoffDelayMs } = delivery;
      assert.deepEqual(deadLetterSink, deadLettered);
      // What that comes to: test/house/delivery.test.ts.
      const wanted = name === 'resync-due' ? [1, 28_000] : [3, 14_000];
      assert.deepEqual([retry, timeoutMs, backoff, backoffDelayMs], [...wanted, 'exponential', 400]);
    });
  }

  it(`${recording}: with every event, once and shortly, to a channel, and a place for what that does not take`, () => {
    const trigger = spec.triggers.find(({ name }) => name === recording);
    assert.deepEqual(trigger?.filters, []);
    assert.deepEqual(trigger.subscriber, { kind: 'channel', namespace: 'knudge', name: 'event-log' });
    const { retry, timeoutMs, deadLetterSink } = trigger.delivery;
    assert.deepEqual([retry, timeoutMs, deadLetterSink], [0, 1000, { ...deadLettered, path: '/event-recorded' }]);
  });

  for (const overlay of [undefined, 'kafka']) {
    const where = overlay === undefined ? 'the channel' : `the Broker of class Kafka`;
    it(`${where} brings the log an event for longer than the log may be away without a gap`, () => {
      const { channels, triggers } = readManifests({ root, ...(overlay !== undefined && { overlay }) });
      const subscriptions = channels.flatMap((one) => one.subscriptions);
      const [brings, ...others] =
        overlay === undefined ? subscriptions : triggers.filter(({ name }) => name === recording);
      assert.deepEqual([brings?.subscriber, others], [subscriberOf(recording), []]);
      const { retry = 0, backoff, backoffDelayMs = 0, timeoutMs = 0 } = brings?.delivery ?? {};
      assert.equal(backoff, 'exponential');
      const waits = backoffDelayMs * (2 ** retry - 1);
      assert.ok(waits > bridged, 'also where each try is refused at once');
      assert.ok(timeoutMs > forEvent.done, 'what the log answers late comes again');
      if (overlay === undefined) assert.ok(waits + (retry + 1) * timeoutMs < patience, 'then it is a gap');
    });
  }

  it('the Broker has a place for what fails too', () => {
    assert.deepEqual(
      spec.brokers.map(({ name, delivery }) => [name, delivery.deadLetterSink]),
      [['knudge', deadLettered]],
    );
  });

  for (const stem of changeStems) {
    it(`every recorded event of ${stem} wakes it and nothing else`, () => {
      for (const path of filesOf(`test/fixtures/events/${stem}`, '.json')) {
        const { headers } = JSON.parse(textOf(path)) as { headers: Record<string, string> };
        assert.deepEqual(wokenBy(toEvent(headers)), [stem], path);
      }
    });

    it(`the resync's events for what ${stem} takes wake it`, () => {
      const { apiVersion = '', kind = '' } = watched(spec.sources, stem)[0] ?? {};
      const attributes = { type: 'dev.knudge.resync.requested', apiversion: apiVersion, kind };
      assert.deepEqual(wokenBy({ attributes, data: Buffer.alloc(0) }), [stem]);
    });
  }

  it('what is told of the Pod of a source wakes none that other Pods wake, and only what may be its readiness wakes any', () => {
    for (const [verb, wakes] of [
      ['add', []],
      ['update', ['source-restarted']],
      ['delete', []],
    ] as const) {
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'knudge', name: 'any' } };
      const source = spec.sources.find(({ name }) => name === 'source-adapters');
      assert.ok(source);
      const event = eventOf({ verb, object: pod }, { ...source, source: 'https://any', id: 'any', time: 'any' });
      assert.deepEqual(wokenBy(event), wakes, verb);
    }
  });

  const ticks: readonly [type: string, source: string, wakes: readonly Stem[]][] = [
    ['dev.knative.sources.ping', '/apis/v1/namespaces/knudge/pingsources/resync-due', ['resync-due']],
    ['dev.knative.sources.ping', '/apis/v1/namespaces/shop/pingsources/resync-due', []],
    ['dev.knudge.resync.due', '/anybody', ['resync-due']],
  ];
  for (const [type, source, wakes] of ticks) {
    it(`${type} from ${source} wakes ${wakes.join() || 'nothing'}`, () => {
      assert.deepEqual(wokenBy({ attributes: { type, source }, data: Buffer.alloc(0) }), wakes);
    });
  }

  it('by one PingSource, which is the one that its Trigger knows', () => {
    assert.deepEqual(
      spec.pings.map(({ namespace, name }) => `${namespace}/${name}`),
      ['knudge/resync-due'],
    );
  });
});

function subscriberOf(stem: Stem) {
  const name = serviceOf(stem);
  return { kind: 'function', namespace: 'knudge', name, ...(name !== stem && { path: `/${stem}` }) };
}

/** The Triggers that choose an event. */
function wokenBy(event: CloudEvent): readonly string[] {
  return spec.triggers.filter(({ filters }) => filters.length > 0 && wants(filters, event)).map(({ name }) => name);
}

function toEvent(headers: Readonly<Record<string, string>>): CloudEvent {
  const attributes = Object.entries(headers).filter(([name]) => name.startsWith('ce-'));
  return {
    attributes: Object.fromEntries(attributes.map(([name, value]) => [name.slice(3), value])),
    data: Buffer.alloc(0),
  };
}
