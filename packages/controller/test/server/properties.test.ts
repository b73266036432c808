import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import { event } from '../../../../test/build/event.ts';
import { errorCodes } from '../../domain/errors.ts';
import { longestErrorBody } from '../../server/error-body.ts';
import { close, exchange, listen } from './raw.ts';
import { startApp } from './start.ts';

const documented = new Set<number>([200, 204, ...Object.values(errorCodes).map(({ status }) => status)]);

/** Checks one answer: a status of the table, and an error that is short JSON with a code of the table. */
function check(answer: string): void {
  const [head = '', body = ''] = [
    answer.slice(0, answer.indexOf('\r\n\r\n')),
    answer.slice(answer.indexOf('\r\n\r\n') + 4),
  ];
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  assert.ok(documented.has(status), head);
  if (status < 300) return;
  assert.ok(Buffer.byteLength(body, 'latin1') <= longestErrorBody);
  const { code, message } = JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) as {
    code: string;
    message: string;
  };
  assert.ok(Object.hasOwn(errorCodes, code) && message.length > 0);
}

suite('whatever is sent', () => {
  const { app } = startApp({ kinds: ['Message', 'Pod', 'Secret'] });
  let port = 0;
  before(async () => {
    port = await listen(app);
  });
  after(() => close(app));

  const names = Object.keys(event().headers);
  const headerName = fc.oneof(
    fc.constantFrom(...names, 'content-encoding', 'ce-time', 'ce-subject', 'ce-data', 'ce-__proto__'),
    fc.stringMatching(/^ce-[a-z0-9_-]{0,12}$/),
  );
  const visible = fc.stringMatching(/^[!-~\u00a1-\u00ff]([ -~\u00a1-\u00ff]{0,30}[!-~])?$/);
  const headerValue = fc.oneof(
    visible,
    fc.constantFrom(
      '',
      '1.0',
      '..',
      '%2e%2e',
      '%00',
      '%',
      '"',
      'application/json',
      'application/cloudevents+json',
      'dev.knative.apiserver.ref.add',
    ),
  );
  const changes = fc.dictionary(headerName, headerValue, { maxKeys: 4 });
  const body = fc.oneof(
    fc.constant(event().body),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text)),
    fc
      .jsonValue({ maxDepth: 3 })
      .map((value) => Buffer.from(JSON.stringify({ ...JSON.parse(event().body.toString()), metadata: value }))),
  );

  test('as an event gets an answer of the table', async () => {
    await fc.assert(
      fc.asyncProperty(changes, body, async (changed, bytes) => {
        const headers = Object.entries({
          ...event().headers,
          ...changed,
          host: 'x',
          connection: 'close',
          'content-length': String(bytes.length),
        });
        const head = `POST / HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
        check(await exchange(port, Buffer.concat([Buffer.from(head, 'latin1'), bytes])));
      }),
      { numRuns: 500 },
    );
  });

  test('to whatever path and by whatever method gets an answer of the table', async () => {
    const path = fc.stringMatching(/^\/[!-~]{0,30}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'),
        path,
        async (method, url) => {
          check(
            await exchange(
              port,
              `${method} ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
            ),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test('as bytes that end is answered from the table', async () => {
    // Empty lines before a request are no request yet: they are skipped (RFC 9112, section 2.2).
    const begun = fc
      .uint8Array({ minLength: 1, maxLength: 200 })
      .filter((bytes) => bytes.some((byte) => byte !== 10 && byte !== 13));
    await fc.assert(
      fc.asyncProperty(begun, async (bytes) => {
        check(await exchange(port, Buffer.concat([bytes, Buffer.from('\r\n\r\n\r\n\r\n')])));
      }),
      { numRuns: 300 },
    );
  });

  test('leaves the objects of this process as they were', () => {
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    assert.deepEqual(Object.keys(Object.prototype), []);
  });
});
