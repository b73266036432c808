/** A piece of text that people read, and the line on which it begins. */
export interface Prose {
  readonly line: number;
  readonly text: string;
}

/** What people read in a file of TypeScript. */
export interface Said {
  readonly comments: readonly Prose[];
  readonly messages: readonly Prose[];
}

const comment = /\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/;
/** A regular expression begins only where a value may begin: elsewhere a slash divides. */
const regular =
  /(?<=(?:[(,=:[!&|?{};>]|\breturn|^)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/[\\\n])+\/[dgimsuvy]*/;
const quoted = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/;
const template = /`(?:\\.|\$\{(?:[^{}`]|`(?:\\.|[^`\\])*`|\{[^{}]*\})*\}|[^`\\])*`/;
const token = new RegExp([comment, regular, quoted, template].map(({ source }) => `(${source})`).join('|'), 'g');
/** A row of a table, a link, one piece of code: they cannot be broken. */
const mayBeLong = /^ *\||\]\(|^\[.+\]: |^\s*(?:[-*] )?`[^`]+`\S?$/;
const quotedTitles = /(?<=`[^`\n]+\.test\.ts`)(?:(?:,|\sand)?\s"[^"]+")+/g;

/** The comments of a TypeScript source, and its strings of more than one word, without what templates compute. */
export function proseOf(source: string): Said {
  const comments: Prose[] = [];
  const messages: Prose[] = [];
  for (const { index, 0: whole, 1: said, 2: expression } of source.matchAll(token)) {
    const line = lineOf(source, index);
    if (said !== undefined) comments.push({ line, text: withoutCode(said.replace(/^[ \t]*(?:\*|\/\/)/gm, '')) });
    else if (expression === undefined && /\S\s+\S/.test(whole)) messages.push({ line, text: withoutValues(whole) });
  }
  return { comments, messages };
}

/**
 * The comments of a file whose comments begin with `#`, such as YAML and shell, and the texts for people in its fields. Lines that
 * follow each other are one comment.
 */
export function proseOfHashes(source: string): Said {
  const of = (pattern: RegExp): readonly Prose[] =>
    [...source.matchAll(pattern)].map(({ index, 0: whole }) => ({
      line: lineOf(source, index),
      text: withoutCode(whole.replace(/^[ \t]*#/gm, '')),
    }));
  return {
    comments: of(/(?<=^|[ \t])#[ \t][^\n]*(?:\n[ \t]*#[ \t][^\n]*)*/gm),
    messages: [...of(new RegExp(`(?<=^[ \\t]*${forPeople})(?![|>])[^\\n]+`, 'gm')), ...blocksOf(source)],
  };
}

const forPeople = '(?:- )?(?:about|description|message|summary): ';

/** The texts for people that stand in the lines below their field: the block scalars of YAML. */
function blocksOf(source: string): readonly Prose[] {
  const block = new RegExp(
    `^([ \\t]*)${forPeople}[|>][-+\\d]*[ \\t]*\\n((?:\\1[ \\t]+\\S[^\\n]*(?:\\n|$)|[ \\t]*\\n)+)`,
    'gm',
  );
  return [...source.matchAll(block)].map(({ index, 0: whole, 2: text = '' }) => ({
    line: lineOf(source, index + whole.length - text.length),
    text: withoutCode(text),
  }));
}

/** The comments of a template of Helm, and its text without what the template computes. */
export function proseOfTemplate(source: string): Said {
  const comments = [...source.matchAll(/\{\{-?\s*\/\*([\s\S]*?)\*\/\s*-?\}\}/g)].map(({ index, 1: text = '' }) => ({
    line: lineOf(source, index),
    text: withoutCode(text),
  }));
  return { comments, messages: [{ line: 1, text: withoutCode(source.replace(/\{\{[\s\S]*?\}\}/g, masked)) }] };
}

/** Markdown without its code, the addresses of its links, and the titles of tests that it quotes beside their file. */
export function proseOfMarkdown(text: string): Prose {
  const said = withoutBlocks(text).replace(quotedTitles, masked);
  return { line: 1, text: withoutCode(said).replace(/\]\([^)\n]*\)/g, masked) };
}

/** The lines of Markdown that are longer than this; code blocks and what a command has drawn do not count. */
export function longLines(text: string, most: number): readonly number[] {
  return withoutBlocks(text)
    .replace(/^<!-- .*: from here -->$[\s\S]*?^<!-- .*: to here -->$/gm, (drawn) => drawn.replace(/[^\n]/g, ''))
    .split('\n')
    .flatMap((line, index) => ([...line].length > most && !mayBeLong.test(line) ? [index + 1] : []));
}

export function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function withoutBlocks(text: string): string {
  return text.replace(/^( *)```[\s\S]*?^\1```/gm, (block) => block.replace(/[^\n]/g, ''));
}

function withoutCode(text: string): string {
  return text.replace(/`[^`]+`/g, masked);
}

function withoutValues(text: string): string {
  return text.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, masked);
}

/** Signs that are no words, so that the words beside code do not become neighbours of each other. */
function masked(text: string): string {
  return text.replace(/\S/g, '·');
}
