/** What esbuild calls with the files that a plugin wants to be something else. */
export interface Loading {
  onLoad(of: { readonly filter: RegExp }, load: () => { readonly contents: string }): void;
}

/** For a bundle of the event log: the pages of the console are files in the folder `console` beside it, and nothing builds them. */
export const withBuiltPages = {
  name: 'built-pages',
  setup: ({ onLoad }: Loading): void => {
    onLoad({ filter: /\/console\/dist-address\.[jt]s$/ }, () => ({
      contents: "export const distAddress = __dirname + '/console';",
    }));
    onLoad({ filter: /\/console\/build\/build\.[jt]s$/ }, () => ({
      contents: "export function buildConsole() { throw new Error('this image lacks the pages of the console'); }",
    }));
  },
};
