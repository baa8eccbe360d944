// Catches a result told from the wrong side, and a request for other games than were chosen.

import { describe, expect, it } from 'vitest';
import { ANY, changeFor, curvePath, inOrder, pageOf, queryOf, resultFor } from '../src/lib/profile';
import type { GameLine, PoolRating } from '../src/lib/wire';

const game = (winner: 'first' | 'second' | null, more: Partial<GameLine> = {}): GameLine => ({
  id: 't',
  game: 'xiangqi',
  options: {},
  how: 'invite',
  clock: { kind: 'none' },
  players: [
    { id: 'ann', name: 'Ann' },
    { id: 'bob', name: null },
  ],
  outcome: { winner, reason: 'resign' },
  plies: 2,
  begun_ms: 1,
  ended_ms: 2,
  ...more,
});

describe('a game', () => {
  it.each([
    [game('first'), 'ann', 'win'],
    [game('first'), 'bob', 'loss'],
    [game('second'), 'bob', 'win'],
    [game(null), 'ann', 'draw'],
    [game(null, { outcome: { winner: null, reason: 'abort', void: true } }), 'ann', 'void'],
  ])('is told from the side of who is looked at', (line, who, result) => {
    expect(resultFor(line, who)).toBe(result);
  });

  it('says what became of a rating', () => {
    const rated = game('first', {
      ratings: [
        { before: 1500, after: 1512 },
        { before: 1500, after: 1488 },
      ],
    });
    expect([changeFor(rated, 'ann'), changeFor(rated, 'bob'), changeFor(game('first'), 'ann')]).toEqual(['+12', '−12', null]);
    const same = game(null, {
      ratings: [
        { before: 1500, after: 1500 },
        { before: 1500, after: 1500 },
      ],
    });
    expect(changeFor(same, 'bob')).toBe('±0');
  });
});

describe('questions', () => {
  it('say only what was chosen', () => {
    expect(queryOf(ANY)).toBe('');
    expect(queryOf({ ...ANY, game: 'gomoku/renju', rated: 'true' })).toBe('?game=gomoku%2Frenju&rated=true');
    expect(queryOf({ ...ANY, opponent: '  ' }, '12.3')).toBe('?after=12.3');
    expect(queryOf({ ...ANY, opponent: ' 小明 & Co ' })).toBe('?opponent=%E5%B0%8F%E6%98%8E+%26+Co');
  });

  it('go to the page of a name, or of an id where there is none', () => {
    expect(pageOf({ id: 'x1', name: '小明/?' })).toBe('/@/%E5%B0%8F%E6%98%8E%2F%3F');
    expect(pageOf({ id: 'x1', name: null })).toBe('/@/x1');
  });
});

describe('ratings', () => {
  const pool = (name: string, games: number, provisional: boolean): PoolRating => ({
    game: name,
    speed: 'blitz',
    rating: 1500,
    deviation: 60,
    provisional,
    games,
    curve: [],
  });

  it('come with the sure ones first', () => {
    const all = [pool('a', 1, true), pool('b', 3, false), pool('c', 9, false)];
    expect(inOrder(all).map((p) => p.game)).toEqual(['c', 'b', 'a']);
  });

  it('are drawn within their box', () => {
    expect(curvePath([], 100, 20)).toBeNull();
    expect(curvePath([[5, 1500]], 100, 20)).toBeNull();
    expect(
      curvePath(
        [
          [5, 1500],
          [5, 1510],
        ],
        100,
        20,
      ),
    ).toBeNull();
    expect(
      curvePath(
        [
          [0, 1500],
          [50, 1700],
          [100, 1600],
        ],
        100,
        20,
      ),
    ).toBe('M0.0 18.0L50.0 2.0L100.0 10.0');
    expect(
      curvePath(
        [
          [0, 1500],
          [10, 1500],
        ],
        100,
        20,
      ),
    ).toBe('M0.0 18.0L100.0 18.0');
  });
});
