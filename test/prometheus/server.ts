import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { until } from '../kube/until.ts';

/** One value of an instant query, with its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A Prometheus that scrapes each second. */
export interface PrometheusServer {
  readonly query: (expression: string) => Promise<readonly Sample[]>;
  /** The exemplars of the last hour. */
  readonly exemplars: (expression: string) => Promise<readonly WithExemplars[]>;
}

export interface WithExemplars {
  readonly seriesLabels: Readonly<Record<string, string>>;
  readonly exemplars: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: string }[];
}

interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data?: {
    readonly result: readonly { readonly metric: Sample['labels']; readonly value: [number, string] }[];
  };
}

/** Starts Debian's server with these scrape_configs; it ends, and its folder goes, with the test. */
export async function startPrometheus(
  context: { after(work: () => Promise<void>): unknown },
  scrapes: readonly object[],
): Promise<PrometheusServer> {
  const program = process.env['KNUDGE_TEST_PROMETHEUS'];
  if (program === undefined) throw new Error('run the suite by tools/test/run.ts, which finds Prometheus');
  const folder = mkdtempSync(join(tmpdir(), 'knudge-prometheus-'));
  const config = join(folder, 'prometheus.yaml');
  writeFileSync(
    config,
    stringify({ global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: scrapes }),
  );
  const url = `127.0.0.1:${String(await freePort())}`;
  const args = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${url}`,
    '--enable-feature=exemplar-storage',
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  context.after(async () => {
    const exited = once(child, 'exit');
    if (child.kill('SIGKILL')) await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  const isReady = async (): Promise<unknown> => {
    if (child.exitCode !== null) throw new Error(said.join(''));
    return (await fetch(`http://${url}/-/ready`)).ok;
  };
  await until('Prometheus is ready', isReady, 60);
  return {
    query: async (expression) => {
      const body = new URLSearchParams({ query: expression });
      const answer = (await (await fetch(`http://${url}/api/v1/query`, { method: 'POST', body })).json()) as Answer;
      if (answer.data === undefined) throw new Error(`${expression}: ${String(answer.error)}`);
      return answer.data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
    },
    exemplars: async (query) => {
      const [start, end] = [Date.now() / 1000 - 3600, Date.now() / 1000 + 60].map(String);
      const asked = new URLSearchParams({ query, start: start ?? '', end: end ?? '' });
      const answer = await fetch(`http://${url}/api/v1/query_exemplars?${asked}`);
      return ((await answer.json()) as { readonly data: readonly WithExemplars[] }).data;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
