import { rmSync } from 'node:fs';
import { startApiStub } from '../tools/build/api-stub.ts';
import { largestBundle } from '../tools/build/check.ts';
import { readArguments } from './arguments.ts';
import { coldStart, type Started } from './cold-start.ts';
import { buildContestants, type Contestants } from './contestants.ts';
import { type Row, report } from './report.ts';
import { requestOf } from './request.ts';
import { median, pairedRatio, shuffled } from './statistics.ts';
import { environmentFor } from './stub-environment.ts';

/** The command, the expected answer, and how many times the bare server's time it may take. */
interface Contestant {
  readonly name: string;
  readonly args: readonly string[];
  readonly request: Buffer;
  readonly expected: string;
  readonly goal?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const bare = 'node:http, bare';
/** The Service that a Pod's event wakes. */
const service = 'distributed-service';

function contestants({ plain, cached, module, source }: Contestants): readonly Contestant[] {
  const pod = requestOf('pod-changed/pod-add', '/pod-changed');
  const podByName = requestOf('pod-changed/ref-pod-add', '/pod-changed');
  const message = requestOf('message-changed/message-add');
  const nobody = 'ignored; reads=0; writes=0';
  return [
    { name: bare, args: plain('bare'), request: pod, expected: '204' },
    { name: 'an unrelated Pod', args: cached(service), request: pod, expected: nobody, goal: 2 },
    {
      name: 'the Pod, traced',
      args: cached(service),
      request: pod,
      expected: nobody,
      goal: 2,
      // Nobody listens there: the spans go out after the answer.
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
    },
    { name: 'the Pod, in a process for it alone', args: cached('pod-changed'), request: pod, expected: nobody },
    {
      name: 'a Pod by its name, one call',
      args: cached(service),
      request: podByName,
      expected: 'reads=1',
      goal: 2.3,
    },
    {
      name: 'a Message that is gone, two calls',
      args: cached('message-changed'),
      request: message,
      expected: 'gone; reads=2',
    },
    { name: 'the Pod, without the code cache', args: plain(service), request: pod, expected: nobody },
    { name: 'the Pod, as an ES module', args: module(service), request: pod, expected: nobody },
    { name: 'the Pod, from the sources', args: source(service), request: pod, expected: nobody },
    { name: 'express 5, bare', args: cached('express'), request: pod, expected: '204' },
    { name: 'the Pod, behind express 5', args: cached('behind-express'), request: pod, expected: nobody },
  ];
}

const args = readArguments(process.argv.slice(2));
const api = await startApiStub();
const built = await buildContestants([service, 'pod-changed', 'message-changed']);
try {
  const env = environmentFor(api, built.folder);
  const all = contestants(built);
  const start = async (contestant: Contestant): Promise<Started> => {
    const started = await coldStart({ ...contestant, env: { ...env, ...contestant.env }, preload: built.preload });
    if (started.answer.includes(contestant.expected)) return started;
    throw new Error(
      `${contestant.name} answers ${JSON.stringify(started.answer)}, which is not "${contestant.expected}"`,
    );
  };
  for (const contestant of all) await start(contestant);
  const measured = new Map(all.map(({ name }): [string, Started[]] => [name, []]));
  for (let round = 0; round < args.rounds; round += 1) {
    for (const contestant of shuffled(all)) measured.get(contestant.name)?.push(await start(contestant));
  }
  const title =
    'From the start of a process to its first whole answer, times a bare server of node:http in the same round';
  report(title, [...all.map((contestant) => rowOf(contestant, measured)), sizeRow(built.largest)], args);
} finally {
  api.close();
  rmSync(built.folder, { recursive: true });
}

function rowOf({ name, goal }: Contestant, measured: ReadonlyMap<string, readonly Started[]>): Row {
  const [own = [], base = []] = [measured.get(name), measured.get(bare)];
  const cpu = own.map((started) => started.cpu);
  const wall = own.map((started) => started.wall);
  const times = pairedRatio(
    cpu,
    base.map((started) => started.cpu),
  );
  const timesWall = pairedRatio(
    wall,
    base.map((started) => started.wall),
  );
  const figures = { '× CPU': times, '× wall': timesWall, 'CPU ms': median(cpu), 'wall ms': median(wall) };
  return { name, figures, ...(goal !== undefined && { goal: { value: times, most: goal, tolerance: 0.1 } }) };
}

/** Bytes do not vary: a value above the goal is never noise. */
function sizeRow(bytes: number): Row {
  return {
    name: 'bundle',
    figures: { KB: bytes / 1000 },
    goal: { value: bytes / 1000, most: largestBundle / 1000, tolerance: 0 },
  };
}
