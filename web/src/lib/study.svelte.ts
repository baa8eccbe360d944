// The analysis of a table: the position analysed, and the lines found.

import { ask, Refused } from './api';
import { socketOf } from './base';
import type { Table } from './table.svelte';
import { apply } from './view';
import type { Problem, Replay, Report, AnalysisLine, AnalysisMessage, AnalysisRequest, View, Worth } from './wire';

/** The interval between two requests for a report that is being made, in milliseconds. */
const REPORT_MS = 700;
const AGAIN_MS = 2_000;
/** The lead, in hundredths, that fills the bar to 73 %. */
const SCALE = 250;

/** Returns the first player's share of the evaluation bar, from 0 to 1. */
export function share(worth: Worth): number {
  if ('wins' in worth) return worth.wins > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-worth.hundredths / SCALE));
}

export class Study {
  lines = $state.raw<AnalysisLine[]>([]);
  nodes = $state(0);
  state = $state<'waits' | 'looks' | 'done' | 'lost'>('waits');
  problem = $state.raw<Problem | null>(null);
  report = $state.raw<Report | null>(null);
  /** True while the report is being made. */
  judging = $state(false);
  #table: Table;
  #socket: WebSocket | null = null;
  #wish: AnalysisRequest = { t: 'rest' };
  #n = 0;
  #timer = 0;
  #left = false;

  constructor(table: Table) {
    this.#table = table;
  }

  open(): void {
    const url = socketOf('/ws/study');
    url.searchParams.set('table', this.#table.id);
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.onopen = () => this.#say();
    socket.onmessage = (event) => this.#hear(JSON.parse(String(event.data)) as AnalysisMessage);
    socket.onclose = () => {
      if (this.#left) return;
      this.state = 'lost';
      this.#timer = window.setTimeout(() => this.open(), AGAIN_MS);
    };
  }

  close(): void {
    this.#left = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  /** Analyses a position of the record; `engine`: with this program, which is not the hall's own. */
  look(ply: number, lines: number, engine: string | null): void {
    this.#n += 1;
    this.#wish = { t: 'look', n: this.#n, ply, lines, ...(engine === null ? {} : { engine }) };
    this.lines = [];
    this.nodes = 0;
    this.problem = null;
    this.state = 'waits';
    this.#say();
  }

  rest(): void {
    this.#wish = { t: 'rest' };
    this.#say();
  }

  #say(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(this.#wish));
  }

  #hear(m: AnalysisMessage): void {
    if (m.n !== this.#n) return;
    if (m.t === 'no') {
      this.problem = m.why;
      return;
    }
    this.lines = m.lines;
    this.nodes = m.nodes;
    this.state = m.done ? 'done' : 'looks';
  }

  /** Shows the position after `count` moves of a line that starts at `ply`. */
  async show(ply: number, line: Pick<AnalysisLine, 'moves'>, count: number): Promise<void> {
    try {
      const moves = line.moves.slice(0, count);
      const film = await ask<Replay>(`/api/tables/${encodeURIComponent(this.#table.id)}/aside`, 'POST', { ply, moves });
      let view: View = film.start;
      for (const patch of film.patches) view = apply(view, patch);
      this.#table.arrows = [];
      this.#table.aside = view;
    } catch (e) {
      if (e instanceof Refused) this.problem = e.why;
    }
  }

  /** Requests a report on the whole game, and waits until it is complete. */
  async judge(): Promise<void> {
    this.judging = true;
    try {
      while (!this.#left) {
        const report = await ask<Report>(`/api/tables/${encodeURIComponent(this.#table.id)}/report`, 'POST');
        this.report = report;
        this.#table.faults = new Map(report.faults.map((f) => [f.to, f.fault]));
        if (report.done >= report.of) break;
        await new Promise((r) => setTimeout(r, REPORT_MS));
      }
    } catch (e) {
      if (e instanceof Refused) this.problem = e.why;
    }
    this.judging = false;
  }
}
