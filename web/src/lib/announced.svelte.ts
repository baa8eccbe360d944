// Announcements of the staff: shown above every place until the reader closes one, or it ends. Loaded with the first
// announcement.

import { mount } from 'svelte';
import Announced from '../ui/Announced.svelte';
import type { AnnouncementLine } from './wire';

const READ = 'announced';

/** The current announcements that the reader has not closed on this device. */
export const announced: { lines: AnnouncementLine[] } = $state({ lines: [] });
let isShown = false;

/** Returns the numbers of the announcements closed on this device; at most fifty are remembered. */
function read(): number[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(READ) ?? '[]');
    return Array.isArray(kept) ? kept.filter((n) => typeof n === 'number') : [];
  } catch {
    return [];
  }
}

export function close(n: number): void {
  announced.lines = announced.lines.filter((line) => line.n !== n);
  try {
    localStorage.setItem(READ, JSON.stringify([...read(), n].slice(-50)));
  } catch {
    // Without storage the announcement is shown again.
  }
}

export function announce(lines: AnnouncementLine[]): void {
  const known = read();
  announced.lines = lines.filter((line) => line.until_ms > Date.now() && !known.includes(line.n));
  if (isShown || announced.lines.length === 0) return;
  isShown = true;
  mount(Announced, { target: document.body, anchor: document.body.firstChild ?? undefined });
}
