import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { errorCodes } from '../../domain/errors.ts';
import { longestErrorBody } from '../../server/error-body.ts';
import { hostileEvents } from '../wire/hostile-events.ts';
import { oddEvents } from '../wire/odd-events.ts';
import { atEndFailed, startObserved } from './observed.ts';
import { post } from './start.ts';

suite('a hostile event is answered, with traces and reports on', () => {
  const { app, calls, lines } = startObserved({ kinds: ['Message', 'Pod', 'Role', 'Secret'] });
  for (const [name, hostile, code] of hostileEvents) {
    const { status } = errorCodes[code];
    test(`${name}: ${status} ${code}`, async () => {
      const response = await post(app, hostile);
      assert.equal(response.status, status);
      assert.equal(response.body.code, code);
      assert.ok(Buffer.byteLength(response.text) <= longestErrorBody);
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
      assert.equal(calls.length, 0);
    });
  }
  test('and nothing failed at the end of an answer', () => assert.ok(lines.every(({ msg }) => msg !== atEndFailed)));
});

suite('an odd event is answered, with traces and reports on', () => {
  const { app, ended } = startObserved();
  for (const [name, odd] of oddEvents) {
    // Below a hop: without one, what concerns nobody has no span.
    const headers = { ...odd.headers, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    test(`${name}: 204`, async () => assert.equal((await post(app, { ...odd, headers })).status, 204));
  }
  test('and each has a span', async () => assert.equal(await ended(oddEvents.length), oddEvents.length));
});
