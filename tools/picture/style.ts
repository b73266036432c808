interface Palette {
  readonly page: string;
  readonly edge: string;
  readonly ink: string;
  readonly dim: string;
  readonly line: string;
  readonly hub: string;
  readonly source: string;
  readonly trigger: string;
  readonly function: string;
}

const light: Palette = {
  page: '#ffffff',
  edge: '#d0d7de',
  ink: '#1f2328',
  dim: '#57606a',
  line: '#6e7781',
  hub: '#0550ae',
  source: '#eef1f4',
  trigger: '#fff3c4',
  function: '#d5f5dd',
};

const dark: Palette = {
  page: '#0d1117',
  edge: '#3d444d',
  ink: '#f0f6fc',
  dim: '#b1bac4',
  line: '#9198a1',
  hub: '#1f5fc4',
  source: '#212830',
  trigger: '#3f3208',
  function: '#10381f',
};

/** Sizes of text in the picture's units. */
export const sizes = { name: 14, small: 12 } as const;

/** The style sheet: fonts that are there, and the colours that the reader's system asks for. */
export function styleOf(): string {
  return [
    `text{font:${sizes.small}px "Helvetica Neue",Helvetica,Arial,sans-serif;text-anchor:middle}`,
    `.name,.source,.trigger,.function,.hub{font-size:${sizes.name}px}`,
    '.function,.hub{font-weight:600}',
    'path{fill:none;stroke-width:1.4}',
    '.flow,.lost,.again{marker-end:url(#head)}',
    '.lost,.again,rect.lost{stroke-dasharray:4 3}',
    coloursOf(light),
    `@media (prefers-color-scheme:dark){${coloursOf(dark)}}`,
  ].join('');
}

function coloursOf({ page, edge, ink, dim, line, hub, ...fills }: Palette): string {
  const boxes = Object.entries(fills).map(([name, colour]) => `rect.${name}{fill:${colour};stroke:${line}}`);
  return [
    `.page{fill:${page};stroke:${edge}}`,
    `text{fill:${ink}}.dim{fill:${dim}}`,
    `path{stroke:${line}}#head path{fill:${line};stroke:none}`,
    `rect.hub{fill:${hub}}text.hub{fill:#fff}`,
    `rect.lost{fill:${page};stroke:${line}}`,
    ...boxes,
  ].join('');
}
