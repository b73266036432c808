import { type Case, core, get, group, kubectl, post } from '../case.ts';
import { configMap, deployment, pod } from './bodies.ts';

const made = [post(core('configmaps'), configMap())];
const deployed = [post(group('apps/v1', 'deployments'), deployment({ paused: true }))];
const yaml = (color: string, more = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  labels:\n    app: web\ndata:\n  color: ${color}\n${more}`;
const two = `${yaml('blue')}---\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n  - port: 80\n`;
const live = get(core('configmaps', 'web'));

/** kubectl writes. */
export const kubectlWriteCases: readonly Case[] = [
  {
    name: 'kubectl create makes what its generators say',
    steps: [
      kubectl('create configmap web --from-literal=color=blue'),
      kubectl('create secret generic web --from-literal=token=abc'),
      kubectl('create deployment web --image=example.com/web:1 --replicas=0'),
      kubectl('create service clusterip web --tcp=80:8080'),
      kubectl('create serviceaccount web'),
      kubectl('create role web --verb=get,list --resource=pods,deployments.apps'),
      kubectl('create rolebinding web --role=web --serviceaccount={ns}:web'),
      kubectl('create clusterrole {ns}-web --verb=get --resource=nodes'),
      kubectl('create configmap web'),
      kubectl('create job web --image=example.com/web:1 --dry-run=server'),
      kubectl('get cm,secret,deploy,svc,sa,role,rolebinding -o name'),
    ],
  },
  {
    name: 'kubectl create refuses what the server refuses',
    steps: [
      kubectl('create -f -', { stdin: yaml('blue').replace('name: web', 'name: Web_') }),
      kubectl('create -f -', { stdin: yaml('blue', 'colour: x\n') }),
      kubectl('create -f - --validate=warn', { stdin: yaml('blue', 'colour: x\n') }),
      kubectl('create -f -', { stdin: pod({ containers: [] }) }),
    ],
  },
  {
    name: 'kubectl apply creates, changes, leaves alone and removes',
    steps: [
      kubectl('apply -f -', { stdin: two }),
      kubectl('apply -f -', { stdin: two }),
      kubectl('apply -f -', { stdin: yaml('red', '  size: small\n') }),
      kubectl('apply -f -', { stdin: yaml('red') }),
      live,
    ],
  },
  {
    name: 'kubectl apply takes over what kubectl create made, with a warning',
    given: [kubectl('create configmap web --from-literal=color=blue --from-literal=old=x')],
    steps: [kubectl('apply -f -', { stdin: yaml('red') }), live],
  },
  {
    name: 'kubectl apply --server-side owns fields, meets conflicts and forces',
    steps: [
      kubectl('apply --server-side -f -', { stdin: yaml('blue') }),
      kubectl('apply --server-side -f - --field-manager=ann', { stdin: yaml('red') }),
      kubectl('apply --server-side -f - --field-manager=ann --force-conflicts', { stdin: yaml('red') }),
      kubectl('apply --server-side -f -', { stdin: yaml('blue') }),
      live,
    ],
  },
  {
    name: 'kubectl apply goes from the client side to the server side',
    given: [kubectl('apply -f -', { stdin: yaml('blue') })],
    steps: [kubectl('apply --server-side -f -', { stdin: yaml('red') }), live],
  },
  {
    name: 'kubectl diff shows what an apply would change',
    given: [kubectl('apply -f -', { stdin: yaml('blue') })],
    steps: [
      kubectl('diff -f -', { stdin: yaml('red'), view: changedLines }),
      kubectl('diff -f -', { stdin: yaml('blue') }),
    ],
  },
  {
    name: 'kubectl patch patches in three ways',
    given: [...made, ...deployed],
    steps: [
      kubectl('patch cm web --type=merge -p \'{"data":{"color":"red"}}\''),
      kubectl('patch cm web --type=json -p \'[{"op":"remove","path":"/data/color"}]\''),
      kubectl(
        'patch deploy web -p \'{"spec":{"template":{"spec":{"containers":[{"name":"web","env":[{"name":"A","value":"1"}]}]}}}}\'',
      ),
      kubectl("patch cm web --type=merge -p '{}'"),
      kubectl('patch cm web --type=json -p \'[{"op":"remove","path":"/data/none"}]\''),
      kubectl("patch cm none --type=merge -p '{}'"),
      kubectl('get deploy web -o jsonpath={.spec.template.spec.containers}'),
    ],
  },
  {
    name: 'kubectl edit changes what an editor changes',
    given: made,
    steps: [
      kubectl('edit cm web', { editor: 'sed -i s/blue/red/' }),
      kubectl('edit cm web', { editor: 'sed -i s/none/x/' }),
      live,
    ],
  },
  {
    name: 'kubectl replace replaces, and needs something to replace',
    given: made,
    steps: [
      kubectl('replace -f -', { stdin: yaml('red') }),
      live,
      kubectl('replace -f -', { stdin: yaml('red').replace('name: web', 'name: none') }),
      kubectl('replace --force -f -', { stdin: yaml('green') }),
    ],
  },
];

/** The rest names files and times. */
function changedLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => /^[-+] /.test(line))
    .join('\n');
}
