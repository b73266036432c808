import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readConfig } from '../../../packages/controller/server/config.ts';
import { imagesOf, settings } from '../settings.ts';

const read = (env: Readonly<Record<string, string>>) => readConfig(env, settings).own;

suite('what the resources read of the environment', () => {
  test('has defaults', () => {
    const own = read({});
    assert.equal(own.TUNNEL_TIMEOUT_MS, 500);
    assert.deepEqual(imagesOf(own), {
      frpc: 'fatedier/frpc:v0.71.1',
      envoy: 'envoyproxy/envoy:distroless-v1.40.0',
      message: 'busybox:1.37.0',
    });
  });

  test('may be no question to tunnels', () => assert.equal(read({ TUNNEL_TIMEOUT_MS: '0' }).TUNNEL_TIMEOUT_MS, 0));

  test('may be an image of another registry', () => {
    const message = 'registry.example.com:5000/a/b:1@sha256:abc';
    assert.deepEqual(imagesOf(read({ MESSAGE_IMAGE: message })), { ...imagesOf(read({})), message });
  });

  const rows: readonly [variable: string, value: string][] = [
    ['TUNNEL_TIMEOUT_MS', '1001'],
    ['FRPC_IMAGE', 'a b'],
    ['ENVOY_IMAGE', '"x"'],
    ['MESSAGE_IMAGE', '$(id)'],
  ];
  for (const [variable, value] of rows) {
    test(`is refused with its name: ${variable}=${value}`, () =>
      assert.throws(
        () => read({ [variable]: value }),
        ({ message }: Error) => message.includes(`${variable} is ${JSON.stringify(value)} and must be `),
      ));
  }

  test('is refused in one sentence with all else that is wrong', () =>
    assert.throws(() => read({ PORT: 'x', FRPC_IMAGE: 'a b' }), /PORT.*FRPC_IMAGE/));
});
