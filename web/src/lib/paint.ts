// How the boards and pieces of a family look: the one place that knows families by name.

import type { Side } from './wire';

export interface Paint {
  /** Class of the board: its colours are in `boards.css`. */
  name: string;
  /** How pieces are drawn. */
  pieces: 'stone' | 'token';
  /** What appears where an empty cell is touched. */
  puts: string;
  /** Radius of a piece; a cell is 100 wide. */
  radius: number;
  /** The second player sees the board from the other side. */
  turns: boolean;
  /** Squares in two shades. */
  chequered: boolean;
  /** Lines of grain across the board. */
  grain: boolean;
  /** For a picture of a game that starts empty: columns and rows from the middle, in order of play. */
  sample: [number, number][];
}

const plain: Paint = {
  name: 'plain',
  pieces: 'token',
  puts: 'stone',
  radius: 40,
  turns: true,
  chequered: true,
  grain: false,
  sample: [],
};

const families: Record<string, Paint> = {
  gomoku: {
    ...plain,
    name: 'goban',
    pieces: 'stone',
    radius: 47,
    turns: false,
    chequered: false,
    grain: true,
    sample: [
      [0, 0], [1, -1], [1, 0], [-1, 0], [0, -1], [0, 1], [-1, -2], [2, 1], [1, 1], [-1, 1], [2, 0], [0, -2], [3, 0],
      [4, 0], [2, 2], [3, 3], [1, 3], [-1, -1], [-1, 2], [-2, 3], [3, -2], [-3, 2], [2, -3], [-2, -3],
    ],
  },
  locked: { ...plain, name: 'slate', turns: false, radius: 39 },
};

export function paintOf(family: string): Paint {
  return families[family] ?? plain;
}

/** Side of the piece that a sample's `i`-th stone is. */
export function sampleSide(i: number): Side {
  return i % 2 === 0 ? 'first' : 'second';
}

/** Long wavering lines, like the grain of a board cut along the trunk; the same for the same size. */
export function grain(width: number, height: number): string {
  let seed = 7;
  const random = (): number => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  let d = '';
  for (let x = random() * 20; x < width; x += 8 + random() * 30) {
    const sway = (): string => (x + (random() - 0.5) * 22).toFixed(0);
    d += `M${sway()} 0C${sway()} ${(height * 0.3).toFixed(0)} ${sway()} ${(height * 0.7).toFixed(0)} ${sway()} ${height}`;
  }
  return d;
}
