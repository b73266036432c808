import { oneAtATime, throttled } from '../model/throttle.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from './html.ts';
import { ApiError } from './request.ts';

/** What became of a question to the event log. */
export interface Asked<Value> {
  readonly value?: Value;
  readonly error?: ApiError;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/** Begins a new turn; says of it later whether it is still the last one. An answer counts in the turn alone in which it was asked for. */
export function useTurns(): () => () => boolean {
  const turn = useRef(0);
  const begin = useCallback(() => {
    turn.current += 1;
    const own = turn.current;
    return () => own === turn.current;
  }, []);
  // None counts after the page.
  useEffect(() => () => void begin(), []);
  return begin;
}

/**
 * Asks when the page is shown, and anew when one of these changes. The last answer stays until the next one is there. To ask again waits for
 * the answer that is under way.
 */
export function useAsked<Value>(ask: () => Promise<Value>, changes: readonly unknown[]): Asked<Value> {
  const [state, setState] = useState<Omit<Asked<Value>, 'again'>>({ isLoading: true });
  const begin = useTurns();
  const question = useMemo(() => {
    const isLast = begin();
    return oneAtATime(async () => {
      if (!isLast()) return;
      setState((before) => ({ ...before, isLoading: true }));
      await ask().then(
        (value) => isLast() && setState((before) => ({ value: sameOr(value, before.value), isLoading: false })),
        (error: unknown) => isLast() && setState({ error: errorOf(error), isLoading: false }),
      );
    });
  }, changes as unknown[]);
  const last = useRef(question);
  last.current = question;
  const again = useCallback(() => void last.current(), []);
  useEffect(again, [question]);
  return { ...state, again };
}

/** The same, and again each time that this many seconds have passed, while a person can see the page. */
export function useRepeated<Value>(
  ask: () => Promise<Value>,
  changes: readonly unknown[],
  seconds: number,
): Asked<Value> {
  const asked = useAsked(ask, changes);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && asked.again(), seconds * 1000);
    return () => clearInterval(timer);
  }, [asked.again]);
  return asked;
}

/** Asks again when this has changed: at most once a second, however often it does. */
export function useAgainAt({ again }: Pick<Asked<unknown>, 'again'>, news: unknown): void {
  const soon = useMemo(() => throttled(1000, again), [again]);
  const known = useRef(news);
  useEffect(() => {
    if (known.current !== news) soon.call();
    known.current = news;
  }, [news]);
  useEffect(() => soon.end, [soon]);
}

/** The value before, where the new one says the same: what is drawn of it stays. */
function sameOr<Value>(value: Value, before: Value | undefined): Value {
  return before !== undefined && JSON.stringify(value) === JSON.stringify(before) ? before : value;
}

export function errorOf(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, 'fault', { message: String(error) });
}
