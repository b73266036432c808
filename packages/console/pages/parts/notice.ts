import { html } from '../html.ts';
import type { ApiError } from '../request.ts';

/** Why something cannot be shown, and what a person can do. */
export function Notice({ error, what }: { readonly error: ApiError; readonly what: string }) {
  if (error.status === 401) {
    return html`<p class="notice" role="alert">
      Your session has ended, so the event log does not show ${what}. Open the console again with
      ${' '}<code>npx knudge console</code>, which brings a new token.
    </p>`;
  }
  if (error.isMissing) {
    return html`<p class="notice" role="status"><b>${capital(what)}: not to be had here.</b> ${capital(error.message)}.</p>`;
  }
  return html`<p class="notice bad" role="alert"><b>${capital(what)} cannot be shown.</b> ${error.message}</p>`;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** A list without rows: what that means. */
export function Empty({ children }: { readonly children?: unknown }) {
  return html`<p class="empty">${children}</p>`;
}

export function Loading({ what }: { readonly what: string }) {
  return html`<p class="empty" role="status">Reading ${what}…</p>`;
}
