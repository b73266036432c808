import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createFunctions, type Functions } from '../../functions/functions.ts';
import type { Hop } from '../../hop.ts';
import type { FunctionSpec } from '../../mesh-spec.ts';

const stub = fileURLToPath(new URL('./stub.ts', import.meta.url));

/** A Knative Service as the manifests describe ours, but for a test. */
export function functionSpec(overrides: Partial<FunctionSpec> = {}): FunctionSpec {
  return {
    namespace: 'knudge',
    name: 'stub',
    env: {},
    envOfCluster: [],
    containerConcurrency: 10,
    timeoutSeconds: 20,
    minScale: 0,
    maxScale: 5,
    target: 100,
    idleSeconds: 60,
    ...overrides,
  };
}

export interface Stubs {
  readonly functions: Functions;
  readonly url: string;
  readonly hops: readonly Hop[];
  /** Those of one kind. */
  of<Kind extends Hop['kind']>(kind: Kind): readonly Extract<Hop, { kind: Kind }>[];
  ask(path: string, init?: RequestInit): Promise<{ status: number; text: string; headers: Headers }>;
  close(graceMs?: number): Promise<void>;
}

/** One stub function behind its front; it is closed after the test. */
export async function startStub(context: TestContext, overrides: Partial<FunctionSpec> = {}): Promise<Stubs> {
  const hops: Hop[] = [];
  const functions = await createFunctions([functionSpec(overrides)], {
    command: () => [process.execPath, stub],
    env: { PATH: process.env['PATH'] ?? '', FROM: 'the mesh' },
    report: (hop) => hops.push(hop),
  });
  const url = functions.urls.get('stub') ?? '';
  const close = (graceMs = 10_000): Promise<void> => functions.close(graceMs);
  context.after(() => close(0));
  return {
    functions,
    url,
    hops,
    of: <Kind extends Hop['kind']>(kind: Kind) =>
      hops.filter((hop): hop is Extract<Hop, { kind: Kind }> => hop.kind === kind),
    ask: async (path, init) => {
      const answer = await fetch(`${url}${path}`, init);
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    },
    close,
  };
}

/** One that keeps an instance, and has it: what is measured then holds no start. */
export async function startAwake(context: TestContext, overrides: Partial<FunctionSpec> = {}): Promise<Stubs> {
  const stub = await startStub(context, { minScale: 1, ...overrides });
  await eventually('awake', () => stub.of('woke').length === 1);
  return stub;
}

/** Is there still a process with this number? */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Looks every 10 ms until it is so; fails after 20 seconds. */
export async function eventually(what: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`not within 20 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
