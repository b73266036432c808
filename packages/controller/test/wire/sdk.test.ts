import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { CloudEvent, HTTP } from 'cloudevents';
import { decode } from '../../wire/decode.ts';
import { encode } from '../../wire/encode.ts';

const name = 'Euro € 20%';
const asHeader = 'Euro%20%E2%82%AC%2020%25';
const plain = { id: 'event-1', type: 'dev.knudge.test', source: '/test' };

/** Where the package departs from CloudEvents' HTTP binding: what of it comes right makes decision 0011 worth another look. */
suite('events are made and read without the cloudevents package, because', () => {
  test('it does not encode the value of a header, so that clients refuse it', () => {
    const { headers } = HTTP.binary(new CloudEvent({ ...plain, name }));
    assert.equal(headers['ce-name'], name);
    assert.throws(() => new Headers(headers as Record<string, string>), TypeError);
    const ours = encode({ ...plain, time: '2026-01-01T00:00:00Z', extensions: { name } }).headers;
    assert.equal(ours['ce-name'], asHeader);
    assert.doesNotThrow(() => new Headers(ours));
  });
  test('it does not decode one either, and makes up a time', () => {
    const headers = { 'ce-specversion': '1.0', 'ce-id': 'a', 'ce-type': 'b', 'ce-source': '/c', 'ce-name': asHeader };
    const theirs = HTTP.toEvent({ headers, body: '' });
    assert.ok(!Array.isArray(theirs));
    assert.equal(theirs['name'], asHeader);
    assert.notEqual(theirs.time, undefined);
    const ours = decode({ headers, body: Buffer.alloc(0) });
    assert.deepEqual([ours.extensions.get('name'), ours.time], [name, undefined]);
  });
  test('it takes an event that lacks what every event has', () => {
    const headers = { 'ce-specversion': '1.0', 'ce-id': 'a', 'ce-type': 'b', 'content-type': 'application/json' };
    assert.doesNotThrow(() => HTTP.toEvent({ headers, body: '{}' }));
    assert.throws(() => decode({ headers, body: Buffer.from('{}') }), /source/);
  });
});
