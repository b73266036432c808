import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environment } from '../function.ts';

test('a function that a person starts listens on loopback, unless the person says another address', () => {
  assert.deepEqual(environment({ PORT: '1' }), { PORT: '1', LISTEN_ADDRESS: '127.0.0.1' });
  assert.equal(environment({ LISTEN_ADDRESS: '10.0.0.1' })['LISTEN_ADDRESS'], '10.0.0.1');
});

test('a function of Knative listens everywhere', () => {
  assert.deepEqual(environment({ K_SERVICE: 'pod-changed' }), { K_SERVICE: 'pod-changed' });
});
