import { readFileSync } from 'node:fs';

/** What stands between fences of a language in a document, in its order; under one heading if that is named. */
export function fencesOf(path: string, language: string, heading?: string): readonly string[] {
  const text = readFileSync(path, 'utf8');
  const part = heading === undefined ? text : sectionOf(text, heading);
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  return [...part.matchAll(fence)].map(([, inside = '']) => inside);
}

function sectionOf(text: string, heading: string): string {
  const section = text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`there is no section "${heading}"`);
  return section;
}
