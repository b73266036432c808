/** A README as a package has it: what its links lead to is in the repository alone, so only their texts stay. */
export function withoutPaths(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\((?!https?:)[^)\s]+\)/g, '$1');
}
