import { signal } from '@preact/signals';
import type { Action, May } from '../../model/types.ts';
import { api } from '../api.ts';
import { html, useState } from '../html.ts';

/** What happened last, for a person who does not see the button. */
export const said = signal('');

/** What the person may do; everything, where the event log does not say: it refuses by itself then. */
const may = signal<May | undefined>(undefined);

export async function askMay(): Promise<void> {
  may.value = await api.may().catch(() => undefined);
}

interface ActParts {
  readonly action?: Action;
  readonly work: () => unknown;
  readonly children?: unknown;
  readonly kind?: string;
  readonly off?: boolean;
  /** The id of a sentence that says what it needs. */
  readonly describedBy?: string;
}

/** A button that does something at the event log. It is greyed, with the reason, where the person may not do that. */
export function Act({ action, work, children, kind = '', off = false, describedBy }: ActParts) {
  const [isBusy, setBusy] = useState(false);
  const allowed = action === undefined ? undefined : may.value?.[action];
  const why = allowed?.allowed === false ? (allowed.why ?? 'You may not do that.') : undefined;
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error);
    } finally {
      setBusy(false);
    }
  };
  return html`<button type="button" class=${kind} disabled=${off || isBusy || why !== undefined} title=${why}
    aria-describedby=${describedBy} onClick=${run}>${children}</button>${why ? html`<span class="why">${why}</span>` : null}`;
}

/** Copies a text; where the browser does not allow that, the page says so. */
export function Copy({ text, children }: { readonly text: () => string; readonly children?: unknown }) {
  const work = async (): Promise<void> => {
    await navigator.clipboard.writeText(text());
    said.value = 'Copied.';
  };
  return html`<${Act} work=${work}>${children}<//>`;
}
