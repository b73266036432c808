import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startApiStub } from '../tools/build/api-stub.ts';
import { readArguments } from './arguments.ts';
import { buildContestants } from './contestants.ts';
import { cpuMsOf } from './cpu.ts';
import { load } from './load.ts';
import { type Row, report } from './report.ts';
import { type Running, startServer } from './running.ts';
import { median, pairedRatio, shuffled } from './statistics.ts';
import { environmentFor } from './stub-environment.ts';
import { bare, type Contestant, connections, contestants, service } from './warm/contestants.ts';

interface Measured {
  readonly cpuUs: number;
  readonly wallUs: number;
}

/** What a process of each contestant took, round by round. */
type Turn = ReadonlyMap<string, readonly Measured[]>;

/** Processes of the same code differ, for V8 compiles each as it was used: every contestant is started anew this often. */
const usualProcesses = 5;

const args = readArguments(process.argv.slice(2));
const api = await startApiStub();
for (let index = 0; index < connections; index += 1) {
  const [name, namespace] = [`m${String(index)}`, 'bench'];
  const message = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { name, namespace }, spec: { text: 'hi' } };
  api.put(`/apis/myorg.dev/v1/namespaces/${namespace}/messages/${name}`, message);
}
/** A Broker and a collector that take whatever comes. */
const broker = createServer((request, response) => request.resume().on('end', () => response.writeHead(202).end()));
await once(broker.listen(0, '127.0.0.1'), 'listening');
const sink = `http://127.0.0.1:${String((broker.address() as AddressInfo).port)}/`;
const built = await buildContestants([service, 'message-changed']);
const all = contestants(built, sink);
const processes = args.smoke ? 1 : usualProcesses;
try {
  const turns: Turn[] = [];
  for (let count = 1; count <= processes; count += 1) {
    turns.push(await inNewProcesses());
    if (!args.json) process.stderr.write(`process ${String(count)} of ${String(processes)} of each is measured\n`);
  }
  const compared =
    'CPU time of one event in a server that is awake, times a bare server of node:http in the same round';
  const title = `${compared}; processes of each: ${String(processes)}, of which the median counts`;
  report(title, [...all.map((contestant) => rowOf(contestant, turns)), connectionsRow(api.connections())], args);
} finally {
  api.close();
  broker.close();
  broker.closeAllConnections();
  rmSync(built.folder, { recursive: true });
}

/** Starts every contestant, lets it settle, and measures all in each round, in another order each time. */
async function inNewProcesses(): Promise<Turn> {
  const running = new Map<Contestant, Running>();
  try {
    const env = environmentFor(api, built.folder);
    for (const contestant of all) {
      const server = await startServer(['--require', built.preload, ...contestant.args], { ...env, ...contestant.env });
      running.set(contestant, server);
      // Lets the compiler of V8 settle; and what a Message needs is made once.
      const { requests, total } = contestant;
      await load({ port: server.port, requests, total: args.smoke ? 100 : 2 * total, expected: '204' });
    }
    const measured = new Map(all.map(({ name }): [string, Measured[]] => [name, []]));
    for (let round = 0; round < args.rounds; round += 1) {
      for (const [contestant, server] of shuffled([...running]))
        measured.get(contestant.name)?.push(await measure(contestant, server));
    }
    return measured;
  } finally {
    for (const server of running.values()) await server.stop();
  }
}

async function measure({ requests, expected, total }: Contestant, { pid, port }: Running): Promise<Measured> {
  const [cpu, began] = [cpuMsOf(pid), performance.now()];
  await load({ port, requests, total, expected });
  return { cpuUs: ((cpuMsOf(pid) - cpu) / total) * 1000, wallUs: ((performance.now() - began) / total) * 1000 };
}

function rowOf({ name, goal, expected }: Contestant, turns: readonly Turn[]): Row {
  const timesOf = (figure: keyof Measured): readonly number[] =>
    turns.map((turn) => {
      const [own = [], base = []] = [turn.get(name), turn.get(bare)];
      return pairedRatio(
        own.map((one) => one[figure]),
        base.map((one) => one[figure]),
      );
    });
  const ofAll = (figure: keyof Measured): number =>
    median(turns.flatMap((turn) => turn.get(name) ?? []).map((one) => one[figure]));
  const cpu = timesOf('cpuUs');
  const times = median(cpu);
  const figures = {
    '× CPU': times,
    'of single processes': `${Math.min(...cpu).toFixed(2)} to ${Math.max(...cpu).toFixed(2)}`,
    '× wall': median(timesOf('wallUs')),
    'CPU µs': ofAll('cpuUs'),
    'wall µs': ofAll('wallUs'),
    'every answer': expected,
  };
  return { name, figures, ...(goal !== undefined && { goal: { value: times, most: goal, tolerance: 0.1 } }) };
}

/** The connections: one for each event under way in a server, for any number of events. */
function connectionsRow(count: number): Row {
  const servers = all.filter(({ expected }) => !expected.includes('reads=0') && expected !== '204');
  const goal = { value: count, most: connections * servers.length * processes, tolerance: 0 };
  return { name: 'connections to the API server', figures: { count }, goal };
}
