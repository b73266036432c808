import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { issuer } from '../../packages/issuing/issuer.ts';
import { podLayout, probePaths } from '../../resources/distributed-service/envoy/data-plane.ts';
import { whyNoPods } from './pod/why-not.ts';
import { fieldOf } from './world/cluster.ts';
import { ports } from './world/frp-server.ts';
import { startTelling, type Telling } from './world/telling.ts';
import type { DataPlane } from './world/world.ts';

const skip = whyNoPods() ?? false;
const life = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-01-01T00:00:00Z' };

describe('what the FRP server does with a tunnel is told', { skip }, () => {
  let telling: Telling;
  let world: DataPlane;
  before(async () => {
    telling = await startTelling();
    ({ world } = telling);
  });
  after(() => telling.close());

  it('that it takes the proxy', () => {
    assert.equal(telling.conditionOf('Published')?.reason, 'ProxyRunning');
    assert.match(telling.conditionOf('Published')?.message ?? '', /^The FRP server 198\.18\.\d+\.\d+:7000 has taken/);
  });

  it('that it is away; inside the cluster the service goes on answering, and it comes back', async () => {
    await world.server.stop();
    await telling.untilTold('ServerUnreachable', /cannot be reached: remote connection failure/);
    const { pod } = world.tunnel('web') ?? assert.fail();
    const answer = await fetch(`http://${pod.address}:${String(podLayout.ingressPort)}/`).catch(
      (error: unknown) => error,
    );
    assert.ok(answer instanceof Response || /HTTP|parse/i.test(String((answer as Error).cause)), String(answer));
    const balanced = world.get('v1', 'Service', 'frp-web-balanced');
    assert.equal((fieldOf(balanced, 'spec') as { publishNotReadyAddresses?: boolean }).publishNotReadyAddresses, true);
    await world.server.start();
    await telling.untilBack();
  });

  it('that the token is wrong, and that it is right again', async () => {
    await world.server.start(undefined, { token: 'another' });
    await telling.untilTold('NotLoggedIn', /takes connections and has not let frpc in/);
    await world.server.start();
    await telling.untilBack();
  });

  it('that the certificate is refused, and taken again', async () => {
    const stranger = await issuer.authority({ commonName: 'another', ...life });
    await world.server.start(stranger.certificate);
    await telling.untilTold('NotLoggedIn', /certificate/);
    await world.server.start();
    await telling.untilBack();
  });

  it('that the port is taken by somebody whom Knudge does not know, in the words of the server', async (context) => {
    await world.server.stop();
    const other = createServer().listen(ports.tcp, world.server.host);
    context.after(() => other.close());
    await once(other, 'listening');
    await world.server.start();
    await telling.untilTold('ProxyRefused', /refuses the proxy: port unavailable/);
    other.close();
    await telling.untilAskedAgain();
  });

  it('and of frpc’s admin API nothing can be had from outside of the Pod but what it says of the proxy', async () => {
    const { pod } = world.tunnel('web') ?? assert.fail();
    const status = (port: number, path: string, method = 'GET'): Promise<number | string> =>
      new Promise((resolve) => {
        const asked = request({ host: pod.address, port, path, method, timeout: 2000, agent: false }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        asked.on('timeout', () => asked.destroy());
        asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
        asked.end();
      });
    const { probePort, adminPort } = podLayout;
    assert.equal(await status(probePort, probePaths.proxies), 200);
    for (const path of [
      '/api/status',
      '/api/config',
      '/api/stop',
      '/api/reload',
      `${probePaths.proxies}?a`,
      `${probePaths.metrics}?filter=.`,
      '/stats/prometheus',
      '/proxies/../config',
    ])
      assert.equal(await status(probePort, path), 403, path);
    for (const method of ['POST', 'PUT', 'DELETE'])
      for (const path of [probePaths.proxies, probePaths.metrics])
        assert.equal(await status(probePort, path, method), 403);
    assert.equal(await status(adminPort, '/api/status'), 'ECONNREFUSED');
  });
});
