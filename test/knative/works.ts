import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Examined } from '../../cli/doctor/examine.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { testKubeconfig } from '../kube/api.ts';
import { until } from '../kube/until.ts';
import { kubectl } from './installed.ts';

const run = promisify(execFile);
/** The namespace of Knudge takes a minute to go on two busy cores. */
const longestMs = 180_000;

/** Runs a command of Knudge's against the cluster; gives what it printed, whether it ended well or found a problem. */
export async function knudge(...args: readonly string[]): Promise<string> {
  const all = ['cli/knudge.js', ...args, '--kubeconfig', testKubeconfig()];
  try {
    return (await run(process.execPath, all, { timeout: 90_000, maxBuffer: 16 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === exitCodes.failed && stdout !== undefined && stdout !== '') return stdout;
    throw new Error(`knudge ${args.join(' ')} failed: ${stderr ?? String(error)}`, { cause: error });
  }
}

/** What `knudge doctor` finds, held to an overlay. */
export async function examined(overlay?: string): Promise<Examined> {
  return JSON.parse(
    await knudge('doctor', '--json', ...(overlay === undefined ? [] : ['--overlay', overlay])),
  ) as Examined;
}

/** Waits until doctor finds no problem: what was installed a moment ago has not had its resync yet. */
export async function doctorIsContent(overlay?: string): Promise<void> {
  await until(
    `doctor finds no problem${overlay === undefined ? '' : ` with --overlay ${overlay}`}`,
    async () => {
      const { findings } = await examined(overlay);
      const problems = findings.filter(({ level }) => level === 'problem').map(({ what }) => what);
      return problems.length === 0 || problems;
    },
    60,
  );
}

/** Applies a Message and waits until Knative has brought it to Knudge and Knudge has said so. Gives its name; it is gone then. */
export async function aMessageIsProcessed(namespace: string): Promise<string> {
  const name = `through-${randomUUID().slice(0, 8)}`;
  const message = {
    apiVersion: 'myorg.dev/v1',
    kind: 'Message',
    metadata: { name, namespace },
    spec: { text: 'hello' },
  };
  await kubectl(['apply', '--filename', '-'], JSON.stringify(message));
  const status = ['--namespace', namespace, 'get', 'messages.myorg.dev', name, '--output=jsonpath={.status.phase}'];
  await until(
    `Message ${namespace}/${name} is Processed`,
    async () => {
      const phase = await kubectl(status);
      return phase === 'Processed' || phase;
    },
    60,
  );
  await kubectl(['--namespace', namespace, 'delete', 'messages.myorg.dev', name, '--timeout=60s']);
  return name;
}

/** Carries out what doctor advises, as somebody who types it would. */
export async function carryOut(todo: string): Promise<void> {
  const env = { ...process.env, KUBECONFIG: testKubeconfig() };
  const { stderr } = await run('bash', ['-ec', todo], { env, timeout: longestMs });
  assert.doesNotMatch(stderr, /error/i, todo);
}

/** What doctor advises about what matches. */
export async function advised(what: RegExp): Promise<readonly string[]> {
  const { findings } = await examined();
  return findings.flatMap((one) => (one.todo !== undefined && what.test(one.what) ? [one.todo] : []));
}
