import { textOfRight } from '../../../packages/controller/domain/rights.ts';
import { type Found, ok, problem, unchecked, warning } from '../finding.ts';
import { again, applying, deleting } from '../mend.ts';
import { nameOf, type Seen, sameAs, type Thing, type Wanted, wantedOf } from '../seen.ts';
import { judgeAdapter, judgeTicker } from './adapters.ts';
import { lacksOf } from './lacks.ts';
import { judgeReadiness } from './readiness.ts';

const why = 'without it no event tells of changes: only the resync, if that still comes, finds them';

const whyTick = 'without it nothing finds what an event was lost for';

/** Are the sources there and ready, and does anything run for them? */
export function judgeSources(seen: Seen, wanted: Wanted): readonly Found[] {
  const { sources, pings } = seen;
  const group = 'sources.knative.dev';
  const make = (one: Thing): string => applying(one, wanted);
  return [
    ...('why' in sources
      ? [unchecked(`the ApiServerSources (${sources.why})`)]
      : wantedOf(wanted, group, 'ApiServerSource').flatMap((one) =>
          alive(judgeReadiness([one], sources.value, { why, make }), () =>
            sources.value.filter(sameAs(one)).map((live) => judgeAdapter(live, why, seen)),
          ),
        )),
    ...judgeOwnSource(seen, wanted),
    ...('why' in pings
      ? [unchecked(`the PingSources (${pings.why})`)]
      : wantedOf(wanted, group, 'PingSource').flatMap((one) =>
          alive(judgeReadiness([one], pings.value, { why: whyTick, make }), () =>
            pings.value.filter(sameAs(one)).map((live) => judgeTicker(live, whyTick, seen)),
          ),
        )),
  ];
}

/** Knudge's own source, which is ready when all its watches stand; and sources of another way to install Knudge beside those of this one. */
function judgeOwnSource({ sources }: Seen, wanted: Wanted): readonly Found[] {
  if ('why' in sources) return [];
  const group = 'sources.knative.dev';
  const kinds = ['ApiServerSource', 'ContainerSource'].map((kind) => wantedOf(wanted, group, kind));
  const [, own = []] = kinds;
  const left = sources.value.filter(
    (one) => namesOfWays.includes(one.metadata.name) && !kinds.flat().some(sameAs(one)),
  );
  return [
    ...judgeReadiness(own, sources.value, { why, make: () => again }),
    ...left.map((one) =>
      warning(
        `${nameOf(one)} is left over from another way to tell of changes`,
        'it tells of all that the other tells too, so each function is woken twice',
        deleting(one),
      ),
    ),
  ];
}

/** Of the sources of deploy/ and of deploy/overlays/source: an installation of the one leaves those of the other. */
const namesOfWays: readonly string[] = ['cluster-objects', 'secret-references', 'source', 'source-adapters'];

/** What a source says of itself; where that is good, what runs for it is looked at too. */
function alive(said: readonly Found[], look: () => readonly (Found | undefined)[]): readonly Found[] {
  if (said.some(({ level }) => level !== 'ok')) return said;
  const found = look().filter((one) => one !== undefined);
  return found.some(({ level }) => level === 'problem') ? found : [...said, ...found];
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
