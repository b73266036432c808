import { stringify } from 'yaml';
import { type Branch, either, type Merged, marker } from './merge.ts';
import { type Filled, namespaceToken } from './places.ts';

/** The template of one object: YAML with the conditions and expressions of Go's templates. */
export function template(object: Merged): string {
  return `${nodeLines(object, 0).join('\n')}\n`;
}

/** Lines under a condition. */
export function guarded(lines: readonly string[], when: string | undefined): readonly string[] {
  return when === undefined ? lines : [`{{- if ${when} }}`, ...lines, '{{- end }}'];
}

function nodeLines(node: Merged, indent: number): readonly string[] {
  if (node.kind === 'map') return mapLines(node.entries, indent);
  if (node.kind === 'list') return node.items.flatMap((item) => parted(item, (inner) => itemLines(inner, indent)));
  throw new Error('a template begins with a map or a list');
}

function mapLines(entries: ReadonlyMap<string, Branch>, indent: number): readonly string[] {
  return ordered(entries).flatMap(([key, branch]) => parted(branch, (node) => entryLines(key, node, indent)));
}

/** A branch as conditions around the lines of its nodes. */
function parted({ cases, otherwise }: Branch, lines: (node: Merged) => readonly string[]): readonly string[] {
  if (cases.length === 0) return otherwise === undefined ? [] : lines(otherwise);
  if (otherwise !== undefined && cases.every(({ node }) => node === undefined)) {
    return guarded(lines(otherwise), `not (${either(cases.map(({ when }) => when))})`);
  }
  const parts = cases.flatMap(({ when, node }, index) => [
    `{{- ${index === 0 ? 'if' : 'else if'} ${when} }}`,
    ...(node === undefined ? [] : lines(node)),
  ]);
  return [...parts, ...(otherwise === undefined ? [] : ['{{- else }}', ...lines(otherwise)]), '{{- end }}'];
}

function entryLines(key: string, node: Merged, indent: number): readonly string[] {
  const start = `${' '.repeat(indent)}${oneLine(key)}:`;
  if (node.kind === 'map') {
    return node.entries.size === 0 ? [`${start} {}`] : [start, ...mapLines(node.entries, indent + 2)];
  }
  if (node.kind === 'list') {
    if (node.items.length === 0) return [`${start} []`];
    return [start, ...nodeLines(node, indent + 2), ...emptyLines(node.items, indent + 2)];
  }
  const { value } = node;
  if (isFilled(value)) return filledLines(value, start, indent);
  if (typeof value === 'string' && value.includes('\n')) return [`${start} |${chomp(value)}`, ...block(value, indent)];
  return [`${start} ${oneLine(value)}`];
}

/** A list that has lost all its items must be an empty list, and not null. */
function emptyLines(items: readonly Branch[], indent: number): readonly string[] {
  const whens = items.flatMap((item) => presence(item) ?? []);
  return whens.length < items.length ? [] : guarded([`${' '.repeat(indent)}[]`], `not (${either(whens)})`);
}

/** The condition under which there is a node; undefined: always. */
function presence({ cases, otherwise }: Branch): string | undefined {
  const whens = cases.filter(({ node }) => (node === undefined) === (otherwise !== undefined)).map(({ when }) => when);
  if (otherwise === undefined) return either(whens);
  return whens.length === 0 ? undefined : `not (${either(whens)})`;
}

function itemLines(node: Merged, indent: number): readonly string[] {
  const start = `${' '.repeat(indent)}-`;
  if (node.kind === 'leaf') {
    return [`${start} ${isFilled(node.value) ? node.value[marker].text : oneLine(node.value)}`];
  }
  const [first = '', ...rest] = nodeLines(node, indent + 2);
  if (first.startsWith('{{')) throw new Error(`no item of a list may begin with a condition: ${first}`);
  return [`${start} ${first.trimStart()}`, ...rest];
}

function filledLines({ [marker]: { text, as } }: Filled, start: string, indent: number): readonly string[] {
  switch (as) {
    case 'text':
      return [`${start} ${text}`];
    case 'yaml':
      return [start, `${' '.repeat(indent + 2)}{{- toYaml ${text} | nindent ${indent + 2} }}`];
    case 'optional':
      return [`{{- with ${text} }}`, `${start} {{ toJson . }}`, '{{- end }}'];
    case 'include':
      return [`${' '.repeat(indent)}{{- include "${text}" $ | nindent ${indent} }}`];
  }
}

/** First the key that names a thing, then the unconditional ones: a list's item cannot begin with a condition. */
function ordered(entries: ReadonlyMap<string, Branch>): readonly [string, Branch][] {
  const first = ['apiVersion', 'kind', 'metadata', 'name', 'namespace'];
  const rank = (key: string, branch: Branch): number => {
    const index = first.indexOf(key);
    if (index !== -1 && branch.cases.length === 0) return index;
    return branch.cases.length === 0 && !isOptional(branch) ? first.length : first.length + 1;
  };
  return [...entries].sort(([a, left], [b, right]) => rank(a, left) - rank(b, right));
}

function isOptional({ otherwise }: Branch): boolean {
  return otherwise?.kind === 'leaf' && isFilled(otherwise.value) && /optional|include/.test(otherwise.value[marker].as);
}

function isFilled(value: unknown): value is Filled {
  return typeof value === 'object' && value !== null && marker in value;
}

function oneLine(value: unknown): string {
  return escaped(stringify(value, { lineWidth: 0, singleQuote: true, defaultStringType: 'PLAIN' }).trimEnd());
}

function block(text: string, indent: number): readonly string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line) => (line === '' ? '' : escaped(`${' '.repeat(indent + 2)}${line}`)));
}

function chomp(text: string): string {
  return text.endsWith('\n') ? '' : '-';
}

/** Escapes literal braces, and puts in the namespace of the release. */
function escaped(text: string): string {
  return text.replaceAll('{{', '{{ "{{" }}').replaceAll(namespaceToken, '{{ .Release.Namespace }}');
}
