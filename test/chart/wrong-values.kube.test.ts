import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rendered } from './helm.ts';
import { wrong } from './wrong-values.ts';

describe('Helm refuses', () => {
  for (const { what, values, where, says } of wrong) {
    it(what, async () => {
      await assert.rejects(rendered(values as Readonly<Record<string, unknown>>), ({ message }: Error) => {
        assert.match(
          message,
          /values don't meet the specifications of the schema\(s\) in the following chart\(s\):\nknudge:/,
        );
        assert.ok(message.includes(`- at '${where}': ${says}`), message);
        return true;
      });
    });
  }
});
