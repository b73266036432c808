import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

/** Connections at a time: about as many as a Broker keeps open to one function. */
const connections = 16;

interface Contestant {
  readonly name: string;
  readonly args: readonly string[];
  readonly requests: readonly Buffer[];
  readonly expected: string;
  /** Events in one round. */
  readonly total: number;
  readonly goal?: number;
  readonly env?: Readonly<Record<string, string>>;
}

interface Measured {
  readonly cpuUs: number;
  readonly wallUs: number;
}

const bare = 'node:http, bare';
/** The Service that a Pod's event wakes. */
const service = 'distributed-service';
const noOp = 'a Message that is as it should be';
const messageReads = 2;

function contestants({ plain, cached }: Contestants, sink: string): readonly Contestant[] {
  const pods = podEvents();
  const below = podEvents({ traceparent });
  const messages = Array.from({ length: connections }, (_, index) => messageEvent(`m${String(index)}`));
  const nobody = 'ignored; reads=0; writes=0';
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: sink };
  const unchanged = `done; reads=${String(messageReads)}; writes=0`;
  return [
    { name: bare, args: plain('bare'), requests: pods, expected: '204', total: 2000 },
    {
      name: 'an unrelated Pod',
      args: cached(service),
      requests: pods,
      expected: nobody,
      total: 2000,
      goal: 2.5,
    },
    {
      name: 'the Pod, reported in a header',
      args: cached(service),
      requests: pods,
      expected: nobody,
      total: 2000,
      env: { REPORT_DELIVERIES: 'header' },
    },
    {
      name: 'the Pod, reported by event',
      args: cached(service),
      requests: pods,
      expected: nobody,
      total: 2000,
      env: { REPORT_DELIVERIES: 'event', K_SINK: sink },
    },
    {
      name: 'the Pod, traced',
      args: cached(service),
      requests: pods,
      expected: nobody,
      total: 2000,
      goal: 2.5,
      env: traced,
    },
    {
      name: 'the Pod, below a traced hop',
      args: cached(service),
      requests: below,
      expected: nobody,
      total: 2000,
      env: traced,
    },
    { name: noOp, args: cached('message-changed'), requests: messages, expected: unchanged, total: 400 },
    {
      name: 'the Message, traced',
      args: cached('message-changed'),
      requests: messages,
      expected: unchanged,
      total: 400,
      env: traced,
    },
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

/** What a hop sends that records the event. */
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** One event of a Pod for each connection. */
function podEvents(headers: Readonly<Record<string, string>> = {}): readonly Buffer[] {
  return Array.from({ length: connections }, () => requestOf('pod-changed/pod-add', '/pod-changed', headers));
}

/** One Message for each connection: events of the same Message would share their reconciles. */
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
/** A Broker and a collector that take whatever comes. */
const broker = createServer((request, response) => request.resume().on('end', () => response.writeHead(202).end()));
await once(broker.listen(0, '127.0.0.1'), 'listening');
const sink = `http://127.0.0.1:${String((broker.address() as AddressInfo).port)}/`;
const built = await buildContestants([service, 'message-changed']);
const running = new Map<Contestant, Running>();
try {
  const env = environmentFor(api, built.folder);
  for (const contestant of contestants(built, sink)) {
    const server = await startServer(['--require', built.preload, ...contestant.args], { ...env, ...contestant.env });
    running.set(contestant, server);
    // Lets the compiler of V8 settle; and what a Message needs is made once.
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
  broker.close();
  broker.closeAllConnections();
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

/** The connections: one for each event under way in a server, for any number of events. */
function connectionsRow(count: number): Row {
  const servers = [...running.keys()].filter(({ expected }) => !expected.includes('reads=0') && expected !== '204');
  const goal = { value: count, most: connections * servers.length, tolerance: 0 };
  return { name: 'connections to the API server', figures: { count }, goal };
}
