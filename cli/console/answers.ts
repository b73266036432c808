import type { OwnAnswer, OwnAsked } from '../../packages/mesh/console/own-answer.ts';
import { kubeconfigOf, type LogOptions } from '../open-log.ts';
import type { PlanningFunctions } from '../replay/functions.ts';
import type { PlanWith } from './plan.ts';

export type AnswerOptions = LogOptions & { readonly overlay?: string };

export interface ConsoleAnswers {
  readonly answers: readonly OwnAnswer[];
  /** Ends what was started for a plan. */
  close(): Promise<void>;
}

/**
 * What the console shows beside the event log, as the commands print it with `--json`: `map`, `status`, `doctor`, `history`, what
 * `replay --plan` and `shadow` ask, and how `events` reads the words of a filter; and an object with its children as `kubectl get` shows
 * them. Each loads its command when it is first asked. Only a plan and a shadow ask functions.
 */
export function consoleAnswers(options: AnswerOptions): ConsoleAnswers {
  let functions: PlanningFunctions | undefined;
  const get = (path: string, answer: OwnAnswer['answer']): OwnAnswer => ({ method: 'GET', path, answer });
  const post = (path: string, answer: OwnAnswer['answer']): OwnAnswer => ({ method: 'POST', path, answer });
  const asking = async (work: (ways: PlanWith) => Promise<object>): Promise<object> => {
    const { openFunctions } = await import('../replay/functions.ts');
    functions ??= openFunctions(options);
    return withLog(options, (log) => work({ log, functions: functions as PlanningFunctions }));
  };
  return {
    answers: [
      get('/map', async () => (await import('../map.ts')).eventMap(options.overlay)),
      get('/functions', () => functionsNow(options)),
      get(
        '/doctor',
        shared(async () => {
          const { groupByCause } = await import('../doctor/group.ts');
          const { findings, counts } = await (await import('../doctor.ts')).examineNow(options);
          return { findings: groupByCause(findings), counts };
        }),
      ),
      post('/words', async ({ body }) => (await import('./words.ts')).wordsIn(body)),
      get('/objects/:kind{/:namespace}/:name/events', async ({ params }) => {
        const { kind = '', namespace = '', name = '' } = params;
        const { kubernetesEvents } = await import('../history/events.ts');
        return { events: await kubernetesEvents({ kind, namespace, name }, kubeconfigOf(options)) };
      }),
      get('/objects/:kind{/:namespace}/:name/now', ({ params }) => nowOf(params, options)),
      post('/plan', async ({ body }) => {
        const { planFor } = await import('./plan.ts');
        return asking((ways) => planFor(body, ways));
      }),
      post('/shadow', async ({ body }) => {
        const { shadowFor } = await import('./shadow.ts');
        return asking((ways) => shadowFor(body, ways));
      }),
    ],
    close: async () => functions?.close(),
  };
}

async function functionsNow(options: AnswerOptions): Promise<object> {
  const { connectTo, functionStates } = await import('../status/functions.ts');
  if (options.kubeconfig === undefined) return { functions: await functionStates(options) };
  const { createLook } = await import('../../packages/controller/cluster/look.ts');
  const transport = await connectTo(kubeconfigOf(options));
  try {
    return { functions: await functionStates(options, createLook(transport)) };
  } finally {
    transport.close();
  }
}

async function nowOf(params: OwnAsked['params'], options: AnswerOptions): Promise<object> {
  const { kind = '', namespace = '', name = '' } = params;
  const [{ connectTo }, { objectNow }, { manifests }] = await Promise.all([
    import('../status/functions.ts'),
    import('./now.ts'),
    import('../manifests.ts'),
  ]);
  const transport = await connectTo(kubeconfigOf(options));
  try {
    return await objectNow({ kind, namespace, name }, { transport, manifests: manifests() });
  } finally {
    transport.close();
  }
}

async function withLog(options: AnswerOptions, work: (log: PlanWith['log']) => Promise<object>): Promise<object> {
  const { openLog } = await import('../open-log.ts');
  const { log, close } = await openLog(options);
  try {
    return await work(log);
  } finally {
    await close();
  }
}

/** Answers everybody who asks at the same time with one piece of work. */
function shared(work: () => Promise<unknown>): () => Promise<unknown> {
  let running: Promise<unknown> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
