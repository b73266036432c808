import { isObject, type Json, type JsonObject } from '../json.ts';
import { createRecent } from '../store/recent.ts';
import { type FieldSet, noFields } from './field-set.ts';
import { canonical, compareElements } from './path-element.ts';

/** The size of each cache: between two updates of an object there are seldom this many others. */
const most = 1024;

/** The same entry is read and written with every update of its object. A client's entry is rewritten in our order. */
const parsed = createRecent<JsonObject, FieldSet>(most);
const printed = createRecent<FieldSet, JsonObject>(most);

/** Trees by their JSON: objects of one sort mostly have the same fields, and share equal parts. Frozen, because all of them share one. */
const shared = createRecent<string, JsonObject>(most);

/** The field set of an entry's `fieldsV1`; throws a SyntaxError for a key that it does not know. */
export function parseFields(fields: Json | undefined): FieldSet {
  if (!isObject(fields)) return noFields;
  const known = parsed.get(fields);
  if (known !== undefined) return known;
  const set = parseNode(fields);
  parsed.set(fields, set);
  return set;
}

export function printFields(set: FieldSet): JsonObject {
  const known = printed.get(set);
  if (known !== undefined) return known;
  const { fields } = printNode({ ...set, member: false });
  parsed.set(fields, set);
  printed.set(set, fields);
  return fields;
}

function parseNode(fields: JsonObject): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [key, value] of Object.entries(fields)) {
    if (key === '.') continue;
    const element = canonical(key);
    if (element === undefined) continue;
    const child = isObject(value) ? parseNode(value) : noFields;
    const isMember = child.children.size === 0 || (isObject(value) && Object.hasOwn(value, '.'));
    children.set(element, { ...child, member: isMember });
  }
  return { ...noFields, children };
}

interface Printed {
  readonly fields: JsonObject;
  /** The tree as JSON. */
  readonly text: string;
}

const leaf: Printed = { fields: Object.freeze({}), text: '{}' };

function printNode({ member, children }: FieldSet): Printed {
  if (children.size === 0) return leaf;
  const own: Record<string, Json> = {};
  const texts: string[] = [];
  const add = (element: string, { fields, text }: Printed): void => {
    own[element] = fields;
    texts.push(`${JSON.stringify(element)}:${text}`);
  };
  if (member) add('.', leaf);
  for (const element of [...children.keys()].sort(compareElements)) {
    add(element, printNode(children.get(element) ?? noFields));
  }
  const text = `{${texts.join()}}`;
  const fields = shared.get(text) ?? Object.freeze(own);
  // Set anew, so that fields which many objects have stay in the cache.
  shared.set(text, fields);
  return { fields, text };
}
