import { DataPlaneError } from './errors.ts';
import { install, installed, type Tools } from './install.ts';

const usage = `usage: npm run dataplane -- <command>

  install   build frps and frpc, fetch Envoy, and print where they are; does nothing if they are there
  where     print where they are`;

async function main(args: readonly string[]): Promise<void> {
  const [command, ...rest] = args;
  if (command === undefined || command === 'help' || command === '--help') return console.log(usage);
  if (rest.length > 0) throw new DataPlaneError(`"${command}" takes no arguments.\n${usage}`);
  switch (command) {
    case 'install':
      return print(await install((line) => console.error(line)));
    case 'where':
      return print(await installed());
    default:
      throw new DataPlaneError(`There is no command "${command}".\n${usage}`);
  }
}

function print({ frps, frpc, envoy }: Tools): void {
  console.log(`frps=${frps}\nfrpc=${frpc}\nenvoy=${envoy}`);
}

// An exit removes the unfinished draft; the signals alone would not.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof DataPlaneError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
