// An open study: its content, the node that its reader looks at, and the changes by others.

import { ask, Refused } from './api';
import { socketOf } from './base';
import { applied, childrenOf, nodeOf, pathTo } from './studies';
import { apply } from './view';
import type {
  Study,
  StudyChange,
  StudyChapter,
  StudyDone,
  StudyEntry,
  StudyFilm,
  StudyHear,
  StudyMember,
  StudyNode,
  StudyRole,
  StudySay,
  StudyShown,
  StudyStart,
  Problem,
  View,
} from './wire';

const AGAIN_MS = 2_000;
const PING_MS = 20_000;

export class Room {
  readonly id: string;
  study = $state.raw<Study | null>(null);
  role = $state<StudyRole>('reader');
  chapterId = $state(0);
  at = $state(0);
  /** The positions loaded so far, by chapter and node. */
  views = $state.raw(new Map<string, View>());
  /** The board, notations and sides of each chapter. */
  boards = $state.raw(new Map<number, StudyFilm>());
  who = $state.raw<StudyMember[]>([]);
  watchers = $state(1);
  problem = $state.raw<Problem | null>(null);
  /** The problems with those parts of an imported file that were left out. */
  leftOut = $state.raw<Problem[]>([]);
  /** True if the reader shows the others the node they look at, and follows them. */
  sync = $state(false);
  lost = $state(false);
  gone = $state(false);
  #socket: WebSocket | null = null;
  #timer = 0;
  #ping = 0;
  #left = false;
  #asked = new Set<string>();
  /** The version of the study with which the visitor's role was last received. */
  #told = 0;
  /** The events that arrived before one that they follow. */
  #early: StudyEntry[] = [];

  constructor(id: string) {
    this.id = id;
  }

  get chapter(): StudyChapter | null {
    return this.study?.chapters.find((c) => c.id === this.chapterId) ?? this.study?.chapters[0] ?? null;
  }

  get node(): StudyNode | null {
    return this.chapter ? (nodeOf(this.chapter, this.at) ?? null) : null;
  }

  get view(): View | null {
    return this.chapter ? (this.views.get(`${this.chapter.id}:${this.at}`) ?? null) : null;
  }

  get film(): StudyFilm | null {
    return this.chapter ? (this.boards.get(this.chapter.id) ?? null) : null;
  }

  get writes(): boolean {
    return this.role !== 'reader';
  }

  async open(): Promise<void> {
    await this.read();
    if (!this.#left) this.connect();
  }

  async read(): Promise<void> {
    this.#take(await ask<StudyShown>(`/api/studies/${encodeURIComponent(this.id)}`));
  }

  /** Loads the study again, with retries until there is an answer. */
  async #again(): Promise<void> {
    if (this.#left) return;
    try {
      await this.read();
    } catch (e) {
      if (e instanceof Refused && (e.status === 403 || e.status === 404)) this.gone = true;
      else setTimeout(() => void this.#again(), AGAIN_MS);
    }
  }

  /** Takes a loaded study unless a newer one is known: events may overtake answers, and answers each other. */
  #take({ study, role }: StudyShown): void {
    if (study.ver >= this.#told) [this.#told, this.role] = [study.ver, role];
    if (study.ver >= (this.study?.ver ?? 0)) this.study = study;
    this.#follow();
    this.#settle();
  }

  /** Returns to the start of the chapter if the node that was shown has been deleted. */
  #stand(): void {
    if (this.chapter && !this.node) this.at = 0;
    void this.look();
  }

  connect(): void {
    const url = socketOf(`/ws/studies/${encodeURIComponent(this.id)}`);
    url.searchParams.set('since', String(this.study?.ver ?? 0));
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.onopen = () => {
      this.lost = false;
      this.#ping = window.setInterval(() => this.#say({ t: 'ping' }), PING_MS);
      this.#show();
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(String(event.data)) as StudyHear);
    socket.onclose = () => {
      clearInterval(this.#ping);
      if (this.#left || this.gone) return;
      this.lost = true;
      this.#timer = window.setTimeout(() => this.connect(), AGAIN_MS);
    };
  }

  close(): void {
    this.#left = true;
    clearTimeout(this.#timer);
    clearInterval(this.#ping);
    this.#socket?.close();
  }

  #say(what: StudySay): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(what));
  }

  #show(): void {
    if (this.sync && this.writes && this.chapter) this.#say({ t: 'at', chapter: this.chapter.id, node: this.at });
  }

  #hear(m: StudyHear): void {
    if (m.t === 'did') this.#did(m.entry);
    else if (m.t === 'anew') void this.#again();
    else if (m.t === 'here') [this.who, this.watchers] = [m.who, m.watchers];
    else if (m.t === 'gone') this.gone = true;
    else if (m.t === 'at' && this.sync) {
      const chapter = this.study?.chapters.find((c) => c.id === m.chapter);
      if (chapter && nodeOf(chapter, m.node) && (chapter.id !== this.chapter?.id || m.node !== this.at)) {
        this.chapterId = m.chapter;
        this.at = m.node;
        void this.look();
      }
    }
  }

  #did(entry: StudyEntry): void {
    if (!this.study || entry.ver <= this.study.ver) return;
    this.#early.push(entry);
    this.#early.sort((a, b) => a.ver - b.ver);
    this.#follow();
    if (['invited', 'dismissed', 'access-set'].includes(entry.event.t)) void this.#again();
    this.#settle();
  }

  /** Applies the early events whose turn has come. */
  #follow(): void {
    while (this.study && this.#early[0] && this.#early[0].ver <= this.study.ver + 1) {
      const next = this.#early.shift();
      if (next && next.ver === this.study.ver + 1) this.study = applied(this.study, next);
    }
  }

  /** Enters the first chapter if the present one has been deleted. */
  #settle(): void {
    if (this.study && !this.study.chapters.some((c) => c.id === this.chapterId)) this.enter(this.study.chapters[0]?.id ?? 0);
    else this.#stand();
  }

  enter(chapter: number): void {
    this.chapterId = chapter;
    this.go(0);
  }

  go(node: number): void {
    this.at = node;
    this.#show();
    void this.look();
  }

  step(by: number): void {
    const chapter = this.chapter;
    if (!chapter) return;
    let at = this.at;
    const next = by > 0 ? childrenOf(chapter) : null;
    for (let left = Math.abs(by); left > 0; left -= 1) {
      const to = next ? next.get(at)?.[0]?.id : nodeOf(chapter, at)?.parent;
      if (to === undefined || to === at) break;
      at = to;
    }
    if (at !== this.at) this.go(at);
  }

  /** Loads the position of the present node, with its line, unless it is known. */
  async look(): Promise<void> {
    const [chapter, node] = [this.chapter, this.at];
    if (!chapter) return;
    const key = `${chapter.id}:${node}`;
    if (this.views.has(key) || this.#asked.has(key)) return;
    this.#asked.add(key);
    try {
      const film = await ask<StudyFilm>(`/api/studies/${encodeURIComponent(this.id)}/chapters/${chapter.id}/film?node=${node}`);
      const views = new Map(this.views);
      let view = film.film.start;
      film.nodes.forEach((id, i) => {
        const patch = film.film.patches[i - 1];
        if (i > 0 && patch) view = apply(view, patch);
        views.set(`${chapter.id}:${id}`, view);
      });
      this.views = views;
      this.boards = new Map(this.boards).set(chapter.id, film);
    } catch (e) {
      if (e instanceof Refused) this.problem = e.why;
    } finally {
      this.#asked.delete(key);
    }
  }

  /**
   * Requests a change and returns its result; `null` if it was refused. `base`: the version that the change is based
   * on.
   */
  async wish(change: StudyChange, base = this.study?.ver ?? 0): Promise<StudyDone | null> {
    this.problem = null;
    try {
      const done = await ask<StudyDone>(`/api/studies/${encodeURIComponent(this.id)}/changes`, 'POST', { base, change });
      if (done.entry) this.#did(done.entry);
      return done;
    } catch (e) {
      if (!(e instanceof Refused)) throw e;
      this.problem = e.why;
      return null;
    }
  }

  async play(text: string): Promise<void> {
    const chapter = this.chapter;
    if (!chapter) return;
    const there = childrenOf(chapter)
      .get(this.at)
      ?.find((n) => n.text === text);
    if (there) return this.go(there.id);
    if (!this.writes) {
      this.problem = { key: 'study-reader', args: {} };
      return;
    }
    const done = await this.wish({ t: 'play', chapter: chapter.id, parent: this.at, text });
    if (done?.node !== undefined) this.go(done.node);
  }

  async add(from: Partial<StudyStart>): Promise<boolean> {
    this.problem = null;
    try {
      const done = await ask<StudyDone>(`/api/studies/${encodeURIComponent(this.id)}/chapters`, 'POST', { name: '', ...from });
      await this.read();
      this.leftOut = done.left_out ?? [];
      if (done.entry?.event.t === 'chapter-added') this.enter(done.entry.event.chapter.id);
      return true;
    } catch (e) {
      if (!(e instanceof Refused)) throw e;
      this.problem = e.why;
      return false;
    }
  }

  get path(): StudyNode[] {
    return this.chapter ? pathTo(this.chapter, this.at) : [];
  }
}
