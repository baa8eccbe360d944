// The outlines of characters and pictures on pieces: one static file, loaded with the first board that has them.

import faces from '../faces/faces.svg?url';

type Outlines = Record<string, string>;

let known = $state.raw<Outlines>({});
let asked: Promise<void> | null = null;

/** Returns the `d` of each path of a picture, by its id. */
export function outlines(svg: string): Outlines {
  return Object.fromEntries([...svg.matchAll(/<path id="([^"]+)"[^>]*? d="([^"]+)"/g)].map((m) => [m[1], m[2]]));
}

/** Loads the outlines unless they are here; to be called in an effect. */
export function want(): void {
  asked ??= fetch(faces)
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.statusText))))
    .then((text) => {
      known = outlines(text);
    })
    // Requested again when the next board is drawn.
    .catch(() => void (asked = null));
}

/** Returns an outline by its name; `null` until it is loaded. */
export const outline = (name: string): string | null => known[name] ?? null;
