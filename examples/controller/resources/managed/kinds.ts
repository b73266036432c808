// Generated from functions/table.ts and crds/ by `npx knudge generate`; do not edit.
import { addKinds } from '@knudge/controller';

addKinds({
  'demo.example.org/v1/Greeting': { plural: 'greetings', namespaced: true },
});
