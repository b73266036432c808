import { keys } from '../model/keys.ts';
import { html, useEffect, useRef } from './html.ts';
import { areKeysOn, isHelpOpen, switchKeys } from './keyboard.ts';

/** The list of keys, over the page. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const closed = (): void => {
    isHelpOpen.value = false;
  };
  return html`<dialog ref=${dialog} aria-label="Keys" onClose=${closed}>
    <h2>Keys</h2>
    <dl class="keys">${keys.map(
      ([key, does]) =>
        html`<div><dt>${key.split(' ').map((one) => html`<kbd>${one}</kbd> `)}</dt><dd>${does}</dd></div>`,
    )}</dl>
    <p><label><input type="checkbox" checked=${areKeysOn.value}
      onChange=${(event: Event) => switchKeys((event.target as HTMLInputElement).checked)} /> Single keys do something</label></p>
    <button type="button" onClick=${closed}>Close</button>
  </dialog>`;
}
