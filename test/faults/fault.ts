// Runs a plan: npm run fault -- PLAN... [--real [--kubeconfig FILE]] [--trace] [--json]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describe } from '../../packages/controller/domain/kube-object.ts';
import type { Trace } from '../../packages/controller/testing/trace.ts';
import { withCluster } from '../../tools/test/cluster.ts';
import { testKubeconfig } from '../kube/api.ts';
import { parsePlan } from './kinds/parse-plan.ts';
import type { Plan } from './plan.ts';
import { scenarios } from './scenarios/scenarios.ts';
import { isPassed, type Verdict } from './verdict.ts';

const usage = `usage: npm run fault -- PLAN... [--real [--kubeconfig FILE]] [--trace] [--json]
  runs the plans in these files (test/faults/plans has some) and says what the oracles say; ends with 1 where one of them
  finds something or where a fault of a plan was never reached
  --real        on a real kube-apiserver behind the fault proxy; one is started unless a kubeconfig is given
  --trace       every API call, write and answer in its order
  --json        one JSON object a plan`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    real: { type: 'boolean', default: false },
    kubeconfig: { type: 'string' },
    trace: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || positionals.length === 0) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  try {
    const plans = positionals.map((file) => ({ file, plan: readPlan(file) }));
    process.exitCode = (await runAll(plans)) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  }
}

interface Named {
  readonly file: string;
  readonly plan: Plan;
}

function readPlan(file: string): Plan {
  return parsePlan(readFileSync(file, 'utf8'), file, { scenarios: scenarios.map(({ name }) => name) });
}

async function runAll(plans: readonly Named[]): Promise<boolean> {
  if (!values.real) return runEach(plans, (await import('./sim/run-plan.ts')).runPlan);
  const { runRealPlan } = await import('./real/run-real-plan.ts');
  const runOne = (kubeconfig: string) => (plan: Plan) => {
    if (plan.kind !== 'faults') throw new Error(`a plan of kind ${plan.kind} runs on the embedded API alone`);
    return runRealPlan(plan, kubeconfig);
  };
  if (values.kubeconfig !== undefined) return runEach(plans, runOne(values.kubeconfig));
  const log = (line: string): void => console.error(line);
  return withCluster(process.cwd(), log, () => runEach(plans, runOne(testKubeconfig())));
}

async function runEach(plans: readonly Named[], run: (plan: Plan) => Promise<Verdict>): Promise<boolean> {
  let passed = true;
  for (const { file, plan } of plans) {
    const verdict = await run(plan);
    console.log(values.json ? jsonOf(file, verdict) : textOf(file, verdict));
    passed &&= isPassed(verdict);
  }
  return passed;
}

function jsonOf(file: string, verdict: Verdict): string {
  const { findings, unreached, trace } = verdict;
  const counts = { calls: trace.calls.length, answers: trace.answers.length };
  const shown = values.trace ? { trace } : counts;
  return JSON.stringify({ file, passed: isPassed(verdict), findings, unreached, ...shown });
}

function textOf(file: string, verdict: Verdict): string {
  const { findings, unreached, trace } = verdict;
  const { calls, answers } = trace;
  const lines = [
    ...(values.trace ? stepsOf(trace) : []),
    ...unreached.map(
      ({ match }) => `  never reached: ${match.verb} ${match.resource} ${match.name ?? ''} (${match.nth})`,
    ),
    ...findings.map(({ oracle, what }) => `  ${oracle}: ${what}`),
    `${isPassed(verdict) ? 'all is right' : 'NOT RIGHT'}: ${file}: ${calls.length} API calls, ${answers.length} events answered`,
  ];
  return lines.join('\n');
}

/** What happened, a line each. */
function stepsOf({ calls, changes, answers, marks }: Trace): readonly string[] {
  const steps = [
    ...calls.map(({ at, run, verb, resource, ref, done, seen, fault = '' }) => ({
      at,
      text: `run ${run}: ${verb} ${resource} ${ref.name} → ${done.status}${seen.status === done.status ? '' : `, seen as ${seen.status}`} ${fault}`,
    })),
    ...changes.map(({ at, by, type, object }) => ({
      at,
      text: `${by.who === 'run' ? `run ${by.run}` : by.who}: ${type} ${describe({ namespace: '', ...object.metadata, ...object })}`,
    })),
    ...answers.map(({ at, run, stem, status }) => ({ at, text: `run ${run}: ${stem} answered ${status}` })),
    ...Object.entries(marks).map(([name, at]) => ({ at, text: `— ${name} —` })),
  ];
  return steps.toSorted((one, other) => one.at - other.at).map(({ at, text }) => `  ${at} ${text.trim()}`);
}
