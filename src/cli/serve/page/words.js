// What the page says: of the game, of the values, and of the server.
//
// The server tells a category, a score and bounds, as `strong4 query --json` prints them. A bound
// is shown as a bound: "≥ +2" is at least +2, and "?" means that nothing is known.

import { PLAYERS, letter, other } from './game.js';

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
  if (last === null) {
    const hasKeys = matchMedia('(any-hover: hover)').matches;
    return hasKeys ? `Choose a column, or press a key from 1 to ${letter(board.width - 1)}.` : 'Choose a column.';
  }
  const player = position.stoneAt(last.column, last.row);
  const name = opponent.plays(player) ? 'The computer' : PLAYERS[player].name;
  const played = `${name} played column ${letter(last.column)}, move ${stones}`;
  if (position.winner !== null) return `${played}: four in a row.`;
  return position.isFull ? `${played}. The board is full.` : `${played}.`;
}

/** Version, board and tables of the server. */
export function about({ version, columns, rows, outcomes, scores, isLocal = false }) {
  const tables = isLocal ? 'computed in this browser'
    : scores.length > 0 ? 'with tables of scores'
    : outcomes.length > 0 ? 'with tables of outcomes' : 'without tables';
  return `strong4 ${version}, ${columns} × ${rows}, ${tables}`;
}

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

/** A number with its sign, and a minus as wide as the plus. */
export function signed(score) {
  return score > 0 ? `+${score}` : String(score).replace('-', '−');
}

/** The most that a score can be with so many cells empty: a bound beyond it tells nothing. */
function most(empty) {
  return Math.floor(empty / 2);
}

/** The score of a move, or what is known of it. `empty` counts the empty cells after the move. */
function scoreText(worth, empty) {
  if (worth.score !== null) return signed(worth.score);
  const hasLower = worth.lower > -most(empty);
  const hasUpper = worth.upper < most(empty);
  // A range may be broken into two lines; nothing else.
  if (hasLower && hasUpper) return `${signed(worth.lower)}\u00a0… ${signed(worth.upper)}`;
  if (hasLower) return `≥\u00a0${signed(worth.lower)}`;
  if (hasUpper) return `≤\u00a0${signed(worth.upper)}`;
  return '?';
}

const VERBS = { win: 'wins', loss: 'loses' };

/** The outcome in words, in pieces between which a line may break; none if nothing is known. */
function words(worth) {
  if (worth.category === 'draw') return ['draw'];
  if (worth.category !== null) {
    const verb = VERBS[worth.category];
    return worth.plies === null ? [verb] : [verb, `in ${worth.plies}`];
  }
  if (worth.lower >= 0) return ['does', 'not', 'lose'];
  if (worth.upper <= 0) return ['does', 'not', 'win'];
  return [];
}

/** How good a move is, at a glance: `win`, `draw`, `loss` or `open`. */
function kind(worth) {
  return worth.category ?? 'open';
}

/** What a position is worth, in a sentence. */
function verdict(worth, mover, opponent) {
  const inMoves = worth.plies === 1 ? ' with the next move' : ` in ${worth.plies} moves`;
  const when = worth.plies === null ? '; how soon is not known yet' : inMoves;
  switch (worth.category) {
    case 'win': return `${mover} wins${when}`;
    case 'loss': return `${opponent} wins${when}`;
    case 'draw': return 'A draw, if both play their best';
  }
  if (worth.lower >= 0) return `${mover} does not lose`;
  if (worth.upper <= 0) return `${mover} does not win`;
  return 'Who wins is not known yet';
}

/**
 * Shows the value of each move below its column.
 *
 *        4 ★        the column; a star if no move is better
 *       +1          the score for the player who moves there, or a bound, or a question mark
 *    wins in 41     the same in words
 *
 * A screen reader is told all of it as the name of the column's button.
 */
export class Values {
  #columns;

  constructor(buttons) {
    this.#columns = buttons.map((button, column) => {
      const [number, score, text] = ['number', 'score', 'words'].map((name) => {
        const element = document.createElement('span');
        element.className = name;
        return element;
      });
      number.textContent = letter(column);
      button.querySelector('.value').append(number, score, text);
      return { button, score, text };
    });
  }

  /** `knowledge` is what `Analysis` keeps; null if the values are hidden. */
  show(position, knowledge) {
    this.#columns.forEach((parts, column) => {
      const value = valueOf(position, column, knowledge);
      const { button } = parts;
      setText(parts.score, value.score);
      setWords(parts.text, value.words);
      button.setAttribute('aria-label', label(column, value));
      button.dataset.kind = value.kind;
      button.classList.toggle('best', value.isBest);
      button.classList.toggle('bound', value.isBound);
      button.classList.toggle('asking', value.isAsking);
    });
  }
}

const NO_VALUE = { score: '', words: [], kind: 'none', isBest: false, isBound: false, isAsking: false };

/** What to show of a column. */
function valueOf(position, column, knowledge) {
  if (!position.isOver && position.isColumnFull(column)) return { ...NO_VALUE, words: ['full'] };
  if (position.isOver || knowledge === null) return NO_VALUE;
  const { record, isAsking, isStuck } = knowledge;
  const goesOn = isAsking && !isStuck;
  if (record === null) return { ...NO_VALUE, score: goesOn ? '…' : '?', isAsking: goesOn };
  const worth = record.columns[column];
  const empty = position.board.width * position.board.height - position.stones - 1;
  return {
    score: scoreText(worth, empty),
    words: words(worth),
    kind: kind(worth),
    isBest: record.best.includes(column + 1),
    isBound: worth.score === null,
    isAsking: goesOn && worth.score === null,
  };
}

function label(column, { score, words: said, isBest }) {
  const isUnknown = score === '?' || score === '…';
  const worth = isUnknown ? 'value not known' : score && `score ${score.replaceAll('\u00a0', ' ')}`;
  const parts = [`Column ${letter(column)}`, worth, said.join(' '), isBest && 'best'];
  return parts.filter(Boolean).join(', ');
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets words between which a narrow column may break the line. */
function setWords(element, said) {
  if (element.textContent === said.join(' ')) return;
  const pieces = said.map((word) => Object.assign(document.createElement('span'), { textContent: word }));
  element.replaceChildren(...pieces.flatMap((piece) => [' ', piece]).slice(1));
}
