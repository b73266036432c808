import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { parse } from 'yaml';
import { entrypoint } from '../../packages/image/config.ts';
import { bundleLoader, bundleSource, loadedLate, shared } from '../../tools/build/bundles.ts';
import { leaveOut } from '../../tools/build/leave-out.ts';
import { type Running, startServer } from '../running.ts';
import { environmentFor } from '../stub-environment.ts';
import type { QuietApi } from './api.ts';

/** A source and a bare server, as the image would start them. */
export interface Programs {
  readonly folder: string;
  bare(): Promise<Running>;
  /** Its file outlives it, so that the next one continues from there. */
  source(file: string, around: { readonly api: QuietApi; readonly sink: string }): Promise<Running>;
}

/** Bundles both. */
export async function buildPrograms(): Promise<Programs> {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-bench-source-'));
  const bundleOwn = (name: string, outfile: string) =>
    build({
      ...shared,
      entryPoints: [`bench/contestants/${name}.ts`],
      outfile: join(folder, outfile),
      plugins: [leaveOut, loadedLate],
    });
  await Promise.all([
    bundleSource(folder),
    bundleLoader(folder),
    bundleOwn('healthy', 'functions/healthy.cjs'),
    bundleOwn('preload', 'preload.cjs'),
  ]);
  const flags = entrypoint.filter((part) => part.startsWith('--'));
  const start = (name: string, env: Readonly<Record<string, string>>) =>
    startServer([...flags, '--require', join(folder, 'preload.cjs'), join(folder, 'function.cjs'), name], env);
  const asDelivered = environmentOf('deploy/components/source/container/source.yaml');
  return {
    folder,
    bare: () => start('healthy', {}),
    source: (file, { api, sink }) =>
      start('source', { ...asDelivered, ...environmentFor(api, folder), K_SINK: sink, SOURCE_FILE: file }),
  };
}

interface Manifest {
  readonly kind: string;
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly env: readonly Variable[] }[] } };
  };
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** The variables in the manifest of the source. */
function environmentOf(file: string): Readonly<Record<string, string>> {
  const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  const manifests = text.split(/^---$/m).map((one) => parse(one) as Manifest);
  const found = manifests.find(({ kind }) => kind === 'ContainerSource');
  const env = found?.spec.template.spec.containers[0]?.env ?? [];
  return Object.fromEntries(env.map(({ name, value }) => [name, value]));
}

/** Bytes of a process that are in memory: now, and the most so far. */
export function memoryOf(pid: number): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  const bytes = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  return { now: bytes('VmRSS'), most: bytes('VmHWM') };
}

/** Bytes of SQLite's file with its write-ahead log. */
export function bytesOfFile(file: string): number {
  return ['', '-wal'].reduce((sum, end) => sum + (statSync(`${file}${end}`, { throwIfNoEntry: false })?.size ?? 0), 0);
}
