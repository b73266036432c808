const width = 120;

/** Generated interfaces as Knudge writes them: everything readonly, comments as short as they can be. */
export function tidy(code: string): string {
  return code
    .replace(/^( +)(\w+\??: )/gm, '$1readonly $2')
    .replace(/: (\w+\[\];)$/gm, ': readonly $1')
    .replace(/^( +)(readonly \w+\??: )(\{\n(?:(?!\n\1\S)[\s\S])*\n\1\}\[\];)$/gm, '$1$2readonly $3')
    .replace(/^( *)\/\*\*\n\1 \* (.*)\n\1 \*\/$/gm, (_, indent: string, text: string) => comment(indent, text));
}

function comment(indent: string, text: string): string {
  const short = `${indent}/** ${text} */`;
  if (short.length <= width) return short;
  return [
    `${indent}/**`,
    ...wrapped(text, width - indent.length - 3).map((line) => `${indent} * ${line}`),
    `${indent} */`,
  ].join('\n');
}

function wrapped(text: string, longest: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > longest) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
