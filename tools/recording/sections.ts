/** A command of the second terminal, unless it says otherwise. */
export interface Step {
  readonly run: string;
  /** What its output must show, or what the first terminal must show once it runs there. */
  readonly shows: RegExp;
  /** With which exit code it ends; 0 if absent. */
  readonly code?: number;
  /** `stays` runs in the first terminal until `ends`, which is Ctrl-C there. */
  readonly is?: 'stays' | 'ends';
  /** Before it: what the first terminal must have printed. */
  readonly after?: RegExp;
  /** It prints an address of the console, of which a recording takes this picture, in docs/console. */
  readonly picture?: string;
}

export interface Section {
  readonly title: string;
  readonly says: string;
  readonly steps: readonly Step[];
  /** Getting and installing it, which a test of the rest leaves out. */
  readonly gets?: true;
}

const broken = /reloaded: resources\/message\/pod\.ts/;
const mended = new RegExp(`${broken.source}[\\s\\S]*${broken.source}`);

/** The first five minutes, in order. */
export const sections: readonly Section[] = [
  {
    title: 'Get it',
    says: 'The variable holds the address of this repository. The third command builds frps and frpc and fetches Envoy. Here they were in the cache; the first time that takes about four minutes.',
    gets: true,
    steps: [
      { run: 'git clone "$KNUDGE_REPOSITORY" knudge', shows: /^Cloning into 'knudge'/ },
      { run: 'npm ci', shows: /added \d+ packages/ },
      { run: 'npm run --silent dataplane -- install', shows: /^frps=.*\nfrpc=.*\nenvoy=/ },
    ],
  },
  {
    title: 'Start it',
    says: 'This terminal stays open. Everything from here on happens in a second one, in the same folder.',
    steps: [{ run: 'npm start -- --traffic', shows: /curl http:\/\/web\.localhost:\d+\//, is: 'stays' }],
  },
  {
    title: 'Send a request through the tunnel',
    says: 'The request goes to frps, from there through frpc and Envoy, and to one of three backends. They answer in turn.',
    steps: [
      { run: 'export KUBECONFIG=.knudge/kubeconfig', shows: /^$/, after: /Pod frp-web-\S+ changed/ },
      {
        run: 'curl --silent --fail --retry 20 --retry-delay 1 --retry-all-errors http://web.localhost:8380/',
        shows: /^hello from backend-/,
      },
      { run: 'kubectl get distributedservices,pods', shows: /distributedservice\.frp\.io\/web[\s\S]*pod\/frp-web-/ },
    ],
  },
  {
    title: 'Kill a backend',
    says: 'The others answer meanwhile. A Deployment makes the successor, and Knudge gives its address to Envoy.',
    steps: [
      {
        run: 'kubectl delete "$(kubectl get pods -l app=backend -o name | head -n 1)"',
        shows: /^pod "backend-\S+" deleted/,
      },
      {
        run: 'for i in 1 2 3 4; do curl --silent --fail http://web.localhost:8380/; done',
        shows: /^(hello from backend-\S+\n){4}$/,
      },
    ],
  },
  {
    title: 'Watch it in the console',
    says: 'The address opens the console in a browser, at the list of events; it is also among the first lines of the first terminal. The picture is of this moment: what was deleted, what Knudge wrote because of it, and what each event changed.',
    steps: [
      {
        run: 'npx knudge console events',
        shows: /^http:\/\/127\.0\.0\.1:\d+\/console\/#token=\S+&to=\/events\n$/,
        picture: 'first-five-minutes.png',
      },
    ],
  },
  {
    title: 'See what happened',
    says: 'The status lists the functions below the processes that serve them. The list of events says what changed in each object, by whom, and what became of it. The history shows the last two entries of the DistributedService, and which events are their cause.',
    steps: [
      { run: 'npx knudge status', shows: /pod-changed +\d+ s ago[\s\S]*0 open dead letters/ },
      {
        run: 'npx knudge events list --limit 5',
        shows: /^NUMBER +TIME +TYPE +OBJECT +CHANGED[\s\S]*^5 of \d+ events/m,
      },
      { run: 'npx knudge history dsvc default/web --limit 2', shows: /^ {2}by knudge at [\s\S]*because of event \d+/m },
    ],
  },
  {
    title: 'Break a function',
    says: 'The first line breaks the code of the Message; the mesh loads it anew. The Message that is then applied cannot be reconciled. The Broker tries four times, and then the event is a dead letter with its reason. After the code is mended, the retry sends the event once more, and the Message gets its Pod.',
    steps: [
      {
        run: `sed -i '/^export function desiredPod/a throw new Error("broken on purpose");' resources/message/pod.ts`,
        shows: /^$/,
      },
      {
        run: 'kubectl apply -f examples/message-hello.yaml',
        shows: /^message\.myorg\.dev\/hello created/,
        after: broken,
      },
      {
        run: 'npx knudge dead-letters list',
        shows: /Message default\/hello .* answered 500[\s\S]*open dead letter/,
        after: /Message hello added → message-changed gave up/,
      },
      { run: "sed -i '/broken on purpose/d' resources/message/pod.ts", shows: /^$/ },
      {
        run: 'npx knudge dead-letters retry --all',
        shows: /is sent again[\s\S]*sent again$/m,
        after: mended,
      },
      {
        run: 'kubectl wait --for=condition=Ready messages/hello',
        shows: /^message\.myorg\.dev\/hello condition met/,
      },
    ],
  },
  {
    title: 'Send events again',
    says: 'First the plan: what each function would write as things are now. Everything is right, so it would write nothing, and the replay writes nothing either.',
    steps: [
      {
        run: 'npx knudge replay --plan --kind dsvc --limit 3',
        shows: /^3 events, 0 writes, 0 functions that failed$/m,
      },
      { run: 'npx knudge replay --kind dsvc --limit 3', shows: /^3 events of \S+ sent/ },
    ],
  },
  {
    title: 'End it',
    says: 'Ctrl-C in the first terminal ends the functions, the tunnel and the backends.',
    steps: [{ run: '^C', shows: /^/, is: 'ends' }],
  },
];
