// What others may use of the console: README.md.
export { type Asset, consoleAssets } from './assets.ts';
