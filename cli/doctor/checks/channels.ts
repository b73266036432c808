import { type Found, unchecked } from '../finding.ts';
import { applying } from '../mend.ts';
import { type Seen, type Wanted, wantedOf } from '../seen.ts';
import { judgeReadiness } from './readiness.ts';

/** Is the channel before the event log ready, and does the log subscribe to it? A channel without subscribers drops what it takes. */
export function judgeChannels({ channels }: Seen, wanted: Wanted): readonly Found[] {
  const expected = (['InMemoryChannel', 'Subscription'] as const).map((kind) => ({
    kind,
    objects: wantedOf(wanted, 'messaging.knative.dev', kind),
  }));
  if (expected.every(({ objects }) => objects.length === 0)) return [];
  if ('why' in channels) return [unchecked(`the channel before the event log (${channels.why})`)];
  const why = 'the event log gets no events, and lists no gap';
  return expected.flatMap(({ kind, objects }) => {
    // They may have one name.
    const found = channels.value.filter((one) => one.kind === kind);
    return judgeReadiness(objects, found, { why, make: (one) => applying(one, wanted) });
  });
}
