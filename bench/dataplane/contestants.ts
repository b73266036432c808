import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileNames, podLayout } from '../../resources/distributed-service/envoy/data-plane.ts';
import { childName } from '../../resources/distributed-service/names.ts';
import { outsideOfPod } from '../../test/dataplane/outside-of-a-pod.ts';
import { whoAnswers } from '../../test/dataplane/world/asking.ts';
import { askOnce } from '../../test/dataplane/world/clients.ts';
import { fieldOf } from '../../test/dataplane/world/cluster.ts';
import { ports } from '../../test/dataplane/world/frp-server.ts';
import { hostOf, manual, service } from '../../test/dataplane/world/objects.ts';
import type { DataPlane } from '../../test/dataplane/world/world.ts';
import { installed } from '../../tools/dataplane/install.ts';
import { backendPort } from './backends.ts';
import type { Engine } from './engines.ts';
import type { Target } from './load.ts';

/** A way from the FRP server to the backends. */
export interface Contestant {
  readonly name: string;
  readonly to: Target;
  /** The processes between the FRP server and the backends. */
  readonly pids: readonly number[];
}

interface Parts {
  readonly world: DataPlane;
  readonly addresses: readonly string[];
  /** Gets the functions that end what was started. */
  readonly closers: (() => void)[];
}

const tools = await installed();

/** The product: frpc and Envoy in the Pod of a DistributedService. */
export async function startProduct({ world, addresses }: Parts): Promise<Contestant> {
  const backends = manual(addresses.map((address) => ({ address, port: backendPort })));
  world.put(service({ name: 'web', type: 'http', backends }));
  await world.untilRunning('web');
  const { pod } = world.tunnel('web') ?? { pod: undefined };
  const pids = [...(pod?.containers.values() ?? [])].map(({ container }) => container.process.pid ?? 0);
  return ready(world, { name: 'frpc > Envoy', to: target(world, 'web'), pids });
}

/** frpc with the product's own configuration, but to the first backend itself, or to another engine in Envoy's place. */
export async function startOther(parts: Parts, engine?: Engine): Promise<Contestant> {
  const { world, addresses, closers } = parts;
  const name = engine?.name ?? 'direct';
  const folder = mkdtempSync(join(tmpdir(), 'knudge-bench-'));
  const network = world.network.addPod();
  const children: ChildProcess[] = [];
  closers.push(() => {
    for (const child of children) child.kill('SIGKILL');
    network.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = (command: string, args: readonly string[]): number => {
    const all = [`--net=${network.file}`, 'setpriv', '--pdeathsig=KILL', command, ...args];
    const child = spawn('nsenter', all, { stdio: ['ignore', 'ignore', 'inherit'] });
    children.push(child);
    return child.pid ?? 0;
  };
  const port = podLayout.ingressPort;
  const backends = addresses.map((address) => `${address}:${String(backendPort)}`);
  const pids = engine === undefined ? [] : [run(engine.name, engine.configure(folder, { port, backends }))];
  const local = engine === undefined ? { localIP: addresses[0], localPort: backendPort } : {};
  pids.push(run(tools.frpc, ['-c', frpcFile(world, folder, { name, ...local })]));
  return ready(world, { name: engine === undefined ? 'frpc alone' : `frpc > ${name}`, to: target(world, name), pids });
}

/** The configuration of the product's own frpc, with another proxy. */
function frpcFile(world: DataPlane, folder: string, proxy: { readonly name: string }): string {
  const data = fieldOf(world.get('v1', 'ConfigMap', childName('web', 'config')), 'data') as Record<string, string>;
  const file = (path: string, text: string): string => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
    return join(folder, path);
  };
  const moved = (data[fileNames.frpc] ?? '').replaceAll('/etc/knudge', folder);
  const config = JSON.parse(moved) as { readonly proxies: readonly object[] };
  const proxies = [{ ...config.proxies[0], ...proxy, customDomains: [hostOf(proxy.name)] }];
  file(`config/${fileNames.serverAuthority}`, data[fileNames.serverAuthority] ?? '');
  const token = Buffer.from(String(fieldOf(world.server.tokenSecret, 'data', 'token')), 'base64').toString();
  file(`identity/${fileNames.token}`, token);
  return file(fileNames.frpc, JSON.stringify({ ...config, ...outsideOfPod, proxies }));
}

function target({ network: { host } }: DataPlane, name: string): Target {
  return { host, port: ports.http, name: hostOf(name) };
}

async function ready(world: DataPlane, contestant: Contestant): Promise<Contestant> {
  // The backends answer 204, which is an answer without a name.
  const answers = async (): Promise<boolean> => {
    const [answer = ''] = await whoAnswers(() => askOnce.http(contestant.to), 1);
    return answer.startsWith('204');
  };
  await world.until(`${contestant.name} answers`, answers);
  return contestant;
}
