// The moves of the game: a list to click on, and when asked for, how good each of them was.
//
//     4 ★   4 ★   5 ✗   3 ★      a mark for each move
//      ╱╲                        the score after each move, for Red: above the line Red wins
//     ─────╲──────               a click on a point or a move leads there
//           ╲___

import { PLAYERS, letter } from './game.js';
import { review } from './source.js';
import { Asker } from './trouble.js';
import { signed } from './words.js';

const MARKS = { best: '★', slower: '–', mistake: '✗', unknown: '?' };
const [STEP, HEIGHT, EDGE] = [16, 80, 8];

export class Review {
  #list;
  #graph;
  #said;
  #button;
  #asker;
  #onVisit;
  /** The moves that are being reviewed. */
  #asked = null;
  /** The record, once there is one. */
  #record = null;
  #game = null;
  #drawn = null;

  /** `onVisit` is called with the moves of the game to go to. */
  constructor(root, trouble, onVisit) {
    this.#list = root.querySelector('ol');
    this.#graph = root.querySelector('.course');
    this.#said = root.querySelector('p');
    this.#button = root.querySelector('button');
    this.#asker = new Asker('review', { trouble });
    this.#onVisit = onVisit;
    this.#button.addEventListener('click', () => this.#ask());
  }

  /** Shows the moves of a game. A review of it stays as long as it is of the same moves. */
  show(game) {
    this.#game = game;
    const all = game.allMoves;
    if (this.#asker.isAsking && this.#asked !== all) {
      this.#asker.stop();
      this.#asker.forget();
    }
    const isOfThis = this.#record !== null && !game.isSetUp && this.#record.moves === all;
    const canAsk = all !== '' && !game.isSetUp && !this.#asker.isAsking;
    this.#button.setAttribute('aria-disabled', String(!canAsk));
    const record = isOfThis ? this.#record : null;
    this.#say(record);
    const drawn = `${game.nameOf(all)} ${game.start.mover} ${record !== null}`;
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      const moves = Array.from(all, (name, at) => this.#item(name, at, record?.review[at]));
      this.#list.replaceChildren(...moves);
      this.#graph.replaceChildren(...(record ? [this.#course(record.review)] : []));
    }
    [...this.#list.children].forEach(({ firstChild: button }, at) => {
      button.classList.toggle('undone', at >= game.moves.length);
      if (at + 1 === game.moves.length) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
  }

  #say(record) {
    const text = this.#words(record);
    // What stays the same would be read aloud again.
    if (this.#said.textContent !== text) this.#said.textContent = text;
  }

  #words(record) {
    if (this.#asker.isAsking) return 'Reviewing …';
    if (this.#game.isSetUp) return 'Only games from the empty board can be reviewed.';
    if (this.#game.allMoves === '') return 'No moves yet.';
    if (record === null) return 'A review says how good each move was.';
    const isOpen = record.review.some(({ judgement }) => judgement === 'unknown');
    const rest = isOpen ? ' Some moves could not be judged in time: review again to go on.' : '';
    if (record.decided_by === null) return `No move changed the outcome.${rest}`;
    const move = record.review[record.decided_by - 1];
    const { name } = PLAYERS[(move.number - 1) % 2];
    return `Move ${move.number} decided: ${name} played column ${letter(move.column - 1)}, `
      + `and ${loss(move)}. Better was ${better(move)}.${rest}`;
  }

  #item(name, at, reviewed) {
    const player = PLAYERS[(this.#game.start.stones + at) % 2];
    const button = document.createElement('button');
    button.type = 'button';
    button.className = player.kind;
    button.textContent = name;
    button.addEventListener('click', () => this.#onVisit(this.#game.allMoves.slice(0, at + 1)));
    const item = document.createElement('li');
    item.append(button);
    let label = `Move ${at + 1}, ${player.name}, column ${name}`;
    if (reviewed) {
      const mark = document.createElement('span');
      mark.className = `mark-${reviewed.judgement}`;
      mark.textContent = MARKS[reviewed.judgement];
      mark.setAttribute('aria-hidden', 'true');
      item.append(mark);
      const text = judged(reviewed);
      label += `: ${text}`;
      item.title = `${text[0].toUpperCase()}${text.slice(1)}`;
    }
    button.setAttribute('aria-label', label);
    return item;
  }

  /** The course of the game. The list says the same in words. */
  #course(moves) {
    const scores = moves.map(({ score, number }) => (score === null ? null : score * (number % 2 ? 1 : -1)));
    const most = Math.max(4, ...scores.map((score) => Math.abs(score ?? 0)));
    const place = (score, at) => [EDGE + STEP * at, HEIGHT / 2 - (HEIGHT / 2 - EDGE) * score / most];
    const known = scores.map((score, at) => [score, at]).filter(([score]) => score !== null);
    const width = 2 * EDGE + STEP * (moves.length - 1);
    const picture = svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, 'aria-hidden': 'true' });
    picture.style.maxWidth = `${2 * width}px`;
    const points = known.map(([score, at]) => place(score, at).join()).join(' ');
    picture.append(
      svg('line', { class: 'even', x1: 0, x2: width, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg('polyline', { class: 'scores', points }),
      ...known.map(([score, at]) => {
        const [cx, cy] = place(score, at);
        const dot = svg('circle', { class: `${PLAYERS[at % 2].kind} dot`, cx, cy, r: 5 });
        const title = svg('title');
        title.textContent = `After move ${at + 1}: ${signed(score)} for Red`;
        dot.append(title);
        dot.addEventListener('click', () => this.#onVisit(this.#game.allMoves.slice(0, at + 1)));
        return dot;
      }),
    );
    return picture;
  }

  async #ask() {
    if (this.#button.getAttribute('aria-disabled') === 'true') return;
    const moves = this.#game.allMoves;
    this.#asked = moves;
    this.#record = null;
    const answer = this.#asker.ask((signal) => review(moves, signal));
    this.show(this.#game);
    const record = await answer;
    if (record === null) return;
    this.#record = record;
    this.show(this.#game);
  }
}

function judged(move) {
  switch (move.judgement) {
    case 'best': return 'no move was better';
    case 'mistake': return `${loss(move)}; better was ${better(move)}`;
    case 'unknown': return 'not judged in time';
    default: return `${move.category === 'win' ? 'wins later' : 'loses sooner'} than ${better(move)}`;
  }
}

const A = { win: 'a win', draw: 'a draw', loss: 'a loss' };

function loss(move) {
  return `${A[move.best_category]} became ${A[move.category]}`;
}

function better(move) {
  return move.best.map((column) => letter(column - 1)).join(' or ');
}

function svg(name, attributes = {}) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
