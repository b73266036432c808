import type { Case } from './case.ts';

export interface Choice {
  readonly area: string;
  readonly one: Case;
}

/** The cases whose area or name has one of these texts in it; all of them without texts. */
export function chosen(areas: Readonly<Record<string, readonly Case[]>>, texts: readonly string[]): readonly Choice[] {
  const all = Object.entries(areas).flatMap(([area, cases]) => cases.map((one) => ({ area, one })));
  if (texts.length === 0) return all;
  return all.filter(({ area, one }) => texts.some((text) => area.includes(text) || one.name.includes(text)));
}
