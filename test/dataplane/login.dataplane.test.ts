import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask, type Running, until } from './programs.ts';
import { newAuthority, play, startGate } from './tunnel.ts';

/** The connection ends during the TLS handshake; which of its goroutines notices first decides what frpc says of it. */
function isTurnedAway(frpc: Running | undefined): boolean {
  return /connect to server error: (session shutdown|EOF|.*signed by unknown authority)/.test(frpc?.said() ?? '');
}

describe('frpc with our configuration', () => {
  for (const mtls of [false, true]) {
    it(`passes the gate with the token of its service${mtls ? ' and its certificate' : ''}, and asks again with each heartbeat`, async (context) => {
      const gate = await startGate(context, 'token of shop/web');
      const httpPlugins = [
        { name: 'gate', addr: `127.0.0.1:${String(gate.port)}`, path: '/', ops: ['Login', 'NewProxy', 'Ping'] },
      ];
      const scene = { login: { kind: 'gate' }, token: 'token of shop/web', server: { httpPlugins }, mtls } as const;
      const { programs, remotePort } = await play(context, scene);
      await until('the service answers', async () => (await ask({ port: remotePort }, '/')).body === 'hello', programs);
      await until('a second heartbeat', () => gate.asked.filter(({ op }) => op === 'Ping').length >= 2, programs);
      assert.deepEqual(gate.asked[0]?.content.metas, { service: 'shop/web', uid: 'uid-1' });
      assert.equal(gate.asked.filter(({ op }) => op === 'Login').length, 1, 'one login, and no loop of them');
    });
  }

  it('does not pass the gate with another token, and stays to try again', async (context) => {
    const gate = await startGate(context, 'token of shop/web');
    const httpPlugins = [
      { name: 'gate', addr: `127.0.0.1:${String(gate.port)}`, path: '/', ops: ['Login', 'NewProxy', 'Ping'] },
    ];
    const { programs } = await play(context, { login: { kind: 'gate' }, token: 'another', server: { httpPlugins } });
    const [frpc] = programs;
    await until('frpc is told', () => frpc?.said().includes('no service has this token') === true, programs);
    await until('it tries again', () => gate.asked.length >= 2, programs);
    assert.ok(gate.asked.every(({ op }) => op === 'Login'));
    assert.equal(frpc?.child.exitCode, null);
  });

  it('logs in with the token of a server without the gate, and not with another', async (context) => {
    const server = { auth: { method: 'token', token: 'of the server' } };
    const login = { kind: 'token', secretName: 'frps-token' } as const;
    const { programs, remotePort } = await play(context, { login, token: 'of the server', server });
    await until('the service answers', async () => (await ask({ port: remotePort }, '/')).body === 'hello', programs);
    const other = await play(context, { login, token: 'another', server });
    await until(
      'frpc is told',
      () => other.programs[0]?.said().includes("token in login doesn't match") === true,
      other.programs,
    );
  });

  it('logs in to a server that wants no token', async (context) => {
    const { programs, remotePort } = await play(context, { login: { kind: 'none' }, token: 'unused', server: {} });
    await until('the service answers', async () => (await ask({ port: remotePort }, '/')).body === 'hello', programs);
  });

  it('does not talk to a server that another authority signed', async (context) => {
    const gate = await startGate(context, 'token');
    const httpPlugins = [{ name: 'gate', addr: `127.0.0.1:${String(gate.port)}`, path: '/', ops: ['Login'] }];
    const trusted = await newAuthority();
    const { programs } = await play(context, {
      login: { kind: 'gate' },
      token: 'token',
      server: { httpPlugins },
      trusted,
    });
    await until('frpc gives up', () => isTurnedAway(programs[0]), programs);
    assert.equal(gate.asked.length, 0, 'the token was never sent');
  });

  it('is turned away with a certificate of another authority', async (context) => {
    const gate = await startGate(context, 'token');
    const httpPlugins = [{ name: 'gate', addr: `127.0.0.1:${String(gate.port)}`, path: '/', ops: ['Login'] }];
    const scene = { login: { kind: 'gate' }, token: 'token', server: { httpPlugins }, mtls: true } as const;
    const { programs } = await play(context, { ...scene, clientAuthority: await newAuthority() });
    await until('frpc gives up', () => isTurnedAway(programs[0]), programs);
    assert.equal(gate.asked.length, 0);
  });
});
