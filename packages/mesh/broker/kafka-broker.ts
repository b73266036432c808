import { KnudgeError } from '../../controller/domain/errors.ts';
import type { CloudEvent } from '../cloud-event.ts';
import type { TriggerSpec } from '../mesh-spec.ts';
import type { Accepting, IngressAnswer } from './accepting.ts';
import { type DeliveryParts, deliverEvent } from './delivery.ts';
import { type Consumer, createConsumer } from './kafka-consumer.ts';
import { openLog } from './kafka-log.ts';

/** Three times Knative's default for the topic of a Broker: two namespaces seldom share a partition. */
const partitions = 32;

/**
 * Knative's Broker of class `Kafka`: `accept` resolves 202 when the event is on disk, 503 if the disk refuses
 * it; each Trigger continues from its own position, also after the process was killed. At least once: what was delivered
 * shortly before that is delivered again. Ordered Triggers keep the order within a partition, and never across partitions.
 * Throws `internal` if the file cannot be opened.
 */
export function startKafkaBroker(
  triggers: readonly TriggerSpec[],
  { file, ...parts }: DeliveryParts & { readonly file: string },
): Accepting {
  const names = triggers.map(({ namespace, name }) => `${namespace}/${name}`);
  let consumers: readonly Consumer[] = [];
  const wakeAll = (inPartitions?: ReadonlySet<number>): void => {
    for (const consumer of consumers) consumer.wake(inPartitions);
  };
  const log = open({
    file,
    consumers: names,
    partitions,
    onAppended: wakeAll,
    onTrouble: (text) => parts.report({ kind: 'warning', about: file, text }),
  });
  consumers = triggers.map((trigger, index) =>
    createConsumer({
      name: names[index] ?? '',
      trigger,
      log,
      partitions,
      deliver: (event) => deliverEvent(trigger, event, parts),
    }),
  );
  setImmediate(() => wakeAll());
  return {
    accept: async (event) => {
      try {
        await log.append(partitionOf(event), event);
        return accepted;
      } catch (thrown) {
        return { status: 503, message: `the event could not be stored: ${String(thrown)}` };
      }
    },
    // Each Trigger is a consumer with places in the file, which are fixed when it is opened.
    follow: () => false,
    drain: async () => {
      await Promise.all(consumers.map((consumer) => consumer.drain()));
    },
    close: () => {
      for (const consumer of consumers) consumer.stop();
      log.close();
    },
  };
}

const accepted: IngressAnswer = { status: 202 };

function open(parts: Parameters<typeof openLog>[0]): ReturnType<typeof openLog> {
  try {
    return openLog(parts);
  } catch (cause) {
    throw new KnudgeError('internal', `the Broker's file ${parts.file} cannot be opened: does another mesh use it?`, {
      cause,
    });
  }
}

/**
 * Events with the same `partitionkey` share a partition; without one, those of a namespace do, so that a flood waits behind itself.
 * All others are spread by their id. FNV-1a over UTF-16 units.
 */
function partitionOf({ attributes }: CloudEvent): number {
  const key = attributes['partitionkey'] ?? attributes['namespace'] ?? attributes['id'] ?? '';
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % partitions;
}
