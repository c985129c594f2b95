/** A position: moves such as '4453', columns such as [4, 4, 5, 3], a key, or a drawing. */
export type Position =
  | string
  | readonly number[]
  | { moves: string | readonly number[] }
  | { key: number | bigint | string }
  | { drawing: string };

/** The outcome for the player to move. */
export type Outcome = 'win' | 'draw' | 'loss';

/** A level, from beginner to perfect. */
export type Level = 1 | 2 | 3 | 4 | 5;

export interface Options {
  /** Stops the question: it then fails with the reason of the signal. */
  signal?: AbortSignal;
  /** Seconds that the answer may take. */
  limit?: number | null;
}

export interface Settings {
  /** Columns and rows, such as '7x6'. */
  board?: string;
  /** Whether to use the built-in openings. */
  openings?: boolean;
  /** Bytes of the table of the search: 64 MiB, unless another size is given. */
  searchMemory?: number;
}

/** What a position or a move is worth. */
export interface Worth {
  /** The outcome; 'over' if the game is over; null if unknown. */
  category: Outcome | 'over' | null;
  /** Moves to the end of the game; null for a draw, or if unknown. */
  plies: number | null;
  /** The score; null if unknown. */
  score: number | null;
  /** The least that the score can be. */
  lower: number;
  /** The most that the score can be. */
  upper: number;
}

/** What `strong4 query --json` prints. */
export interface Analysis extends Worth {
  /** The moves that led to the position, if they are known. */
  moves: string | null;
  /** The key; a string above 2^53. */
  key: number | string;
  /** What each move is worth to the player who makes it; null if the column is full. */
  columns: (Worth | null)[];
  /** The best moves, as columns from 1. */
  best: number[];
  /** A best line; null if none is known. */
  line: string | null;
  /** Where the value came from. */
  source: 'embedded' | 'table' | 'search';
  /** The time it took. */
  micros: number;
}

/** A move of a reviewed game. */
export interface ReviewedMove {
  /** Its number, from 1. */
  number: number;
  player: 'first' | 'second';
  /** Its column, from 1. */
  column: number;
  /** What it was worth to the player who made it. */
  category: Outcome | null;
  score: number | null;
  lower: number;
  upper: number;
  /** The best moves, as columns from 1. */
  best: number[];
  /** What these were worth. */
  best_category: Outcome | null;
  best_score: number | null;
  /** 'slower' kept the outcome, but wins later than necessary, or loses sooner. */
  judgement: 'best' | 'slower' | 'mistake' | 'unknown';
}

/** What `strong4 review --json` prints. */
export interface Review {
  moves: string;
  board: string;
  status: 'open' | 'won' | 'full';
  winner: 'first' | 'second' | null;
  /** The number of the last move that changed the outcome. */
  decided_by: number | null;
  /** The outcome of the last position for the player to move. */
  category: Outcome | null;
  score: number | null;
  review: ReviewedMove[];
}

/**
 * Answers questions about positions of one board, in a worker, one after the other. Scores are for
 * the player to move: positive for a win, negative for a loss, 0 for a draw.
 */
export class Solver {
  private constructor();

  /** A solver for a board. */
  static create(settings?: Settings): Promise<Solver>;

  /** The board, such as '7x6'. */
  readonly board: string;
  /** The version of strong4, and the size of the board. */
  readonly about: { version: string; columns: number; rows: number };

  /** The score for the player to move. */
  score(position: Position, options?: Options): Promise<number>;

  /** Win, draw or loss for the player to move. */
  outcome(position: Position, options?: Options): Promise<Outcome>;

  /** What each move is worth to the player who makes it; null if the column is full. */
  moveScores(position: Position, options?: Options): Promise<(number | null)[]>;

  /** The best move, or the one of a level, as a column from 1; null if the game is over. */
  bestMove(
    position: Position,
    options?: Options & {
      level?: Level | null;
      /** The same seed makes the same choice, from 0 to 2^32 − 1. */
      seed?: number;
    },
  ): Promise<number | null>;

  /** Everything about a position. */
  analyze(position: Position, options?: Options): Promise<Analysis>;

  /** The same as it becomes known: each record knows more than the one before. */
  watch(position: Position, options?: Options): AsyncGenerator<Analysis, void, void>;

  /** A game, move by move. */
  review(game: string | readonly number[] | { moves: string }, options?: Options): Promise<Review>;

  /** Ends the worker. Questions that wait fail. */
  close(): void;
}
