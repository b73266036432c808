// As `npx pepr init` writes it.
import { PeprModule } from 'pepr';
import { messages } from './message';
import cfg from './package.json';

new PeprModule(cfg, [messages]);
