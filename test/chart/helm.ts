import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { objectsOf } from '../../tools/chart/kustomize.ts';
import { helmProgram } from '../../tools/helm/install.ts';

export const chart = 'charts/knudge';

type Values = Readonly<Record<string, unknown>>;

const run = promisify(execFile);
let program: Promise<string> | undefined;

/** What Helm prints; throws with what it says where it fails. */
export async function helm(...args: readonly string[]): Promise<string> {
  program ??= helmProgram();
  const { stdout } = await run(await program, args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** The objects of a release called knudge with these values. */
export async function rendered(values: Values, namespace = 'knudge'): Promise<readonly KubeObject[]> {
  return withValues(values, async (file) =>
    objectsOf(await helm('template', 'knudge', chart, '--namespace', namespace, '--values', file)),
  );
}

/** Values in a file, for as long as it is worked with. */
async function withValues<Result>(values: Values, work: (file: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'knudge-chart-'));
  try {
    const file = join(folder, 'values.json');
    await writeFile(file, JSON.stringify(values));
    return await work(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
