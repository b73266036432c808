import type { AlertCase } from './alert-case.ts';
import { sourceCases } from './source-cases.ts';

/** Five scrapes of a Pod that woke at a minute and sleeps after one; its counter or gauge begins so and grows so. */
function life(minute: number, first: number, step = 0): string {
  return `${minute === 0 ? '' : `_x${minute * 4} `}${first}+${step}x4 stale`;
}

/** A Pod of its own for each wake, every five minutes until `last`. */
function wakes(metric: (pod: string) => string, last: number, values: (minute: number) => string) {
  const minutes = Array.from({ length: last / 5 + 1 }, (_, index) => index * 5);
  return Object.fromEntries(minutes.map((minute) => [metric(`pod="p${minute}"`), values(minute)]));
}

const since = (pod: string) => `knudge_seconds_since_resync{${pod}}`;
const errors = (type: string) => (pod: string) => `frp_operator_reconcile_errors_total{error_type="${type}",${pod}}`;
const failed = (pod: string) => `frp_operator_managed_services{state="Failed",${pod}}`;
const repairs = (pod: string) => `knudge_resync_repairs_total{kind="Message",${pod}}`;
const drops = (pod: string) => `knudge_event_log_dropped_total{what="event",${pod}}`;

const notSeen = { summary: 'resync-due has not been seen for half an hour', labels: { namespace: 'knudge' } };
const unavailable = { summary: 'Reconciles fail with unavailable', labels: { error_type: 'unavailable' } };
const dropped = { summary: 'The event log does not take every event in time', labels: { what: 'event' } };
const lost = (times: string) => ({
  summary: `The resync repaired ${times} times in an hour what no event of Message had reported`,
  labels: { kind: 'Message' },
});

export const cases: readonly AlertCase[] = [
  {
    alert: 'KnudgeResyncIsLate',
    name: 'a resync gets through with each tick',
    series: wakes(since, 60, (minute) => life(minute, 2, 15)),
    quiet: [10, 20, 30, 45, 60],
  },
  {
    alert: 'KnudgeResyncIsLate',
    name: 'resync-due wakes with each tick, and no resync gets through',
    series: wakes(since, 40, (minute) => life(minute, minute * 60, 15)),
    quiet: [5, 14, 19],
    fires: {
      21: { summary: 'No resync has asked after every parent for 21m 0s' },
      33: { summary: 'No resync has asked after every parent for 33m 0s' },
    },
  },
  {
    alert: 'KnudgeResyncIsLate',
    name: 'the first that gets through again ends it, although Pods that are gone said otherwise',
    series: wakes(since, 60, (minute) => life(minute, minute < 30 ? minute * 60 : 2, 15)),
    quiet: [31, 34, 45],
    fires: { 29: { summary: 'No resync has asked after every parent for 29m 0s' } },
  },
  {
    alert: 'KnudgeResyncIsLate',
    name: 'a resync gets through, and then nobody tells any more',
    series: { [since('pod="p"')]: life(0, 0, 15) },
    quiet: [10, 18],
    fires: { 22: { summary: 'No resync has asked after every parent for 22m 0s' } },
  },
  {
    alert: 'KnudgeIsNotSeen',
    name: 'resync-due sleeps four minutes of five',
    series: wakes(since, 60, (minute) => life(minute, 2, 15)),
    quiet: [1, 15, 31, 45, 60],
  },
  {
    alert: 'KnudgeIsNotSeen',
    name: 'a new installation has its first resync after five minutes',
    series: { [since('pod="p"')]: life(5, 2, 15) },
    quiet: [1, 5, 16, 30],
  },
  {
    alert: 'KnudgeIsNotSeen',
    name: 'nothing ever comes',
    series: { 'up{job="other"}': '1x240' },
    quiet: [1, 14],
    fires: { 16: notSeen },
  },
  {
    alert: 'KnudgeIsNotSeen',
    name: 'it was there, and is no more',
    series: { [since('pod="p"')]: life(0, 2, 15) },
    quiet: [14, 30],
    fires: { 33: notSeen },
  },
  {
    alert: 'KnudgeReconcilesFail',
    name: 'one reconcile fails once, in a process that then sleeps',
    series: { [errors('unavailable')('pod="p"')]: life(5, 1) },
    quiet: [6, 10, 15, 20, 25, 40],
  },
  {
    alert: 'KnudgeReconcilesFail',
    name: 'each resync finds the same failure, in a process that has just woken',
    series: wakes(errors('unavailable'), 60, (minute) => life(minute, 1)),
    quiet: [1, 10, 14],
    fires: { 16: unavailable, 43: unavailable, 60: unavailable },
  },
  {
    alert: 'KnudgeReconcilesFail',
    name: 'a process that does not sleep fails again and again',
    series: { [errors('unavailable')('pod="p"')]: '0x40 0+1x240' },
    quiet: [9, 24],
    fires: { 27: unavailable, 60: unavailable },
  },
  {
    alert: 'KnudgeReconcilesFail',
    name: 'a process that does not sleep has failed long ago',
    series: { [errors('unavailable')('pod="p"')]: '0+1x8 8x240' },
    quiet: [5, 14, 20, 30, 60],
  },
  {
    alert: 'KnudgeReconcilesFail',
    name: 'instances overtake each other, which is no failure',
    series: wakes(errors('conflict'), 60, (minute) => life(minute, 1, 1)),
    quiet: [16, 30, 60],
  },
  {
    alert: 'KnudgeServicesFailed',
    name: 'two services are Failed, told by a process that sleeps four minutes of five',
    series: wakes(failed, 60, (minute) => life(minute, 2)),
    quiet: [1, 14],
    fires: { 16: { summary: '2 DistributedServices are Failed' }, 58: { summary: '2 DistributedServices are Failed' } },
  },
  {
    alert: 'KnudgeServicesFailed',
    name: 'one was, and runs when the function wakes again',
    series: { [failed('pod="p"')]: life(5, 1) },
    quiet: [6, 10, 15, 20, 30],
  },
  {
    alert: 'KnudgeServicesFailed',
    name: 'all are Running',
    series: { 'frp_operator_managed_services{state="Running",pod="p"}': '7x240' },
    quiet: [16, 30, 60],
  },
  {
    alert: 'KnudgeEventsAreLost',
    name: 'each of six resyncs repairs one, in a process that has just woken',
    series: wakes(repairs, 60, (minute) => (minute > 25 ? '_' : life(minute, 1))),
    quiet: [1, 24, 87],
    fires: { 26: lost('6'), 55: lost('6') },
  },
  {
    alert: 'KnudgeEventsAreLost',
    name: 'one resync repairs five, and certificates are renewed',
    series: { [repairs('pod="p"')]: life(10, 5) },
    quiet: [11, 30, 60, 90],
  },
  {
    alert: 'KnudgeEventsAreLost',
    name: 'a process that does not sleep repairs four an hour, as long as it lives',
    series: { [repairs('pod="p"')]: '0x60 1x60 2x60 3x60 4x60 5x60 6x60 7x60 8x60 9x60 10x60 11x60' },
    quiet: [1, 61, 100, 170],
  },
  {
    alert: 'KnudgeEventsAreLost',
    name: 'it repairs nine at once',
    series: { [repairs('pod="p"')]: '0x280 9x320' },
    quiet: [1, 61, 69, 140],
    fires: { 75: lost('9'), 120: lost('9') },
  },
  {
    alert: 'KnudgeEventLogDrops',
    name: 'a slow second, and never again',
    series: { [drops('pod="p"')]: '_x20 3x240' },
    quiet: [6, 14, 20, 25, 60],
  },
  {
    alert: 'KnudgeEventLogDrops',
    name: 'the disk stays slow',
    series: { [drops('pod="p"')]: '_x20 3+2x240' },
    quiet: [6, 19],
    fires: { 21: dropped, 60: dropped },
  },
  {
    alert: 'KnudgeEventLogDrops',
    name: 'a file that another process holds: the log starts again and again',
    series: wakes(drops, 60, (minute) => life(minute, 1)),
    quiet: [1, 14],
    fires: { 16: dropped, 60: dropped },
  },
  ...sourceCases,
];
