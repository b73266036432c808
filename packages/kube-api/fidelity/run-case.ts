import { setTimeout as sleep } from 'node:timers/promises';
import type { Case, Request, Step, Until, Watch } from './case.ts';
import { at } from './case.ts';
import { createMasks } from './masks.ts';
import { filled, filledText, type Values } from './placeholders.ts';
import { runKubectl } from './run-kubectl.ts';
import { type Server, send, textOf } from './server.ts';
import { watchEvents } from './watch-events.ts';

/** One answer as it is compared and recorded: masked, keys sorted. */
export type Answer = Readonly<Record<string, unknown>>;

export interface Run {
  readonly server: Server;
  readonly values: Values;
  readonly masks: ReturnType<typeof createMasks>;
}

const patienceMs = 60_000;

/** The answers of all steps of a case in the namespace of this name, which must exist. Rejects when `given` fails. */
export async function runCase(
  server: Server,
  { given = [], steps }: Case,
  namespace: string,
): Promise<readonly Answer[]> {
  const values: Values = new Map([
    ['ns', namespace],
    ['group', `${namespace}.example.com`],
  ]);
  const run: Run = { server, values, masks: createMasks({ ns: namespace }) };
  await prepare(run, given);
  const answers: Answer[] = [];
  for (const step of steps) answers.push(await runStep(run, step));
  return answers;
}

/** Does steps that must succeed; their answers matter only to the numbers of uids and resourceVersions. */
async function prepare(run: Run, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'request' && step.mayFail) {
      await answerOf(run, step);
      continue;
    }
    const answer = await runStep(run, step);
    const { code, exit, problem } = answer;
    if (problem !== undefined || (exit ?? 0) !== 0 || Number(code ?? 200) >= 300) {
      throw new Error(`a step of the preparation failed: ${JSON.stringify(answer)}`);
    }
  }
}

async function runStep(run: Run, step: Step): Promise<Answer> {
  switch (step.kind) {
    case 'request':
      return runRequest(run, step);
    case 'until':
      return runUntil(run, step);
    case 'watch':
      return runWatch(run, step);
    case 'kubectl': {
      const during = () => prepare(run, step.during ?? []);
      return runKubectl(run, step, during);
    }
  }
}

async function runRequest(run: Run, step: Request): Promise<Answer> {
  return shown(run, step, await answerOf(run, step));
}

async function runUntil(run: Run, step: Until): Promise<Answer> {
  const asked: Request = { method: 'GET', ...step, kind: 'request' };
  const pauseMs = run.server.name === 'real' ? 100 : 10;
  for (const end = Date.now() + patienceMs; ; await sleep(pauseMs)) {
    const answer = await answerOf(run, asked);
    if (step.holds(answer.body, answer.code)) return shown(run, asked, answer);
    if (Date.now() > end) return { ...shown(run, asked, answer), problem: 'what the case waits for did not come' };
  }
}

async function runWatch(run: Run, step: Watch): Promise<Answer> {
  const path = filledText(step.path, run.values);
  const { code, events } = await watchEvents(run.server, {
    path: `${path}${path.includes('?') ? '&' : '?'}watch=true`,
    headers: step.headers ?? {},
    events: step.events,
    during: () => prepare(run, step.during),
  });
  return { step: `WATCH ${step.path}`, code, events: run.masks.value(events) };
}

interface Raw {
  readonly code: number;
  readonly body: unknown;
  readonly warnings: readonly string[];
  readonly type: string;
}

async function answerOf({ server, values }: Run, step: Request): Promise<Raw> {
  const body = filled(step.body, values);
  const headers = Object.entries({
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...step.headers,
  });
  const response = await send(server, {
    method: step.method,
    path: filledText(step.path, values),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, filledText(value, values)])),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await textOf(response);
  const type = (response.headers['content-type'] ?? '').split(';')[0] ?? '';
  return {
    code: response.statusCode ?? 0,
    body: type === 'application/json' ? JSON.parse(text) : text,
    warnings: warningsOf(response.rawHeaders),
    type,
  };
}

function shown({ values, masks }: Run, step: Request, { code, body, warnings, type }: Raw): Answer {
  for (const [name, path] of Object.entries(step.save ?? {})) {
    const value = at(body, path);
    if (value === undefined) throw new Error(`${step.method} ${step.path} gave no ${path}: ${JSON.stringify(body)}`);
    values.set(name, String(value));
  }
  return {
    step: `${step.method} ${step.path}`,
    code,
    ...(warnings.length > 0 && { warnings: masks.value(warnings) }),
    ...(type !== 'application/json' && { type }),
    body: masks.value(step.view === undefined ? body : step.view(body)),
  };
}

/** Node joins headers of one name with commas, which a warning may have too. */
function warningsOf(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'warning');
}
