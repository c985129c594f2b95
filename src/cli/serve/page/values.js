// Shows the value of each move below its column.
//
//        4 ★        the column; a star if no move is better
//       +1          the score for the player who moves there, or a bound, or a question mark
//    wins in 41     the same in words
//
// A screen reader is told all of it as the name of the column's button.

import { letter } from './game.js';
import { kind, scoreText, words } from './words.js';

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
