// The page: a game, what it looks like, what is known of it, and whom it is played against.
//
//     address ─┐                        ┌─ board, values, line, moves, review
//     keys ────┼─► game ─► `changed` ───┼─ address
//     buttons ─┘     ▲                  ├─ analysis ─► values
//                    └──── opponent ◄───┘
//
// Every change of the game goes through `changed`. It shows the game, and asks for
// what is not known; `show` alone shows it again when an answer has come.

import { Analysis, Opponent } from './answers.js';
import { Board, icon } from './board.js';
import { explainKeys, listenToKeys, recall, store, switchThemes } from './controls.js';
import { Game, NotationError, other, parse, refusal } from './game.js';
import { Line, MovesField, address } from './moves.js';
import { Review } from './review.js';
import { SetUp } from './setup.js';
import * as source from './source.js';
import { Trouble, patiently } from './trouble.js';
import { Values, about, state, summary } from './words.js';

const byId = (id) => document.getElementById(id);

switchThemes(byId('theme'));
const trouble = new Trouble(byId('trouble'));
const server = await patiently(source.status, { trouble, who: 'board' });
const size = { width: server.columns, height: server.rows };
document.documentElement.style.setProperty('--columns', size.width);
document.documentElement.style.setProperty('--rows', size.height);

const game = new Game(size);
const opponent = new Opponent(trouble, show);
const analysis = new Analysis(trouble, show);
const board = new Board(byId('board'), size, play);
const values = new Values(board.columns);
const line = new Line(byId('line'), (name) => visit(parse(name, size)));
const review = new Review(byId('game'), trouble, (moves) => visit(parse(game.nameOf(moves), size)));
const setUp = new SetUp(byId('setting-up'), size, {
  onChange: show,
  onDone: (start) => visit({ start, columns: [] }),
});
const field = new MovesField(byId('moves'), size, visit);
const openHelp = explainKeys(byId('help-dialog'), size);

let showsValues = recall('values', ['shown', 'hidden']) !== 'hidden';
let revealed = null;
/** What the reader should know before going on, in place of the remark. */
let hint = null;

// Shows all there is to see.

function show() {
  if (setUp.position) {
    showSetUp(setUp.position);
    return;
  }
  const { position, name } = game;
  const isTheirs = opponent.plays(position.mover) && opponent.isThinking && !opponent.isStuck;
  const knowledge = isRevealed() ? analysis.knowledge : null;
  board.show(position, !isTheirs && !position.isOver);
  values.show(position, knowledge);
  showSummary(position, knowledge);
  line.show(name, position, knowledge);
  field.show(name);
  review.show(game);
  showStatus(position);
  showButtons(position, knowledge);
  byId('legend').hidden = knowledge === null;
  document.title = name === '' ? 'strong4' : `${name} – strong4`;
}

function showSetUp(position) {
  board.show(position, false, true);
  values.show(position, null);
  byId('mover').replaceChildren();
  setText('status', 'Set up a position');
  setText('remark', 'Choose columns to put stones in.');
  setText('verdict', '');
  setText('detail', '');
  for (const id of ['let-move', 'reveal', 'search-on', 'legend']) byId(id).hidden = true;
  for (const id of ['undo', 'redo', 'flip']) disable(id, true);
}

function showSummary(position, knowledge) {
  const { text, detail } = summary(position, knowledge);
  setText('verdict', text);
  setText('detail', detail);
}

function showStatus(position) {
  const { headline, remark } = state(position, opponent);
  setText('status', headline);
  setText('remark', hint ?? remark);
  const player = position.winner ?? (position.isOver ? null : position.mover);
  byId('mover').replaceChildren(...(player === null ? [] : [icon(player)]));
  const waits = opponent.plays(position.mover) && !opponent.isThinking && !position.isOver;
  byId('let-move').hidden = !waits;
}

function showButtons(position, knowledge) {
  disable('undo', countBack() === 0);
  disable('redo', countForward() === 0);
  disable('new', game.name === '' && countForward() === 0);
  disable('flip', !opponent.isThere);
  byId('flip').title = opponent.isThere ? 'Play the other side' : 'Only against the computer';
  byId('values').classList.toggle('off', !showsValues);
  byId('values').lastElementChild.textContent = showsValues ? 'Hide values' : 'Show values';
  const isHidden = knowledge === null && !position.isOver;
  byId('reveal').hidden = !isHidden;
  const record = knowledge?.record;
  byId('search-on').hidden = !record || knowledge.isAsking || record.score !== null;
  setText('level', opponent.description);
  document.querySelector('.sides').hidden = !opponent.isThere;
  choose('level', opponent.level);
  choose('side', opponent.you);
}

function setText(id, text) {
  // What stays the same would be read aloud again.
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

/** Buttons that cannot be used stay in reach of the keyboard. */
function disable(id, isDisabled) {
  byId(id).setAttribute('aria-disabled', String(isDisabled));
}

function choose(name, value) {
  document.querySelector(`input[name=${name}][value="${value}"]`).checked = true;
}

function isRevealed() {
  return showsValues || revealed === game.name;
}

// What happens when the game or a setting changes.

/**
 * `wakes` tells whether the computer may answer; `write` and `reply` put the game, and the game
 * with that answer, into the address.
 */
function changed({ wakes = true, write = address.push, reply = address.push } = {}) {
  byId('notice').hidden = true;
  hint = null;
  setUp.cancel();
  write(game.name);
  askForValues();
  const { position } = game;
  if (wakes && opponent.plays(position.mover) && !position.isOver) {
    opponent.think(game.question, (column) => {
      game.play(column);
      changed({ write: reply });
    });
  } else {
    opponent.stop();
  }
  show();
}

function askForValues() {
  if (isRevealed() && !game.position.isOver) analysis.ask(game);
  else analysis.rest();
}

function advise(message) {
  hint = message;
  show();
}

function notify(message) {
  byId('notice').hidden = false;
  byId('notice').firstElementChild.textContent = message;
}

// What the reader can do.

function play(column) {
  if (setUp.position) {
    setUp.change(column);
    return;
  }
  const { position } = game;
  if (opponent.plays(position.mover) && opponent.isThinking && !opponent.isStuck) return;
  if (!position.canPlay(column)) {
    const reason = refusal(position, column);
    advise(`${reason[0].toUpperCase()}${reason.slice(1)}.`);
    return;
  }
  game.play(column);
  // The answer is no step of its own: the back button returns to the reader's turn.
  changed({ reply: address.replace });
}

/** Goes to a game, to look around. */
function visit(which, write = address.push) {
  game.load(which);
  changed({ wakes: false, write });
}

/** Against the computer, undo goes back to the reader's own turn. */
function countBack() {
  return game.movesBack(opponent.isThere ? opponent.you : null);
}

function countForward() {
  return game.movesForward(opponent.isThere ? opponent.you : null);
}

function undo() {
  if (setUp.position) return;
  const count = countBack();
  if (count === 0) return;
  game.undo(count);
  changed({ wakes: false });
}

function redo() {
  if (setUp.position) return;
  const count = countForward();
  if (count === 0) return;
  game.redo(count);
  changed();
}

function begin() {
  game.clear();
  changed({ reply: address.replace });
}

function flip() {
  if (!opponent.isThere) {
    advise('Choose a level to play against; then you can flip sides.');
    return;
  }
  take({ side: other(opponent.you) });
}

/** Changes the opponent, or the side. */
function take({ level = opponent.level, side = opponent.you }) {
  opponent.level = level;
  opponent.you = side;
  store('level', level, 'sessionStorage');
  store('side', side, 'sessionStorage');
  changed();
}

function toggleValues() {
  showsValues = !showsValues;
  revealed = null;
  store('values', showsValues ? 'shown' : 'hidden');
  askForValues();
  show();
}

/** Shows the values of this position, and leaves the button, which vanishes, for them. */
function reveal() {
  revealed = game.name;
  askForValues();
  show();
  board.columns[0].focus();
}

function letMove() {
  changed();
  board.columns[0].focus();
}

function searchOn() {
  analysis.askAgain(game);
  show();
}

function moveFocus(by) {
  const at = board.columns.indexOf(document.activeElement);
  const middle = Math.floor((size.width - 1) / 2);
  const next = Math.min(Math.max(at + by, 0), size.width - 1);
  const to = at === -1 && Number.isFinite(by) ? middle : next;
  board.columns[to].focus({ focusVisible: true });
}

function readAddress() {
  try {
    visit(parse(address.moves(), size), () => {});
  } catch (error) {
    if (!(error instanceof NotationError)) throw error;
    game.clear();
    changed({ wakes: false, write: () => {} });
    notify(`The address names no game. ${error.message}`);
  }
}

const buttons = {
  undo,
  redo,
  reveal,
  flip,
  new: begin,
  values: toggleValues,
  help: openHelp,
  'set-up': () => setUp.begin(game.position),
  'let-move': letMove,
  'search-on': searchOn,
};
for (const [id, action] of Object.entries(buttons)) byId(id).addEventListener('click', action);
byId('opponent').addEventListener('change', ({ target }) => {
  take({ [target.name]: Number(target.value) });
});
listenToKeys(size, {
  play,
  undo,
  redo,
  flip,
  new: begin,
  values: toggleValues,
  help: openHelp,
  focus: moveFocus,
  stepBack: () => line.step(-1),
  stepForward: () => line.step(1),
});
address.onVisit(() => {
  if (address.moves() !== game.name) readAddress();
});

opponent.level = Number(recall('level', ['0', '1', '2', '3', '4', '5'], 'sessionStorage') ?? 0);
opponent.you = Number(recall('side', ['0', '1'], 'sessionStorage') ?? 0);
byId('about').textContent = about(server);
readAddress();
