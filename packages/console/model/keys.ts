/** What the keys do: shown by `?`. */
export const keys: readonly (readonly [string, string])[] = [
  ['g f', 'flow'],
  ['g e', 'events'],
  ['g d', 'dead letters'],
  ['g r', 'replay'],
  ['g x', 'doctor'],
  ['g s', 'resync and repairs'],
  ['g n', 'functions'],
  ['/', 'filter'],
  ['j k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['p', 'pause and resume the live tail'],
  ['u', 'up: back to the list'],
  ['?', 'this list'],
  ['Esc', 'close, leave a field'],
];

/** The page behind the second key after `g`. */
export const pagesByKey: Readonly<Record<string, string>> = {
  f: '',
  e: 'events',
  d: 'dead-letters',
  r: 'replay',
  x: 'doctor',
  s: 'resync',
  n: 'functions',
};

/** Remembers a `g` for a second; gives each key, or the two together. */
export function readerOfKeys(now: () => number): (key: string) => string {
  let since = Number.NEGATIVE_INFINITY;
  return (key) => {
    const isSecond = now() - since < 1000;
    since = Number.NEGATIVE_INFINITY;
    if (isSecond) return `g ${key}`;
    if (key === 'g') since = now();
    return key === 'g' ? '' : key;
  };
}
