import type { Row } from '../report.ts';
import { median, pairedRatio } from '../statistics.ts';
import type { Measured } from './measure.ts';

/** What the source may take: at rest without objects compared with a bare server, and for each further object. */
const goals = { timesBare: 1.5, bytesAnObject: 1024 };

const MB = 1_000_000;

/** A row for each number of objects and each beginning, from all rounds together. */
export function rowsOf(rounds: readonly (readonly Measured[])[]): readonly Row[] {
  const all = rounds.flat();
  const [smallest = 0, ...larger] = [...new Set(all.map(({ objects }) => objects))].toSorted((a, b) => a - b);
  const largest = larger.at(-1);
  const keys = [...new Set(all.map(keyOf))];
  return keys.map((key) => {
    const own = all.filter((one) => keyOf(one) === key);
    const { objects, beginning } = own[0] ?? noMeasure;
    const base = all.filter((one) => one.objects === smallest && one.beginning === beginning);
    const perObject = bytesAnObject(own, base);
    const times = pairedRatio(
      residentOf(own),
      own.map(({ bare }) => bare),
    );
    return {
      name: `${objects.toLocaleString('en')} objects, ${beginning}`,
      figures: {
        '× bare': times,
        MB: median(residentOf(own)) / MB,
        'most MB': median(own.map(({ most }) => most)) / MB,
        ...(objects > smallest && { 'bytes an object': Math.round(perObject) }),
        ...(objects > 0 && { 'file, bytes an object': Math.round(median(own.map(({ file }) => file)) / objects) }),
        s: median(own.map(({ seconds }) => seconds)),
        told: median(own.map(({ told }) => told)),
      },
      ...(objects === smallest && { goal: { value: times, most: goals.timesBare, tolerance: 0.1 } }),
      ...(objects === largest && { goal: { value: perObject, most: goals.bytesAnObject, tolerance: 0 } }),
    };
  });
}

/** Throws if a source sent anything but each object once, the first time. */
export function insistOnOnce(all: readonly Measured[]): void {
  const wrong = all.filter(({ objects, beginning, told }) => told !== (beginning === 'new' ? objects : 0));
  if (wrong.length === 0) return;
  throw new Error(wrong.map((one) => `${keyOf(one)}: it sent ${String(one.told)} events`).join('; '));
}

function bytesAnObject(own: readonly Measured[], base: readonly Measured[]): number {
  const more = median(residentOf(own)) - median(residentOf(base));
  return more / ((own[0]?.objects ?? 0) - (base[0]?.objects ?? 0));
}

function residentOf(all: readonly Measured[]): readonly number[] {
  return all.map(({ resident }) => resident);
}

function keyOf({ objects, beginning }: Measured): string {
  return `${String(objects)} objects, ${beginning}`;
}

const noMeasure = { objects: 0, beginning: 'new' } as const;
