// What others may use to generate what follows from a controller: README.md.
export { type Generated, type Generating, generate } from './generate.ts';
