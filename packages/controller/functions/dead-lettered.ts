import { reasonOf } from '../domain/dead-letter.ts';
import type { EventHandler } from '../domain/ports.ts';

/** The Broker gave up on an event: the log keeps it with the reason, and one line reports it. */
export const deadLettered: EventHandler = async (received, context) => {
  const { id, type, source, extensions } = received;
  const { destination, said } = reasonOf(received);
  const of = (name: string): string | undefined => extensions.get(name)?.slice(0, longest);
  context.log.warn(
    {
      event: id,
      type,
      source,
      kind: of('kind'),
      namespace: of('namespace'),
      name: of('name'),
      destination: destination || undefined,
      code: of('knativeerrorcode'),
      said,
    },
    'dead letter',
  );
  await context.eventLog.appendDeadLetter(received);
  return { result: 'done', reads: 0, writes: 0 };
};

/** Characters of any one text that is repeated. */
const longest = 512;
