// What is known of the position as a whole: a sentence, and where it comes from.

import { PLAYERS, other } from './players.js';
import { signed, verdict } from './worth.js';

const SOURCES = {
  embedded: 'from the built-in openings',
  table: 'from the tables',
  search: 'found by search',
};

/** `knowledge` is what `Analysis` keeps; null if the values are hidden. */
export function summary(position, knowledge) {
  if (position.isOver) return { text: '', detail: finalScore(position) };
  if (knowledge === null) return { text: 'Values are hidden', detail: '' };
  const { record, isAsking, isSlow, isStuck } = knowledge;
  if (isStuck) return { text: 'The values wait for the server', detail: '' };
  if (record !== null) return { text: sentence(position, record), detail: detail(position, knowledge) };
  if (!isAsking) return { text: '', detail: '' };
  return { text: 'Searching …', detail: isSlow ? 'Still searching …' : '' };
}

function sentence(position, record) {
  const { mover } = position;
  return verdict(record, PLAYERS[mover].name, PLAYERS[other(mover)].name);
}

function detail(position, { record, isAsking, isSlow }) {
  const moves = record.columns.filter((worth) => worth !== null);
  const known = moves.filter((worth) => worth.score !== null).length;
  const progress = `${known} of ${moves.length} scores are known`;
  if (isAsking && known < moves.length) return isSlow ? `Still searching: ${progress} …` : '';
  if (record.score === null) return `The time was up: ${progress}`;
  const whose = record.score === 0 ? '' : ` for ${PLAYERS[position.mover].name}`;
  const source = `${SOURCES[record.source]} in ${duration(record.micros)}`;
  const following = isAsking && isSlow ? '; still following the best line …' : '';
  return `Score ${signed(record.score)}${whose}, ${source}${following}`;
}

/** The score counts the stones that the winner has not played, and the one that won. */
function finalScore(position) {
  if (position.winner === null) return 'Final score 0';
  const empty = position.board.width * position.board.height - position.stones;
  return `Final score +${Math.floor(empty / 2) + 1} for ${PLAYERS[position.winner].name}`;
}

function duration(micros) {
  if (micros < 950) return `${Math.max(1, micros)} µs`;
  if (micros < 9_500) return `${(micros / 1000).toFixed(1)} ms`;
  if (micros < 999_500) return `${Math.round(micros / 1000)} ms`;
  return `${(micros / 1e6).toFixed(1)} s`;
}
