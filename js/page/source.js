// Where answers come from: WebAssembly, in workers of this browser. The page of `strong4 serve` has
// another file of this name, whose answers come from the server.
// `?board=8x7` in the address names another board.
//
// Values, moves of the computer and reviews have a worker each, so that none waits for another.

import { Solver } from './engine/browser.js';
import { ServerError } from './trouble.js';

const solvers = new Map();

/** The solver for this kind of question. */
function solver(kind) {
  if (!solvers.has(kind)) {
    const board = new URLSearchParams(location.search).get('board') ?? '7x6';
    const created = Solver.create({ board });
    solvers.set(kind, created);
    // Another attempt may succeed.
    created.catch(() => solvers.delete(kind));
  }
  return solvers.get(kind);
}

// Once it is installed, the page works without a network.
navigator.serviceWorker?.register('sw.js').catch(() => {});

export async function status() {
  const { about } = await orTold(solver('values'));
  return { ...about, outcomes: [], scores: [], isLocal: true };
}

/** The column of the computer's move, from 0. `of` has the moves or the key of a position. */
export async function move(of, level, signal) {
  const moves = await solver('moves');
  return (await orTold(moves.bestMove(of, { level, signal }), signal)) - 1;
}

/** Records of a position, as more and more is known. */
export async function* watch(of, signal) {
  const values = await solver('values');
  const records = values.watch(of, { signal });
  for (;;) {
    const { done, value } = await orTold(records.next(), signal);
    if (done) return;
    yield value;
  }
}

/** A game, move by move. */
export async function review(moves, signal) {
  const reviews = await solver('reviews');
  return orTold(reviews.review(moves, { signal }), signal);
}

/** Fails with the reason if no game leads to the position with this key. */
export async function check(key) {
  await orTold((await solver('moves')).analyze({ key }, { limit: 0 }));
}

/** Errors as the page shows them. */
async function orTold(promise, signal) {
  try {
    return await promise;
  } catch (error) {
    throw signal?.aborted ? error : new ServerError(error.message);
  }
}
