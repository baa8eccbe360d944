// A map under construction: the hall checks every change, the browser stores it, and each can be undone.

import { Refused } from './api';
import * as maps from './maps';
import { covers, directionsOf, readPlaces, readRule, ruleText, placesText, type Rule, type Where } from './rule';
import type { Dirs, DraftChecked, ExtensionFile, KindDraft, MapDraft, Piece, Problem, SheetsDraft, View, WorkInfo } from './wire';

const KEY = 'qiguan-workshop';
/** The key in the browser's storage of the draft that another one replaced. */
const ASIDE = 'qiguan-workshop-aside';
const MOST_SIDE = 64;
const MOST_UNDONE = 100;
/** The pause, in milliseconds, within which typing counts as one change. */
const PAUSE_MS = 900;
const CHECK_AFTER_MS = 250;

interface Kept {
  name: string;
  draft: MapDraft;
  extensions: ExtensionFile[];
  old_names: boolean;
  origin?: Origin | null;
  /** True if the draft was not changed since it was opened or published. */
  untouched?: boolean;
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a draft in this browser and returns the stored text. If extensions are too large, the rest is stored. */
function write(key: string, kept: Kept): string | null {
  for (const extensions of [kept.extensions, []]) {
    const text = JSON.stringify({ ...kept, extensions });
    try {
      localStorage.setItem(key, text);
      return text;
    } catch {
      // Without the extensions, then.
    }
  }
  return null;
}

/** The work that a draft was copied from, with its version and map. */
export interface Origin {
  work: WorkInfo;
  version: number;
  map: string;
}

/** The fields of a piece in which something may be wrong: the columns of the table of pieces. */
export type Field = 'name' | 'owner' | 'captain' | 'rule' | 'promotes' | 'promoted' | 'attributes';
const COLUMNS: Record<Field, RegExp> = {
  name: /^B$/,
  owner: /^C$/,
  captain: /^D$/,
  rule: /^E$/,
  promotes: /^F$/,
  promoted: /^G$/,
  attributes: /^([H-Z]|[A-Z]{2,})$/,
};

/** Returns a small game to begin with: a king, a rook and three soldiers on either side. */
export function fresh(): MapDraft {
  const king = { name: '王', captain: true, rule: '1,2,3,4,5,6,7,8;', promotes: '', promoted: ';', attributes: [] };
  const soldier = { name: '兵', captain: false, rule: '2;', promotes: 'X[1]', promoted: '2,4,5,7;', attributes: [] };
  const red: KindDraft[] = [
    { ...king, owner: 'first' },
    { ...soldier, owner: 'first' },
  ];
  const kinds = [...red, ...red.map(twin)];
  const cells = Array<number>(36).fill(0);
  cells[2] = 3;
  cells[33] = 1;
  for (const col of [1, 2, 3, 4]) {
    cells[6 + col] = 4;
    cells[24 + col] = 2;
  }
  return { rows: 6, cols: 6, cells, kinds, promotion: true, undo: true, neutral_limit: false };
}

const turnPlaces = (places: Where[]): Where[] =>
  places.map((p) => (['X', 'Y', 'P', 'NP'].includes(p.name) ? { ...p, args: p.args.map((a) => -a) } : p));

const turnRule = (rule: Rule): Rule =>
  rule.map((ways) =>
    ways.map(({ direction, when }) => ({
      direction: direction >= 1 && direction <= 8 ? 9 - direction : direction,
      when: when && turnPlaces(when),
    })),
  );

/** Returns the same piece for the other side, which comes from the other end of the board. */
export function twin(kind: KindDraft): KindDraft {
  const turn = (text: string): string => {
    const rule = readRule(text);
    return rule ? ruleText(turnRule(rule)) : text;
  };
  const places = readPlaces(kind.promotes);
  return {
    ...kind,
    owner: kind.owner === 'first' ? 'second' : kind.owner === 'second' ? 'first' : null,
    rule: turn(kind.rule),
    promotes: places ? placesText(turnPlaces(places)) : kind.promotes,
    promoted: turn(kind.promoted),
  };
}

/** The sheets of level 2, all of them empty. */
export const NO_SHEETS: SheetsDraft = { rules2: [], terrain: [], look: [], hand: [], bag: [] };

/** Returns a draft with another size; pieces beyond the edge are removed. */
export function resized(draft: MapDraft, rows: number, cols: number): MapDraft {
  const side = (n: number): number => Math.max(1, Math.min(MOST_SIDE, Math.trunc(n) || 1));
  const [r, c] = [side(rows), side(cols)];
  const at = (i: number): number => {
    const [row, col] = [Math.floor(i / c), i % c];
    return row < draft.rows && col < draft.cols ? (draft.cells[row * draft.cols + col] ?? 0) : 0;
  };
  const { level2 } = draft;
  const sheets = level2 && { level2: { ...level2, terrain: level2.terrain.slice(0, r).map((row) => row.slice(0, c)) } };
  return { ...draft, ...sheets, rows: r, cols: c, cells: Array.from({ length: r * c }, (_, i) => at(i)) };
}

/** Returns a draft without the piece of that number; those after it move up. */
export function without(draft: MapDraft, id: number): MapDraft {
  const cells = draft.cells.map((at) => (at === id ? 0 : at > id ? at - 1 : at));
  return { ...draft, cells, kinds: draft.kinds.toSpliced(id - 1, 1) };
}

/** Returns the start position as a picture: the pieces, and the directions they may turn to. */
export function pictureOf(draft: MapDraft): Pick<View, 'pieces' | 'dirs' | 'marks' | 'last' | 'turn'> {
  const rules = draft.kinds.map((kind) => readRule(kind.rule));
  const pieces: Piece[] = [];
  const dirs: Dirs[] = [];
  const captains: number[] = [];
  for (const [cell, id] of draft.cells.entries()) {
    const kind = draft.kinds[id - 1];
    if (!kind) continue;
    pieces.push([cell, kind.owner, kind.name]);
    if (kind.captain) captains.push(cell);
    const rule = rules[id - 1] ?? [];
    const [row, col] = [Math.floor(cell / draft.cols), cell % draft.cols];
    const here = rule.map((ways) => ways.filter((w) => !w.when || w.when.some((p) => covers(p, row, col, draft.rows, draft.cols))));
    const [near, far, ...more] = directionsOf(here);
    dirs.push(more.length > 0 ? [cell, near, far, more] : [cell, near, far]);
  }
  return { pieces, dirs, marks: captains.length > 0 ? [{ kind: 'captain', cells: captains }] : [], last: [], turn: 'first' };
}

export class Workshop {
  name = $state('');
  draft = $state.raw<MapDraft>(fresh());
  extensions = $state.raw<ExtensionFile[]>([]);
  oldNames = $state(false);
  origin = $state.raw<Origin | null>(null);
  checked = $state.raw<DraftChecked | null>(null);
  /** The reason why the hall could not be asked. */
  problem = $state.raw<Problem | null>(null);
  /** The number of the piece that is being edited. */
  chosen = $state(1);
  /** The picked squares and the function that adds or removes one, while places are picked on the board. */
  picking = $state.raw<{ squares: number[]; toggle: (cell: number) => void } | null>(null);
  /** The number of changes so far, by which other parts find out that they are out of date. */
  changes = $state(0);
  untouched = $state(true);
  /** The changed draft that this one replaced. */
  aside = $state.raw<Kept | null>(null);
  /** True if another tab has stored its draft, so that this one is not stored. */
  overtaken = $state(false);

  #past = $state.raw<MapDraft[]>([]);
  #future = $state.raw<MapDraft[]>([]);
  #lastField = '';
  #lastAt = 0;
  #timer = 0;
  #asked = 0;
  /** The draft as this tab last read or stored it, to notice changes made in another tab. */
  #seen: string | null = null;

  kind = $derived<KindDraft | null>(this.draft.kinds[this.chosen - 1] ?? null);
  picture = $derived(pictureOf(this.draft));
  canUndo = $derived(this.#past.length > 0);
  canRedo = $derived(this.#future.length > 0);

  /** Loads the draft that was left in this browser; false if there is none. */
  resume(): boolean {
    this.#seen = read(KEY);
    try {
      this.aside = JSON.parse(read(ASIDE) ?? 'null') as Kept | null;
      const kept = JSON.parse(this.#seen ?? 'null') as Kept | null;
      if (kept) this.#take(kept);
      return kept !== null;
    } catch {
      return false;
    }
  }

  /** Replaces the draft by another map; the former one is put aside if it was changed. */
  begin(name: string, draft: MapDraft, extensions: ExtensionFile[] = [], oldNames = false, origin: Origin | null = null): void {
    this.#putAside(this.#whole());
    this.#take({ name, draft, extensions, old_names: oldNames, origin, untouched: true });
    this.#store();
  }

  /** Exchanges the draft for the one that was put aside. */
  back(): void {
    const { aside } = this;
    if (!aside) return;
    this.aside = null;
    this.#putAside(this.#whole());
    this.#take(aside);
    this.#store();
    if (!this.aside) localStorage.removeItem(ASIDE);
  }

  /** Stores this draft although another tab has stored one, which is put aside. */
  insist(): void {
    this.#seen = read(KEY);
    this.#putAside(JSON.parse(this.#seen ?? 'null') as Kept | null);
    this.#store();
  }

  /** Marks the draft as published under `origin` and unchanged since. */
  published(origin: Origin): void {
    this.origin = origin;
    this.untouched = true;
    this.#store();
  }

  /** Changes the draft. Changes of one `field` in quick succession are undone together. */
  change(next: Partial<MapDraft>, field = ''): void {
    const now = Date.now();
    const goesOn = field !== '' && field === this.#lastField && now - this.#lastAt < PAUSE_MS;
    if (!goesOn) this.#past = [...this.#past.slice(-MOST_UNDONE), this.draft];
    this.#lastField = field;
    this.#lastAt = now;
    this.#future = [];
    this.draft = { ...this.draft, ...next };
    this.#changed();
  }

  changeKind(next: Partial<KindDraft>, field = ''): void {
    const { chosen, kind } = this;
    if (kind) this.change({ kinds: this.draft.kinds.with(chosen - 1, { ...kind, ...next }) }, field && `${chosen} ${field}`);
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#future = [...this.#future, this.draft];
    this.#past = this.#past.slice(0, -1);
    this.#show(before);
  }

  redo(): void {
    const after = this.#future.at(-1);
    if (!after) return;
    this.#past = [...this.#past, this.draft];
    this.#future = this.#future.slice(0, -1);
    this.#show(after);
  }

  put(cell: number, id: number): void {
    this.change({ cells: this.draft.cells.with(cell, id) });
  }

  carry(from: number, to: number | null): void {
    const id = this.draft.cells[from] ?? 0;
    const lifted = this.draft.cells.with(from, 0);
    if (to !== from) this.change({ cells: to === null ? lifted : lifted.with(to, id) });
  }

  add(kind: KindDraft): void {
    this.change({ kinds: [...this.draft.kinds, kind] });
    this.chosen = this.draft.kinds.length;
  }

  remove(id: number): void {
    this.change(without(this.draft, id));
    this.chosen = Math.max(1, Math.min(this.chosen, this.draft.kinds.length));
  }

  /** Returns the errors in a field of a piece. */
  wrong(id: number, field: Field): Problem[] {
    const at = (p: Problem): boolean => {
      const cell = /^chesses!([A-Z]+)(\d+)$/.exec(p.args['place'] ?? '');
      return cell !== null && Number(cell[2]) === id + 1 && COLUMNS[field].test(cell[1] ?? '');
    };
    return this.checked?.errors.filter(at) ?? [];
  }

  /** Returns true if any field of a piece has an error. */
  wrongKind(id: number): boolean {
    return this.checked?.errors.some((p) => new RegExp(`^chesses!\\D+${id + 1}$`).test(p.args['place'] ?? '')) ?? false;
  }

  /** The errors that belong to no field of a piece. */
  get elsewhere(): Problem[] {
    return this.checked?.errors.filter((p) => !/^chesses!\D+\d+$/.test(p.args['place'] ?? '')) ?? [];
  }

  /** Marks the draft as changed, and stores it in this browser. */
  keep(): void {
    this.untouched = false;
    this.#store();
  }

  #whole(): Kept {
    const { name, draft, extensions, oldNames, origin, untouched } = this;
    return { name, draft, extensions, old_names: oldNames, origin, untouched };
  }

  #take(kept: Kept): void {
    this.name = kept.name;
    const { level2 } = kept.draft;
    // What an older page has kept lacks the sheets that came later.
    this.draft = level2 ? { ...kept.draft, level2: { ...NO_SHEETS, ...level2 } } : kept.draft;
    this.extensions = kept.extensions;
    this.oldNames = kept.old_names;
    this.origin = kept.origin ?? null;
    this.untouched = kept.untouched ?? false;
    this.chosen = 1;
    this.picking = null;
    this.#past = [];
    this.#future = [];
    this.#check();
  }

  #putAside(kept: Kept | null): void {
    if (!kept || kept.untouched) return;
    this.aside = kept;
    write(ASIDE, kept);
  }

  /** Stores the draft, unless another tab has stored one meanwhile. */
  #store(): void {
    const there = read(KEY);
    this.overtaken = there !== null && there !== this.#seen;
    if (!this.overtaken) this.#seen = write(KEY, this.#whole()) ?? this.#seen;
  }

  #show(draft: MapDraft): void {
    this.draft = draft;
    this.chosen = Math.max(1, Math.min(this.chosen, draft.kinds.length));
    this.#lastField = '';
    this.#changed();
  }

  #changed(): void {
    this.keep();
    this.#check();
  }

  #check(): void {
    this.changes += 1;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#ask(), CHECK_AFTER_MS);
  }

  async #ask(): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    try {
      const answer = await maps.checkDraft(this.draft);
      if (mine !== this.#asked) return;
      this.checked = answer;
      this.problem = null;
    } catch (e) {
      if (mine === this.#asked && e instanceof Refused) this.problem = e.why;
    }
  }
}
