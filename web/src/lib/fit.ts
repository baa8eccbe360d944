// Names of pieces on tiles. Their authors choose them, from one letter to eighteen digits; here they are made to fit.

/** The width and height of the room for a name, in board units. */
const ROOM = 54;
const LARGEST = 46;
const LEADING = 1.08;

export interface Fitted {
  lines: string[];
  size: number;
}

/** The font of tiles; see `.name` in `Tile.svelte`. Chinese characters are as wide in every font. */
const FONT = '600 100px system-ui';
let pen: CanvasRenderingContext2D | null | undefined;

/** Returns the width of a text in ems: measured in a browser, otherwise estimated. */
function width(letters: string[]): number {
  if (pen === undefined) {
    pen = typeof document === 'undefined' ? null : document.createElement('canvas').getContext('2d');
    if (pen) pen.font = FONT;
  }
  return pen ? pen.measureText(letters.join('')).width / 100 : letters.reduce((sum, c) => sum + (c > '⺀' ? 1 : 0.6), 0);
}

/**
 * Returns the lines of a name with the largest letters. Lines break between words, Chinese characters and digits,
 * never in a word.
 */
export function fit(name: string): Fitted {
  const letters = [...new Intl.Segmenter().segment(name.trim())].map((s) => s.segment);
  let best: Fitted = { lines: [''], size: LARGEST };
  let most = 0;
  for (let count = 1; count <= Math.min(5, Math.max(1, letters.length)); count += 1) {
    const lines = broken(letters, count);
    const widest = Math.max(0.1, ...lines.map((line) => width([...line])));
    const size = Math.min(LARGEST, ROOM / widest, ROOM / (lines.length * LEADING));
    const words = lines.every((line) => ` ${name.trim()} `.includes(` ${line} `));
    if (!words && !letters.every((c) => c > '⺀' || /\d/.test(c))) continue;
    // A broken name is harder to read, so it must gain something; a broken number more.
    if (size > most * (words || letters.every((c) => c > '⺀') ? 1.12 : 1.6)) {
      best = { lines, size: Math.round(size * 10) / 10 };
      most = size;
    }
  }
  return best;
}

/** Breaks a name into `count` lines of about equal width, between words where it has enough of them. */
function broken(letters: string[], count: number): string[] {
  const words = letters.join('').split(/\s+/);
  const parts = words.length >= count ? words : letters;
  const joint = parts === words ? ' ' : '';
  const target = width(letters) / count;
  const lines: string[] = [];
  let line = '';
  for (const part of parts) {
    const longer = line === '' ? part : line + joint + part;
    if (line !== '' && lines.length < count - 1 && width([...longer]) > target * 1.15) {
      lines.push(line);
      line = part;
    } else line = longer;
  }
  return [...lines, line];
}
