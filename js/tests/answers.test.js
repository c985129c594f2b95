// What the package answers is what the native program answers.
//
// STRONG4_ALL=1 takes every position of data/positions instead of some of each file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { after, before, test } from 'node:test';
import { Solver } from 'strong4';
import { complaint, positions, records as recordsOf, strong4 } from './native.js';

const ALL = process.env.STRONG4_ALL ? Infinity : null;

let solver;
let solvers;
before(async () => {
  const number = ALL ? availableParallelism() : 1;
  solvers = await Promise.all(Array.from({ length: number }, () => Solver.create()));
  [solver] = solvers;
});
after(() => solvers.forEach((each) => each.close()));

/** Checks all items, on all solvers. */
async function checkAll(items, check) {
  const rest = items.values();
  await Promise.all(solvers.map(async (one) => {
    for (const item of rest) await check(one, item);
  }));
}

const timeless = (record) => ({ ...record, micros: 0 });
const lasting = (record) => ({ ...record, micros: 0, line: null });

/** Files of data/positions, and how many of each are asked for a score, for everything, and for a review. */
const FILES = [
  ['29-41_1-13', 1000, 100, 3],
  ['15-28_1-13', 1000, 100, 2],
  ['15-28_14-28', 100, 5, 2],
  ['0-14_1-13', 200, 5, 2],
  ['0-14_14-28', 20, 2, 1],
  ['0-14_29-42', 4, 2, 20],
];

for (const [name, scores, records, reviews] of FILES) {
  test(`scores of ${name} are the known ones`, async () => {
    await checkAll(positions(name, ALL ?? scores), async (one, { moves, score }) => {
      assert.equal(await one.score(moves), score, moves);
    });
  });

  test(`records of ${name} are those of the program`, async () => {
    await checkRecords(positions(name, ALL ?? records).map((game) => game.moves));
  });

  test(`reviews of ${name} are those of the program`, async () => {
    await checkReviews(positions(name, ALL ?? reviews).map((game) => game.moves));
  });
}

test('short games and games that are over are answered like others', async () => {
  await checkRecords(['', '4', '44', '1212121', '444444']);
  await checkReviews(['', '4', '1212121', '44444265', '6436777131311127722']);
});

/** As the program reads them: an empty line is none. */
const lines = (games) => games.map((moves) => moves || "''").join('\n');

async function checkRecords(games) {
  const expected = recordsOf(['query', '-', '--json'], lines(games));
  assert.equal(expected.length, games.length);
  await checkAll(expected, async (one, record) => {
    const analysis = await one.analyze(record.moves);
    checkLine(record, analysis.line);
    assert.deepEqual(lasting(analysis), lasting(record));
    assert.deepEqual(Object.keys(analysis), Object.keys(record));
    const scores = record.columns.map((worth) => worth && worth.score);
    assert.deepEqual(await one.moveScores(record.moves), scores, record.moves);
    if (record.category !== 'over') assert.equal(await one.outcome(record.moves), record.category);
    assert.equal(await one.bestMove(record.moves), record.best[0] ?? null, record.moves);
    const keyed = await one.analyze({ key: record.key });
    checkLine(record, keyed.line);
    assert.deepEqual(lasting(keyed), { ...lasting(record), moves: null });
  });
}

/** A best line: that of the program, or another one. Which one is found first depends on earlier searches. */
function checkLine({ moves, line, plies }, found) {
  if (found === line) return;
  const { status, review } = recordsOf(['review', moves + found, '--json'])[0];
  assert.notEqual(status, 'open', `${moves}: ${found}`);
  if (plies !== null) assert.equal(found.length, plies, `${moves}: ${found}`);
  for (const { judgement } of review.slice(moves.length)) assert.equal(judgement, 'best', `${moves}: ${found}`);
}

async function checkReviews(games) {
  const expected = recordsOf(['review', '-', '--json'], lines(games));
  assert.equal(expected.length, games.length);
  await checkAll(expected, async (one, record) => {
    assert.deepEqual(await one.review(record.moves), record);
  });
}

// Every position of tier 9 is a move from one of tier 8.
test('all openings are those of the program', async () => {
  const tiers = ALL ? '0..8' : '0..6';
  const openings = recordsOf(['list', '--tiers', tiers, '--fold-mirrors', '--scores', '--json'], '');
  assert.ok(openings.length > 11_000, String(openings.length));
  await checkAll(openings, async (one, { moves, score, move_scores: scores }) => {
    assert.equal(await one.score(moves), score, moves);
    assert.deepEqual(await one.moveScores(moves), scores, moves);
  });
});

test('other boards are searched', async () => {
  for (const board of ['5x4', '4x5', '6x5', '9x3', '3x12', '4x6']) {
    const other = await Solver.create({ board });
    const [expected] = recordsOf(['query', '--board', board, '--json', '123']);
    assert.deepEqual(timeless(await other.analyze('123')), timeless(expected), board);
    assert.equal(other.board, board);
    other.close();
  }
});

test('a position is moves, columns, a key or a drawing', async () => {
  const [record] = recordsOf(['query', '4453', '--json']);
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
