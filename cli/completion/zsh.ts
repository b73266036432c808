import { allBelow, type OptionShape, type Shape, type Value } from './shape.ts';

/** The completion of zsh: a file `_knudge` in a folder of `fpath`. */
export function zshCompletion(program: Shape): string {
  return `#compdef knudge
# Completion of knudge for zsh: save it as _knudge in a folder of fpath.
${allBelow(program).map(functionOf).join('\n')}
_knudge "$@"
`;
}

function functionOf(shape: Shape): string {
  return `${nameOf(shape)}() {\n${shape.commands.length > 0 ? withCommands(shape) : alone(shape)}\n}`;
}

function alone({ options, values }: Shape): string {
  const places = values.map((value, index) => `'${index + 1}:${value.of}:${actionOf(value)}'`);
  return `  _arguments ${[...options.map(optionOf), ...places].join(' \\\n    ')}`;
}

function withCommands({ options, commands }: Shape): string {
  const described = commands.flatMap(({ names, description }) =>
    names.map((name) => `'${name}:${quoted(description)}'`),
  );
  const cases = commands.map((one) => `      ${one.names.join('|')}) ${nameOf(one)} ;;`);
  return `  local line state
  _arguments -C ${options.map(optionOf).join(' \\\n    ')} '1: :->command' '*::: :->rest'
  case $state in
    command) local -a commands=(${described.join(' ')}); _describe command commands ;;
    rest) case $line[1] in
${cases.join('\n')}
    esac ;;
  esac`;
}

function nameOf({ path }: Shape): string {
  return path === '' ? '_knudge' : `_knudge_${path.replaceAll(/[ -]/g, '_')}`;
}

function optionOf({ flags, description, value }: OptionShape): string {
  const taken = value === undefined ? '' : `:${value.of}:${actionOf(value)}`;
  return flags.map((flag) => `'${flag}[${quoted(description)}]${taken}'`).join(' ');
}

function actionOf(value: Value): string {
  switch (value.of) {
    case 'words':
      return `(${value.words.join(' ')})`;
    case 'files':
      return '_files';
    case 'folders':
      return '_files -/';
    case 'anything':
      return ' ';
  }
}

/** Within single quotes, where brackets and colons mean something to \`_arguments\`. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, '\\$&');
}
