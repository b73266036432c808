import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { builtinKindNamed } from '../../packages/controller/domain/known-kinds.ts';
import { groupOf } from '../../packages/controller/domain/kube-object.ts';
import { isLabelKey } from '../../packages/controller/domain/labels.ts';
import { kebabOf } from '../../packages/controller/functions/kebab.ts';
import { camelOf } from '../../packages/generate/types/names.ts';
import { controllerIn } from '../../packages/start/controller-in.ts';
import { type EventKind, eventKind, type Naming } from './event-kind.ts';
import { writeNew } from './files.ts';
import { generateFiles } from './generate-files.ts';
import { tableFile, tableWith } from './table.ts';

interface Adding extends Naming {
  readonly root: string;
  /** The label that names the parent. */
  readonly label?: string;
}

/**
 * Adds a function that changes of a kind wake, for objects with a label that names a parent. Throws `misuse` for a kind that is not known
 * and not described, for a label that is not one, and if a function is woken by the kind already. Then nothing is written.
 */
export function addFunction(word: string, { root, label, ...naming }: Adding): { readonly files: readonly string[] } {
  const kind = eventKind(word, naming, builtinKindNamed);
  if (label !== undefined && !isLabelKey(label)) {
    throw new KnudgeError('misuse', `"${label}" is not the key of a label: take one such as demo.example.org/greeting`);
  }
  const { functions, resources } = controllerIn(root);
  const stem = `${kebabOf(kind.kind)}-changed`;
  const [parent] = resources;
  if (parent === undefined) {
    throw new KnudgeError(
      'misuse',
      'the controller has no resource to reconcile: add one with `npx knudge new resource`',
    );
  }
  if (functions[stem] !== undefined) {
    throw new KnudgeError('misuse', `the function ${stem} is there already: changes of a ${kind.kind} wake it`);
  }
  const name = `${camelOf(kind.kind)}Changed`;
  const path = `functions/${stem}.ts`;
  const own = label ?? `${groupOf(parent.apiVersion)}/${kebabOf(parent.kind)}`;
  const table = tableWith(root, { name, from: path, field: 'functions', text: `'${stem}': ${name}` });
  writeNew(root, new Map([[path, handlerOf({ name, label: own, kind, parent })]]));
  writeFileSync(join(root, tableFile), table);
  return { files: [path, tableFile, ...generateFiles(root)] };
}

interface Handled {
  readonly name: string;
  readonly label: string;
  readonly kind: EventKind;
  readonly parent: { readonly apiVersion: string; readonly kind: string };
}

function handlerOf({ name, label, kind, parent }: Handled): string {
  const { plural, namespaced, isBuiltin } = kind;
  const known = `\naddKinds({ '${kind.apiVersion}/${kind.kind}': { plural: '${plural}', namespaced: ${namespaced} } });\n`;
  const values: Readonly<Record<string, string>> = {
    NAME: name,
    LABEL: label,
    ABOUT: kind.kind,
    API_VERSION: parent.apiVersion,
    PARENT: parent.kind,
    ENGINE: `${isBuiltin ? '' : 'addKinds, '}defineFunction, reconcileAll, subjectOf`,
    KNOWN: isBuiltin ? '' : known,
    KIND: `${groupOf(kind.apiVersion)}/${kind.kind}`,
    // Of a Secret the source reads only metadata.
    MODE: kind.kind === 'Secret' ? "\n  mode: 'Reference'," : '',
    // An object of no namespace names that of the parent by a second label.
    NAMESPACE: namespaced ? 'change.ref.namespace' : `labels['${label}-namespace'] ?? 'default'`,
  };
  const text = readFileSync(join(import.meta.dirname, 'handler.txt'), 'utf8');
  return text.replaceAll(/<([A-Z_]+)>/g, (place, name: string) => values[name] ?? place);
}
