// Retries of failed requests: later each time, as late as the hall asks, and at random moments, so that pages do not
// all retry together.

/** The number of requests that are being retried just now; shown while it is not 0. */
export const tried = $state({ again: 0 });

/** The number of retries of a request that the visitor waits for; none in tests. */
const TRIES = import.meta.env.MODE === 'test' ? 0 : 3;
const LONGEST_MS = 30_000;
/** The longest pause before a retry, in milliseconds: with a longer one the failure is shown at once. */
const WORTH_MS = 12_000;

/**
 * Returns the milliseconds until the next try after `failed` failures; never less than `asked`, the seconds of a
 * Retry-After.
 */
export function pause(failed: number, asked: string | null = null, random = Math.random()): number {
  const own = Math.min(LONGEST_MS, 700 * 2 ** failed);
  return Math.max(own, (Number(asked) || 0) * 1000) * (1 + random / 2);
}

export const sleep = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

/**
 * Returns true if a retry may succeed and does no harm: a request that changes something may have been carried out
 * although its answer was lost.
 */
const passes = (answer: Response | null, reads: boolean): boolean =>
  answer === null ? reads : answer.status === 429 || (reads && [502, 503, 504].includes(answer.status));

/**
 * Fetches, and tries again where that may help. A network that is known to be gone is not waited for.
 *
 * Throws what `fetch` throws.
 */
export async function patiently(path: string, how?: RequestInit): Promise<Response> {
  const reads = (how?.method ?? 'GET') === 'GET';
  let waits = false;
  try {
    for (let failed = 0; ; failed += 1) {
      let answer: Response | null = null;
      let why: unknown;
      try {
        answer = await fetch(path, how);
      } catch (e) {
        why = e;
      }
      const last = failed >= TRIES || how?.signal?.aborted === true || (answer === null && !navigator.onLine);
      const ms = pause(failed, answer?.headers.get('retry-after'));
      if (last || !passes(answer, reads) || ms > WORTH_MS) {
        if (answer === null) throw why;
        return answer;
      }
      if (!waits) tried.again += 1;
      waits = true;
      await sleep(ms);
    }
  } finally {
    if (waits) tried.again -= 1;
  }
}

/**
 * Calls `load` until it succeeds: for data that the page cannot be shown without. `failed` receives the number of
 * failures so far.
 */
export async function untilDone<T>(load: () => Promise<T>, failed: (times: number) => void = () => undefined): Promise<T> {
  for (let times = 0; ; times += 1) {
    try {
      return await load();
    } catch {
      failed(times + 1);
      await sleep(pause(times));
    }
  }
}
