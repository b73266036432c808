import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheKey } from '../control-plane/cache.ts';
import { cachedBuild } from '../control-plane/cached-build.ts';
import { goVersion } from '../control-plane/go-tool.ts';
import { type LocalImage, writeImages } from '../control-plane/node/image.ts';
import { readPins } from '../control-plane/pins.ts';
import { imageName, type Program, programs } from './programs.ts';
import { copyShipped } from './shipped.ts';

const here = import.meta.dirname;

/** The kept result of a build. */
export interface Built {
  /** The images of all programs, as `docker save` writes them. */
  readonly images: string;
  /** The manifests of each part, as its modules have them. */
  readonly parts: string;
}

/** Knative and the programs it needs, from the cache or built now. Throws ClusterError as `builtPrograms` does. */
export async function builtKnative(log: (line: string) => void): Promise<Built> {
  const facts = [goVersion(readPins(join(here, '../control-plane')).go), process.platform, process.arch];
  const target = (group: keyof typeof programs) => programs[group].map((program) => program.package);
  const go = { module: here, ldflags: '' };
  const folder = await cachedBuild(
    {
      what: 'Knative',
      key: `knative-${cacheKey(here, [...facts, JSON.stringify(programs)], ['coredns'])}`,
      expectation: 'After the control plane this takes 6 to 12 minutes the first time, later seconds.',
      programs: {
        eventing: { ...go, name: 'Knative Eventing (1 of 3)', target: target('eventing'), packages: 1600 },
        serving: { ...go, name: 'Knative Serving (2 of 3)', target: target('serving'), packages: 1700 },
        around: { ...go, name: 'Kourier, CoreDNS, volumes (3 of 3)', target: target('around'), packages: 1600 },
      },
      finish: (draft) => pack(draft, log),
    },
    log,
  );
  return { images: join(folder, 'images.tar'), parts: join(folder, 'parts') };
}

/** Makes one archive of all programs and deletes them: together they are a gigabyte. */
function pack(folder: string, log: (line: string) => void): void {
  log('Packing the images of Knative.');
  const groups = Object.keys(programs) as (keyof typeof programs)[];
  const images = groups.flatMap((group) => programs[group].map((program) => imageOf(program, join(folder, group))));
  writeImages(images, join(folder, 'images.tar'));
  for (const group of groups) rmSync(join(folder, group), { recursive: true });
  copyShipped(join(folder, 'parts'));
}

/** As ko builds them: https://ko.build. The manifests set the arguments, and a user other than root. */
function imageOf({ image, package: path }: Program, folder: string): LocalImage {
  const program = path.split('/').at(-1) ?? path;
  return {
    name: imageName(image),
    files: { [`/ko-app/${image}`]: join(folder, program) },
    entrypoint: [`/ko-app/${image}`],
    user: '65532:65532',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/ko-app', KO_DATA_PATH: '/var/run/ko' },
  };
}
