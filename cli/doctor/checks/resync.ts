import { type Found, ok, problem, unchecked, warning } from '../../../packages/controller/doctor/finding.ts';
import type { Read, Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { resyncLease } from '../../../packages/controller/domain/names.ts';
import { secondsOf } from '../../../packages/controller/domain/time.ts';
import { at, type Seen, type Wanted, wantedOf } from '../seen.ts';

/** This many ticks may be missed before a finding reports it. */
const missed = 3;
/** Seconds that a round may take: the Lease keeps the time when it began, written when it is over. */
const longestRound = 120;

const why = 'a change whose event was lost stays unhandled until the next resync';
const todo = 'see whether the PingSource is ready and its Trigger too, then ask for one: npx knudge resync';

/** Checks the age of the last resync that covered every parent, from the Lease that resync-due renews after each. */
export function judgeResync({ leases, pings, now }: Seen, wanted: Wanted): readonly Found[] {
  if ('why' in leases) return [unchecked(`the age of the last resync, which is in a Lease (${leases.why})`)];
  const [ping] = wantedOf(wanted, 'sources.knative.dev', 'PingSource');
  const bound = missed * periodOf(ping) + longestRound;
  const lease = leases.value.find(({ metadata }) => metadata.name === resyncLease);
  const time = at(lease?.spec, 'renewTime');
  const last = typeof time === 'string' ? secondsOf(time) : Number.NaN;
  if (Number.isNaN(last)) return [judgeNone(ageOf(pings, now), bound)];
  const what = `the last resync began ${now - last} s ago, as Lease ${wanted.namespace}/${resyncLease} says`;
  return [now - last <= bound ? ok(what) : problem(what, why, todo)];
}

function judgeNone(age: number | undefined, bound: number): Found {
  const what = `no resync has asked after every parent yet, as there is no Lease ${resyncLease}`;
  if (age !== undefined && age > bound) return problem(`${what}, though its PingSource is ${age} s old`, why, todo);
  return warning(what, why, 'wait for the next tick of the PingSource, or ask for one: npx knudge resync');
}

/** Seconds since the PingSource exists; undefined if that cannot be read. */
function ageOf(pings: Read<readonly Thing[]>, now: number): number | undefined {
  const [ping] = 'why' in pings ? [] : pings.value;
  const created = ping?.metadata.creationTimestamp;
  return created === undefined ? undefined : now - secondsOf(created);
}

/** Seconds between ticks, for a schedule of every N minutes; five minutes for any other. */
function periodOf(ping: Thing | undefined): number {
  const schedule = at(ping?.spec, 'schedule');
  const [, minutes] = /^\*\/(\d+) \* \* \* \*$/.exec(typeof schedule === 'string' ? schedule : '') ?? [];
  return Number(minutes ?? 5) * 60;
}
