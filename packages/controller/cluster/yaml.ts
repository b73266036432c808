import { type Document, isMap, isNode, LineCounter, parseAllDocuments, stringify } from 'yaml';

/** The way to a field: keys, and indices of lists. */
export type FieldPath = readonly (string | number)[];

/** One document of a YAML file. */
export interface YamlDocument {
  /** As JSON, with aliases and merge keys resolved. */
  readonly value: unknown;
  /** The line of a field, from 1; if the document has no such field, the line of what is nearest above it. */
  lineOf(path: FieldPath): number;
}

/** A fault in a file, and its line. */
export interface YamlFault {
  readonly line: number;
  readonly text: string;
}

type Tree = Document.Parsed;

/** Go's YAML leaves timestamps as text if JSON is wanted, so `2026-11-21` is not a Date. */
const timestamp = 'tag:yaml.org,2002:timestamp';

/**
 * The documents of a YAML file as Kubernetes reads it (YAML 1.1: anchors, `<<`), without empty ones. The faults say what
 * cannot be read, one sentence each.
 */
export function parseYaml(text: string): {
  readonly documents: readonly YamlDocument[];
  readonly faults: readonly YamlFault[];
} {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, {
    version: '1.1',
    lineCounter: lines,
    prettyErrors: false,
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || tag.tag !== timestamp),
  });
  const trees: readonly Tree[] = 'empty' in parsed ? [] : parsed;
  const faults = trees.flatMap((tree) =>
    tree.errors.map(({ message, pos }) => ({ line: lines.linePos(pos[0]).line, text: message })),
  );
  const documents = trees.filter(({ errors }) => errors.length === 0).map((tree) => toDocument(tree, lines));
  return { documents: documents.filter(({ value }) => value !== null), faults };
}

/** A value as a YAML document that Kubernetes reads as the same value: texts that YAML 1.1 takes for others are quoted. */
export function printYaml(value: unknown): string {
  return stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}

function toDocument(tree: Tree, lines: LineCounter): YamlDocument {
  return {
    value: tree.toJS() as unknown,
    lineOf: (path) => {
      for (let length = path.length; length > 0; length -= 1) {
        const start = startOf(tree, path.slice(0, length));
        if (start !== undefined) return lines.linePos(start).line;
      }
      return lines.linePos(tree.contents?.range?.[0] ?? 0).line;
    },
  };
}

/** The position of the key of a field, or of an item of a list. */
function startOf(tree: Tree, path: FieldPath): number | undefined {
  const parent = path.length === 1 ? tree.contents : tree.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  if (isMap(parent)) {
    const key: unknown = parent.items.find((pair) => isNode(pair.key) && pair.key.toJS(tree) === last)?.key;
    return isNode(key) ? key.range?.[0] : undefined;
  }
  const node: unknown = tree.getIn(path, true);
  return isNode(node) ? node.range?.[0] : undefined;
}
