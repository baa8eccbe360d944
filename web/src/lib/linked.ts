// Fetches the files of a part before the part is imported. Browsers remember a module that did not come, and never ask
// for it again, so an import finds its files in the browser's cache. Takes the place of Vite's own helper
// (build/linked.ts).

import { patiently } from './patience.svelte';

/** The files that have come or are on their way, by address. */
const files = new Map<string, Promise<void>>();

/** Returns true if the document has this file already: its own script, or styles that theme.js asks for again. */
const stands = (href: string): boolean =>
  [...document.scripts].some((one) => one.src === href) ||
  [...document.querySelectorAll('link')].some((one) => one.rel === 'stylesheet' && one.href === href);

async function fetched(href: string): Promise<void> {
  const answer = await patiently(href);
  if (!answer.ok) throw new Error(`${href}: ${answer.status}`);
  await answer.arrayBuffer();
}

function styled(href: string): Promise<void> {
  return new Promise((done, fail) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.crossOrigin = '';
    link.href = href;
    link.onload = () => done();
    // The link stays: theme.js asks for its styles again in their place.
    link.onerror = () => fail(new Error(`${href} did not come`));
    document.head.append(link);
  });
}

/** Loads one file, however many parts want it; one that failed is requested again by the next. */
function once(href: string): Promise<void> {
  let file = files.get(href);
  if (!file) {
    file = stands(href) ? Promise.resolve() : href.endsWith('.css') ? styled(href) : fetched(href);
    files.set(href, file);
    file.catch(() => files.delete(href));
  }
  return file;
}

/**
 * Imports a part by `load` after all its files have come: `names`, relative to the script at `importer`.
 *
 * Rejects when a file does not come; another call asks for it again.
 */
export async function linked<T>(load: () => Promise<T>, names: string[] = [], importer = document.baseURI): Promise<T> {
  await Promise.all(names.map((name) => once(new URL(name, importer).href)));
  return load();
}
