// Questions in their line: answers that grow, questions that are stopped, and a page that stays alive.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Solver } from 'strong4';

/** Nobody waits for the end of these. */
const HARD = { board: '8x7' };

test('a signal stops a search within 50 ms', async () => {
  const solver = await Solver.create(HARD);
  for (let round = 0; round < 5; round += 1) {
    const ending = new AbortController();
    const question = solver.score('', { signal: ending.signal });
    await sleep(100);
    const start = performance.now();
    ending.abort();
    await assert.rejects(question, { name: 'AbortError' });
    const took = performance.now() - start;
    assert.ok(took < 50, `${took} ms`);
    // The next question is answered.
    assert.equal(await solver.score('1212121'), -25);
  }
  await assert.rejects(solver.score('', { signal: AbortSignal.abort() }), { name: 'AbortError' });
  await assert.rejects(solver.score('', { signal: AbortSignal.timeout(100) }), { name: 'TimeoutError' });
  solver.close();
});

test('a question that waits can be stopped too, and others keep their turns', async () => {
  const solver = await Solver.create();
  const ending = new AbortController();
  const first = solver.score('4444443332', { limit: 0.2 }).catch((error) => error.message);
  const second = solver.score('', { signal: ending.signal });
  const third = solver.moveScores('4453');
  ending.abort(new Error('enough'));
  await assert.rejects(second, /enough/);
  assert.deepEqual(await third, [-5, -5, -2, -3, -4, -2, -2]);
  await first;
  solver.close();
});

test('limits give bounds, and the program stays alive meanwhile', async () => {
  const solver = await Solver.create(HARD);
  let ticks = 0;
  const clock = setInterval(() => { ticks += 1; }, 10);
  const start = performance.now();
  const record = await solver.analyze('', { limit: 0.5 });
  const took = performance.now() - start;
  clearInterval(clock);
  assert.ok(took > 400 && took < 1500, `${took} ms`);
  assert.ok(ticks > 25, `${ticks} ticks`);
  assert.equal(record.score, null);
  assert.ok(record.lower < record.upper && record.micros > 400_000);
  solver.close();
});

test('answers grow, and never know less', async () => {
  const solver = await Solver.create();
  const seen = [];
  for await (const record of solver.watch('4444436335')) seen.push(record);
  assert.ok(seen.length > 2, String(seen.length));
  for (const [at, record] of seen.entries()) {
    for (const [column, worth] of record.columns.entries()) {
      const before = seen[at - 1]?.columns[column];
      if (before) assert.ok(worth.lower >= before.lower && worth.upper <= before.upper);
    }
  }
  const { micros: _, ...last } = seen.at(-1);
  const { micros: __, ...whole } = await solver.analyze('4444436335');
  assert.deepEqual(last, whole);
  // Whoever stops looking stops the search.
  const hard = await Solver.create(HARD);
  for await (const record of hard.watch('')) {
    assert.equal(record.score, null);
    break;
  }
  assert.equal(await hard.score('1212121'), -25);
  await assert.rejects(async () => {
    for await (const record of solver.watch('9')) assert.fail(record);
  }, /move 1 is '9'/);
  hard.close();
  solver.close();
});

test('a closed solver answers nothing', async () => {
  const solver = await Solver.create(HARD);
  const open = solver.score('');
  solver.close();
  await assert.rejects(open, /closed/);
  await assert.rejects(solver.score('4'), /closed/);
});

test('a program that is given as an argument has a solver too', () => {
  const program = "import { Solver } from 'strong4'; const solver = await Solver.create();"
    + "console.log(await solver.score('1212121'));";
  const args = ['--input-type=module', '--eval', program];
  const printed = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' });
  assert.equal(printed, '-18\n');
});
