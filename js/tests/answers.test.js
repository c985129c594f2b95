// What the package answers is what the native program answers.
//
// STRONG4_ALL=1 takes every position of data/positions instead of some of the slow ones.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Solver } from 'strong4';
import { complaint, positions, records, strong4 } from './native.js';

const ALL = process.env.STRONG4_ALL ? Infinity : null;

let solver;
before(async () => { solver = await Solver.create(); });
after(() => solver.close());

const timeless = (record) => ({ ...record, micros: 0 });

for (const [name, most] of [
  ['29-41_1-13', 1000],
  ['15-28_1-13', 1000],
  ['0-14_1-13', 200],
  ['15-28_14-28', 100],
  ['0-14_14-28', 20],
  ['0-14_29-42', 4],
]) {
  test(`scores of ${name} are the known ones`, async () => {
    for (const { moves, score } of positions(name, ALL ?? most)) {
      assert.equal(await solver.score(moves), score, moves);
    }
  });
}

test('records are those of the program', async () => {
  const games = ['29-41_1-13', '15-28_1-13'].flatMap((name) => positions(name, ALL ?? 100));
  const moves = ["''", '4', '44', '1212121', '444444', ...games.map((game) => game.moves)];
  const expected = records(['query', '-', '--json'], moves.join('\n'));
  for (const [at, record] of expected.entries()) {
    const game = moves[at].replace("''", '');
    const analysis = await solver.analyze(game);
    assert.deepEqual(timeless(analysis), timeless(record), game);
    assert.deepEqual(Object.keys(analysis), Object.keys(record));
    const scores = record.columns.map((worth) => worth && worth.score);
    assert.deepEqual(await solver.moveScores(game), scores, game);
    if (record.category !== 'over') assert.equal(await solver.outcome(game), record.category);
    assert.equal(await solver.bestMove(game), record.best[0] ?? null, game);
    assert.deepEqual(timeless(await solver.analyze({ key: record.key })), { ...timeless(record), moves: null });
  }
});

// Every position of tier 9 is a move from one of tier 8.
test('all openings are those of the program', async () => {
  const lines = strong4(['list', '--tiers', ALL ? '0..8' : '0..6', '--fold-mirrors', '--scores', '--json'], '');
  let count = 0;
  for (const line of lines.split('\n').filter(Boolean)) {
    const { moves, score, move_scores: scores } = JSON.parse(line);
    assert.equal(await solver.score(moves), score, moves);
    assert.deepEqual(await solver.moveScores(moves), scores, moves);
    count += 1;
  }
  assert.ok(count > 11_000, String(count));
});

test('reviews are those of the program', async () => {
  const games = ["''", '4', '1212121', '44444265', '6436777131311127722',
    ...positions('29-41_1-13', ALL ?? 20).map((game) => game.moves)];
  // The moves before a hard position are hard to review.
  const reviewed = ALL ? games : games.slice(0, 8);
  const expected = records(['review', '-', '--json'], reviewed.join('\n'));
  for (const record of expected) assert.deepEqual(await solver.review(record.moves), record);
});

test('other boards are searched', async () => {
  for (const board of ['5x4', '4x5', '6x5', '9x3', '3x12', '4x6']) {
    const other = await Solver.create({ board });
    const [expected] = records(['query', '--board', board, '--json', '123']);
    assert.deepEqual(timeless(await other.analyze('123')), timeless(expected), board);
    assert.equal(other.board, board);
    other.close();
  }
});

test('a position is moves, columns, a key or a drawing', async () => {
  const [record] = records(['query', '4453', '--json']);
  const drawing = strong4(['show', '4453']).split('\n').slice(0, 7).join('\n');
  for (const position of ['4453', '4,4 5 3', [4, 4, 5, 3], { moves: '4453' }, { key: record.key },
    { key: BigInt(record.key) }, { key: String(record.key) }, { drawing }]) {
    assert.equal(await solver.score(position), -2, JSON.stringify(String(position)));
  }
  const wide = await Solver.create({ board: '12x3' });
  assert.deepEqual((await wide.analyze([10, 11, 12], { limit: 0.1 })).moves, 'abc');
  wide.close();
});

test('errors are in the words of the program', async () => {
  for (const moves of ['448', '12121212', '4444444', 'x']) {
    const expected = complaint(['query', moves]);
    await assert.rejects(solver.score(moves), (error) => error instanceof Error && error.message === expected);
    await assert.rejects(solver.review(moves), { message: expected });
  }
  await assert.rejects(solver.score({ key: 'four' }), /'four' is not a key/);
  await assert.rejects(solver.bestMove('4', { level: 6 }), /'6' is not a level/);
  await assert.rejects(solver.review({ key: 4433219977345 }), /without moves/);
  await assert.rejects(Solver.create({ board: '9x9' }), /a board of 9x9 does not fit/);
  await assert.rejects(solver.score('4444443332', { limit: 0 }), /stopped before the answer was known/);
  await assert.rejects(solver.score('4444443332', { limit: -1 }), Error);
  for (const position of [null, undefined, 4453, {}, [0], [4.5], [99]]) {
    await assert.rejects(solver.score(position), Error);
  }
  assert.equal(await solver.score('4453'), -2);
});

test('levels play as they do elsewhere', async () => {
  assert.equal(await solver.bestMove('112233', { level: 1 }), 4);
  assert.equal(await solver.bestMove('1212121', { level: 3 }), null);
  const seen = new Set();
  for (let seed = 0; seed < 20; seed += 1) {
    const [first, again] = [await solver.bestMove('', { level: 1, seed }), await solver.bestMove('', { level: 1, seed })];
    assert.equal(first, again);
    seen.add(first);
  }
  assert.ok(seen.size > 2);
});

test('versions agree', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package/package.json', import.meta.url), 'utf8'));
  assert.equal(solver.about.version, version);
  assert.equal(strong4(['--version']).trim(), `strong4 ${version}`);
});
