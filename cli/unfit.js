// JavaScript that versions of Node.js run which are too old for all else, so that they can say so.

/** Why the command line cannot run, as a sentence for people; undefined where it can. */
export function unfit(version, isInstalled) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 24 || major < 22 || (major === 22 && minor < 19)) {
    return `Node 22.19 to 24 is needed here, and this is ${version}: install one of these, or on Linux run npm ci, which brings one.`;
  }
  return isInstalled ? undefined : 'The packages that Knudge needs are not installed: run npm ci first.';
}
