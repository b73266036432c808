/** What Prometheus has scraped, four times a minute, and what an alert is to say about it. */
export interface AlertCase {
  readonly alert: string;
  readonly name: string;
  /** Values by series, in the notation of `promtool test rules`. */
  readonly series: Readonly<Record<string, string>>;
  /** Minutes after the beginning at which nobody is called. */
  readonly quiet: readonly number[];
  /** Minutes at which somebody is, with what it says then. */
  readonly fires?: Readonly<
    Record<number, { readonly summary: string; readonly labels?: Readonly<Record<string, string>> }>
  >;
}
