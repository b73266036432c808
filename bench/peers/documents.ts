import { median } from '../statistics.ts';
import { curveSvg } from './curve-svg.ts';
import { goalsOf } from './goals.ts';
import { type Contender, type Figures, type Measured, whole } from './measured.ts';
import { callsTable, curveTable, goalsTable, markdownOf, tableOf } from './tables.ts';

/** The text between these lines of a document is written by the bench. */
const [begins, ends] = [
  '<!-- npm run bench:peers -- --draw: from here -->',
  '<!-- npm run bench:peers -- --draw: to here -->',
];

/** The document with this part in place of the old one. Throws if it has no such part. */
export function withPart(document: string, part: string): string {
  const [from, to] = [document.indexOf(begins), document.indexOf(ends)];
  if (from === -1 || to < from) throw new Error(`the document has no part between "${begins}" and "${ends}"`);
  return `${document.slice(0, from + begins.length)}\n${part}\n${document.slice(to)}`;
}

/** The part of docs/cost.md. */
export function costPart(measured: Measured): string {
  const isDrawn = measured.contenders.some(({ curve }) => curve.length > 1);
  return [
    conditionsOf(measured),
    markdownOf(tableOf(measured)),
    aheadOf(measured),
    markdownOf(goalsTable(measured)),
    markdownOf(callsTable(measured)),
    ...(isDrawn ? [markdownOf(curveTable(measured)), `![${curveTitle}](peers.svg)`] : []),
  ].join('\n\n');
}

/** With fewer of them one busy minute makes a contestant slow. */
const fewRounds = 3;
const warning =
  ' With so few rounds seconds say little, since the load was not the same for all; counts, CPU and memory do.';

const curveTitle = 'Memory of a Message controller, idle, by unrelated Pods';

export function svgOf({ contenders }: Measured): string {
  return curveSvg(contenders, curveTitle);
}

export function conditionsOf({ date, system, cpus, load, messages, latency, contenders }: Measured): string {
  const rounds = Math.max(0, ...contenders.map(({ turns }) => turns.length));
  const [before = 0, after = 0] = load;
  const size = `${count(rounds, 'round')} of ${String(latency)} Messages one after the other and ${messages.toLocaleString('en')} at once`;
  return `${date.slice(0, 10)}, ${system}, ${String(cpus)} CPUs that other work shared, load ${before.toFixed(1)} at the beginning and ${after.toFixed(1)} at the end; ${size}.${rounds < fewRounds ? warning : ''}`;
}

/** By row, the names of the contestants with a better figure. */
export function aheadOf({ contenders }: Measured): string {
  const knudge = contenders.find(({ name }) => name === 'knudge');
  if (knudge === undefined || knudge.turns.length === 0) return '';
  const said = rows.map(([what, pick]) => {
    const better = contenders.filter(
      (one) => one !== knudge && one.turns.length > 0 && of(one, pick) < of(knudge, pick),
    );
    const names = better.map((one) => `${one.label} (${(of(one, pick) / of(knudge, pick)).toFixed(2)} × Knudge's)`);
    return names.length === 0 ? `${what}: no contestant` : `${what}: ${names.join(', ')}`;
  });
  return `Who is ahead of Knudge, platform included:\n\n${said.map((line) => `- ${line}`).join('\n')}`;
}

const rows: readonly (readonly [string, (turn: Figures) => number])[] = [
  ['to the Pod, p50', ({ p50 }) => p50],
  ['a burst, until all are Processed', ({ burstProcessed }) => burstProcessed],
  ['CPU a Message', ({ cpuMs }) => whole(cpuMs)],
  ['API calls a Message', ({ calls }) => Object.values(calls).reduce((sum, count) => sum + count, 0)],
  ['memory, idle', ({ idleMb }) => whole(idleMb)],
  ['memory, with the Messages', ({ fullMb }) => whole(fullMb)],
  ['restart to first answer', ({ toFirstAnswer }) => toFirstAnswer],
];

/** The five lines of README.md. */
export function readmePart(measured: Measured): string {
  const each = (pick: (turn: Figures) => string): string =>
    measured.contenders
      .filter(({ turns }) => turns.length > 0)
      .map((one) => `${one.label} ${pick(middle(one))}`)
      .join('; ');
  const missed = goalsOf(measured).filter(({ isMet }) => !isMet);
  const goals = missed.length === 0 ? 'All goals are met.' : `Missed: ${missed.map(({ what }) => what).join('; ')}.`;
  return [
    `- **From the apply of a Message to its Pod**, p50 ms: ${each(({ p50 }) => p50.toFixed(0))}.`,
    `- **${measured.messages.toLocaleString('en')} Messages at once**, s until all are Processed: ${each(({ burstProcessed }) => (burstProcessed / 1000).toFixed(1))}.`,
    `- **CPU ms and API calls for each**: ${each(
      ({ cpuMs, calls }) =>
        `${whole(cpuMs).toFixed(1)} and ${Object.values(calls)
          .reduce((sum, one) => sum + one, 0)
          .toFixed(1)}`,
    )}.`,
    `- **Memory in MB**, idle${growthWords(measured)}: ${measured.contenders
      .filter(({ turns }) => turns.length > 0)
      .map((one) => memoryWords(one, lastPods(measured)))
      .join('; ')}.`,
    `- ${goals} ${conditionsOf(measured)} All of it is in [docs/cost.md](docs/cost.md#beside-the-peers).`,
  ].join('\n');
}

/** The last point of the curve that any contestant has. */
function lastPods({ contenders }: Measured): number {
  return Math.max(0, ...contenders.flatMap(({ curve }) => curve.map(({ pods }) => pods)));
}

function growthWords(measured: Measured): string {
  const pods = lastPods(measured);
  return pods === 0 ? '' : ` → with ${pods.toLocaleString('en')} unrelated Pods`;
}

/** A contestant that has not come to the last point of the curve has no figure there. */
function memoryWords({ label, turns, curve }: Contender, pods: number): string {
  const [first] = curve;
  if (first === undefined || pods === 0)
    return `${label} ${median(turns.map(({ idleMb }) => whole(idleMb))).toFixed(0)}`;
  const last = curve.find((point) => point.pods === pods);
  return `${label} ${whole(first.mb).toFixed(0)} → ${last === undefined ? 'not up in time' : whole(last.mb).toFixed(0)}`;
}

/** Each figure is the median of the rounds; the calls are those of the last round. */
function middle({ turns }: Contender): Figures {
  const last = turns.at(-1);
  if (last === undefined) throw new Error('no turn');
  const number = (pick: (turn: Figures) => number): number => median(turns.map(pick));
  return {
    ...last,
    p50: number(({ p50 }) => p50),
    burstProcessed: number(({ burstProcessed }) => burstProcessed),
    cpuMs: { own: number(({ cpuMs }) => cpuMs.own), platform: number(({ cpuMs }) => cpuMs.platform) },
    idleMb: { own: number(({ idleMb }) => idleMb.own), platform: number(({ idleMb }) => idleMb.platform) },
  };
}

function of({ turns }: Contender, pick: (turn: Figures) => number): number {
  return median(turns.map(pick));
}

function count(number: number, what: string): string {
  return `${String(number)} ${what}${number === 1 ? '' : 's'}`;
}
