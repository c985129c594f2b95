// What the page says of the game: whose move it is, who has won, and what has happened; and of
// the server.

import { letter } from './notation.js';
import { PLAYERS } from './players.js';

/** A headline, and a remark below it. */
export function state(position, opponent) {
  return { headline: headline(position, opponent), remark: remark(position, opponent) };
}

function headline(position, opponent) {
  const { winner, mover } = position;
  if (winner !== null) {
    if (!opponent.isThere) return `${PLAYERS[winner].name} wins`;
    return opponent.plays(winner) ? 'The computer wins' : 'You win';
  }
  if (position.isFull) return 'A draw';
  if (!opponent.isThere) return `${PLAYERS[mover].name} to move`;
  if (!opponent.plays(mover)) return `Your move, ${PLAYERS[mover].name}`;
  if (opponent.isStuck) return 'The computer cannot move';
  if (!opponent.isThinking) return 'The computer waits';
  return opponent.isSlow ? 'The computer is still thinking …' : 'The computer is thinking …';
}

function remark(position, opponent) {
  const { last, stones, board } = position;
  if (last === null) return `Choose a column, or press a key from 1 to ${letter(board.width - 1)}.`;
  const player = position.stoneAt(last.column, last.row);
  const name = opponent.plays(player) ? 'The computer' : PLAYERS[player].name;
  const played = `${name} played column ${letter(last.column)}, move ${stones}`;
  if (position.winner !== null) return `${played}: four in a row.`;
  return position.isFull ? `${played}. The board is full.` : `${played}.`;
}

/** Version, board and tables of the server. */
export function about({ version, columns, rows, outcomes, scores }) {
  const tables = scores.length > 0 ? 'with tables of scores'
    : outcomes.length > 0 ? 'with tables of outcomes' : 'without tables';
  return `strong4 ${version}, ${columns} × ${rows}, ${tables}`;
}
