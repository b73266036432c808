import { judgeLog } from '../../doctor/checks/event-log.ts';
import type { LogSeen, Seen } from '../../doctor/seen.ts';
import { empty, judged, thing, wanting } from './scene.ts';

const broker = thing('eventing.knative.dev/v1', 'Broker', {
  status: { address: { url: 'http://127.0.0.1:8301/knudge/knudge' } },
});
const inMesh = { brokers: { value: [broker] } };
const of = (log: Partial<LogSeen>, more: Partial<Seen> = {}) =>
  judgeLog({ ...empty, ...more, log: { value: { trouble: undefined, gaps: [], ...log } } }, wanting());
const gap = (to: string) => ({ from: '2026-11-21T10:00:00.000Z', to, reason: 'disk is full' });
const hung = { trouble: 'it gives no answer to /health/readiness within 2 s' };

judged({ name: 'a log that answers', found: of({}), wanted: ['ok the event log answers, and has no gap'] });
judged({
  name: 'a log that hangs',
  found: of(hung, inMesh),
  wanted: ['problem the event log does not answer: it gives no answer to /health/readiness within 2 s'],
});
judged({ name: 'a log that hangs in a cluster', found: of(hung), wanted: ['problem the event log does not answer'] });
judged({
  name: 'a gap of today',
  found: of({ gaps: [gap('2026-11-21T11:00:00.000Z')] }),
  wanted: [
    'ok the event log answers',
    'warning the event log has a gap from 2026-11-21T10:00:00Z to 2026-11-21T11:00:00Z: disk is full',
  ],
});
judged({
  name: 'two gaps of today, in one finding',
  found: of({ gaps: [gap('2026-11-21T11:00:00.000Z'), gap('2026-11-21T11:30:00.000Z')] }),
  wanted: ['ok', 'warning the event log has 2 gaps, the newest from 2026-11-21T10:00:00Z to 2026-11-21T11:30:00Z'],
});
judged({
  name: 'a gap of last week',
  found: of({ gaps: [gap('2026-11-14T11:00:00.000Z')] }),
  wanted: ['ok the event log answers, and has no gap in the last day'],
});
judged({
  name: 'no log to ask',
  found: judgeLog({ ...empty, log: { why: 'there is no log' } }, wanting()),
  wanted: ['unchecked not checked: whether the event log answers (there is no log)'],
});
