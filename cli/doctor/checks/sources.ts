import { type Found, ok, problem, unchecked, warning } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { textOfRight } from '../../../packages/controller/domain/rights.ts';
import { again, applying, deleting } from '../mend.ts';
import { isMesh, nameOf, type Seen, sameAs, type Wanted, wantedOf } from '../seen.ts';
import { judgeAdapter, judgeTicker } from './adapters.ts';
import { lacksOf } from './lacks.ts';
import { judgeReadiness } from './readiness.ts';

const why = 'without it no event reports changes: only the resync, if that still runs, finds them';

const whyTick = 'without it nothing finds a change whose event was lost';

/** Checks that the sources are there and ready, and that something runs for them. */
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

/** Checks Knudge's own source, which is ready when all its watches stand, and finds sources that another way to install Knudge left. */
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
        `${nameOf(one)} is left over from another way to report changes`,
        'it reports all that the other reports too, so each function is woken twice',
        deleting(one),
      ),
    ),
  ];
}

/** The sources of deploy/ and of deploy/overlays/source: an installation of either one leaves those of the other. */
const namesOfWays: readonly string[] = ['cluster-objects', 'secret-references', 'source', 'source-adapters'];

/** The findings about the source itself; if they are good, what runs for it is checked too. */
function alive(said: readonly Found[], look: () => readonly (Found | undefined)[]): readonly Found[] {
  if (said.some(({ level }) => level !== 'ok')) return said;
  const found = look().filter((one) => one !== undefined);
  return found.some(({ level }) => level === 'problem') ? found : [...said, ...found];
}

/** Checks that the sources may read what they watch. It asks the authorizer, which may know more than roles. */
export function judgeReaders(seen: Seen, { objects }: Wanted): readonly Found[] {
  const { allowed, roles } = seen;
  if (isMesh(seen)) return [ok('what the sources may read: all, since a mesh has no authorization')];
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
