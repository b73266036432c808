import { parseYaml } from '../../../packages/controller/cluster/yaml.ts';
import type { CallMatch, CallVerb, Fault } from '../../../packages/controller/testing/fault.ts';
import type { Plan } from '../plan.ts';
import { parseAction } from './parse-action.ts';
import { fieldsOf, itemsOf, type Node, oneOf, textOf, wholeOf } from './reading.ts';

/** What a plan may speak of. */
export interface Known {
  /** The names of the scenarios. */
  readonly scenarios: readonly string[];
}

const verbs = [
  'get',
  'list',
  'create',
  'update',
  'apply',
  'patch-json',
  'patch-merge',
  'delete',
] as const satisfies readonly CallVerb[];

/**
 * The plan in a YAML file. Throws with the file, the line and the field where it is not one: nothing is taken silently
 * for something else.
 */
export function parsePlan(text: string, file: string, known: Known): Plan {
  const { documents, faults } = parseYaml(text);
  const [fault] = faults;
  if (fault !== undefined) throw new Error(`${file}:${fault.line}: ${fault.text}`);
  const [document, second] = documents;
  if (document === undefined || second !== undefined) throw new Error(`${file}: a plan is one YAML document`);
  const { value, lineOf } = document;
  const root: Node = {
    value,
    path: [],
    fail: (path, what) => {
      throw new Error(`${file}:${lineOf(path)}: ${pathText(path)} ${what}`);
    },
  };
  return planOf(root, known);
}

/** `faults[0].match.verb`. */
function pathText(path: Node['path']): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text === '' ? 'the plan' : text.replace(/^\./, '');
}

function planOf(root: Node, known: Known): Plan {
  const { value, fail } = root;
  const kind = oneOf({ value: (value as { kind?: unknown } | null)?.kind, path: ['kind'], fail }, [
    'faults',
    'schedule',
    'storm',
  ]);
  switch (kind) {
    case 'faults': {
      const { about, scenario, faults } = fieldsOf(root, {
        needed: ['kind', 'scenario', 'faults'],
        possible: ['about'],
      });
      return { kind, ...aboutOf(about), scenario: scenarioOf(scenario, known), faults: itemsOf(faults).map(faultOf) };
    }
    case 'schedule':
      return scheduleOf(root, known);
    case 'storm': {
      const { about, seed, path } = fieldsOf(root, { needed: ['kind', 'seed'], possible: ['about', 'path'] });
      const least = Number.MIN_SAFE_INTEGER;
      return { kind, ...aboutOf(about), seed: wholeOf(seed, least), ...(path && { path: textOf(path) }) };
    }
  }
}

function aboutOf(about: Node | undefined): { readonly about?: string } {
  return about === undefined ? {} : { about: textOf(about) };
}

function scenarioOf(node: Node, { scenarios }: Known): string {
  const name = textOf(node);
  if (scenarios.includes(name)) return name;
  const [first = ''] = name.split('-');
  const near = scenarios.filter((one) => one.startsWith(first)).slice(0, 8);
  const hint = near.length > 0 ? `; there are ${near.join(', ')} …` : '';
  return node.fail(node.path, `names no scenario: ${JSON.stringify(name)}${hint}`);
}

function scheduleOf(root: Node, known: Known): Plan {
  const fields = fieldsOf(root, { needed: ['kind', 'scenarios', 'first', 'preemptions'], possible: ['about'] });
  const scenarios = itemsOf(fields.scenarios, 2).map((node) => scenarioOf(node, known));
  const handler = (node: Node): number => wholeOf(node, 0, scenarios.length - 1);
  return {
    kind: 'schedule',
    ...aboutOf(fields.about),
    scenarios,
    first: handler(fields.first),
    preemptions: itemsOf(fields.preemptions).map((node) => {
      const { after, to } = fieldsOf(node, { needed: ['after', 'to'] });
      return { after: wholeOf(after), to: handler(to) };
    }),
  };
}

function faultOf(node: Node): Fault {
  const { match, when, action, times } = fieldsOf(node, { needed: ['match', 'when', 'action'], possible: ['times'] });
  const call = matchOf(match);
  return {
    match: call,
    when: oneOf(when, ['before', 'after']),
    action: parseAction(action, call.verb),
    ...(times && { times: times.value === 'on' ? ('on' as const) : wholeOf(times, 1) }),
  };
}

function matchOf(node: Node): CallMatch {
  const { verb, resource, name, nth } = fieldsOf(node, { needed: ['verb', 'resource', 'nth'], possible: ['name'] });
  const how = oneOf(verb, verbs);
  if (how === 'list' && name !== undefined) name.fail(name.path, 'must not be there: a list has no name');
  return {
    verb: how,
    resource: resourceOf(resource),
    ...(name && { name: textOf(name) }),
    nth: wholeOf(nth, 1),
  };
}

function resourceOf(node: Node): string {
  const text = textOf(node);
  return /^[a-z]+(\/[a-z]+)?$/.test(text)
    ? text
    : node.fail(node.path, 'must be a plural in lower case, such as deployments/scale');
}
