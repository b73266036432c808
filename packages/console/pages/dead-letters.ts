import { functionOf, groupsOf, type LetterGroup } from '../model/letters.ts';
import type { DeadLetter, DeadLetterState, Delivery } from '../model/types.ts';
import { api } from './api.ts';
import { useAsked } from './asked.ts';
import { ObjectLink } from './event-cells.ts';
import { html, useEffect, useState } from './html.ts';
import { letterChanges } from './live.ts';
import { Act, said } from './parts/buttons.ts';
import { Toggle } from './parts/filter-bar.ts';
import { Empty, Loading, Notice } from './parts/notice.ts';
import { Panel, Title } from './parts/panel.ts';
import { Badge, Outcome, Time } from './parts/words.ts';
import { route, setQuery } from './router.ts';

const states = ['open', 'sent-again', 'discarded', ''] as const;

/** Events that the Broker gave up on, grouped by what went wrong. */
export function DeadLettersPage() {
  const state = (route.value.query.get('state') ?? 'open') as DeadLetterState | 'all';
  // What was sent again turns into its new state in its place, so all are read and the page chooses.
  const { value, error, isLoading, again } = useAsked(() => api.deadLetters(), [letterChanges.value]);
  const [touched, setTouched] = useState<ReadonlySet<number>>(new Set());
  const shown = (value ?? []).filter((one) => state === 'all' || one.state === state || touched.has(one.seq));
  const groups = groupsOf(shown);
  const act = async (letters: readonly DeadLetter[], what: (seq: number) => Promise<unknown>): Promise<void> => {
    setTouched((before) => new Set([...before, ...letters.map(({ seq }) => seq)]));
    for (const { seq } of letters) await what(seq);
    again();
  };
  return html`<${Title} title="Dead letters" note="Events that a function did not take, and the Broker gave up on."
      actions=${states.map(
        (one) => html`<${Toggle} isOn=${(one || 'all') === state}
        onToggle=${() => setQuery({ state: one || 'all' })}>${one || 'all'}<//>`,
      )} />
    ${error ? html`<${Notice} error=${error} what="dead letters" />` : null}
    ${isLoading && value === undefined ? html`<${Loading} what="dead letters" />` : null}
    ${value !== undefined && groups.length === 0 ? html`<${Empty}>There are no ${state === 'all' ? '' : state} dead letters.<//>` : null}
    ${groups.map((group) => html`<${Group} key=${group.key} group=${group} act=${act} />`)}`;
}

interface GroupParts {
  readonly group: LetterGroup;
  readonly act: (letters: readonly DeadLetter[], what: (seq: number) => Promise<unknown>) => Promise<void>;
}

function Group({ group, act }: GroupParts) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [note, setNote] = useState('');
  const open = group.letters.filter(({ state }) => state === 'open');
  const meant = chosen.size === 0 ? open : group.letters.filter(({ seq }) => chosen.has(seq));
  const many = chosen.size > 0 ? `${chosen.size} chosen` : open.length > 1 ? `all ${open.length}` : '';
  const toggle = (seq: number): void =>
    setChosen((before) =>
      before.has(seq) ? new Set([...before].filter((one) => one !== seq)) : new Set([...before, seq]),
    );
  const retry = async (): Promise<void> => {
    await act(meant, (seq) => api.retry(seq));
    setChosen(new Set());
    said.value = `${meant.length} sent again.`;
  };
  const discard = async (): Promise<void> => {
    await act(meant, (seq) => api.discard(seq, note));
    setChosen(new Set());
    setNote('');
    said.value = `${meant.length} discarded.`;
  };
  const id = `note ${group.key}`.replace(/\W+/g, '-');
  return html`<${Panel} title=${`${group.function}: ${group.cause}`} kind="group"
      note=${html`${group.times} ${group.times === 1 ? 'time' : 'times'}, last <${Time} at=${group.last} isLong />`}>
    <ul class="letters">${group.letters.map((letter) => html`<${Letter} key=${letter.seq} letter=${letter} isChosen=${chosen.has(letter.seq)} toggle=${toggle} />`)}</ul>
    <footer>
      <${Act} action="retry" kind="main" off=${meant.length === 0} work=${retry}>Retry ${many}<//>
      <label class="hidden" for=${id}>Why they are discarded</label>
      <input id=${id} type="text" placeholder="why" value=${note} onInput=${(event: InputEvent) => setNote((event.target as HTMLInputElement).value)} />
      <${Act} action="discard" off=${meant.length === 0 || note === ''} work=${discard}>Discard ${many}<//>
    </footer><//>`;
}

interface LetterParts {
  readonly letter: DeadLetter;
  readonly isChosen: boolean;
  readonly toggle: (seq: number) => void;
}

function Letter({ letter, isChosen, toggle }: LetterParts) {
  const { seq, last, state, said: answer = '', times, note = '', status } = letter;
  return html`<li><input type="checkbox" data-row aria-label=${`choose dead letter ${seq}`} checked=${isChosen} onChange=${() => toggle(seq)} />
    <${Time} at=${last} /> <${ObjectLink} of=${letter} /> <${Badge} of=${state} />
    <${Became} letter=${letter} />
    ${times > 1 ? html`<span class="note">${times} times</span>` : null}
    <span class="answer">${status ?? 'no answer'} ${answer}</span>
    <a href=${`#/events/${encodeURIComponent(letter.id)}`}>event</a>
    ${note ? html`<span class="note">“${note}”</span>` : null}</li>`;
}

/** Milliseconds between two looks for what became of a dead letter that was sent again, and how many looks. */
const between = 1000;
const looks = 40;

/** What its function answered since it was sent again: asked for until there is an answer. */
function Became({ letter }: { readonly letter: DeadLetter }) {
  const [last, setLast] = useState<Delivery>();
  const { id, state, last: since, seq, times } = letter;
  useEffect(() => {
    setLast(undefined);
    if (state !== 'sent-again') return undefined;
    let left = looks;
    const look = async (): Promise<void> => {
      left -= 1;
      const found = (await api.deliveriesBetween(Date.parse(since) + 1, Date.now()).catch(() => [])).filter(
        (one) => one.id === id && one.function === functionOf(letter),
      );
      if (found.length > 0) setLast(found.at(-1));
      if (found.length > 0 || left === 0) clearInterval(timer);
    };
    const timer = setInterval(() => void look(), between);
    return () => clearInterval(timer);
  }, [seq, state, times]);
  return last === undefined ? null : html`<${Outcome} delivery=${last} />`;
}
