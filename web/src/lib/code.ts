// An editor for extensions: CodeMirror with Python's colours, mistakes at their line, completion and help.
// It comes in a chunk of its own, for those who write code.

import { autocompletion, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { python } from '@codemirror/lang-python';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { namesOf, type Member } from './jbq';

/** A mistake at a line, from 1; without one it is shown at the first. */
export interface Mistake {
  line: number | null;
  /** The column, from 1, in characters; the whole line without one. */
  column: number | null;
  text: string;
  /** Set for what is odd and not wrong. */
  odd: boolean;
}

export interface Hands {
  text: string;
  /** The accessible name of the editor. */
  label: string;
  /** True if the map is of level 2, whose extensions have more names. */
  second: boolean;
  /** Returns the help text of a member of `JBQ` or of a piece: the message `jbq-<key>`. */
  help: (key: string) => string;
  /** The message shown at text that is not Python. */
  unreadable: string;
  changed: (text: string) => void;
  /** Called after each check with the number of lines that are not Python. */
  read: (wrong: number) => void;
}

export interface Editor {
  /** Shows mistakes that the hall found, beside the syntax errors that the editor finds itself. */
  mistakes: (found: Mistake[]) => void;
  /** Replaces the text. */
  show: (text: string) => void;
  goTo: (line: number, column: number) => void;
  focus: () => void;
  close: () => void;
}

/** The delay between the last key and the syntax check, in milliseconds: too short to be noticed. */
const READ_AFTER_MS = 120;
/** The largest number of mistakes that are shown. */
const MOST = 50;

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword], color: 'var(--code-word)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], fontWeight: '650' },
]);

const looks = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--ink)', height: '100%', fontSize: '0.875rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace', lineHeight: '1.5' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--muted)', border: '0' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 8%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent) !important',
  },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '8px' },
  // The library draws these with inline pictures, which the hall's Content Security Policy forbids.
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--red)', textUnderlineOffset: '3px' },
  '.cm-lint-marker-error': {
    content: 'normal',
    width: '0.65em',
    height: '0.65em',
    margin: '0.4em auto',
    borderRadius: '50%',
    backgroundColor: 'var(--red)',
  },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline dotted var(--muted)', textUnderlineOffset: '3px' },
  '.cm-lint-marker-warning': {
    content: 'normal',
    width: '0.65em',
    height: '0.65em',
    margin: '0.4em auto',
    borderRadius: '50%',
    border: '2px solid var(--muted)',
  },
  '.cm-tooltip .help': { padding: '6px 10px', maxWidth: '32em', whiteSpace: 'pre-wrap' },
});

/** Returns the syntax errors of the text, at most one for each line and [`MOST`] in all; `said` is their message. */
export function unreadable(state: EditorState, said: string): Diagnostic[] {
  const found: Diagnostic[] = [];
  let lastLine = -1;
  syntaxTree(state).iterate({
    enter: (node) => {
      if (!node.type.isError || found.length >= MOST) return;
      const line = state.doc.lineAt(node.from);
      if (line.number === lastLine) return;
      lastLine = line.number;
      const to = Math.min(line.to, Math.max(node.to, node.from + 1));
      found.push({ from: Math.min(node.from, Math.max(line.from, to - 1)), to, severity: 'error', message: said });
    },
  });
  return found;
}

/** Returns the place in a line's text of a column, which counts characters and not units of UTF-16. */
function unit(text: string, column: number): number {
  return Math.min([...text].slice(0, column - 1).join('').length, text.length);
}

/** Returns a mistake as a mark from its column to the end of its line; without a column it covers the line's text without its indentation. */
function at(state: EditorState, { line, column, text, odd }: Mistake): Diagnostic {
  const found = state.doc.line(Math.min(Math.max(line ?? 1, 1), state.doc.lines));
  const indent = found.text.length - found.text.trimStart().length;
  const from = found.from + (column === null ? indent : unit(found.text, column));
  return { from, to: Math.max(found.to, from), severity: odd ? 'warning' : 'error', message: text };
}

function offers(members: Member[], help: (key: string) => string): Completion[] {
  return members.map(({ name, sign, key }) => ({
    label: name,
    detail: sign.slice(name.length),
    info: help(key),
    type: sign.includes('(') ? 'function' : 'property',
  }));
}

/**
 * Returns the editor's completion: members after `JBQ.` and after the dot of a piece, otherwise the names that an
 * extension defines.
 */
export function complete(help: (key: string) => string, second: boolean): (context: CompletionContext) => CompletionResult | null {
  const names = namesOf(second);
  const [jbq, chess, hooks] = [offers(names.jbq, help), offers(names.chess, help), offers(names.hooks, help)];
  return (context) => {
    const dotted = context.matchBefore(/(\w+)\.\w*$/);
    if (dotted) {
      const from = dotted.from + dotted.text.indexOf('.') + 1;
      return { from, options: /^(JBQ|API)\./.test(dotted.text) ? jbq : chess, validFor: /^\w*$/ };
    }
    const word = context.matchBefore(/\w+$/);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    return { from: word.from, options: [...hooks, { label: 'JBQ', type: 'variable' }], validFor: /^\w*$/ };
  };
}

/** Returns the tooltips with help for the name under the pointer. */
function tips(help: (key: string) => string, second: boolean) {
  const { jbq, chess, hooks } = namesOf(second);
  return hoverTooltip((view, pos) => {
    const line = view.state.doc.lineAt(pos);
    const words = [...line.text.matchAll(/(?:(\w+)\.)?(\w+)/g)];
    const word = words.find((m) => line.from + m.index <= pos && pos <= line.from + m.index + m[0].length);
    if (!word) return null;
    const [whole, before, name] = word;
    const members = before === 'JBQ' || before === 'API' ? jbq : before ? chess : hooks;
    const member = members.find((m) => m.name === name);
    if (!member) return null;
    const from = line.from + word.index;
    return {
      pos: from,
      end: from + whole.length,
      create: () => {
        const dom = document.createElement('div');
        dom.className = 'help';
        dom.textContent = `${member.sign}\n${help(member.key)}`;
        return { dom };
      },
    };
  });
}

/** Opens an editor in that element. */
export function open(parent: HTMLElement, { text, label, second, help, unreadable: said, changed, read }: Hands): Editor {
  let told: Mistake[] = [];
  let timer = 0;
  let silent = false;
  const look = (): void => {
    const { state } = view;
    const own = unreadable(state, said);
    read(own.length);
    // The hall knows more of a mistake than the editor's parser, once it has answered; each change drops what it said.
    const found = told.length > 0 ? told.slice(0, MOST).map((mistake) => at(state, mistake)) : own;
    view.dispatch(setDiagnostics(state, found));
  };
  // The page forbids styles that a library adds at run time, but a shadow root adopts them.
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        indentUnit.of('    '),
        EditorState.tabSize.of(4),
        python(),
        syntaxHighlighting(colours),
        autocompletion({ override: [complete(help, second)], icons: false }),
        tips(help, second),
        lintGutter(),
        // Escape, then Tab leaves the editor by keys.
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
        looks,
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false', autocapitalize: 'off' }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          if (!silent) {
            told = [];
            changed(update.state.doc.toString());
          }
          clearTimeout(timer);
          timer = window.setTimeout(look, READ_AFTER_MS);
        }),
      ],
    }),
  });
  look();
  return {
    mistakes: (found) => {
      told = found;
      look();
    },
    show: (next) => {
      silent = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      silent = false;
    },
    goTo: (line, column) => {
      const found = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      view.dispatch({
        selection: { anchor: found.from + unit(found.text, column) },
        effects: EditorView.scrollIntoView(found.from, { y: 'center' }),
      });
      view.focus();
    },
    focus: () => view.focus(),
    close: () => {
      clearTimeout(timer);
      view.destroy();
    },
  };
}
