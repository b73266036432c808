import { render } from 'preact';
import { tokenIn } from '../model/route.ts';
import { api } from './api.ts';
import { App } from './app.ts';
import { html } from './html.ts';
import { listenToKeys } from './keyboard.ts';
import { followLog } from './live.ts';
import { askMay } from './parts/buttons.ts';
import { followAddress } from './router.ts';

await start();

/** The token leaves the address before anything else is read. */
async function start(): Promise<void> {
  const given = tokenIn(location.hash);
  if (given !== undefined) {
    history.replaceState(null, '', given.rest);
    await api.session(given.token).catch(() => undefined);
  }
  followAddress();
  listenToKeys();
  const root = document.getElementById('app');
  if (root !== null) render(html`<${App} />`, root);
  await Promise.all([askMay(), followLog()]);
}
