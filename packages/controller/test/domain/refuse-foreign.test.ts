import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { refuseForeign } from '../../domain/refuse-foreign.ts';

const host = '127.0.0.1:8300';
const foreign = 'http://evil.example';

suite('a request to a server that is for this machine alone', () => {
  const rows: readonly [sentence: string, headers: Readonly<Record<string, string>>, wanted: number | 'taken'][] = [
    ['of a program', { host }, 'taken'],
    ['by another address of loopback', { host: '127.8.9.1:1' }, 'taken'],
    ['by name, in whatever letters', { host: 'LocalHost' }, 'taken'],
    ['over IPv6', { host: '[::1]:65535' }, 'taken'],
    ['without a Host', {}, 403],
    ['by a name of somebody else', { host: 'evil.example:8300' }, 403],
    ['by a name that begins as ours', { host: 'localhost.evil.example' }, 403],
    ['by a name that ends as ours', { host: 'evil.localhost' }, 403],
    ['by an address that begins as ours', { host: '127.0.0.1.evil.example' }, 403],
    ['by an address of the network', { host: '192.168.0.7:8300' }, 403],
    ['by the address of every interface', { host: '0.0.0.0:8300' }, 403],
    ['of a page of this address', { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }, 'taken'],
    ['that a person typed', { host, 'sec-fetch-site': 'none' }, 'taken'],
    ['of a page of another site', { host, origin: foreign }, 403],
    ['of a page of another port', { host, origin: 'http://127.0.0.1:3000' }, 403],
    ['of a page of another name of this machine', { host, origin: 'http://localhost:8300' }, 403],
    ['of a file, or of a frame in a sandbox', { host, origin: 'null' }, 403],
    ['of another site, which hides its origin', { host, 'sec-fetch-site': 'cross-site' }, 403],
    ['of another port, which hides its origin', { host, 'sec-fetch-site': 'same-site' }, 403],
  ];
  for (const [sentence, headers, wanted] of rows) {
    for (const method of ['GET', 'POST']) {
      test(`${sentence}: ${method} is ${wanted}`, () => {
        const typed = { ...headers, 'content-type': 'application/json' };
        assert.equal(refuseForeign({ method, headers: typed })?.status ?? 'taken', wanted);
      });
    }
  }

  const page = { host, origin: `http://${host}` };
  for (const method of ['POST', 'PUT', 'PATCH']) {
    test(`${method} without a type is taken of a program and not of a browser`, () => {
      assert.equal(refuseForeign({ method, headers: { host } }), undefined);
      assert.equal(refuseForeign({ method, headers: page })?.status, 415);
      assert.equal(refuseForeign({ method, headers: { host, 'sec-fetch-site': 'same-origin' } })?.status, 415);
    });
  }

  test('a browser that only reads says no type', () =>
    assert.equal(refuseForeign({ method: 'GET', headers: page }), undefined));
});
