// Short sounds, synthesised in the browser.

import { settings } from './settings.svelte';

export type Sound = 'move' | 'capture' | 'check' | 'clock' | 'end' | 'offer';

let audio: AudioContext | null = null;

/** Plays a knock on wood: a burst of noise through a narrow filter, and a short low tone. */
function knock(ctx: AudioContext, at: number, pitch: number, loud: number): void {
  const length = Math.floor(ctx.sampleRate * 0.05);
  const buffer = ctx.createBuffer(1, length, ctx.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 4;
  const noise = new AudioBufferSourceNode(ctx, { buffer });
  const filter = new BiquadFilterNode(ctx, { type: 'bandpass', frequency: pitch * 4, Q: 1.6 });
  const gain = new GainNode(ctx, { gain: loud });
  noise.connect(filter).connect(gain).connect(ctx.destination);
  noise.start(at);
  tone(ctx, at, pitch, 0.07, loud * 0.5);
}

function tone(ctx: AudioContext, at: number, pitch: number, seconds: number, loud: number): void {
  const osc = new OscillatorNode(ctx, { type: 'sine', frequency: pitch });
  const gain = new GainNode(ctx, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  osc.connect(gain).connect(ctx.destination);
  osc.start(at);
  osc.stop(at + seconds);
}

const scores: Record<Sound, (ctx: AudioContext, at: number) => void> = {
  move: (ctx, at) => knock(ctx, at, 210, 0.5),
  capture: (ctx, at) => {
    knock(ctx, at, 180, 0.5);
    knock(ctx, at + 0.055, 260, 0.35);
  },
  check: (ctx, at) => {
    knock(ctx, at, 210, 0.4);
    tone(ctx, at + 0.03, 880, 0.22, 0.12);
  },
  clock: (ctx, at) => tone(ctx, at, 1320, 0.09, 0.1),
  offer: (ctx, at) => {
    tone(ctx, at, 587, 0.18, 0.1);
    tone(ctx, at + 0.1, 784, 0.2, 0.1);
  },
  end: (ctx, at) => {
    for (const [i, pitch] of [392, 523, 659].entries()) tone(ctx, at + i * 0.13, pitch, 0.6, 0.1);
  },
};

/** The longest time that the title takes to say whose turn it is after a move, in milliseconds. */
const TITLE_MS = 100;

/** Plays a second sound if a move makes it the player's turn while the page is hidden; the title says if it does. */
function callBack(ctx: AudioContext): void {
  setTimeout(() => {
    if (document.hidden && document.title.startsWith('●')) scores.offer(ctx, ctx.currentTime);
  }, TITLE_MS);
}

export function play(sound: Sound): void {
  if (!settings.sound) return;
  try {
    audio ??= new AudioContext();
    // Browsers keep sound back until the first touch of the page.
    if (audio.state === 'suspended') void audio.resume();
    if (audio.state !== 'running') return;
    scores[sound](audio, audio.currentTime);
    if (document.hidden && sound !== 'offer' && sound !== 'clock') callBack(audio);
  } catch {
    // A missing sound device does not stop a game.
  }
}
