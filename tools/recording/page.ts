import type { Line, Played } from './play.ts';

const intro = `# The first five minutes

This is a recording, made by \`npm run recording\` from an empty folder to the end: real commands, with what they
printed. The first column says how many seconds after the beginning a line came, the second in which terminal.
\`npm run test:dataplane\` runs the same commands and looks at what they print; the times are those of one machine with
two cores and other work on it.
`;

/** The page of a recording; `hide` replaces what names the machine. */
export function pageOf(played: readonly Played[], hide: (text: string) => string): string {
  const parts = played.map(({ section, lines }) => {
    const text = lines.filter((line) => line.isCommand || line.text !== '').flatMap(linesOf);
    const block = `\`\`\`text\n${hide(text.join('\n'))}\n\`\`\`\n`;
    const pictures = section.steps.flatMap(({ picture }) =>
      picture === undefined ? [] : [`\n![The console at this moment](console/${picture})\n`],
    );
    return `## ${section.title}\n\n${wrapped(section.says)}\n\n${block}${pictures.join('')}`;
  });
  return [intro, ...parts].join('\n');
}

function linesOf({ at, terminal, text, isCommand }: Line): readonly string[] {
  const [first = '', ...others] = text.split('\n');
  const start = `${at.toFixed(1).padStart(6)}  ${terminal}  `;
  return [
    `${start}${isCommand && first !== '^C' ? '$ ' : ''}${first}`,
    ...others.map((line) => `${' '.repeat(start.length)}${line}`),
  ];
}

/** A block of the page, as its commands, each with what came after it. */
export interface Block {
  readonly title: string;
  readonly commands: readonly { readonly run: string; readonly prints: string }[];
}

/** What a page of a recording shows. */
export function blocksOf(page: string): readonly Block[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = ''] = part.split('\n');
      const [, text = ''] = /^```text\n([\s\S]*?)\n```$/m.exec(part) ?? [];
      return { title, commands: commandsIn(text) };
    });
}

interface Command {
  run: string;
  prints: string;
  readonly terminal: string;
}

function commandsIn(text: string): readonly Command[] {
  const commands: Command[] = [];
  for (const line of text.split('\n')) {
    const [, terminal = '', mark, rest = ''] = /^.{8}([12 ]) {2}(\$ (?=.)|\^C$)?(.*)$/.exec(line) ?? [];
    const last = commands.at(-1);
    if (mark !== undefined) commands.push({ run: mark === '^C' ? mark : rest, prints: '', terminal });
    else if (terminal === ' ' && last !== undefined) last.run += `\n${rest}`;
    else if (last !== undefined && terminal === last.terminal) last.prints += `${rest}\n`;
  }
  return commands;
}

/** Lines of at most 120 characters. */
function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    const line = lines[last] ?? '';
    if (line.length + 1 + word.length > 120) lines.push(word);
    else lines[last] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
