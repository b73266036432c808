import { type Found, problem } from '../finding.ts';
import { again, kubectl } from '../mend.ts';
import { at, nameOf, type Seen, type Thing, type Wanted } from '../seen.ts';

/**
 * Does the channel of the Broker send to nobody whose Subscription is gone? Where Knative deletes several at once, also to
 * make them anew, its channel in memory can keep some: knative/eventing#6636.
 */
export function judgeSubscribers({ channels }: Seen, { namespace }: Wanted): readonly Found[] {
  // That it may not be read is told by judgeChannels.
  if ('why' in channels) return [];
  const of = (kind: string) => channels.value.filter((one) => one.kind === kind);
  const known: ReadonlySet<unknown> = new Set(of('Subscription').map(({ metadata }) => metadata.uid));
  return of('InMemoryChannel').flatMap((channel) => {
    const broker = brokerOf(channel);
    const left = subscribersOf(channel).filter((uid) => !known.has(uid));
    if (broker === undefined || left.length === 0) return [];
    const many = left.length === 1 ? '1 subscriber' : `${String(left.length)} subscribers`;
    return [
      problem(
        `${nameOf(channel)} has ${many} that no Trigger asks for`,
        'each event is sent to them too: a function gets it twice, or the Broker answers 500 for all',
        `${kubectl(namespace)} delete broker ${broker}, then ${again}`,
      ),
    ];
  });
}

function brokerOf({ metadata }: Thing): string | undefined {
  return metadata.labels?.['eventing.knative.dev/broker'];
}

function subscribersOf({ spec }: Thing): readonly unknown[] {
  const all = at(spec, 'subscribers');
  return Array.isArray(all) ? all.map((one: unknown) => at(one, 'uid')) : [];
}
