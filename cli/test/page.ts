/** A command of a page, and what the page says that it prints. */
export interface Example {
  /** Of `knudge`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `…` stands for anything within a line, a line of it alone for any lines. */
  readonly prints: readonly string[];
  readonly code: number;
}

/** Every `$ npx knudge …` of the console blocks of a Markdown text, in order. `$ echo $?` after it shows its exit code. */
export function examplesIn(markdown: string): readonly Example[] {
  const blocks = [...markdown.matchAll(/^```console\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);
  return blocks.flatMap((block) => {
    const steps = block.split(/^\$ /m).slice(1).map(stepOf);
    return steps.flatMap((step, index) => {
      const example = exampleOf(step);
      const next = steps[index + 1];
      if (example === undefined) return [];
      return next?.line === 'echo $?' ? [{ ...example, code: Number(next.prints[0]) }] : [example];
    });
  });
}

interface Step {
  readonly line: string;
  readonly prints: readonly string[];
}

function stepOf(text: string): Step {
  const [line = '', ...prints] = text.trimEnd().split('\n');
  return { line, prints };
}

function exampleOf({ line, prints }: Step): Example | undefined {
  const [, assignments = '', rest] = /^((?:[A-Z_]+=\S+ )*)npx knudge ?(.*)$/.exec(line) ?? [];
  if (rest === undefined) return undefined;
  const env = Object.fromEntries([...assignments.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
  return { args: rest.split(' '), env, prints, code: 0 };
}

/** Whether a text is what the page says: all of it, or with `begins` its first lines. */
export function isAsTold(prints: readonly string[], text: string, how: 'whole' | 'begins' = 'whole'): boolean {
  const lines = prints.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(escaped).join('.*?')}\\n`));
  return new RegExp(`^${lines.join('')}${how === 'whole' ? '$' : ''}`).test(text);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
