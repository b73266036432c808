import { signal } from '@preact/signals';
import { pagesByKey, readerOfKeys } from '../model/keys.ts';
import { togglePause } from './live.ts';
import { go, up } from './router.ts';

/** Whether the list of keys is shown. */
export const isHelpOpen = signal(false);

const kept = 'knudge.keys';

/** Whether single keys do something: speech, or a hand on the keyboard, may press them by accident (WCAG 2.1.4). */
export const areKeysOn = signal(remembered() !== 'off');

export function switchKeys(isOn: boolean): void {
  areKeysOn.value = isOn;
  try {
    localStorage.setItem(kept, isOn ? 'on' : 'off');
  } catch {
    // A browser that keeps nothing for pages: the choice ends with this one.
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(kept);
  } catch {
    return null;
  }
}

const read = readerOfKeys(() => performance.now());

/** The keys of the whole console; a field that is written into keeps its own. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isWriting =
      event.target instanceof Element && event.target.matches('input:not([type=checkbox]), textarea, select');
    if (event.key === 'Escape') {
      if (isWriting) (event.target as HTMLElement).blur();
      isHelpOpen.value = false;
      return;
    }
    if (isWriting || !areKeysOn.value || document.querySelector('dialog[open]') !== null) return;
    if (isDone(read(event.key))) event.preventDefault();
  });
}

function isDone(key: string): boolean {
  const page = key.startsWith('g ') ? pagesByKey[key.slice(2)] : undefined;
  if (page !== undefined) {
    go(...(page === '' ? [] : [page]));
    return true;
  }
  const done = deeds[key];
  done?.();
  return done !== undefined;
}

const deeds: Readonly<Record<string, () => void>> = {
  '?': () => {
    isHelpOpen.value = !isHelpOpen.value;
  },
  '/': () => document.querySelector<HTMLInputElement>('[data-filter]')?.focus(),
  j: () => focusRow(1),
  k: () => focusRow(-1),
  p: togglePause,
  u: up,
};

function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')].toSorted(
    (one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top,
  );
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? firstInSight(rows) : Math.min(rows.length - 1, Math.max(0, at + step));
  rows[next]?.focus({ preventScroll: true });
  rows[next]?.scrollIntoView({ block: 'nearest' });
}

function firstInSight(rows: readonly HTMLElement[]): number {
  const top = document.querySelector('.list .box')?.getBoundingClientRect().top ?? 0;
  return Math.max(
    0,
    rows.findIndex((row) => row.getBoundingClientRect().top >= top),
  );
}
