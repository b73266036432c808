import { allBelow, type OptionShape, type Shape, type Value } from './shape.ts';

/** The completion of fish: a file `knudge.fish` in ~/.config/fish/completions. */
export function fishCompletion(program: Shape): string {
  const lines = allBelow(program).flatMap((shape) => [
    ...shape.commands.map((command) => commandLine(shape, command)),
    ...shape.options.map((option) => optionLine(shape, option)),
    ...shape.values.map((value) => valueLine(shape, value)),
  ]);
  return `# Completion of knudge for fish: save it as ~/.config/fish/completions/knudge.fish
complete -c knudge -f
${lines.join('\n')}
`;
}

function commandLine(parent: Shape, { names, description }: Shape): string {
  const others = parent.commands.flatMap((one) => one.names).join(' ');
  const condition = [...seen(parent), `not __fish_seen_subcommand_from ${others}`].join('; and ');
  return `complete -c knudge -n '${condition}' -a '${names.join(' ')}' -d '${quoted(description)}'`;
}

function optionLine(shape: Shape, { flags, description, value }: OptionShape): string {
  const named = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ');
  const taken = value === undefined ? '' : ` -r${actionOf(value)}`;
  return `complete -c knudge${conditionOf(shape)} ${named}${taken} -d '${quoted(description)}'`;
}

/** fish does not know places of arguments: every value that fits any place is offered at each. */
function valueLine(shape: Shape, value: Value): string {
  return `complete -c knudge${conditionOf(shape)}${actionOf(value)}`;
}

function conditionOf(shape: Shape): string {
  const conditions = seen(shape);
  return conditions.length === 0 ? '' : ` -n '${conditions.join('; and ')}'`;
}

/** The condition that each word of the command's path was typed. */
function seen({ path, names }: Shape): readonly string[] {
  const before = path.split(' ').slice(0, -1);
  const words = path === '' ? [] : [...before, names.join(' ')];
  return words.map((word) => `__fish_seen_subcommand_from ${word}`);
}

function actionOf(value: Value): string {
  switch (value.of) {
    case 'words':
      return ` -a '${value.words.join(' ')}'`;
    case 'files':
      return ' -F';
    case 'folders':
      return " -a '(__fish_complete_directories)'";
    case 'anything':
      return '';
  }
}

function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
