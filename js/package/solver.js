// A solver: one method for each question, answered by a worker one after the other.
//
//     methods ──► line of questions ──► worker ──► answers
//
// A question that is aborted leaves the line. If it is being answered, its worker is ended, and the
// next one starts at once: what it had learnt is lost, and nothing waits for it.

/** The class Solver for a host, which compiles the module and starts workers. */
export function solvers(host) {
  let module = null;

  return class Solver {
    #opening;
    #line = [];
    #worker = null;
    /** Whether the worker has opened its board. */
    #isOpen = false;
    #asked = null;
    #isClosed = false;

    /** Not for users: `Solver.create` makes solvers. */
    constructor(opening) {
      this.#opening = JSON.stringify(opening);
    }

    /** A solver for a board. */
    static async create({ board = '7x6', openings = true, searchMemory = 64 << 20 } = {}) {
      module ??= host.compile();
      // Another attempt may succeed.
      module.catch(() => { module = null; });
      const solver = new Solver({ ask: 'open', board: String(board), openings, searchMemory });
      const compiled = await module;
      solver.about = await new Promise((resolve, reject) => {
        solver.#asked = { resolve, reject };
        solver.#start(compiled);
      });
      solver.board = `${solver.about.columns}x${solver.about.rows}`;
      return solver;
    }

    /** What `strong4 query --json` prints. */
    analyze(position, options = {}) {
      return this.#ask('analyze', position, options, { growing: false });
    }

    /** The same as it becomes known: each record knows more than the one before. */
    async* watch(position, { signal, limit } = {}) {
      const news = [];
      const ending = new AbortController();
      const signals = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
      let wake = () => {};
      let end = null;
      const onGrown = (record) => {
        news.push(record);
        wake();
      };
      this.#ask('analyze', position, { signal: signals, limit }, { growing: true }, onGrown).then(
        (last) => { end = () => last; },
        (error) => { end = () => { throw error; }; },
      ).finally(() => wake());
      try {
        for (;;) {
          while (news.length > 0) yield news.shift();
          if (end) break;
          await new Promise((resolve) => { wake = resolve; });
        }
        yield end();
      } finally {
        ending.abort();
      }
    }

    /** The score for the player to move. */
    score(position, options) {
      return this.#ask('score', position, options);
    }

    /** `win`, `draw` or `loss` for the player to move. */
    outcome(position, options) {
      return this.#ask('outcome', position, options);
    }

    /** What each move is worth to the player who makes it; null if the column is full. */
    moveScores(position, options) {
      return this.#ask('moveScores', position, options);
    }

    /** The best move, or that of a level from 1 to 5, as a column from 1; null if the game is over. */
    bestMove(position, { level = null, seed = random(), ...options } = {}) {
      const of = level === null ? null : String(level);
      return this.#ask('bestMove', position, options, { level: of, seed });
    }

    /** What `strong4 review --json` prints. */
    review(game, options) {
      return this.#ask('review', game, options);
    }

    /** Ends the worker. Questions that wait fail. */
    close() {
      this.#isClosed = true;
      this.#worker?.end();
      this.#worker = null;
      const waiting = [this.#asked, ...this.#line.splice(0)];
      this.#asked = null;
      for (const asked of waiting) asked?.reject(new Error('the solver is closed'));
    }

    async #ask(ask, position, { signal, limit = null } = {}, more = {}, onGrown = null) {
      signal?.throwIfAborted();
      if (this.#isClosed) throw new Error('the solver is closed');
      const question = JSON.stringify({ ask, of: named(position), limit, ...more });
      let asked = null;
      let abort = null;
      const answer = new Promise((resolve, reject) => {
        asked = { question, onGrown, resolve, reject };
        abort = () => {
          reject(signal.reason);
          this.#drop(asked);
        };
      });
      signal?.addEventListener('abort', abort);
      this.#line.push(asked);
      this.#next();
      try {
        return await answer;
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    }

    #start(compiled) {
      this.#isOpen = false;
      const worker = host.startWorker(
        (message) => { if (worker === this.#worker) this.#hear(message); },
        (error) => { if (worker === this.#worker) this.#hear({ broken: error }); },
      );
      this.#worker = worker;
      worker.send({ module: compiled, opening: this.#opening });
    }

    /** Ends the worker, and starts the next one, for whatever waits or is yet to be asked. */
    async #restart() {
      this.#worker?.end();
      this.#worker = null;
      const compiled = await module;
      if (this.#isClosed || this.#worker) return;
      this.#start(compiled);
    }

    #next() {
      if (this.#isOpen && !this.#asked && this.#line.length > 0) {
        this.#asked = this.#line.shift();
        this.#worker.send({ question: this.#asked.question });
      }
      this.#worker?.keepAlive(this.#asked !== null || this.#line.length > 0);
    }

    #hear({ grown, last, broken }) {
      const asked = this.#asked;
      if (broken !== undefined) {
        const reason = `the search broke off: please report this position (${broken})`;
        this.#asked = null;
        asked?.reject(new Error(reason));
        // A worker that cannot even open its board would be started for ever.
        if (this.#isOpen) this.#restart();
        else this.close();
        return;
      }
      if (grown !== undefined) {
        asked?.onGrown?.(JSON.parse(grown));
        return;
      }
      const isOpening = !this.#isOpen;
      this.#isOpen = true;
      this.#asked = null;
      // After a restart nobody asked for the board to be opened.
      if (!isOpening || asked) settle(asked, JSON.parse(last));
      this.#next();
    }

    #drop(asked) {
      if (asked === this.#asked) {
        this.#asked = null;
        this.#restart();
      } else {
        this.#line = this.#line.filter((other) => other !== asked);
        this.#next();
      }
    }
  };
}

function settle({ resolve, reject }, answer) {
  if (answer !== null && answer.error !== undefined) reject(new Error(answer.error));
  else resolve(answer);
}

/** A position as the module wants it. */
function named(position) {
  if (typeof position === 'string') return { moves: position };
  if (Array.isArray(position)) return { moves: position.map(columnName).join('') };
  const { moves, key, drawing } = position ?? {};
  if (moves !== undefined && moves !== null) return named(moves);
  if (key !== undefined) return { key: String(key) };
  if (drawing !== undefined) return { drawing: String(drawing) };
  throw new TypeError("a position is moves such as '4453', [4, 4, 5, 3], { key } or { drawing }");
}

/** The name of a column in moves: 10 is `a`. */
function columnName(column) {
  if (!Number.isInteger(column) || column < 1 || column > 35) {
    throw new RangeError(`${column} is no column: columns are whole numbers from 1`);
  }
  return column.toString(36);
}

function random() {
  return Math.floor(Math.random() * 2 ** 32);
}
