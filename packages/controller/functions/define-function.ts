import type { ChangeRow } from './rows.ts';

/** A function that changes of objects wake, besides those that follow from the resources. */
interface FunctionDefinition
  extends Pick<ChangeRow, 'kind' | 'handle'>,
    Partial<Pick<ChangeRow, 'labels' | 'mode' | 'looksAt'>> {}

/**
 * Defines a function that changes of one kind wake, for `functions` of a controller. If absent, `labels` are those of every object, and
 * `looksAt` is the whole status; an event in Reference mode has none.
 */
export function defineFunction({ kind, handle, labels = [''], mode, looksAt }: FunctionDefinition): ChangeRow {
  const inStatus = looksAt ?? (mode === undefined ? 'all' : []);
  return { wakes: 'change', handle, kind, labels, ...(mode && { mode }), looksAt: inStatus };
}
