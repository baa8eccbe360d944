// A still picture of a game: its start, or stones on a board that starts empty.

import { paintOf } from './paint';
import { SAMPLE, sampleSide } from './sample';
import type { GameInfo, Piece, View } from './wire';

/** The number of stones in the picture of a board that starts empty. */
const STONES = 9;

export function stillOf(game: GameInfo): View {
  const paint = paintOf(game.family);
  if (game.view.pieces.length > 0 || paint.pieces !== 'stone') return { ...game.view, marks: [] };
  const { files, ranks } = game.board;
  const middle = (n: number): number => Math.floor(n / 2);
  const pieces = SAMPLE.slice(0, STONES).map<Piece>(([x, y], i) => [
    (middle(ranks) + y) * files + middle(files) + x,
    sampleSide(i),
    paint.puts,
  ]);
  return { ...game.view, marks: [], pieces: pieces.sort((a, b) => a[0] - b[0]) };
}
