import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { whyNoPods } from './pod/why-not.ts';
import { startTelling, type Telling } from './world/telling.ts';

const skip = whyNoPods() ?? false;
/** Seconds between two heartbeats of frpc, where they are switched on. */
const heartbeat = 3;
const notLetIn = /takes connections and has not let frpc in/;

interface Gate {
  readonly address: string;
  readonly asked: readonly string[];
  /** The question that it answers with no. */
  refuses: 'Login' | 'NewProxy' | 'all' | undefined;
}

/** What frps asks about each login, proxy and heartbeat: a stand-in for the gate that can change its mind. */
async function startGate(context: TestContext): Promise<Gate> {
  const asked: string[] = [];
  const server = createServer((question, answer) => {
    const op = new URL(question.url ?? '/', 'http://gate').searchParams.get('op') ?? '';
    asked.push(op);
    const isRefused = gate.refuses === 'all' || gate.refuses === op;
    question.resume();
    answer.setHeader('content-type', 'application/json');
    const said = isRefused ? { reject: true, reject_reason: 'not today' } : { reject: false, unchange: true };
    answer.end(JSON.stringify(said));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const gate: Gate = { address: `127.0.0.1:${String(port)}`, asked, refuses: undefined };
  return gate;
}

// Each restart of frps costs frpc one of three quick tries a minute: what has to be asked quickly comes first.
describe('a tunnel that the FRP server lets in no longer is told', { skip }, () => {
  let telling: Telling;
  before(async () => {
    telling = await startTelling();
  });
  after(() => telling.close());

  it('whose proxy the gate refuses, in the words of the gate', async (context) => {
    const gate = await startGate(context);
    gate.refuses = 'NewProxy';
    await telling.world.server.start(undefined, { gate: gate.address });
    await telling.untilTold('ProxyRefused', /refuses the proxy: .*not today/);
    gate.refuses = undefined;
    await telling.untilAskedAgain();
  });

  it('whose login the gate refuses', async (context) => {
    const gate = await startGate(context);
    gate.refuses = 'Login';
    await telling.world.server.start(undefined, { gate: gate.address });
    await telling.untilTold('NotLoggedIn', notLetIn);
    gate.refuses = undefined;
    await telling.untilBack();
  });

  it('whose server has a certificate that is expired', async () => {
    const { server } = telling.world;
    await server.start(undefined, { notAfter: '2026-01-01T00:00:00Z' });
    await telling.untilTold('NotLoggedIn', notLetIn);
    await server.start();
    await telling.untilBack();
  });

  it('whose session the gate revokes while it stands, within twice the interval of the heartbeat', async (context) => {
    const { world } = telling;
    const gate = await startGate(context);
    const profile = world.server.profile('default') as KubeObject & { readonly data: object };
    world.change(profile, { data: { ...profile.data, heartbeatInterval: String(heartbeat) } });
    await world.server.start(undefined, { gate: gate.address });
    await world.until('frpc has sent a heartbeat', () => gate.asked.includes('Ping'));
    await telling.untilBack();
    gate.refuses = 'all';
    await telling.untilTold('NotLoggedIn', notLetIn, 2 * heartbeat);
    gate.refuses = undefined;
    await telling.untilBack();
  });
});
