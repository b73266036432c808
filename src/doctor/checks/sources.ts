import { textOfRight } from '../../domain/rights.ts';
import { type Found, ok, problem, unchecked } from '../finding.ts';
import { applyOf, type Seen, type Wanted, wantedOf } from '../seen.ts';
import { judgeReadiness } from './readiness.ts';

const why = 'without it no event tells of changes: only the resync, if that still comes, finds them';

/** Are the sources there and ready, and may they read what they watch? */
export function judgeSources({ sources, pings, allowed }: Seen, wanted: Wanted): readonly Found[] {
  const apply = applyOf(wanted, 'eventing');
  const group = 'sources.knative.dev';
  return [
    ...('why' in sources
      ? [unchecked(`the ApiServerSources (${sources.why})`)]
      : judgeReadiness(wantedOf(wanted, group, 'ApiServerSource'), sources.value, { why, apply })),
    ...('why' in pings
      ? [unchecked(`the PingSources (${pings.why})`)]
      : judgeReadiness(wantedOf(wanted, group, 'PingSource'), pings.value, {
          why: 'without it nothing finds what an event was lost for',
          apply,
        })),
    ...judgeRights(allowed, apply),
  ];
}

function judgeRights(allowed: Seen['allowed'], apply: string): readonly Found[] {
  if ('why' in allowed) return [unchecked(`what the sources may read (${allowed.why})`)];
  return [...Map.groupBy(allowed.value, ({ who }) => who)].map(([who, answers]) => {
    const refused = answers.filter((answer) => !answer.allowed).map(({ right }) => textOfRight(right));
    if (refused.length === 0) return ok(`${who} may read all that its source watches`);
    return problem(`${who} may not ${refused.join(', ')}`, why, apply);
  });
}
