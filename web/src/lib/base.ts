// The path that the hall stands under: all addresses that the page requests and links to are below it.

/**
 * The path under which the hall is reached, such as `/games`, without a slash at its end; empty where it has the whole
 * host. The hall writes it into the page.
 */
export const base: string = globalThis.document?.documentElement.dataset['base'] ?? '';

/** Returns the address of a path of the hall, below [`base`]: `/games/t/abc` for `/t/abc`. */
export const at = (path: string): string => base + path;

/** Returns the path below [`base`] of an address of the hall: `/t/abc` for `/games/t/abc`. */
export const within = (path: string): string => (path.startsWith(`${base}/`) ? path.slice(base.length) : path);

/** Returns the full address of a place of the hall, to be given to others. */
export const linkTo = (path: string): string => location.origin + at(path);

/** Returns the address of a WebSocket of the hall. */
export function socketOf(path: string): URL {
  const url = new URL(at(path), location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  return url;
}
