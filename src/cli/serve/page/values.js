// Shows what is known of a position: a score and words under each column, and a sentence.
//
// Under a column stand its number, the score of a move there for the player who makes it, and
// "wins in 13", "loses in 20" or "draw". The best moves have a star. What is not known yet is
// shown as a question mark, or as a bound.

import { letter } from './notation.js';
import { PLAYERS, other } from './players.js';
import { kind, scoreText, signed, verdict, words } from './worth.js';

const SOURCES = {
  embedded: 'from the built-in openings',
  table: 'from the tables',
  search: 'found by search',
};

export class Values {
  #buttons;
  #verdict;
  #detail;

  constructor(buttons, root) {
    this.#buttons = buttons;
    this.#verdict = root.querySelector('#verdict');
    this.#detail = root.querySelector('#detail');
  }

  /** `knowledge` is what `Analysis` keeps; null if the values are hidden. */
  show(position, knowledge) {
    this.#buttons.forEach((button, column) => this.#showColumn(button, column, position, knowledge));
    const { text, detail } = summary(position, knowledge);
    setText(this.#verdict, text);
    setText(this.#detail, detail);
  }

  #showColumn(button, column, position, knowledge) {
    const worth = knowledge?.record?.columns[column] ?? null;
    const isBest = worth !== null && knowledge.record.best.includes(column + 1);
    const empty = position.board.width * position.board.height - position.stones - 1;
    const isOpen = knowledge !== null && position.canPlay(column);
    const isAsking = isOpen && knowledge.isAsking && !knowledge.isStuck;
    const isFull = !position.isOver && position.isColumnFull(column);
    const said = { score: '', words: [], spoken: [] };
    if (isFull) {
      said.words = ['full'];
    } else if (isOpen && worth === null) {
      Object.assign(said, { score: isAsking ? '…' : '?', spoken: ['value not known yet'] });
    } else if (isOpen) {
      said.score = scoreText(worth, empty);
      said.words = words(worth);
      said.spoken = [spokenScore(said.score), words(worth).join(' ')];
    }
    const label = [`Column ${letter(column)}`, isFull && 'full', ...said.spoken, isBest && 'best'];
    button.setAttribute('aria-label', label.filter(Boolean).join(', '));
    button.dataset.kind = isOpen && worth ? kind(worth) : 'none';
    button.dataset.score = isOpen && worth ? worth.score ?? 'open' : 'none';
    button.classList.toggle('best', isBest);
    button.classList.toggle('bound', isOpen && worth !== null && worth.score === null);
    button.classList.toggle('asking', isAsking && (worth?.score ?? null) === null);
    button.querySelector('.value').replaceChildren(
      span('number', letter(column)),
      span('score', said.score),
      span('words', '', said.words.flatMap((word) => [' ', span('', word)]).slice(1)),
    );
  }
}

function spokenScore(text) {
  return text === '?' ? 'value not known' : `score ${text.replaceAll('\u00a0', ' ')}`;
}

/** What is known of the position as a whole. */
function summary(position, knowledge) {
  if (position.isOver) return { text: '', detail: finalScore(position) };
  if (knowledge === null) return { text: 'Values are hidden', detail: '' };
  const { record, isAsking, isSlow, isStuck } = knowledge;
  if (isStuck) return { text: 'The values wait for the server', detail: '' };
  if (record === null) {
    if (!isAsking) return { text: '', detail: '' };
    return { text: 'Searching …', detail: isSlow ? 'Still searching …' : '' };
  }
  const text = verdict(record, ...[position.mover, other(position.mover)].map((at) => PLAYERS[at].name));
  const moves = record.columns.filter((worth) => worth !== null);
  const known = moves.filter((worth) => worth.score !== null).length;
  const progress = `${known} of ${moves.length} scores are known`;
  if (isAsking && known < moves.length) {
    return { text, detail: isSlow ? `Still searching: ${progress} …` : '' };
  }
  if (record.score === null) return { text, detail: `The time was up: ${progress}` };
  const whose = record.score === 0 ? '' : ` for ${PLAYERS[position.mover].name}`;
  const source = `${SOURCES[record.source]} in ${duration(record.micros)}`;
  const following = isAsking && isSlow ? '; still following the best line …' : '';
  return { text, detail: `Score ${signed(record.score)}${whose}, ${source}${following}` };
}

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

function span(name, text, children = []) {
  const element = document.createElement('span');
  if (name) element.className = name;
  element.append(text, ...children);
  return element;
}

/** Sets a text that is read aloud when it changes, and only then. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
