import type { AlertCase } from './alert-case.ts';

export const sourceCases: readonly AlertCase[] = [
  {
    alert: 'KnudgeSourceLags',
    name: 'the Broker is away for a quarter of an hour',
    series: { knudge_source_lag_seconds: '0x40 15+15x60 0x120' },
    quiet: [10, 14, 40],
    fires: { 20: { summary: 'The source has waited 10m 0s to be rid of an event' } },
  },
  {
    alert: 'KnudgeSourceLags',
    name: 'a function is slow now and then',
    series: { knudge_source_lag_seconds: '0x40 30x8 0x40 90x8 0x80' },
    quiet: [10, 20, 25, 40],
  },
  {
    alert: 'KnudgeSourceIsBlind',
    name: 'a CRD is not there',
    series: { knudge_source_blind_watches: '0x20 1x120 0x40' },
    quiet: [4, 9, 40],
    fires: { 12: { summary: '1 watches of the source do not stand' } },
  },
  {
    alert: 'KnudgeSourceIsBlind',
    name: 'the API server starts anew',
    series: { knudge_source_blind_watches: '0x20 12x8 0x120' },
    quiet: [6, 10, 20],
  },
];
