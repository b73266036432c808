import { posix } from 'node:path';

/** The project in which a page stands. */
export interface Around {
  readonly exists: (path: string) => boolean;
  readonly textOf: (path: string) => string;
  /** The names of its npm scripts. */
  readonly scripts: readonly string[];
}

/** The links of a page that lead to no file, and those whose anchor is not a heading of the file that they lead to. */
export function brokenLinks(path: string, text: string, { exists, textOf }: Around): readonly string[] {
  return targetsOf(text).filter((target) => {
    const [link = '', anchor] = target.split('#');
    const file = link === '' ? path : posix.join(posix.dirname(path), link);
    if (link !== '' && !exists(file)) return true;
    if (anchor === undefined || !file.endsWith('.md')) return false;
    return !anchorsOf(file === path ? text : textOf(file)).includes(anchor);
  });
}

/** The npm scripts that a text names and that do not exist. */
export function unknownScripts(text: string, { scripts }: Pick<Around, 'scripts'>): readonly string[] {
  const found = text.matchAll(/\bnpm (?:run (?:--?[\w=-]+ )*([a-z][\w:-]*)|(test|start)\b)/g);
  return [...found].map(([, run, short]) => run ?? short ?? '').filter((name) => !scripts.includes(name));
}

/** The targets of the links of a page that stay in the project. */
function targetsOf(text: string): readonly string[] {
  const found = [...withoutBlocks(text).matchAll(/\]\(<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)/gm)];
  return found
    .map(([, inline, reference]) => inline ?? reference ?? '')
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target));
}

/** The anchors of a page's headings, as GitHub makes them: the second of two equal headings ends in `-1`. */
function anchorsOf(text: string): readonly string[] {
  const counts = new Map<string, number>();
  return [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .replace(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const before = counts.get(anchor) ?? 0;
    counts.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

export function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function withoutBlocks(text: string): string {
  return text.replace(/^( *)```[\s\S]*?^\1```/gm, '');
}
