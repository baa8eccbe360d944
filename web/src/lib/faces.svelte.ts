// The outlines of faces and characters: static pictures, loaded with the first board.

import characters from '../faces/characters.svg?url';
import pictures from '../faces/pictures.svg?url';
import type { FaceSet } from './paint';

type Outlines = Record<string, string>;

const files = { characters, pictures };
let known = $state.raw<Partial<Record<keyof typeof files, Outlines>>>({});
const asked = new Map<keyof typeof files, Promise<void>>();

function ask(file: keyof typeof files): void {
  if (asked.has(file)) return;
  const coming = fetch(files[file])
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.statusText))))
    .then((text) => {
      known = { ...known, [file]: outlines(text) };
    })
    // Requested again when the next board is drawn.
    .catch(() => void asked.delete(file));
  asked.set(file, coming);
}

/** Returns the `d` of each path of a picture, by its id. */
export function outlines(svg: string): Outlines {
  return Object.fromEntries([...svg.matchAll(/<path id="([^"]+)"[^>]*? d="([^"]+)"/g)].map((m) => [m[1], m[2]]));
}

/** Loads the outlines of `set` unless they are here; to be called in an effect. */
export function want(set: FaceSet): void {
  ask('characters');
  if (set === 'pictures') ask('pictures');
}

/** Returns an outline by its name; `null` until it is loaded. */
export function outline(set: FaceSet, name: string): string | null {
  return known[set === 'pictures' ? 'pictures' : 'characters']?.[name] ?? null;
}
