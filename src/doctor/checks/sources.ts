import { textOfRight } from '../../domain/rights.ts';
import { type Found, ok, problem, unchecked } from '../finding.ts';
import { again, applying } from '../mend.ts';
import { type Seen, type Thing, type Wanted, wantedOf } from '../seen.ts';
import { lacksOf } from './lacks.ts';
import { judgeReadiness } from './readiness.ts';

const why = 'without it no event tells of changes: only the resync, if that still comes, finds them';

/** Are the sources there and ready? */
export function judgeSources({ sources, pings }: Seen, wanted: Wanted): readonly Found[] {
  const group = 'sources.knative.dev';
  const make = (one: Thing): string => applying(one, wanted);
  return [
    ...('why' in sources
      ? [unchecked(`the ApiServerSources (${sources.why})`)]
      : judgeReadiness(wantedOf(wanted, group, 'ApiServerSource'), sources.value, { why, make })),
    ...('why' in pings
      ? [unchecked(`the PingSources (${pings.why})`)]
      : judgeReadiness(wantedOf(wanted, group, 'PingSource'), pings.value, {
          why: 'without it nothing finds what an event was lost for',
          make,
        })),
  ];
}

/** May the sources read what they watch? As the authorizer says, which may know more than roles. */
export function judgeReaders({ allowed, roles }: Seen, { objects }: Wanted): readonly Found[] {
  if ('why' in allowed) return [unchecked(`what the sources may read (${allowed.why})`)];
  return [...Map.groupBy(allowed.value, ({ who }) => `ServiceAccount ${who.namespace}/${who.name}`)].map(
    ([name, answers]) => {
      const refused = answers.filter((answer) => !answer.allowed);
      if (refused.length === 0) return ok(`${name} may read all that its source watches`);
      const rights = refused.map(({ right }) => textOfRight(right)).join(', ');
      const who = refused.map((answer) => answer.who).slice(0, 1);
      const lacks = 'why' in roles ? [] : who.flatMap((one) => lacksOf(one, objects, roles.value));
      return problem(`${name} may not ${rights}`, why, lacks.map(({ todo }) => todo).join(' && ') || again);
    },
  );
}
