import type { Finding } from './types.ts';

/** Findings that one deed mends. */
export interface Cause {
  readonly level: Finding['level'];
  readonly title: string;
  readonly why?: string;
  readonly todo?: string;
  readonly findings: readonly Finding[];
}

const order: readonly Finding['level'][] = ['problem', 'warning', 'unchecked', 'ok'];

const words = { problem: 'Problems', warning: 'Warnings', unchecked: 'Not checked', ok: 'In order' } as const;

/** Groups findings by what to do about them, else by their check; the worst comes first. */
export function causesOf(findings: readonly Finding[]): readonly Cause[] {
  const groups = Map.groupBy(
    findings,
    ({ level, todo, check }) => `${level}\n${todo ?? (level === 'unchecked' ? '' : check)}`,
  );
  return [...groups.values()]
    .flatMap((of): readonly Cause[] => {
      const [first] = of;
      if (first === undefined) return [];
      const { level, why, todo } = first;
      const isOneCheck = of.every(({ check }) => check === first.check);
      const title = of.length === 1 ? first.what : `${isOneCheck ? first.check : words[level]}: ${of.length} findings`;
      return [{ level, title, findings: of, ...(why !== undefined && { why }), ...(todo !== undefined && { todo }) }];
    })
    .toSorted((one, other) => order.indexOf(one.level) - order.indexOf(other.level));
}

/** The commands in a sentence: what stands between backticks, and what begins as commands do. */
export function commandsIn(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const quoted = [...text.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command);
  const plain = [...text.matchAll(/(?:^|: )((?:kubectl|npx|helm|npm|docker) [^\n;]+?)(?=$|[;,]\s|\.\s|\.$)/gm)];
  return [...new Set([...quoted, ...plain.map(([, command = '']) => command)])];
}
