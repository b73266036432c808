import type { Cause } from '../http/problem.ts';
import { ApiProblem, badRequest, invalid } from '../http/problem.ts';

/** Which part of a log is wanted. */
export interface LogWish {
  /** Empty: that of the only container. */
  readonly container: string;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

/** The options in the query of a log; throws 400 and 422 for wrong ones as the real server does, and 501 for those that need more than the text. */
export function logWish(query: URLSearchParams, name: string): LogWish {
  const [tailLines, limitBytes, sinceSeconds] = ['tailLines', 'limitBytes', 'sinceSeconds'].map((field) =>
    integerIn(query, field),
  );
  const causes = [
    ...tooSmall('tailLines', tailLines, { least: 0, why: 'must be greater than or equal to 0' }),
    ...tooSmall('limitBytes', limitBytes, { least: 1, why: 'must be greater than 0' }),
    ...(sinceSeconds !== undefined && query.has('sinceTime')
      ? [twoBeginnings]
      : tooSmall('sinceSeconds', sinceSeconds, { least: 1, why: 'must be greater than 0' })),
  ];
  if (causes.length > 0) throw invalid({ group: '', kind: 'PodLogOptions', plural: '' }, name, causes);
  return { container: query.get('container') ?? '', tailLines, limitBytes };
}

/** The embedded API has the text of a log alone: no times of its lines, and all runs of a container in one. */
export function refuseUnkept(query: URLSearchParams): void {
  const beginnings = ['sinceSeconds', 'sinceTime'].filter((field) => query.has(field));
  const [asked] = [...beginnings, ...['timestamps', 'previous'].filter((field) => isTrue(query, field))];
  if (asked === undefined) return;
  const why =
    asked === 'previous'
      ? 'the log of the embedded API has all runs of a container, one after the other'
      : 'the embedded API does not know when a line was written';
  throw new ApiProblem(501, 'NotImplemented', { message: `${asked} does not work here: ${why}` });
}

/** The API server takes every other text for yes, an empty one too. */
function isTrue(query: URLSearchParams, field: string): boolean {
  return query.has(field) && !['false', '0'].includes(query.get(field) ?? '');
}

function integerIn(query: URLSearchParams, field: string): number | undefined {
  const text = query.get(field);
  if (text === null) return undefined;
  if (!/^[-+]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function tooSmall(
  field: string,
  value: number | undefined,
  { least, why }: { readonly least: number; readonly why: string },
): Cause[] {
  if (value === undefined || value >= least) return [];
  return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${value}: ${why}`, field }];
}

const twoBeginnings: Cause = {
  reason: 'FieldValueForbidden',
  message: 'Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
  field: '[]',
};
