// A study as a value: the effect of events on it, its lines, and its comments as words.

import type { StudyAccess, StudyChapter, StudyEntry, StudyMark, StudyNode, Study as Whole } from './wire';

export const ACCESS: StudyAccess[] = ['private', 'link', 'public'];

export const nodeOf = (chapter: StudyChapter, id: number): StudyNode | undefined => chapter.nodes.find((n) => n.id === id);

/** Returns the nodes that follow each node, the better line first. */
export function childrenOf(chapter: StudyChapter): Map<number, StudyNode[]> {
  const all = new Map<number, StudyNode[]>();
  for (const node of chapter.nodes) {
    if (node.id === 0) continue;
    const beside = all.get(node.parent);
    if (beside) beside.push(node);
    else all.set(node.parent, [node]);
  }
  return all;
}

/** Returns the nodes from the first move to that one. */
export function pathTo(chapter: StudyChapter, id: number): StudyNode[] {
  const byId = new Map(chapter.nodes.map((n) => [n.id, n]));
  const path: StudyNode[] = [];
  for (let at = byId.get(id); at && at.id !== 0; at = byId.get(at.parent)) path.push(at);
  return path.reverse();
}

/** A part of a line without a break: its depth among the variations, and its moves. */
export interface Block {
  depth: number;
  /** The number of plies before its first move. */
  before: number;
  nodes: StudyNode[];
}

/** Returns the lines in reading order: where lines part, the variations come before the main one goes on. */
export function blocksOf(chapter: StudyChapter): Block[] {
  const next = childrenOf(chapter);
  const out: Block[] = [];
  const tasks: { at: number; depth: number; before: number; first?: StudyNode }[] = [{ at: 0, depth: 0, before: 0 }];
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    const block: Block = { depth: task.depth, before: task.before, nodes: task.first ? [task.first] : [] };
    let at = task.at;
    for (let kids = next.get(at); kids?.[0]; kids = next.get(at)) {
      const [main, ...others] = kids;
      block.nodes.push(main);
      at = main.id;
      const before = block.before + block.nodes.length;
      if (others.length > 0) {
        tasks.push({ at, depth: task.depth, before });
        for (const first of others.reverse()) tasks.push({ at: first.id, depth: task.depth + 1, before: before - 1, first });
        break;
      }
    }
    if (block.nodes.length > 0) out.push(block);
  }
  return out;
}

const samePlace = (a: StudyMark, b: StudyMark): boolean => a.from === b.from && a.to === b.to;

function below(chapter: StudyChapter, id: number): Set<number> {
  const found = new Set([id]);
  for (const node of chapter.nodes) if (node.id !== 0 && found.has(node.parent)) found.add(node.id);
  return found;
}

function promoted(chapter: StudyChapter, id: number): StudyNode[] {
  let nodes = chapter.nodes;
  for (let node = nodes.find((n) => n.id === id); node && node.id !== 0;) {
    const line = below({ ...chapter, nodes }, node.id);
    const rest = nodes.filter((n) => !line.has(n.id));
    const parent = node.parent;
    const place = rest.findIndex((n) => n.id === parent) + 1;
    nodes = [...rest.slice(0, place), ...nodes.filter((n) => line.has(n.id)), ...rest.slice(place)];
    node = nodes.find((n) => n.id === parent);
  }
  return nodes;
}

/**
 * Returns the study after an event. The hall's `study::apply` defines that; `web/tests/studies.test.ts` compares the
 * two.
 */
export function applied(study: Whole, entry: StudyEntry): Whole {
  const { event, ver } = entry;
  const inChapter = (id: number, change: (c: StudyChapter) => StudyChapter): Whole => ({
    ...study,
    ver,
    chapters: study.chapters.map((c) => (c.id === id ? change(c) : c)),
  });
  const atNode = (change: (n: StudyNode) => StudyNode): Whole => {
    const { chapter, node } = event as { chapter: number; node: number };
    return inChapter(chapter, (c) => ({ ...c, nodes: c.nodes.map((n) => (n.id === node ? { ...change(n), ver } : n)) }));
  };
  switch (event.t) {
    case 'played':
      return inChapter(event.chapter, (c) => {
        const line = below(c, event.node.parent);
        const at = c.nodes.findLastIndex((n) => line.has(n.id)) + 1;
        return { ...c, next: Math.max(c.next, event.node.id + 1), nodes: [...c.nodes.slice(0, at), event.node, ...c.nodes.slice(at)] };
      });
    case 'commented':
      return atNode((n) => ({ ...n, comment: event.text }));
    case 'drawn':
      return atNode((n) => {
        const marks = n.marks ?? [];
        const there = marks.some((m) => samePlace(m, event.mark));
        return { ...n, marks: there ? marks.map((m) => (samePlace(m, event.mark) ? event.mark : m)) : [...marks, event.mark] };
      });
    case 'erased':
      return atNode((n) => ({ ...n, marks: (n.marks ?? []).filter((m) => !samePlace(m, event.mark)) }));
    case 'judged':
      return atNode((n) => {
        const others = (n.nags ?? []).filter((nag) => nag !== event.nag);
        return { ...n, nags: event.on ? [...others, event.nag].sort((a, b) => a - b) : others };
      });
    case 'evaluated':
      return atNode(({ eval: _, ...n }) => (event.eval ? { ...n, eval: event.eval } : n));
    case 'removed':
      return inChapter(event.chapter, (c) => {
        const gone = below(c, event.node);
        return { ...c, nodes: c.nodes.filter((n) => n.id === 0 || !gone.has(n.id)) };
      });
    case 'promoted':
      return inChapter(event.chapter, (c) => ({ ...c, nodes: promoted(c, event.node) }));
    case 'chapter-added':
      return { ...study, ver, next: Math.max(study.next, event.chapter.id + 1), chapters: [...study.chapters, event.chapter] };
    case 'chapter-named':
      return inChapter(event.chapter, (c) => ({ ...c, name: event.name }));
    case 'chapter-moved': {
      const moved = study.chapters.find((c) => c.id === event.chapter);
      const others = study.chapters.filter((c) => c.id !== event.chapter);
      return { ...study, ver, chapters: moved ? [...others.slice(0, event.to), moved, ...others.slice(event.to)] : others };
    }
    case 'chapter-removed':
      return { ...study, ver, chapters: study.chapters.filter((c) => c.id !== event.chapter) };
    case 'lesson-set':
      return inChapter(event.chapter, ({ lesson: _, ...c }) => (event.side ? { ...c, lesson: event.side } : c));
    case 'named':
      return { ...study, ver, name: event.name };
    case 'access-set':
      return { ...study, ver, access: event.access };
    case 'invited':
      return { ...study, ver, members: [...study.members.filter((m) => m.id !== event.member.id), event.member] };
    case 'dismissed':
      return { ...study, ver, members: study.members.filter((m) => m.id !== event.id) };
  }
}

/** A piece of a comment. Only the signs listed at [`wordsOf`] count as markup. */
export interface Words {
  is: 'text' | 'strong' | 'em' | 'code' | 'link';
  text: string;
}

const PIECES = /\*\*([^*\n]+)\*\*|\*([^*\n]+)\*|`([^`\n]+)`|(https?:\/\/[^\s<>"'，。；）]+[^\s<>"'，。；）.,;:!?)])/g;

/** Parses a line of a comment: `**strong**`, `*stressed*`, `` `code` `` and addresses. */
export function wordsOf(line: string): Words[] {
  const out: Words[] = [];
  let from = 0;
  for (const found of line.matchAll(PIECES)) {
    if (found.index > from) out.push({ is: 'text', text: line.slice(from, found.index) });
    from = found.index + found[0].length;
    const [, strong, em, code, link] = found;
    if (strong) out.push({ is: 'strong', text: strong });
    else if (em) out.push({ is: 'em', text: em });
    else if (code) out.push({ is: 'code', text: code });
    else if (link) out.push({ is: 'link', text: link });
  }
  if (from < line.length) out.push({ is: 'text', text: line.slice(from) });
  return out;
}

/** Splits a comment into lines; those that begin with a hyphen are items of a list. */
export function linesOf(comment: string): { item: boolean; words: Words[] }[] {
  return comment
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const item = /^\s*[-*]\s+/.exec(line);
      return { item: item !== null, words: wordsOf(item ? line.slice(item[0].length) : line) };
    });
}

/** The signs of judgement that the page offers, by PGN's numbers. */
export const SIGNS: [number, string][] = [
  [3, '!!'],
  [1, '!'],
  [5, '!?'],
  [6, '?!'],
  [2, '?'],
  [4, '??'],
];
/** The signs about the position, by PGN's numbers. */
export const STANDS: Record<number, string> = { 10: '=', 13: '∞', 14: '+=', 15: '=+', 16: '±', 17: '∓', 18: '+−', 19: '−+' };
export const signOf = (nag: number): string => SIGNS.find(([n]) => n === nag)?.[1] ?? STANDS[nag] ?? `$${nag}`;
