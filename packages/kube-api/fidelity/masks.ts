import { at } from './case.ts';

type Mask = { readonly because: string; readonly pattern: RegExp; readonly shown: string };

/**
 * What is masked in every text of every answer, in this order. Whatever a mask hides is not compared, so they are few and
 * as narrow as they can be.
 */
const textMasks: readonly Mask[] = [
  {
    because: 'The time of a write, to the microsecond (Leases, Events).',
    pattern: /\b20(?:2[5-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g,
    shown: '{micro time}',
  },
  {
    because: 'The time of a write.',
    pattern: /\b20(?:2[5-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\dZ/g,
    shown: '{time}',
  },
  {
    because: 'The time of a write, as kubectl describe prints it.',
    pattern: /\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d [+-]\d{4}/g,
    shown: '{time}',
  },
  {
    because: 'The hash of a Pod template, which is a hash of what Go prints of it, and what is made of it.',
    pattern: /-[bcdfghjklmnpqrstvwxz2456789]{8,10}(-[bcdfghjklmnpqrstvwxz2456789]{5})?\b/g,
    shown: '-{hash}',
  },
  {
    because: 'Go prints two of its own structs and what differs between them.',
    pattern: /\n@@ -\d[\s\S]*$/g,
    shown: '',
  },
  {
    because: 'The program that the controllers run in here.',
    pattern: /^kubestack$/g,
    shown: 'kube-controller-manager',
  },
  { because: 'The same hash as a label.', pattern: /(pod-template-hash=)[a-z\d]+/g, shown: '$1{hash}' },
  {
    because: 'The random end of a generated name.',
    pattern: /-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g,
    shown: '-{random}',
  },
  {
    because: 'An address that the server took from its Service range.',
    pattern: /\b10\.(?:9[6-9]|10\d|11[01])\.\d+\.\d+\b/g,
    shown: '{cluster ip}',
  },
  {
    because: 'A resourceVersion in a sentence about preconditions.',
    pattern: /(ResourceVersion in (?:object meta: |the precondition \(|record \())\d+/g,
    shown: '$1{version}',
  },
  {
    because: 'A resourceVersion in a sentence about an old one.',
    pattern: /(too old resource version: \d+ \()\d+/g,
    shown: '$1{version}',
  },
];

/** In what kubectl prints. */
const printedMasks: readonly Mask[] = [
  {
    because: 'An age or a duration, alone in its column.',
    pattern: /(?<=^| {2,})(\d+[smhdy]){1,2}(?= {2,}|$)/gm,
    shown: '{age}',
  },
  { because: 'An age in a sentence of kubectl describe.', pattern: /\b(\d+[smhdy]){1,2} ago/g, shown: '{age} ago' },
  { because: 'Columns are as wide as what was masked in them.', pattern: /(?<=\S) {2,}/g, shown: '   ' },
  { because: 'As wide as its column.', pattern: / +$/gm, shown: '' },
  { because: 'Port of a node.', pattern: /(?<=\d:)3[0-2]\d{3}(?=\/)/g, shown: '{node port}' },
  {
    because: 'A file that kubectl makes for an editor.',
    pattern: /\/tmp\/kubectl-edit-\d+\.yaml/g,
    shown: '{edited file}',
  },
];

/** Values that are masked by the key they stand under. */
const keyMasks: Readonly<Record<string, { readonly because: string; readonly shown: string }>> = {
  continue: { because: 'How a server finds the next page is its own affair.', shown: '{continue}' },
  nodePort: { because: 'A port that the server took from its range.', shown: '{node port}' },
  healthCheckNodePort: { because: 'A port that the server took from its range.', shown: '{node port}' },
  'pod-template-hash': { because: 'A hash of what Go prints of a Pod template.', shown: '{hash}' },
};

const uid = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g;
const chosenUid = /^(\d)\1{7}-/;
/** In kubectl's YAML and JSON, and in what the server quotes of an object. */
const writtenVersion = /(resourceVersion\\*"?: ?\\*"|Resource Version: +)(\d+)/g;

/**
 * Masks the answers of one case, in order. uids and resourceVersions of objects become numbers by their first appearance,
 * so that it still shows whether two are the same; keys are sorted, because JSON says nothing of their order.
 */
export function createMasks(own: Readonly<Record<string, string>>): {
  value(value: unknown): unknown;
  printed(text: string): readonly string[];
} {
  const uids = numbering('uid');
  const versions = numbering('version');
  const text = (raw: string): string => {
    let masked = raw;
    for (const [name, value] of Object.entries(own)) masked = masked.replaceAll(value, `{${name}}`);
    masked = masked.replaceAll(uid, (found) => (chosenUid.test(found) ? found : uids(found)));
    masked = masked.replaceAll(writtenVersion, (_, before: string, version: string) => `${before}${versions(version)}`);
    for (const { pattern, shown } of textMasks) masked = masked.replaceAll(pattern, shown);
    return masked;
  };
  const keyed = (key: string, value: unknown, holder: object): unknown => {
    if (key === 'resourceVersion' && typeof value === 'string')
      return versionOf(value, 'name' in holder ? versions : () => '{list version}');
    const shown = shownByKey(key, value);
    if (shown !== undefined) return shown;
    if (key === 'managedFields' && Array.isArray(value)) return value.map(masked).sort(byOwner);
    if (key === 'cells' && Array.isArray(value)) return value.map((cell) => cellOf(cell, masked));
    return masked(value);
  };
  const masked = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(masked);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(entries.map(([key, item]) => [text(key), keyed(key, item, value)]));
  };
  const printed = (raw: string): readonly string[] => {
    let plain = text(raw);
    for (const { pattern, shown } of printedMasks) plain = plain.replaceAll(pattern, shown);
    return plain.replace(/\n$/, '').split('\n');
  };
  return { value: masked, printed };
}

/** An age in a cell of a Table: it depends on when the case ran. */
function cellOf(cell: unknown, masked: (value: unknown) => unknown): unknown {
  return typeof cell === 'string' && /^((\d+[smhdy]){1,2}|<invalid>)$/.test(cell) ? '{age}' : masked(cell);
}

function versionOf(version: string, number: (version: string) => string): string {
  return /^[1-9]\d*$/.test(version) ? number(version) : version;
}

function numbering(what: string): (value: string) => string {
  const seen = new Map<string, string>();
  return (value) => {
    const known = seen.get(value) ?? `{${what} ${seen.size + 1}}`;
    seen.set(value, known);
    return known;
  };
}

/** The server sorts these by their time in whole seconds, so that their order depends on when the case ran. */
function byOwner(one: unknown, other: unknown): number {
  return ownerOf(one) < ownerOf(other) ? -1 : 1;
}

function ownerOf(entry: unknown): string {
  return ['manager', 'operation', 'apiVersion', 'subresource'].map((key) => String(at(entry, key))).join();
}

function shownByKey(key: string, value: unknown): string | undefined {
  const mask = Object.hasOwn(keyMasks, key) ? keyMasks[key] : undefined;
  return value === '' || typeof value === 'object' ? undefined : mask?.shown;
}
