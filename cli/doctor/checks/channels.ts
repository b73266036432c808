import { type Found, unchecked } from '../../../packages/controller/doctor/finding.ts';
import { applying } from '../mend.ts';
import { type Seen, type Wanted, wantedOf } from '../seen.ts';
import { judgeReadiness } from './readiness.ts';

/** Checks that the channel before the event log is ready and the log subscribes to it: it drops events without subscribers. */
export function judgeChannels({ channels }: Seen, wanted: Wanted): readonly Found[] {
  const expected = (['InMemoryChannel', 'Subscription'] as const).map((kind) => ({
    kind,
    objects: wantedOf(wanted, 'messaging.knative.dev', kind),
  }));
  if (expected.every(({ objects }) => objects.length === 0)) return [];
  if ('why' in channels) return [unchecked(`the channel before the event log (${channels.why})`)];
  const why = 'the event log gets no events, and lists no gap';
  return expected.flatMap(({ kind, objects }) => {
    // A channel and a Subscription may have the same name.
    const found = channels.value.filter((one) => one.kind === kind);
    return judgeReadiness(objects, found, { why, make: (one) => applying(one, wanted) });
  });
}
