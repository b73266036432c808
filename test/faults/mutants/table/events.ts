import type { Mutant } from '../mutant.ts';

const owner = 'packages/controller/parents/owner.ts';
const stored = 'functions/distributed-service-changed.ts';

/** What is made of an event, and of what is read because of it. */
export const eventMutants: readonly Mutant[] = [
  {
    id: 'data-of-the-event-trusted',
    says: 'The DistributedService is taken from the data of the last event about it instead of being read',
    after: 'R1; Crossplane and cert-manager 9097: a stale cache; Sieve: stale state',
    edits: [
      {
        file: stored,
        from: 'async ({ ref, hint }, { reconcile }) => [\n  await reconcile(ref, { asksNobody: hint !== undefined }),\n];',
        to: `async ({ ref, hint }, { reconcile }) => {
  if (hint !== undefined) hints.set(JSON.stringify(ref), hint);
  return [await reconcile(ref, { asksNobody: hint !== undefined })];
};`,
      },
      {
        file: stored,
        from: "import type { Handler } from '../packages/controller/domain/ports.ts';",
        to: "import type { Handler } from '../packages/controller/domain/ports.ts';\nimport { hints } from '../packages/controller/reconcile/observe.ts';",
      },
      {
        file: 'packages/controller/reconcile/observe.ts',
        from: '  const owner = await reader.get(ref);\n',
        to: '  const owner = hints.get(JSON.stringify(ref)) ?? (await reader.get(ref));\n',
      },
      {
        file: 'packages/controller/reconcile/observe.ts',
        from: 'export async function read(query: Query, reader: Reader)',
        to: 'export const hints = new Map<string, KubeObject>();\n\nexport async function read(query: Query, reader: Reader)',
      },
    ],
    near: ['create-and-change', 'create-tcp', 'recreate-at-once'],
  },
  {
    id: 'children-from-a-cache',
    says: 'An object that was read a moment ago is not read again',
    after: 'Crossplane and cert-manager 9097: a stale cache',
    edits: [
      {
        file: 'packages/controller/cluster/cluster.ts',
        from: '    get: (ref) => readObject(way, ref),\n',
        to: `    get: (ref) => {
      const key = JSON.stringify(ref);
      const kept = cache.get(key);
      if (kept !== undefined && now() - kept.at < 2000) return kept.object;
      const object = readObject(way, ref);
      object.catch(() => cache.delete(key));
      cache.set(key, { object, at: now() });
      return object;
    },
`,
      },
      {
        file: 'packages/controller/cluster/cluster.ts',
        from: '  const transport = createTransport(options);\n',
        to: '  const transport = createTransport(options);\n  const cache = new Map<string, { object: ReturnType<typeof readObject>; at: number }>();\n',
      },
    ],
    near: ['create-tcp', 'message-create'],
  },
  {
    id: 'failed-read-is-absence',
    says: 'An object that cannot be read counts as not there',
    after: 'Crossplane: an API that is consistent later only; R1 of the reads',
    edits: [
      {
        file: 'packages/controller/cluster/read.ts',
        from: "if (error instanceof KnudgeError && error.code === 'gone') return undefined;",
        to: 'if (error instanceof KnudgeError) return undefined;',
      },
    ],
    near: ['change-expose-remote-port', 'message-create'],
    shownBy: { kind: 'W13', call: 'get' },
    layer: 'faults',
  },
  {
    id: 'failed-list-is-empty',
    says: 'A list that cannot be read counts as empty',
    after: 'R4 of the reads: a list that looks empty is taken for the truth',
    edits: [
      {
        file: 'packages/controller/cluster/pages.ts',
        from: 'if (!isExpired || restarts === mostRestarts) throw error;',
        to: 'if (!isExpired || restarts === mostRestarts) return [];',
      },
    ],
    near: ['backend-added', 'profile-address'],
    shownBy: { kind: 'W13', call: 'list' },
    layer: 'faults',
  },
  {
    id: 'list-cut-at-its-first-page',
    says: 'What follows the first page of a list is never read',
    after: 'resync without paging',
    edits: [
      {
        file: 'packages/controller/cluster/parse.ts',
        from: "next: typeof token === 'string' ? token : '',",
        to: "next: typeof token === 'number' ? token : '',",
      },
    ],
    near: ['resync-of-many'],
    layer: 'losses',
  },
  {
    id: 'deletions-of-children-ignored',
    says: 'An event that something was deleted wakes nobody: there is nothing left to look at',
    after: 'the verb is acted on; kopf 732: a change is lost',
    edits: [
      {
        file: 'packages/controller/parents/subject.ts',
        from: '{ hint, ref }: Change, reader: Reader): Promise<KubeObject | undefined> {\n',
        to: "{ hint, ref, verb }: Change, reader: Reader): Promise<KubeObject | undefined> {\n  if (verb === 'deleted') return undefined;\n",
      },
    ],
    near: ['drift-balanced-deleted', 'message-pod-deleted'],
  },
  {
    id: 'parent-guessed-by-name',
    says: 'The parent of a child is guessed from the name of the child',
    after: 'the wrong parent',
    edits: [
      {
        file: owner,
        from: 'name: owner.name }];',
        to: "name: object.metadata.name.replace(/^(frp|msg)-/, '').replace(/-(config|endpoints|tls|identity)$/, '') }];",
      },
    ],
    near: ['drift-balanced-deleted', 'create-tcp'],
  },
  {
    id: 'gone-profile-unheard',
    says: 'A server profile that is gone concerns nobody, for there is nothing left to read',
    after: 'a hint is read before it is believed; what is gone must be believed as far as the status bears it out',
    edits: [
      {
        file: 'resources/distributed-service/parents/profile-users.ts',
        from: 'return [...users.filter((service) => isUsedBy(service, ref)).map(refOf), ...now];',
        to: 'return users.length > 9999 ? users.filter((service) => isUsedBy(service, ref)).map(refOf) : now;',
      },
    ],
    near: ['profile-deleted', 'profile-unlabelled'],
  },
  {
    id: 'profile-wakes-its-namespace-only',
    says: "A shared server profile wakes the services of the controller's namespace alone",
    after: 'an input whose change nobody hears',
    edits: [
      {
        file: 'resources/distributed-service/parents/services.ts',
        from: "const namespace = home === controllerNamespace ? '' : home;",
        to: 'const namespace = home === controllerNamespace ? controllerNamespace : home;',
      },
    ],
    near: ['profile-shared-changed'],
  },
  {
    id: 'named-secret-wakes-nobody',
    says: 'A Secret that a service names as its certificate wakes it only if it belongs to it',
    after: 'an input whose change nobody hears',
    edits: [
      {
        file: 'functions/secret-changed.ts',
        from: 'return reconcileUsers([...users, ...(await servicesNamingSecret(ref, context))], context);',
        to: 'void servicesNamingSecret;\n  return reconcileUsers(users, context);',
      },
    ],
    near: ['supplied-secret-created-later', 'supplied-secret-replaced'],
  },
  {
    id: 'run-that-began-before-shared',
    says: 'An event that comes while its parent is being reconciled gets the result of the run that began before it',
    after: 'kopf 732: a change is lost under load',
    edits: [
      {
        file: 'packages/controller/reconcile/share.ts',
        from: '    if (runs === undefined) return start(key);\n',
        to: '    if (runs === undefined) return start(key);\n    if (runs.next === undefined) return runs.running;\n',
      },
    ],
    near: ['touch-backend', 'message-pod-touched'],
    layer: 'storms',
  },
];
