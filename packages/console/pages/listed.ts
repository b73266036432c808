import type { Filter } from '../model/filters.ts';
import { isOfServer, isWanted } from '../model/narrow.ts';
import { mergedWith, newsIn } from '../model/rows.ts';
import { throttled } from '../model/throttle.ts';
import type { Gap, RecordedEvent } from '../model/types.ts';
import { api } from './api.ts';
import { errorOf, useTurns } from './asked.ts';
import { useEffect, useMemo, useRef, useState } from './html.ts';
import { mostInTail, tail } from './live.ts';
import type { ApiError } from './request.ts';

export interface Listed {
  readonly events: readonly RecordedEvent[];
  readonly next?: string | undefined;
  readonly error?: ApiError;
  readonly isLoading: boolean;
}

const page = 300;
const nothing: Listed = { events: [], isLoading: true };

/** The events of a filter, page by page, with what comes meanwhile in front. */
export function useEvents(filter: Filter) {
  const [listed, setListed] = useState<Listed>(nothing);
  const [gaps, setGaps] = useState<readonly Gap[]>([]);
  const begin = useTurns();
  const isLast = useRef<() => boolean>(() => true);
  const isBusy = useRef(false);
  // What the tail had when an answer was asked for is in the answer.
  const taken = useRef<number | undefined>(undefined);
  const hasUpTo = (seq: number): void => {
    taken.current = Math.max(taken.current ?? 0, seq);
  };
  const { only: _, ...asked } = filter;
  /** Has what an answer changes done, unless another filter was chosen meanwhile. */
  const ask = <Answer>(question: Promise<Answer>, take: (answer: Answer) => void): void => {
    const counts = isLast.current;
    const settle = (work: () => void): void => {
      if (!counts()) return;
      isBusy.current = false;
      work();
    };
    question.then(
      (answer) => settle(() => take(answer)),
      (error: unknown) => settle(() => setListed((now) => ({ ...now, error: errorOf(error), isLoading: false }))),
    );
  };
  const start = (): void => {
    isLast.current = begin();
    isBusy.current = false;
    setListed((now) => ({ ...now, isLoading: true }));
    const to = newestInTail();
    ask(api.events(asked, page), ({ events, next }) => {
      hasUpTo(Math.max(to, events[0]?.seq ?? 0));
      setListed({ events, next, isLoading: false });
    });
  };
  useEffect(() => {
    setListed(nothing);
    taken.current = undefined;
    start();
    api.gaps().then(setGaps, () => undefined);
  }, [JSON.stringify(asked)]);
  const more = (): void => {
    if (isBusy.current || listed.isLoading || listed.next === undefined) return;
    isBusy.current = true;
    ask(api.more(listed.next.replace(/limit=\d+/, 'limit=1000')), ({ events, next }) =>
      setListed((now) => ({ events: mergedWith(now.events, events), next, isLoading: false })),
    );
  };
  const add = (events: readonly RecordedEvent[], to: number): void => {
    hasUpTo(to);
    setListed((now) => (events.length === 0 ? now : { ...now, events: mergedWith(now.events, events) }));
  };
  useNews({ listed, filter: asked, taken: taken.current, add, start, ask });
  return { listed, gaps, more };
}

interface NewsParts {
  readonly listed: Listed;
  readonly filter: Filter;
  /** The place up to which all that fits is listed; absent before the first answer. */
  readonly taken: number | undefined;
  readonly add: (events: readonly RecordedEvent[], to: number) => void;
  readonly start: () => void;
  readonly ask: <Answer>(question: Promise<Answer>, take: (answer: Answer) => void) => void;
}

/**
 * Brings into the list what comes and fits. The event log is asked, at most once a second, where it alone knows that: where it searches, and
 * where more came than the tail holds, as after a pause.
 */
function useNews(parts: NewsParts): void {
  const now = useRef(parts);
  now.current = parts;
  const asking = useMemo(
    () =>
      throttled(1000, () => {
        const { listed, filter, add, start, ask } = now.current;
        if (listed.isLoading) return;
        const to = newestInTail();
        // More came than one page holds, so the list begins anew.
        ask(api.newer(filter, listed.events[0]?.seq ?? 0, page), ({ events, next }) =>
          next ? start() : add(events, to),
        );
      }),
    [],
  );
  useEffect(() => asking.end, []);
  const { isLoading } = parts.listed;
  useEffect(() => {
    const { filter, taken, add } = now.current;
    if (isLoading) return;
    const fresh = newsIn(tail.value, { taken, most: mostInTail })?.filter((event) => isWanted(event, filter));
    if (fresh !== undefined && !isOfServer(filter)) add(fresh, newestInTail());
    else if (fresh === undefined || fresh.length > 0) asking.call();
  }, [tail.value, isLoading]);
}

function newestInTail(): number {
  return tail.value[0]?.seq ?? 0;
}
