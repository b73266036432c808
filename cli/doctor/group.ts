import type { Finding } from '../../packages/controller/doctor/finding.ts';

/** Puts findings of one cause together: the same is wrong with several objects of a kind, and for the same reason. */
export function groupByCause(findings: readonly Finding[]): readonly Finding[] {
  return [...Map.groupBy(findings, causeOf).values()].map((same) => together(same as [Finding, ...Finding[]]));
}

/** `Trigger knudge/pod-changed is not there`: a kind, an object, and its state. */
const aboutOne = /^(?<kind>[A-Z]\w+) (?<name>\S+) (?<state>.+)$/s;

function causeOf(finding: Finding): string {
  const { check, level, what, why } = finding;
  const { kind, state } = aboutOne.exec(what)?.groups ?? {};
  const isAlone = level === 'ok' || level === 'unchecked' || kind === undefined;
  return JSON.stringify([check, level, why, ...(isAlone ? [what] : [kind, state])]);
}

function together([first, ...others]: readonly [Finding, ...Finding[]]): Finding {
  if (others.length === 0) return first;
  const names = others.map(({ what }) => aboutOne.exec(what)?.groups?.['name'] ?? what);
  const todos = [...new Set([first, ...others].flatMap(({ todo }) => todo ?? []))];
  return { ...first, what: `${first.what}; the same of ${names.join(', ')}`, todo: joined(todos) };
}

const applyFile = /^kubectl apply -f (?<file>[^\s-]\S*)$/;

/** One command for all where that is possible. */
function joined(todos: readonly string[]): string {
  const files = todos.flatMap((todo) => applyFile.exec(todo)?.groups?.['file'] ?? []);
  if (files.length < todos.length) return todos.join(' && ');
  return `kubectl apply ${files.map((file) => `-f ${file}`).join(' ')}`;
}
