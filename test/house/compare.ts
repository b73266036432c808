import { textOf } from './files.ts';

/** Lines of a file that somebody writes for the Message operator. */
interface Part {
  readonly path: string;
  /** The beginnings of the blocks that count: the whole file where none is named. */
  readonly blocks?: readonly string[];
  /** The beginnings of the blocks that do not count. */
  readonly without?: readonly string[];
}

/** The Message operator on one framework: what people write for it, and what of that is not about Messages. */
export interface Operator {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly aside: readonly Part[];
}

const goMain = 'bench/peers/contestants/controller-runtime/main.go';
const goTypes = 'bench/peers/contestants/controller-runtime/message.go';
const goImport = (path: string): string => `"${path}"`;
const kopf = 'bench/peers/contestants/kopf/operator.py';
const hook = 'examples/compare/metacontroller/hook.ts';

export const operators: readonly Operator[] = [
  {
    name: 'Knudge',
    parts: [
      { path: 'resources/message/message.ts' },
      { path: 'resources/message/pod.ts' },
      { path: 'resources/managed/settings.ts', blocks: ['MESSAGE_IMAGE:'] },
      {
        path: 'resources/managed/resources.ts',
        blocks: [
          'import { message }',
          "readonly images: ServiceTools['images']",
          'const all = [distributedService(tools)',
          'return all.map(',
        ],
      },
      { path: 'functions/table.ts', blocks: ["'message-changed': defineFunction({"] },
    ],
    aside: [{ path: 'resources/message/pod.ts', blocks: ['spec: {'] }],
  },
  {
    name: 'kopf',
    parts: [{ path: kopf }],
    aside: [
      {
        path: kopf,
        blocks: [
          'import base64',
          'import ssl',
          '@kopf.on.startup()',
          'async def connect(',
          '@kopf.on.cleanup()',
          'async def leave(',
        ],
      },
    ],
  },
  {
    name: 'controller-runtime',
    parts: [
      {
        path: goMain,
        // What only TUNED=true needs, which the bench runs as a contestant of its own.
        without: [
          'if tuned {',
          'var work controller.Options',
          goImport('k8s.io/apimachinery/pkg/labels'),
          goImport('sigs.k8s.io/controller-runtime/pkg/cache'),
          goImport('sigs.k8s.io/controller-runtime/pkg/controller'),
        ],
      },
      // What controller-gen writes from the types.
      {
        path: goTypes,
        without: ['func (m *Message) copied(', 'func (m *Message) DeepCopyObject(', 'func (l *MessageList)'],
      },
    ],
    aside: [
      { path: goMain, blocks: ['func main() {', 'func run('], without: ['if tuned {', 'var work controller.Options'] },
      { path: goTypes, blocks: ['func addMessages('] },
    ],
  },
  {
    name: 'Pepr',
    parts: [{ path: 'examples/compare/pepr/message.ts' }, { path: 'examples/compare/pepr/pepr.ts' }],
    aside: [{ path: 'examples/compare/pepr/pepr.ts' }],
  },
  {
    name: 'Metacontroller',
    parts: [{ path: 'examples/compare/metacontroller/controller.yaml' }, { path: hook }],
    aside: [{ path: hook, blocks: ['import { createServer }', 'const server = createServer(', 'server.listen('] }],
  },
];

/** The lines of parts that are neither blank nor a comment. Throws where a block is named that the file does not have. */
export function linesOf(parts: readonly Part[]): readonly string[] {
  return parts.flatMap(({ path, blocks, without = [] }) => {
    const lines = codeLines(path, textOf(path));
    const gone = new Set(without.flatMap((start) => blockOf(path, lines, start)));
    const counted = blocks?.flatMap((start) => blockOf(path, lines, start)) ?? [...lines.keys()];
    return counted.filter((at) => !gone.has(at)).map((at) => lines[at] ?? '');
  });
}

/** The lines of a program or of YAML that are neither blank nor a comment. */
export function codeLines(path: string, text: string): readonly string[] {
  const isOfHashes = /\.(py|ya?ml)$/.test(path);
  let inComment = false;
  return text.split('\n').filter((line) => {
    const start = line.trim();
    if (isOfHashes) return start !== '' && !start.startsWith('#') && !/^""".*"""$/.test(start);
    if (start.startsWith('/*')) inComment = true;
    const isComment = inComment || start.startsWith('//');
    if (start.endsWith('*/')) inComment = false;
    return start !== '' && !isComment;
  });
}

/** The numbers of the lines of a block: the one that begins so, those further in after it, and the bracket that closes it. */
function blockOf(path: string, lines: readonly string[], start: string): readonly number[] {
  const first = lines.findIndex((line) => line.trim().startsWith(start));
  if (first === -1)
    throw new Error(`${path} has no line that begins with ${start}: name another in ${import.meta.url}`);
  const indent = indentOf(lines[first] ?? '');
  const rest = lines.slice(first + 1);
  const inner = rest.findIndex((line) => indentOf(line) <= indent);
  const length = inner === -1 ? rest.length : inner;
  const isClosed = length > 0 && /^[)}\]]/.test(rest[length]?.trim() ?? '');
  return Array.from({ length: 1 + length + (isClosed ? 1 : 0) }, (_, at) => first + at);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
