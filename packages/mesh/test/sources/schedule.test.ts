import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSchedule } from '../../sources/schedule.ts';

const taken: readonly [schedule: string, timezone: string, as: { pattern: string; timezone: string }][] = [
  ['*/5 * * * *', '', { pattern: '*/5 * * * *', timezone: 'UTC' }],
  ['*/5 * * * * *', '', { pattern: '*/5 * * * * *', timezone: 'UTC' }],
  ['@hourly', '', { pattern: '@hourly', timezone: 'UTC' }],
  ['0 3 * * MON-fri', 'Europe/Berlin', { pattern: '0 3 * * MON-fri', timezone: 'Europe/Berlin' }],
  ['CRON_TZ=Asia/Tokyo 0 3 * * *', '', { pattern: '0 3 * * *', timezone: 'Asia/Tokyo' }],
  ['TZ=Asia/Tokyo 0 3 1 jan ?', '', { pattern: '0 3 1 jan *', timezone: 'Asia/Tokyo' }],
  ['* * * * */7', '', { pattern: '* * * * */7', timezone: 'UTC' }],
  ['5/15 * * * *', '', { pattern: '5/15 * * * *', timezone: 'UTC' }],
];

const refused: readonly [schedule: string, timezone: string, field: string, why: RegExp][] = [
  ['@every 5m', '', 'schedule', /^unsupported descriptor @every$/],
  ['@sometimes', '', 'schedule', /^unrecognized descriptor @sometimes$/],
  ['* * * *', '', 'schedule', /^expected 5 to 6 fields, found 4$/],
  ['* * * * * * *', '', 'schedule', /^expected 5 to 6 fields, found 7$/],
  ['', '', 'schedule', /found 0$/],
  ['60 * * * *', '', 'schedule', /60/],
  ['0 0 * * 7', '', 'schedule', /^end of range \(7\) above maximum \(6\)$/],
  ['0 0 * * 1-7', '', 'schedule', /^end of range/],
  ['0 0 L * *', '', 'schedule', /^failed to parse L$/],
  ['0 0 * * fri#2', '', 'schedule', /^failed to parse fri#2$/],
  ['0 0 * * frog', '', 'schedule', /^failed to parse frog$/],
  ['* * * * *', 'Mars/Olympus', 'timezone', /^unknown time zone Mars\/Olympus$/],
  ['CRON_TZ=Mars/Olympus * * * * *', '', 'schedule', /^unknown time zone Mars\/Olympus$/],
];

describe('the schedule of a PingSource', () => {
  for (const [schedule, timezone, as] of taken) {
    it(`${schedule} ${timezone} is taken`, () => assert.deepEqual(readSchedule(schedule, timezone), as));
  }
  for (const [schedule, timezone, field, why] of refused) {
    it(`${schedule || 'nothing'} ${timezone} is refused`, () => {
      const read = readSchedule(schedule, timezone);
      assert.ok('why' in read, 'it was taken');
      assert.equal(read.field, field);
      assert.match(read.why, why);
    });
  }
});
