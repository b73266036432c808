/**
 * What a program that builds, installs or starts something cannot do: its one sentence is for people and says what to do. Any other error
 * is a fault of the program.
 */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}
