import type { KubeObject, ManagedFieldsEntry } from '../domain/kube-object.ts';
import { annotations, manager } from '../domain/names.ts';
import type { Shape } from '../domain/shape.ts';
import { differs } from './differs.ts';
import { fieldsOf, sameItem } from './fields-of.ts';
import { itemIn, shapeIn, shapeOf } from './shapes.ts';

/** Where a live object is not what was asked for. */
export interface Difference {
  /** Such as `spec.containers[main].image`. */
  readonly path: string;
  readonly wanted: unknown;
  readonly live: unknown;
  /** Field managers other than Knudge's that have set what stands there. */
  readonly managers: readonly string[];
  /** What stands there is nobody's business. */
  readonly isSecret: boolean;
}

/** The first place where the live object lacks something of the desired one; undefined where it `differs` in nothing. */
export function differenceOf(desired: KubeObject, live: KubeObject): Difference | undefined {
  if (!differs(desired, live)) return undefined;
  const content = withoutHash(desired);
  // That only the hash is another says little: what it is the hash of says more.
  const {
    steps,
    wanted,
    live: found,
  } = descend({ steps: [], wanted: differs(content, live) ? content : desired, live }, shapeOf(desired));
  const managers = (live.metadata.managedFields ?? []).filter(
    (entry) => entry.manager !== manager && owns(entry.fieldsV1, steps),
  );
  const named = [...new Set(managers.map(nameOf))];
  return { path: textOf(steps), wanted, live: found, managers: named, isSecret: desired.kind === 'Secret' };
}

function withoutHash({ metadata, ...rest }: KubeObject): KubeObject {
  const { [annotations.specHash]: _, ...others } = metadata.annotations ?? {};
  return { ...rest, metadata: { ...metadata, annotations: others } };
}

/** The same for people, with the manager that has set it, if the object names one. */
export function tellDifference({ path, wanted, live, managers, isSecret }: Difference): string {
  const who = managers.length > 0 ? `, set by ${managers.join(' and ')}` : '';
  return isSecret ? `${path} is another${who}` : `${path} is ${shown(live)} instead of ${shown(wanted)}${who}`;
}

/** The same of what was sent otherwise. Nobody is named for what an admission webhook has changed: it counts as Knudge's own. */
export function tellOverride(difference: Difference): string {
  const nobody = ', and no field manager is named for it (an admission webhook?)';
  return `${tellDifference(difference)}${difference.managers.length > 0 ? '' : nobody}`;
}

/** One step into an object: a field, or an item of a list with what tells it from others. */
type Step =
  | { readonly field: string }
  | { readonly item: unknown; readonly keys: readonly string[]; readonly at: number };

interface Place {
  readonly steps: readonly Step[];
  readonly wanted: unknown;
  readonly live: unknown;
}

function descend(here: Place, shape: Shape): Place {
  const { steps, wanted, live } = here;
  if (Array.isArray(wanted)) return descendList(here, wanted, shape);
  const fields = fieldsOf(live);
  const found = [...fieldsOf(wanted)].find(([key, value]) => differs(value, fields.get(key), shapeIn(shape, key)));
  if (found === undefined || typeof live !== 'object') return here;
  const [field, value] = found;
  return descend({ steps: [...steps, { field }], wanted: value, live: fields.get(field) }, shapeIn(shape, field));
}

function descendList(here: Place, wanted: readonly unknown[], shape: Shape): Place {
  const { keys = [] } = shape;
  if (keys.length === 0 || !Array.isArray(here.live)) return here;
  const live: readonly unknown[] = here.live;
  const inItems = itemIn(shape);
  const isThere = (item: unknown): boolean =>
    live.some((other) => sameItem(item, other, keys) && !differs(item, other, inItems));
  const at = wanted.findIndex((item) => !isThere(item));
  const other = live.find((one) => sameItem(wanted[at], one, keys));
  if (other === undefined) return here;
  const steps = [...here.steps, { item: other, keys, at }];
  return descend({ steps, wanted: wanted[at], live: other }, inItems);
}

function textOf(steps: readonly Step[]): string {
  return steps
    .map((step) => ('field' in step ? `.${step.field}` : `[${labelOf(step)}]`))
    .join('')
    .slice(1);
}

function labelOf({ item, keys, at }: Extract<Step, { readonly item: unknown }>): string {
  const fields = fieldsOf(item);
  const [first] = keys.map((key) => fields.get(key)).filter((value) => value !== undefined);
  return first === undefined ? String(at) : String(first);
}

/** Whether an entry of `managedFields` has this place, or all that it stands in (a list of one writer). */
function owns(tree: unknown, steps: readonly Step[]): boolean {
  let level = fieldsOf(tree);
  if (level.size === 0) return false;
  for (const step of steps) {
    const next = [...level].find(([key]) => isStep(key, step))?.[1];
    if (next === undefined) return false;
    level = fieldsOf(next);
    if ([...level.keys()].every((key) => key === '.')) return true;
  }
  return true;
}

function isStep(key: string, step: Step): boolean {
  if ('field' in step) return key === `f:${step.field}`;
  if (!key.startsWith('k:')) return false;
  const fields = fieldsOf(step.item);
  return Object.entries(JSON.parse(key.slice(2)) as object).every(([name, value]) => fields.get(name) === value);
}

function nameOf({ manager: name = '', subresource = '' }: ManagedFieldsEntry): string {
  return subresource === '' ? name : `${name} (${subresource})`;
}

/** A sentence shows at most this many characters of a value. */
const longest = 80;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
