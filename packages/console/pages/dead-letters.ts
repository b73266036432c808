import { answersOf, groupsOf, type LetterGroup, withTouched } from '../model/letters.ts';
import type { DeadLetter, DeadLetterState, Delivery } from '../model/types.ts';
import { api } from './api.ts';
import { useAgainAt, useAsked } from './asked.ts';
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
  const asked = useAsked(() => api.deadLetters(state === 'all' ? undefined : state), [state]);
  useAgainAt(asked, letterChanges.value);
  const { value, error, isLoading, again } = asked;
  // What was sent again or discarded here turns into its new state in its place.
  const [touched, setTouched] = useState<ReadonlyMap<number, DeadLetter>>(new Map());
  const became = useBecame(touched);
  const groups = groupsOf(withTouched(value?.letters ?? [], touched));
  const act: Deed = async (letters, what) => {
    try {
      for (const { seq } of letters) {
        const now = await what(seq);
        setTouched((before) => new Map([...before, [seq, now]]));
      }
    } finally {
      again();
    }
  };
  return html`<${Title} title="Dead letters" note="Events that a function did not take, and the Broker gave up on."
      actions=${states.map(
        (one) => html`<${Toggle} isOn=${(one || 'all') === state}
        onToggle=${() => setQuery({ state: one || 'all' })}>${one || 'all'}<//>`,
      )} />
    ${error ? html`<${Notice} error=${error} what="dead letters" />` : null}
    ${isLoading && value === undefined ? html`<${Loading} what="dead letters" />` : null}
    ${value !== undefined && groups.length === 0 ? html`<${Empty}>There are no ${state === 'all' ? '' : state} dead letters.<//>` : null}
    ${value?.isCut ? html`<p class="notice">These are the newest ${value.letters.length.toLocaleString('en')}: there are more.</p>` : null}
    ${groups.map((group) => html`<${Group} key=${group.key} group=${group} act=${act} became=${became} />`)}`;
}

type Deed = (letters: readonly DeadLetter[], what: (seq: number) => Promise<DeadLetter>) => Promise<void>;

interface GroupParts {
  readonly group: LetterGroup;
  readonly act: Deed;
  /** What functions answered to those that were sent again here. */
  readonly became: ReadonlyMap<number, Delivery>;
}

function Group({ group, act, became }: GroupParts) {
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
    <ul class="letters">${group.letters.map((letter) => html`<${Letter} key=${letter.seq} letter=${letter} last=${became.get(letter.seq)} isChosen=${chosen.has(letter.seq)} toggle=${toggle} />`)}</ul>
    <footer>
      <${Act} action="retry" kind="main" off=${meant.length === 0} work=${retry}>Retry ${many}<//>
      <label class="hidden" for=${id}>Why they are discarded</label>
      <input id=${id} type="text" placeholder="why" value=${note} onInput=${(event: InputEvent) => setNote((event.target as HTMLInputElement).value)} />
      <${Act} action="discard" off=${meant.length === 0 || note === ''} describedBy=${`${id}-needed`} work=${discard}>Discard ${many}<//>
      <span class="note" id=${`${id}-needed`}>${note === '' && meant.length > 0 ? 'Say why before you discard.' : ''}</span>
    </footer><//>`;
}

interface LetterParts {
  readonly letter: DeadLetter;
  readonly last: Delivery | undefined;
  readonly isChosen: boolean;
  readonly toggle: (seq: number) => void;
}

function Letter({ letter, last: answered, isChosen, toggle }: LetterParts) {
  const { seq, last, state, said: answer = '', times, note = '', status } = letter;
  return html`<li><input type="checkbox" aria-label=${`choose dead letter ${seq}`} checked=${isChosen} onChange=${() => toggle(seq)} />
    <${Time} at=${last} /> <${ObjectLink} of=${letter} /> <${Badge} of=${state} />
    ${answered ? html`<${Outcome} delivery=${answered} />` : null}
    ${times > 1 ? html`<span class="note">${times} times</span>` : null}
    <span class="answer">${status ?? 'no answer'} ${answer}</span>
    <a data-row href=${`#/events/${encodeURIComponent(letter.id)}`}>event</a>
    ${note ? html`<span class="note">“${note}”</span>` : null}</li>`;
}

/** Milliseconds between two looks for what became of dead letters that were sent again here, and how many looks. */
const between = 1000;
const looks = 40;

/** What functions answered since these letters were sent again: one question for all of them, until each has an answer. */
function useBecame(touched: ReadonlyMap<number, DeadLetter>): ReadonlyMap<number, Delivery> {
  const [became, setBecame] = useState<ReadonlyMap<number, Delivery>>(new Map());
  useEffect(() => {
    const again = [...touched.values()].filter(({ state }) => state === 'sent-again');
    if (again.length === 0) return undefined;
    const since = Math.min(...again.map(({ last }) => Date.parse(last))) + 1;
    let left = looks;
    const timer = setInterval(async () => {
      left -= 1;
      if (left === 0) clearInterval(timer);
      const { deliveries } = await api.deliveriesBetween(since, Date.now()).catch(() => ({ deliveries: [] }));
      const found = answersOf(again, deliveries);
      if (found.size === again.length) clearInterval(timer);
      if (found.size > 0) setBecame((before) => new Map([...before, ...found]));
    }, between);
    return () => clearInterval(timer);
  }, [touched]);
  return became;
}
