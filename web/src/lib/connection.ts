// The way to a table in the hall: it comes back by itself, sends unanswered wishes again, and asks for what it missed.
//
// Nothing here knows what is on the board. Sockets and time come from outside, so that tests need neither.

import { tellSight } from './away';
import { socketOf } from './base';
import { order } from './known';
import type { Act, ClientMessage, Problem, ServerMessage } from './wire';

/** The subprotocol of the WebSockets of tables and lobby. */
export const PROTOCOL = 'hall.2';

export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

export interface World {
  open(path: string): Socket;
  now(): number;
  /** Calls `then` once, after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, then: () => void): () => void;
  /** Returns a random number that is at least 0 and less than 1. */
  random(): number;
}

export type Net = 'connecting' | 'online' | 'offline';

export interface Listener {
  message(m: ServerMessage): void;
  net(state: Net): void;
  /** Called when a wish is on the hall's disk. */
  done(cmd: string): void;
  refused(cmd: string, why: Problem): void;
}

interface Wish {
  cmd: string;
  ver: number;
  act: Act;
}

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8_000;
const PING_EVERY_MS = 5_000;
const SILENCE_MS = 9_000;
const LOOK_EVERY_MS = 1_000;

const CMD_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export class Connection {
  /** The version this side knows; `null` before the first message. */
  known: number | null = null;
  #table: string;
  #listener: Listener;
  #world: World;
  #socket: Socket | null = null;
  #wishes: Wish[] = [];
  #failures = 0;
  #stopWaiting: (() => void) | null = null;
  #stopLooking: (() => void) | null = null;
  #heard = 0;
  #pinged = 0;
  #pings = 0;
  #asked = false;
  #closed = true;

  constructor(table: string, listener: Listener, world: World) {
    this.#table = table;
    this.#listener = listener;
    this.#world = world;
  }

  start(): void {
    this.#closed = false;
    this.#connect();
  }

  stop(): void {
    this.#closed = true;
    this.#drop();
    this.#stopWaiting?.();
    this.#stopWaiting = null;
  }

  /** Sends a wish now or on the next connection; returns its id. */
  wish(act: Act): string {
    let cmd = '';
    for (let i = 0; i < 12; i += 1) cmd += CMD_LETTERS[Math.floor(this.#world.random() * CMD_LETTERS.length)];
    const wish = { cmd, ver: this.known ?? 0, act };
    this.#wishes.push(wish);
    this.#send({ t: 'do', ...wish });
    return cmd;
  }

  /** Connects at once, or checks the connection: the network is back, or the page is in sight again. */
  hurry(): void {
    if (this.#closed) return;
    if (!this.#socket) this.#connect();
    else if (this.#world.now() - this.#heard > PING_EVERY_MS) this.#ping();
  }

  /** Drops the connection: the browser says that the network is gone, so there is no need to wait for a timeout. */
  lost(): void {
    if (!this.#closed && this.#socket) this.#retry();
  }

  #connect(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = null;
    const since = this.known === null ? '' : `&since=${this.known}`;
    const socket = this.#world.open(`/ws?table=${encodeURIComponent(this.#table)}${since}`);
    this.#socket = socket;
    this.#asked = false;
    this.#heard = this.#pinged = this.#world.now();
    let open = false;
    socket.onopen = () => {
      open = true;
      this.#heard = this.#world.now();
      for (const wish of this.#wishes) this.#send({ t: 'do', ...wish });
    };
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return;
      this.#heard = this.#world.now();
      if (typeof event.data === 'string') this.#hear(JSON.parse(event.data) as ServerMessage);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#retry();
    };
    this.#send = (m) => {
      const may = open && socket === this.#socket;
      if (may) socket.send(JSON.stringify(m));
      return may;
    };
    this.#look();
  }

  /** Sends a message that is not a wish; false without a connection, in which case it is lost. */
  tell(m: ClientMessage): boolean {
    return this.#send(m);
  }

  #send: (m: ClientMessage) => boolean = () => false;

  #hear(m: ServerMessage): void {
    if (m.t !== 'stopping') {
      this.#failures = 0;
      this.#listener.net('online');
    }
    switch (m.t) {
      case 'full':
        this.known = m.v;
        this.#asked = false;
        this.#listener.message(m);
        // The event that answered a wish may be among those this replaces; sending it twice is safe.
        for (const wish of this.#wishes) this.#send({ t: 'do', ...wish });
        return;
      case 'ev':
        this.#event(m);
        return;
      case 'ok':
        if (this.#forget(m.cmd)) this.#listener.done(m.cmd);
        return;
      case 'no':
        if (this.#forget(m.cmd)) this.#listener.refused(m.cmd, m.why);
        else this.#listener.message(m);
        return;
      case 'pong':
        return;
      case 'failed':
        // The hall will not answer any more, and another request would only fail again.
        this.#wishes = [];
        this.stop();
        this.#listener.message(m);
        return;
      default:
        this.#listener.message(m);
    }
  }

  #event(m: Extract<ServerMessage, { t: 'ev' }>): void {
    const place = order(this.known, m.v);
    if (place === 'old') return;
    if (place === 'gap') {
      if (!this.#asked) this.#send({ t: 'full' });
      this.#asked = true;
      return;
    }
    this.known = m.v;
    this.#listener.message(m);
    if (m.cmd !== undefined && this.#forget(m.cmd)) this.#listener.done(m.cmd);
  }

  #forget(cmd: string): boolean {
    const before = this.#wishes.length;
    this.#wishes = this.#wishes.filter((w) => w.cmd !== cmd);
    return this.#wishes.length < before;
  }

  #ping(): void {
    this.#pinged = this.#world.now();
    this.#pings += 1;
    this.#send({ t: 'ping', n: this.#pings });
  }

  #look(): void {
    this.#stopLooking?.();
    this.#stopLooking = this.#world.after(LOOK_EVERY_MS, () => {
      const now = this.#world.now();
      if (now - this.#heard >= SILENCE_MS) {
        this.#retry();
        return;
      }
      if (now - this.#pinged >= PING_EVERY_MS) this.#ping();
      this.#look();
    });
  }

  #retry(): void {
    this.#drop();
    if (this.#closed) return;
    this.#listener.net('offline');
    const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    // Half of the wait is random, so that pages do not all come back to a hall at the same moment.
    const wait = most / 2 + (most / 2) * this.#world.random();
    this.#stopWaiting?.();
    this.#stopWaiting = this.#world.after(wait, () => this.#connect());
  }

  #drop(): void {
    this.#stopLooking?.();
    this.#stopLooking = null;
    const socket = this.#socket;
    this.#socket = null;
    this.#send = () => false;
    socket?.close();
  }
}

/** The browser's sockets and clock. */
export const browser: World = {
  open: (path) => {
    const socket = new WebSocket(socketOf(path), PROTOCOL);
    tellSight(socket);
    return socket as Socket;
  },
  now: () => performance.now(),
  after: (ms, then) => {
    const id = setTimeout(then, ms);
    return () => clearTimeout(id);
  },
  random: () => {
    const n = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    return n / 2 ** 32;
  },
};
