import { ApiError } from './api.ts';
import { useCallback, useEffect, useRef, useState } from './html.ts';

/** What became of a question to the event log. */
export interface Asked<Value> {
  readonly value?: Value;
  readonly error?: ApiError;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/** Asks when the page is shown, and again when one of these changes. The last answer stays until the next one is there. */
export function useAsked<Value>(ask: () => Promise<Value>, changes: readonly unknown[]): Asked<Value> {
  const [state, setState] = useState<Omit<Asked<Value>, 'again'>>({ isLoading: true });
  const turn = useRef(0);
  const again = useCallback(() => {
    turn.current += 1;
    const own = turn.current;
    const settle = (next: Omit<Asked<Value>, 'again'>): void => {
      if (own === turn.current) setState(next);
    };
    setState((before) => ({ ...before, isLoading: true }));
    ask().then(
      (value) => settle({ value, isLoading: false }),
      (error: unknown) => settle({ error: errorOf(error), isLoading: false }),
    );
  }, changes as unknown[]);
  useEffect(() => {
    again();
    return () => {
      turn.current += 1;
    };
  }, [again]);
  return { ...state, again };
}

export function errorOf(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, 'fault', String(error));
}
