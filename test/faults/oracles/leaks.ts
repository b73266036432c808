import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { asObject, byRuns } from './accessors.ts';

/** Shorter values stand in many texts by chance. */
const shortest = 16;

/** Where bytes of a Secret stand that are no certificate: in what was said, or in an object of a run that is no Secret. */
export function leaksOf(trace: Trace): readonly string[] {
  const secrets = canariesIn(trace);
  if (secrets.size === 0) return [];
  const objects = byRuns(trace.changes)
    .filter(({ object }) => object.kind !== 'Secret')
    .map(({ object }) => ({ where: nameOf(refOf(object)), text: JSON.stringify(object) }));
  const said = trace.output.map((text) => ({ where: `what was said (${excerpt(text)})`, text }));
  const answers = trace.answers.map(({ run, body, headers }) => ({
    where: `the answer of run ${String(run)}`,
    text: `${body} ${JSON.stringify(headers)}`,
  }));
  const found = [...objects, ...said, ...answers].flatMap(({ where, text }) =>
    [...secrets].filter(([secret]) => text.includes(secret)).map(([, of]) => `bytes of ${of} stand in ${where}`),
  );
  return [...new Set(found)];
}

/** The pieces to look for, and whose they are: each value as it is stored and as it is meant, a key line by line. */
function canariesIn({ calls, changes, objects }: Trace): ReadonlyMap<string, string> {
  // What was to be written and never was is a secret too.
  const sent = calls.filter(({ resource }) => resource === 'secrets').flatMap(({ body }) => asObject(body) ?? []);
  const stored = [...changes.map(({ object }) => object), ...objects].filter(({ kind }) => kind === 'Secret');
  const secrets = [...sent, ...stored];
  return new Map(
    secrets.flatMap((secret) =>
      valuesOf(secret).flatMap((value) => piecesOf(value).map((piece) => [piece, nameOf(refOf(secret))] as const)),
    ),
  );
}

function valuesOf(secret: KubeObject): readonly string[] {
  const data = pick(secret, 'data');
  return typeof data === 'object' && data !== null ? Object.values(data).map(String) : [];
}

function piecesOf(base64: string): readonly string[] {
  const text = Buffer.from(base64, 'base64').toString();
  // A certificate is shown to everybody who connects.
  if (/^\s*-----BEGIN CERTIFICATE-----/.test(text)) return [];
  const lines = text.split('\n').filter((line) => !line.startsWith('-----'));
  return [base64, ...lines].filter((piece) => piece.length >= shortest);
}

function excerpt(text: string): string {
  return text.slice(0, 40);
}
