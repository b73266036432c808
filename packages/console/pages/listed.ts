import type { Filter } from '../model/filters.ts';
import { isOfServer, isWanted } from '../model/narrow.ts';
import { mergedWith } from '../model/rows.ts';
import { throttled } from '../model/throttle.ts';
import type { Gap, RecordedEvent } from '../model/types.ts';
import { api } from './api.ts';
import { errorOf, useTurns } from './asked.ts';
import { useEffect, useMemo, useRef, useState } from './html.ts';
import { tail } from './live.ts';
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
    ask(api.events(asked, page), ({ events, next }) => setListed({ events, next, isLoading: false }));
  };
  useEffect(() => {
    setListed(nothing);
    start();
    api.gaps().then(setGaps, () => undefined);
  }, [JSON.stringify(asked)]);
  const more = (): void => {
    if (isBusy.current || listed.next === undefined) return;
    isBusy.current = true;
    ask(api.more(listed.next.replace(/limit=\d+/, 'limit=1000')), ({ events, next }) =>
      setListed((now) => ({ events: mergedWith(now.events, events), next, isLoading: false })),
    );
  };
  const add = (events: readonly RecordedEvent[]): void =>
    setListed((now) => (events.length === 0 ? now : { ...now, events: mergedWith(now.events, events) }));
  useNews({ listed, filter: asked, add, start, ask });
  return { listed, gaps, more };
}

interface NewsParts {
  readonly listed: Listed;
  readonly filter: Filter;
  readonly add: (events: readonly RecordedEvent[]) => void;
  readonly start: () => void;
  readonly ask: <Answer>(question: Promise<Answer>, take: (answer: Answer) => void) => void;
}

/** Brings into the list what comes and fits. Only the event log knows what fits where it searches; it is asked then, at most once a second. */
function useNews(parts: NewsParts): void {
  const now = useRef(parts);
  now.current = parts;
  const asking = useMemo(
    () =>
      throttled(1000, () => {
        const { listed, filter, add, start, ask } = now.current;
        // More came than one page holds, so the list begins anew.
        ask(api.newer(filter, listed.events[0]?.seq ?? 0, page), ({ events, next }) => (next ? start() : add(events)));
      }),
    [],
  );
  useEffect(() => asking.end, []);
  const { isLoading } = parts.listed;
  useEffect(() => {
    const { listed, filter, add } = now.current;
    if (isLoading) return;
    const top = listed.events[0]?.seq ?? 0;
    const fresh = tail.value.filter((event) => event.seq > top && isWanted(event, filter));
    if (!isOfServer(filter)) add(fresh);
    else if (fresh.length > 0) asking.call();
  }, [tail.value, isLoading]);
}
