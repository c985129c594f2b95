// The best line, as moves to click and to step through.
//
// It stays where it was found while the reader walks along it, and is replaced when the reader
// leaves it:
//
//     game   4 4 5 | 3 4 4 4 6 ...     found after 4 4 5
//                       ^ at           two moves of it are on the board

import { PLAYERS } from './rules.js';

export class Line {
  #list;
  #note;
  #back;
  #forward;
  #onStep;
  #start = '';
  #moves = '';
  #stones = 0;
  #at = 0;
  #drawn = null;

  /** `onStep` is called with the name of the game to go to. */
  constructor(root, onStep) {
    this.#list = root.querySelector('ol');
    this.#note = root.querySelector('p');
    [this.#back, this.#forward] = root.querySelectorAll('.steps button');
    this.#onStep = onStep;
    this.#back.addEventListener('click', () => this.step(-1));
    this.#forward.addEventListener('click', () => this.step(1));
  }

  /** Shows the line through a position; `knowledge` is null while values are hidden. */
  show(name, position, knowledge) {
    const { isOver, stones } = position;
    this.#follow(name, knowledge?.record?.line ?? '');
    this.#stones = stones - this.#at;
    const isHidden = knowledge === null;
    this.#draw(isHidden);
    this.#back.setAttribute('aria-disabled', String(isHidden || this.#at === 0));
    this.#forward.setAttribute('aria-disabled', String(isHidden || this.#at === this.#moves.length));
    this.#note.textContent = isHidden ? 'Hidden, like the values.' : this.#remark(isOver, knowledge);
    this.#note.hidden = this.#note.textContent === '';
  }

  #follow(moves, found) {
    const whole = this.#start + this.#moves;
    const isOnIt = moves.startsWith(this.#start) && whole.startsWith(moves) && this.#moves !== '';
    const isAtEnd = isOnIt && moves === whole;
    if (isAtEnd) {
      this.#moves += found;
    } else if (!isOnIt || (moves === this.#start && found !== '')) {
      this.#start = moves;
      this.#moves = found;
    }
    this.#at = moves.length - this.#start.length;
  }

  #remark(isOver, knowledge) {
    if (this.#moves !== '') return '';
    if (isOver) return 'The game is over.';
    if (knowledge.isStuck) return 'It waits for the server.';
    return knowledge.isAsking ? 'Searching …' : 'No line was found in time.';
  }

  #draw(isHidden) {
    const moves = isHidden ? '' : this.#moves;
    const drawn = `${this.#start}/${this.#stones}/${moves}`;
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#list.replaceChildren(...Array.from(moves, (name, at) => this.#item(name, at)));
    }
    [...this.#list.children].forEach(({ firstChild: button }, at) => {
      button.classList.toggle('played', at < this.#at);
      if (at + 1 === this.#at) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
  }

  #item(name, at) {
    const place = this.#stones + at;
    const player = PLAYERS[place % 2];
    const button = document.createElement('button');
    button.type = 'button';
    button.className = player.kind;
    button.textContent = name;
    button.setAttribute('aria-label', `Move ${place + 1}, ${player.name}, column ${name}`);
    button.addEventListener('click', () => this.#go(at + 1));
    const item = document.createElement('li');
    item.append(button);
    return item;
  }

  /** One move further along the line, or back. */
  step(by) {
    const button = by < 0 ? this.#back : this.#forward;
    if (button.getAttribute('aria-disabled') === 'false') this.#go(this.#at + by);
  }

  #go(at) {
    this.#onStep(this.#start + this.#moves.slice(0, at));
  }
}
