import { allBelow, type Shape, type Value } from './shape.ts';

/** The completion of bash: `source <(knudge completion bash)`. */
export function bashCompletion(program: Shape): string {
  const all = allBelow(program);
  return `# Completion of knudge for bash. In ~/.bashrc: source <(npx knudge completion bash)
_knudge() {
  local word=\${COMP_WORDS[COMP_CWORD]} path= place=0 index=1 words= kind=words
  while [ "$index" -lt "$COMP_CWORD" ]; do
    case "$path \${COMP_WORDS[index]}" in
${all.flatMap(({ commands }) => commands.map(intoCommand)).join('\n')}
${all.flatMap(overValues).join('\n')}
      *' -'*) ;;
      *) place=$((place + 1)) ;;
    esac
    index=$((index + 1))
  done
  if [ "$index" -gt "$COMP_CWORD" ]; then
    case "$path \${COMP_WORDS[COMP_CWORD - 1]}" in
${all.flatMap(optionValues).join('\n')}
    esac
  elif [ "\${word#-}" != "$word" ]; then
    case "$path" in
${all.map(({ path, options }) => `      '${path}') words='${options.flatMap(({ flags }) => flags).join(' ')}' ;;`).join('\n')}
    esac
  else
    case "$path $place" in
${all.flatMap(placeValues).join('\n')}
    esac
  fi
  case "$kind" in
    files) mapfile -t COMPREPLY < <(compgen -f -- "$word") && compopt -o filenames 2>/dev/null ;;
    folders) mapfile -t COMPREPLY < <(compgen -d -- "$word") && compopt -o filenames 2>/dev/null ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word") ;;
  esac
}
complete -F _knudge knudge
`;
}

/** An alias leads to the same place. */
function intoCommand({ path, names }: Shape): string {
  const before = path.split(' ').slice(0, -1).join(' ');
  const patterns = names.map((name) => `'${before} ${name}'`).join('|');
  return `      ${patterns}) path='${path}' place=0 ;;`;
}

/** The value of an option is no argument of the command. */
function overValues({ path, options }: Shape): readonly string[] {
  const flags = options.flatMap((option) => (option.value === undefined ? [] : option.flags));
  return flags.length === 0 ? [] : [`      ${patternOf(path, flags)}) index=$((index + 1)) ;;`];
}

function optionValues({ path, options }: Shape): readonly string[] {
  return options.flatMap(({ flags, value }) =>
    value === undefined ? [] : [`      ${patternOf(path, flags)}) ${setting(value)} ;;`],
  );
}

function placeValues({ path, commands, values }: Shape): readonly string[] {
  const names = commands.flatMap((command) => command.names);
  const places: readonly Value[] = names.length > 0 ? [{ of: 'words', words: names }] : values;
  return places.map((value, place) => `      '${path} ${place}') ${setting(value)} ;;`);
}

function patternOf(path: string, flags: readonly string[]): string {
  return flags.map((flag) => `'${path} ${flag}'`).join('|');
}

function setting(value: Value): string {
  return value.of === 'words' ? `words='${value.words.join(' ')}'` : `kind=${value.of}`;
}
