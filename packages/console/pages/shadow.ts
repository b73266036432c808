import type { Compared } from '../model/types.ts';
import { api } from './api.ts';
import { html, useState } from './html.ts';
import { Act } from './parts/buttons.ts';
import { Empty } from './parts/notice.ts';
import { Panel, Table } from './parts/panel.ts';
import { Badge } from './parts/words.ts';

interface Parts {
  readonly event: number;
  /** The functions that had the event. */
  readonly functions: readonly string[];
}

/** Asks a function of another version what it would write for an event, and shows where that differs. Neither writes anything. */
export function Shadow({ event, functions }: Parts) {
  const [chosen, setChosen] = useState('');
  const [url, setUrl] = useState('http://127.0.0.1:');
  const [compared, setCompared] = useState<Compared>();
  const name = functions.includes(chosen) ? chosen : functions[0];
  const ask = async (): Promise<void> => {
    setCompared(undefined);
    if (name !== undefined) setCompared(await api.shadow(event, name, url));
  };
  return html`<${Panel} title="Another version" note="asks it and this version what they would write, and writes nothing">
    ${functions.length === 0 ? html`<${Empty}>No function is known to have had this event.<//>` : null}
    <div class="run"><label>Function <select value=${name} onChange=${(one: Event) => setChosen((one.target as HTMLSelectElement).value)}>
        ${functions.map((one) => html`<option value=${one}>${one}</option>`)}</select></label>
      <label>Address of the other version <input type="url" value=${url}
        onInput=${(one: InputEvent) => setUrl((one.target as HTMLInputElement).value)} /></label>
      <${Act} action="plan" off=${name === undefined} work=${ask}>Compare<//></div>
    <div role="status">${compared ? html`<${Result} of=${compared} />` : null}</div><//>`;
}

function Result({ of }: { readonly of: Compared }) {
  if (of.kind === 'failed') return html`<p class="verdict"><${Badge} of="failed" word="not compared" /> ${of.why}</p>`;
  if (of.kind === 'equal')
    return html`<p class="verdict"><${Badge} of="done" word="equal" /> Both would write the same.</p>`;
  const rows = of.differences.map(({ of: what, field, here, there }) => [what, field, textOf(here), textOf(there)]);
  return html`<p class="verdict"><${Badge} of="open" word=${`${rows.length} ${rows.length === 1 ? 'difference' : 'differences'}`} /></p>
    <${Table} label="Differences" heads=${['write', 'field', 'this version', 'the other']} rows=${rows} />`;
}

/** What a version does not write is a dash. */
function textOf(value: unknown): string {
  return value === undefined ? '–' : JSON.stringify(value);
}
