import { type Filter, filterIn, textOf } from '../../model/filters.ts';
import { api } from '../api.ts';
import { errorOf, useTurns } from '../asked.ts';
import { html, useLayoutEffect, useRef, useState } from '../html.ts';

interface BarParts {
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly children?: unknown;
}

/** The filter as the command line has it: `kind=Pod name=msg-hello`, and words to search for. */
export function FilterBar({ filter, onFilter, children }: BarParts) {
  const input = useRef<HTMLInputElement>(null);
  const [why, setWhy] = useState('');
  const begin = useTurns();
  const text = textOf(filter);
  /** The filter in the words of the event log, once they are known. */
  const translate = (given: Filter): void => {
    const isLast = begin();
    translated(given).then(
      (known) => {
        if (!isLast()) return;
        setWhy('');
        if (textOf(known) !== text) onFilter(known);
      },
      (error: unknown) => isLast() && setWhy(errorOf(error).message),
    );
  };
  // Before anybody can type or send: a moment later it would take away what was typed, or come in the place of what was sent.
  useLayoutEffect(() => {
    if (input.current !== null) input.current.value = text;
    translate(filter);
  }, [text]);
  const submit = (event: Event): void => {
    event.preventDefault();
    translate(filterIn(input.current?.value ?? ''));
  };
  return html`<form class="filter" role="search" onSubmit=${submit}>
    <label class="hidden" for="filter">Filter</label>
    <input id="filter" data-filter ref=${input} type="search" autocomplete="off" spellcheck=${false}
      placeholder="kind=Message name=hello namespace=default type=… since=… words" />
    <kbd aria-hidden="true">/</kbd>
    <button type="submit">Filter</button>${children}
  </form>
  ${why ? html`<p class="notice bad" role="alert">${why}</p>` : null}`;
}

/** `kind=msg since=15m` as the command line reads them; as they are, where nobody here knows how. */
async function translated(filter: Filter): Promise<Filter> {
  const { since, until, type, kind } = filter;
  if ([since, until, type, kind].every((word) => word === undefined)) return filter;
  try {
    return {
      ...filter,
      ...(await api.words({
        ...(since && { since }),
        ...(until && { until }),
        ...(type && { type }),
        ...(kind && { kind }),
      })),
    };
  } catch (error) {
    if (errorOf(error).isMissing) return filter;
    throw error;
  }
}

/** A filter that is on or off. */
export function Toggle({ isOn, onToggle, children }: { isOn: boolean; onToggle: () => void; children?: unknown }) {
  return html`<button type="button" class="toggle" aria-pressed=${isOn ? 'true' : 'false'} onClick=${onToggle}>${children}</button>`;
}
