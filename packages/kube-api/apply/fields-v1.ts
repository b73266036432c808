import { isObject, type Json, type JsonObject } from '../json.ts';
import { createRecent } from '../store/recent.ts';
import { type FieldSet, noFields } from './field-set.ts';
import { canonical, compareElements } from './path-element.ts';

/** Of each cache: an object is seldom updated later than so many others. */
const most = 1024;

/** The same entry is read and written with every update of its object. What a client sent is written in our order. */
const parsed = createRecent<JsonObject, FieldSet>(most);
const printed = createRecent<FieldSet, JsonObject>(most);

/** Trees by their JSON: objects of one sort have mostly the same fields, and share what is the same. Frozen, since a change would be in all. */
const shared = createRecent<string, JsonObject>(most);

/** `fieldsV1` of an entry; throws a SyntaxError where a key is not understood. */
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
  /** Its JSON. */
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
  // Set anew, so that what many objects have stays, however many others come between.
  shared.set(text, fields);
  return { fields, text };
}
