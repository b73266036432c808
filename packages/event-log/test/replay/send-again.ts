import assert from 'node:assert/strict';
import type { MeshProcess } from '../../../../test/faults/mesh/mesh-process.ts';
import { until } from '../../../../test/kube/until.ts';
import type { HopLine } from '../../../../test/mesh/running-mesh.ts';
import { createSender } from '../../../controller/broker/send.ts';
import { replayExtension } from '../../../controller/domain/change.ts';
import type { RecordedEvent } from '../../../controller/domain/event-log.ts';
import { replay } from '../../replay/replay.ts';

/** Faster than a person would let it run. */
const perSecond = 500;

/** Replays events to the Broker of a mesh, and holds it to what that has handed on: each of them, as it was, in its order. */
export async function sendAgain(events: readonly RecordedEvent[], mesh: MeshProcess): Promise<number> {
  const { broker } = await mesh.ready;
  const before = mesh.hops.length;
  const sender = createSender({ sink: broker, timeoutMs: 120_000 });
  const { sent, end, error } = await replay({ events: inOrder(events), send: sender.send, perSecond });
  sender.close();
  assert.deepEqual({ sent, end, error }, { sent: events.length, end: 'all', error: undefined });
  // The mesh prints them a moment later; one that was sent twice for want of an answer counts once.
  const all = (): readonly Attributes[] => [
    ...new Map(
      mesh.hops
        .slice(before)
        .flatMap(handedOn)
        .map((one) => [`${one.source} ${one.id}`, one]),
    ).values(),
  ];
  await until('all are handed on', async () => all().length >= events.length || all().length);
  assert.deepEqual(
    all(),
    events.map(({ id, source, type, time }) => ({ id, source, type, time })),
  );
  return sent;
}

type Attributes = Pick<RecordedEvent, 'id' | 'source' | 'type' | 'time'>;

/** The Trigger of the log wants every event, and has one try. */
function handedOn(hop: HopLine): readonly Attributes[] {
  const { id = '', source = '', type = '', time = '', ...others } = (hop['event'] ?? {}) as Record<string, string>;
  const isOne = hop.kind === 'delivered' && hop['trigger'] === 'knudge/event-recorded' && replayExtension in others;
  return isOne ? [{ id, source, type, time }] : [];
}

async function* inOrder(events: readonly RecordedEvent[]): AsyncGenerator<RecordedEvent> {
  yield* events;
}
