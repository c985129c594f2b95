// Words for what a position or a move is worth.
//
// The server tells a category, a score and bounds, as `strong4 query --json` prints them. A bound
// is shown as a bound: "≥ +2" is at least +2, and "?" means that nothing is known.

/** A number with its sign, and a minus as wide as the plus. */
export function signed(score) {
  return score > 0 ? `+${score}` : String(score).replace('-', '−');
}

/** The most that a score can be with so many cells empty: a bound beyond it tells nothing. */
function most(empty) {
  return Math.floor(empty / 2);
}

/** The score of a move, or what is known of it. `empty` counts the empty cells after the move. */
export function scoreText(worth, empty) {
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
export function words(worth) {
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
export function kind(worth) {
  return worth.category ?? 'open';
}

/** What a position is worth, in a sentence. */
export function verdict(worth, mover, opponent) {
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
