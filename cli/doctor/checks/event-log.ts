import { type Found, ok, problem, unchecked, warning } from '../../../packages/controller/doctor/finding.ts';
import { secondsOf, timeOf } from '../../../packages/controller/domain/time.ts';
import { kubectl, restart } from '../mend.ts';
import { isMesh, type Seen, type Wanted } from '../seen.ts';

/** Seconds for which a gap is reported: after that the resync has long found what its events were about. */
const gapsOf = 24 * 3600;

/** Checks that the event log answers, and that no event of the last day is missing in it. Its conditions do not show that it hangs. */
export function judgeLog(seen: Seen, { namespace }: Wanted): readonly Found[] {
  const { log, now } = seen;
  if ('why' in log) return [unchecked(`whether the event log answers (${log.why})`)];
  const { trouble, gaps } = log.value;
  if (trouble !== undefined) {
    const todo = `${kubectl(namespace)} delete pod --selector serving.knative.dev/service=event-log`;
    const why = 'no event is recorded meanwhile: events wait for a minute, and after that there is a gap';
    return [problem(`the event log does not answer: ${trouble}`, why, isMesh(seen) ? restart : todo)];
  }
  const recent = gaps.filter(({ to }) => now - secondsOf(to) <= gapsOf);
  const [newest] = recent.toSorted((one, other) => secondsOf(other.to) - secondsOf(one.to));
  if (newest === undefined) return [ok('the event log answers, and has no gap in the last day')];
  const { from, to, reason } = newest;
  const which = recent.length === 1 ? 'a gap' : `${recent.length} gaps, the newest`;
  return [
    ok('the event log answers'),
    warning(
      `the event log has ${which} from ${timeOf(secondsOf(from))} to ${timeOf(secondsOf(to))}: ${reason}`,
      'events of that time are in no list and cannot be sent again; what they were about is found by the resync',
      'see all gaps by npx knudge events list, then ask for a resync: npx knudge resync',
    ),
  ];
}
