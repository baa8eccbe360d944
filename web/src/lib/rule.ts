// The language of move rules in maps, parsed for forms and written again. The hall alone interprets the rules.

/** A condition: a name and its numbers, such as `P[1|4|-1|4]`. */
export interface Where {
  name: string;
  args: number[];
}

/** One direction of a section, and the places where it holds; `null`: everywhere. */
export interface Way {
  direction: number;
  when: Where[] | null;
}

/** The sections of directions: one step, any distance, and those that extensions use. */
export type Rule = Way[][];

/** Parses a whole number, also of full-width digits. */
export function integer(text: string): number | null {
  const plain = text.trim().replace(/[０-９]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0));
  return /^[+-]?\d{1,15}$/.test(plain) ? Number(plain) : null;
}

/** Parses the places of a condition; `null` if they cannot be read. */
export function readPlaces(text: string): Where[] | null {
  const places: Where[] = [];
  for (const part of text.split('&').filter((p) => p !== '')) {
    const found = /^([^[\],;()]+)\[([^\]]*)\]$/.exec(part);
    const args = found?.[2]?.split('|').map(integer);
    if (!found?.[1] || !args || args.includes(null)) return null;
    places.push({ name: found[1], args: args as number[] });
  }
  return places;
}

export function placesText(places: Where[]): string {
  return places.map(({ name, args }) => `${name}[${args.join('|')}]`).join('&');
}

/** Parses a rule into its sections; `null` if it cannot be read. */
export function readRule(text: string): Rule | null {
  const sections = text.split(';');
  if (sections.length < 2) return null;
  const rule: Rule = [];
  for (const [i, section] of sections.entries()) {
    const ways: Way[] = [];
    for (const item of section.split(',').filter((p) => p !== '')) {
      const way = readWay(item);
      if (!way || (i < 2 && (way.direction < 1 || way.direction > 8))) return null;
      ways.push(way);
    }
    rule.push(ways);
  }
  return rule;
}

function readWay(text: string): Way | null {
  const open = text.indexOf('(');
  const direction = integer(open < 0 ? text : text.slice(0, open));
  if (direction === null) return null;
  if (open < 0) return { direction, when: null };
  if (!text.endsWith(')')) return null;
  const when = readPlaces(text.slice(open + 1, -1));
  return when && { direction, when };
}

export function ruleText(rule: Rule): string {
  const way = ({ direction, when }: Way): string => (when ? `${direction}(${placesText(when)})` : String(direction));
  return rule.map((ways) => ways.map(way).join(',')).join(';');
}

/**
 * Returns the directions of one section as bits, direction 1 the lowest: those that always hold, and those that
 * sometimes do.
 */
export function bits(ways: Way[] | undefined): { always: number; sometimes: number } {
  let [always, sometimes] = [0, 0];
  for (const { direction, when } of ways ?? []) {
    if (direction < 1 || direction > 8) continue;
    if (when) sometimes |= 1 << (direction - 1);
    else always |= 1 << (direction - 1);
  }
  return { always, sometimes: sometimes & ~always };
}

/** The number of sections that pieces show: one step, any distance, shield, prohibition, jump, ignore. */
const SHOWN = 6;

/** Returns the directions of each section that pieces show as bits, wherever they hold; no zeros after the second. */
export function directionsOf(rule: Rule): [number, number, ...number[]] {
  const [near = 0, far = 0, ...more] = rule.slice(0, SHOWN).map((ways) => {
    const { always, sometimes } = bits(ways);
    return always | sometimes;
  });
  return [near, far, ...more.slice(0, more.findLastIndex((dirs) => dirs !== 0) + 1)];
}

/** Adds a direction to a section, or removes it if it is there. */
export function toggled(rule: Rule, section: number, direction: number): Rule {
  return rule.map((ways, i) => {
    if (i !== section) return ways;
    const left = ways.filter((w) => w.direction !== direction);
    return left.length < ways.length ? left : [...ways, { direction, when: null }].toSorted((a, b) => a.direction - b.direction);
  });
}

/** Returns true if a place covers the square, counted from 0; `null` for places that are not about squares alone. */
export function covers({ name, args }: Where, row: number, col: number, rows: number, cols: number): boolean | null {
  const is = (written: number | undefined, at: number, length: number): boolean =>
    written !== undefined && (written > 0 ? written - 1 : written + length) === at;
  if (name === 'X') return args.some((a) => is(a, row, rows));
  if (name === 'Y') return args.some((a) => is(a, col, cols));
  if (name === 'P') return args.some((a, i) => i % 2 === 0 && is(a, row, rows) && is(args[i + 1], col, cols));
  return null;
}

/** Returns the squares of a board that a condition covers for certain. */
export function squaresOf(places: Where[], rows: number, cols: number): number[] {
  return Array.from({ length: rows * cols }, (_, i) => i).filter((i) =>
    places.some((p) => covers(p, Math.floor(i / cols), i % cols, rows, cols)),
  );
}
