/** A file or a folder that a command gives to kubectl. */
export interface Given {
  readonly option: '-f' | '-k';
  readonly target: string;
}

const command = /\bkubectl\b(?<words>[^\n`'"|&;#]*)/g;
const verb = /\s(?:apply|create|delete|diff|replace|reconcile)(?=\s)/;
const named = /\s(?<option>-f|--filename|-k|--kustomize)[\s=]+(?<target>[^\s,)]+)/g;

/** What the commands in a text give to kubectl; not what comes from a pipe or the network, nor what a reader fills in. */
export function foldersIn(text: string): readonly Given[] {
  return [...text.matchAll(command)].flatMap(({ groups }) => {
    const words = groups?.['words'] ?? '';
    if (!verb.test(words)) return [];
    return [...words.matchAll(named)].flatMap((found): readonly Given[] => {
      const { option = '', target = '' } = found.groups ?? {};
      if (target === '-' || /^https?:|[<>${}]/.test(target)) return [];
      return [{ option: /k/.test(option) ? '-k' : '-f', target: target.replace(/[./:]+$/, '') || '.' }];
    });
  });
}
