import { type Found, problem } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { again, kubectl } from '../mend.ts';
import { at, nameOf, type Seen, type Wanted } from '../seen.ts';

/**
 * Checks that the channel of the Broker sends to no subscriber whose Subscription is gone. If Knative deletes several at once, also to
 * make them again, its channel in memory can keep some: knative/eventing#6636.
 */
export function judgeSubscribers({ channels }: Seen, { namespace }: Wanted): readonly Found[] {
  // judgeChannels reports that it may not be read.
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
        `${nameOf(channel)} has ${many} that belong to no Trigger`,
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
