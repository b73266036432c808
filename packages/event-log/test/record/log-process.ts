import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { until } from '../../../../test/kube/until.ts';
import type { Outgoing } from '../../../controller/domain/change.ts';
import { encode } from '../../../controller/wire/encode.ts';

export interface LogAnswer {
  readonly status: number;
  /** That of an error; empty where there is none. */
  readonly code: string;
}

/** The process of the event log, with a file of its own, which says all it can. */
export async function startLog(context: TestContext, env: Readonly<Record<string, string>> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-log-'));
  const file = join(dir, 'events.db');
  const child = spawn(process.execPath, ['packages/start/function.ts', 'event-log'], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: '.knudge/compile-cache',
      PORT: '0',
      LOG_LEVEL: 'trace',
      DEBUG_MODE: 'true',
      EVENT_LOG: file,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.after(() => {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const port = (): string | undefined => /"port":(\d+)/.exec(said.join(''))?.[1];
  await until('the event log listens', async () => port() !== undefined || said.join(''), 60);
  const url = `http://127.0.0.1:${port() ?? ''}`;
  const post = async (path: Path, event: Outgoing): Promise<LogAnswer> => {
    const { headers, body } = encode(event);
    const answer = await fetch(`${url}/${path}`, { method: 'POST', headers, body });
    const text = await answer.text();
    return { status: answer.status, code: answer.ok ? '' : String((JSON.parse(text) as { code?: string }).code) };
  };
  return {
    url,
    file,
    post,
    /** A machine that is too busy to do it in time says 503: then it comes again, as from a Broker. */
    keep: (path: Path, event: Outgoing): Promise<void> =>
      until(`${path} keeps ${JSON.stringify(event).slice(0, 80)}`, async () => {
        const { status } = await post(path, event);
        return status === 204 || status;
      }),
    /** Those of the newest page. */
    lines: async (list: 'events' | 'dead-letters', which = ''): Promise<readonly string[]> =>
      (await (await fetch(`${url}/${list}?format=ndjson&limit=1000${which}`)).text()).trim().split('\n'),
    log: () => said.join(''),
    files: (): readonly string[] => readdirSync(dir).map((name) => readFileSync(join(dir, name), 'latin1')),
    stop: async (): Promise<void> => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

type Path = 'event-recorded' | 'dead-lettered';
