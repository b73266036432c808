import { type Filter, filterIn, textOf } from '../../model/filters.ts';
import { html, useEffect, useRef } from '../html.ts';

interface BarParts {
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly children?: unknown;
}

/** The filter as the command line has it: `kind=Pod name=msg-hello`, and words to search for. */
export function FilterBar({ filter, onFilter, children }: BarParts) {
  const input = useRef<HTMLInputElement>(null);
  const text = textOf(filter);
  useEffect(() => {
    if (input.current !== null) input.current.value = text;
  }, [text]);
  const submit = (event: Event): void => {
    event.preventDefault();
    onFilter(filterIn(input.current?.value ?? ''));
  };
  return html`<form class="filter" role="search" onSubmit=${submit}>
    <label class="hidden" for="filter">Filter</label>
    <input id="filter" data-filter ref=${input} type="search" autocomplete="off" spellcheck=${false}
      placeholder="kind=Message name=hello namespace=default type=… since=… words" />
    <kbd aria-hidden="true">/</kbd>
    <button type="submit">Filter</button>${children}
  </form>`;
}

/** A filter that is on or off. */
export function Toggle({ isOn, onToggle, children }: { isOn: boolean; onToggle: () => void; children?: unknown }) {
  return html`<button type="button" class="toggle" aria-pressed=${isOn ? 'true' : 'false'} onClick=${onToggle}>${children}</button>`;
}
