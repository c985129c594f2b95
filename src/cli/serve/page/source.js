// Where answers come from: the server. The page without a server has another file of this name,
// whose answers come from WebAssembly.
//
//     api/status                      board, version, tables
//     api/watch?moves=4453            records of `strong4 query --json`, one per line, each
//                                     knowing more than the one before
//     api/move?moves=4453&level=3     the move of the computer
//     api/review?moves=4453           the record of `strong4 review --json`
//
// A position that was set up has no moves. Its key is asked for instead.

import { LostError, ServerError } from './trouble.js';

export async function status() {
  return (await get('api/status')).json();
}

/** The column of the computer's move, from 0. `of` has the moves or the key of a position. */
export async function move(of, level, signal) {
  const query = new URLSearchParams({ ...of, level });
  const response = await get(`api/move?${query}`, signal);
  return (await unlessLost(response.json(), signal)).column - 1;
}

/** Records of a position, as more and more is known. */
export async function* watch(of, signal) {
  const response = await get(`api/watch?${new URLSearchParams(of)}`, signal);
  let records = 0;
  for await (const line of lines(response.body, signal)) {
    const record = JSON.parse(line);
    if (record.error) throw new ServerError(record.error);
    if (of.moves !== undefined && record.moves !== of.moves) {
      throw new ServerError(`The server answered for the moves ‘${record.moves}’: reload the page.`);
    }
    records += 1;
    yield record;
  }
  if (records === 0) throw new LostError();
}

/** A game, move by move. */
export async function review(moves, signal) {
  const response = await get(`api/review?${new URLSearchParams({ moves })}`, signal);
  return unlessLost(response.json(), signal);
}

/** Fails with the reason if no game leads to the position with this key. */
export async function check(key) {
  // Asked as a line, for which a refusal is an answer.
  const response = await get('api/analyze?limit=1ms', undefined, JSON.stringify({ key }));
  const { error } = await unlessLost(response.json());
  if (error) throw new ServerError(error);
}

async function get(address, signal, body) {
  const how = { signal, cache: 'no-store', method: body === undefined ? 'GET' : 'POST', body };
  const response = await unlessLost(fetch(address, how), signal);
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  const busy = response.status === 503;
  const seconds = busy ? Number(response.headers.get('Retry-After')) || 1 : null;
  throw new ServerError(error ?? `the server answered with status ${response.status}`, { seconds });
}

/** What the browser says of a broken connection differs; all of it means the same. */
async function unlessLost(promise, signal) {
  try {
    return await promise;
  } catch (error) {
    throw signal?.aborted ? error : new LostError();
  }
}

async function* lines(body, signal) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await unlessLost(reader.read(), signal);
    const whole = (rest + (value ?? '')).split('\n');
    rest = done ? '' : whole.pop();
    yield* whole.filter(Boolean);
    if (done) return;
  }
}
