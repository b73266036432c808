import { Argument, type Command } from 'commander';
import { root, version } from './about.ts';
import { type Common, group, leaf } from './leaf.ts';
import { addFunction } from './new/event.ts';
import { createProject } from './new/project.ts';
import { addResource } from './new/resource.ts';
import { show } from './show.ts';

interface ControllerOptions extends Common {
  readonly packages?: string;
}

interface EventOptions extends Common {
  readonly group?: string;
  readonly version?: string;
  readonly plural?: string;
  readonly clusterScoped?: boolean;
  readonly label?: string;
}

interface ResourceOptions extends Common {
  readonly group?: string;
}

/** `knudge new`: begins a controller of your own, and adds resources and functions to it. */
export function newCommand(): Command {
  return group('new', 'begin a controller of your own, or add to one', [
    leaf('controller', 'make the folder of a controller, with one resource, its tests and its manifests')
      .addArgument(new Argument('<name>', 'its name, and that of the folder'))
      .option(
        '--packages <folder>',
        'the folder of the tarballs of npm run pack, for a machine without a registry that has them',
      )
      .action((name: string, options: ControllerOptions) => {
        const made = createProject(name, { version, into: process.cwd(), ...options });
        show(made, () => `${made.folder} is there. Next: cd ${name} && npm ci && npm start`, options);
      }),
    leaf('resource', 'add a custom resource with a child: its definition, its decision, its test')
      .addArgument(new Argument('<kind>', 'its kind, such as Farewell'))
      .option('--group <group>', 'its API group; without it, that of the first resource')
      .action((kind: string, options: ResourceOptions) => {
        const made = addResource(kind, { root, ...options });
        show(made, () => written(made), options);
      }),
    leaf('event', 'add a function that changes of another kind wake')
      .addArgument(new Argument('<kind>', 'a built-in kind, such as Secret or Job, or group/version/Kind'))
      .option('--group <group>', 'the API group of a kind that is not built in')
      .option('--version <version>', 'its version')
      .option('--plural <plural>', 'its plural; without it, the usual one')
      .option('--cluster-scoped', 'its objects are in no namespace')
      .option('--label <label>', 'the label that names a parent; without it, the group and kind of the first resource')
      .action((kind: string, options: EventOptions) => {
        const made = addFunction(kind, { root, ...options });
        show(made, () => written(made), options);
      }),
  ]);
}

function written({ files }: { readonly files: readonly string[] }): string {
  return files.map((file) => `${file} written`).join('\n');
}
