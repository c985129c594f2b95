// Programs that ask connect4.gamesolver.org ask the server instead: in the ways in which they do.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import axios from 'axios';
import { serve } from './native.js';

const SCORES = [-5, -5, -2, -3, -4, -2, -2];

test('clients with fetch and with axios need another address only', async () => {
  const { address, stop } = await serve();
  try {
    const response = await fetch(`${address}/solve?pos=${'4453'}`);
    assert.equal(await response.text(), '{"pos":"4453","score":[-5,-5,-2,-3,-4,-2,-2]}');
    const { score } = await (await fetch(`${address}/solve?${new URLSearchParams({ pos: '4453' })}`)).json();
    assert.deepEqual(score, SCORES);
    assert.deepEqual((await axios.get(`${address}/solve`, { params: { pos: '4453' } })).data.score, SCORES);
    const client = axios.create({ baseURL: address, headers: { Accept: 'application/json' } });
    const { data } = await client.get('/solve?pos=4453');
    // The best move, as such programs choose it.
    const best = Math.max(...data.score.filter((it) => it !== 100));
    assert.equal(data.score.indexOf(best), 2);
    await assert.rejects(client.get('/solve?pos=9'), (error) => error.response.status === 400);
  } finally {
    stop();
  }
});
