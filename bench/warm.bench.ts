import { rmSync } from 'node:fs';
import { recorded } from '../test/build/event.ts';
import { startApiStub } from '../tools/build/api-stub.ts';
import { readArguments } from './arguments.ts';
import { buildContestants, type Contestants } from './contestants.ts';
import { cpuMsOf } from './cpu.ts';
import { load } from './load.ts';
import { type Row, report } from './report.ts';
import { bytesOf, requestOf } from './request.ts';
import { type Running, startServer } from './running.ts';
import { median, pairedRatio, shuffled } from './statistics.ts';
import { environmentFor } from './stub-environment.ts';

/** Connections at a time: about what a Broker keeps open to one function. */
const connections = 16;

interface Contestant {
  readonly name: string;
  readonly args: readonly string[];
  readonly requests: readonly Buffer[];
  readonly expected: string;
  /** Events in one round. */
  readonly total: number;
  readonly goal?: number;
}

interface Measured {
  readonly cpuUs: number;
  readonly wallUs: number;
}

const bare = 'node:http, bare';
/** What a Pod wakes. */
const service = 'distributed-service';
const noOp = 'a Message that is as it should be';
const messageReads = 2;

function contestants({ plain, cached }: Contestants): readonly Contestant[] {
  const pods = Array.from({ length: connections }, () => requestOf('pod-changed/pod-add', '/pod-changed'));
  const messages = Array.from({ length: connections }, (_, index) => messageEvent(`m${String(index)}`));
  const nobody = 'ignored; reads=0; writes=0';
  const unchanged = `done; reads=${String(messageReads)}; writes=0`;
  return [
    { name: bare, args: plain('bare'), requests: pods, expected: '204', total: 2000 },
    {
      name: 'a Pod that concerns nobody',
      args: cached(service),
      requests: pods,
      expected: nobody,
      total: 2000,
      goal: 2.5,
    },
    { name: noOp, args: cached('message-changed'), requests: messages, expected: unchanged, total: 400 },
    { name: 'express 5, bare', args: cached('express'), requests: pods, expected: '204', total: 2000 },
    {
      name: 'the Pod, behind express 5',
      args: cached('behind-express'),
      requests: pods,
      expected: nobody,
      total: 2000,
    },
  ];
}

/** One Message for each connection: events of the same would share their reconciles. */
function messageEvent(name: string): Buffer {
  const { headers, body } = recorded('message-changed/message-add', { 'ce-name': name, 'ce-namespace': 'bench' });
  const message = JSON.parse(body.toString()) as { metadata: object };
  const renamed = { ...message, metadata: { ...message.metadata, name, namespace: 'bench' } };
  return bytesOf(headers, Buffer.from(JSON.stringify(renamed)));
}

const args = readArguments(process.argv.slice(2));
const api = await startApiStub();
for (let index = 0; index < connections; index += 1) {
  const [name, namespace] = [`m${String(index)}`, 'bench'];
  const message = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { name, namespace }, spec: { text: 'hi' } };
  api.put(`/apis/myorg.dev/v1/namespaces/${namespace}/messages/${name}`, message);
}
const built = await buildContestants([service, 'message-changed']);
const running = new Map<Contestant, Running>();
try {
  const env = environmentFor(api, built.folder);
  for (const contestant of contestants(built)) {
    const server = await startServer(['--require', built.preload, ...contestant.args], env);
    running.set(contestant, server);
    // The compiler of V8 settles; and what a Message needs is made once.
    const { requests, total } = contestant;
    await load({ port: server.port, requests, total: args.smoke ? 100 : 2 * total, expected: '204' });
  }
  const measured = new Map([...running.keys()].map(({ name }): [string, Measured[]] => [name, []]));
  for (let round = 0; round < args.rounds; round += 1) {
    for (const [contestant, server] of shuffled([...running]))
      measured.get(contestant.name)?.push(await measure(contestant, server));
  }
  const rows = [...running.keys()].map((contestant) => rowOf(contestant, measured));
  const title = 'CPU time of one event in a server that is awake, times a bare server of node:http in the same round';
  report(title, [...rows, connectionsRow(api.connections())], args);
} finally {
  for (const server of running.values()) await server.stop();
  api.close();
  rmSync(built.folder, { recursive: true });
}

async function measure({ requests, expected, total }: Contestant, { pid, port }: Running): Promise<Measured> {
  const [cpu, began] = [cpuMsOf(pid), performance.now()];
  await load({ port, requests, total, expected });
  return { cpuUs: ((cpuMsOf(pid) - cpu) / total) * 1000, wallUs: ((performance.now() - began) / total) * 1000 };
}

function rowOf({ name, goal, expected }: Contestant, measured: ReadonlyMap<string, readonly Measured[]>): Row {
  const [own = [], base = []] = [measured.get(name), measured.get(bare)];
  const cpu = own.map(({ cpuUs }) => cpuUs);
  const wall = own.map(({ wallUs }) => wallUs);
  const times = pairedRatio(
    cpu,
    base.map(({ cpuUs }) => cpuUs),
  );
  const timesWall = pairedRatio(
    wall,
    base.map(({ wallUs }) => wallUs),
  );
  const figures = {
    '× CPU': times,
    '× wall': timesWall,
    'CPU µs': median(cpu),
    'wall µs': median(wall),
    'every answer': expected,
  };
  return { name, figures, ...(goal !== undefined && { goal: { value: times, most: goal, tolerance: 0.1 } }) };
}

/** One for each event under way, however many events there were: none is opened anew. */
function connectionsRow(count: number): Row {
  const goal = { value: count, most: connections, tolerance: 0 };
  return { name: 'connections to the API server', figures: { count }, goal };
}
