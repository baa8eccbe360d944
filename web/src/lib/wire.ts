// Generated from crates/wire by `QIGUAN_BLESS=1 cargo test -p wire`. Do not edit.

export type Side = "first" | "second";

export type Lines = "cells" | "points";

export type NamesKind = "letters-up" | "letters-down" | "numbers" | "pairs";

export type Names = { 
/**
 * `letters-up`: ranks count from the bottom; `letters-down`: from the top; `numbers`: the places that are no
 * gaps are numbered row by row from the top left.
 */
kind: NamesKind, 
/**
 * The number of the rank, or of the place, where counting begins.
 */
first: number, };

export type Decor = { "kind": "river", 
/**
 * The row above it.
 */
after_row: number, } | { "kind": "line", 
/**
 * The place where the line begins.
 */
from: number, 
/**
 * The place where it ends.
 */
to: number, } | { "kind": "station", 
/**
 * The place to be marked.
 */
at: number, };

export type Board = { 
/**
 * Squares or crossings.
 */
lines: Lines, 
/**
 * How many columns: 1 to 26 where names have letters, else to 255.
 */
files: number, 
/**
 * How many rows, 1 to 255.
 */
ranks: number, 
/**
 * How its places are called.
 */
names: Names, 
/**
 * Points to be dotted (gomoku's star points).
 */
stars: Array<number>, 
/**
 * Cells that are no places of the game, by rising cell (the light squares in draughts).
 */
gaps?: Array<number>, 
/**
 * What else is drawn.
 */
decor?: Array<Decor>, };

export type Piece = [number, Side | null, string];

export type Dirs = [number, number, number, number[]?];

export type Mark = { 
/**
 * What the mark means, a stable kebab-case key: the message `mark-<kind>`.
 */
kind: string, 
/**
 * The cells, in a stable order.
 */
cells: Array<number>, };

export type Every = "empty";

export type MoveView = { 
/**
 * What to send to play it.
 */
text: string, 
/**
 * Cells to touch, in order; empty for a button.
 */
path: Array<number>, 
/**
 * Pieces that would move: from and to.
 */
shifts?: Array<[number, number]>, 
/**
 * Set when the move loses at once by the mover's own doing: a reason key.
 */
warning?: string, };

export type Offered = Every | Array<MoveView>;

export type Button = { 
/**
 * The move text it plays. It is legal now exactly when `moves` has it.
 */
text: string, 
/**
 * What it is called: the Fluent message `button-<name>`.
 */
name: string, 
/**
 * Keyboard key by its web name, such as `"ArrowUp"`; also tells the client which arrow to draw.
 */
key: string, 
/**
 * When it is not legal: the cells in the way. A piece that would leave the board names its own cell.
 */
blockers?: Array<number>, 
/**
 * Where the pieces would go: from and to, in a stable order. Also given when something is in the way,
 * for the pieces that stay on the board.
 */
shifts?: Array<[number, number]>, };

export type Prompt = { 
/**
 * The Fluent message `prompt-<key>`.
 */
key: string, 
/**
 * Which step of the turn this is, from 1.
 */
step: number, 
/**
 * How many steps a turn has.
 */
of: number, };

export type Outcome = { 
/**
 * `null`: a draw, or void.
 */
winner: Side | null, 
/**
 * Stable key: the message `reason-<reason>`.
 */
reason: string, 
/**
 * True when the game counts for nobody.
 */
void?: boolean, };

export type Problem = { 
/**
 * A stable kebab-case key.
 */
key: string, 
/**
 * The facts, by argument name.
 */
args: { [key in string]: string }, };

export type Counter = { 
/**
 * Stable kebab-case key.
 */
key: string, 
/**
 * Whose count it is; none: that of both sides together.
 */
side: Side | null, 
/**
 * How far it has come.
 */
now: number, 
/**
 * Where it ends the game.
 */
limit: number, };

export type Ruling = { 
/**
 * The reasons in order: the messages `ruling-<key>`.
 */
notes: Array<Problem>, 
/**
 * The pieces it is about, where they stand now.
 */
marks: Array<Mark>, 
/**
 * Plies of the record, from 0, and their kind, such as `"check"` or `"chase"`: the message `ply-<kind>`.
 */
plies: Array<[number, string]>, };

export type View = { 
/**
 * The side to move.
 */
turn: Side, 
/**
 * By rising cell.
 */
pieces: Array<Piece>, 
/**
 * What the rules mark.
 */
marks: Array<Mark>, 
/**
 * Where pieces may turn to, by rising cell, in games whose pieces show it.
 */
dirs?: Array<Dirs>, 
/**
 * What may be played.
 */
moves: Offered, 
/**
 * Moves that are pressed, legal or not.
 */
buttons: Array<Button>, 
/**
 * What is asked.
 */
prompt: Prompt | null, 
/**
 * Cells the last move ended on.
 */
last: Array<number>, 
/**
 * Cells of the last move in the order they were touched, when there were several.
 */
trail?: Array<number>, 
/**
 * Counts towards a draw or a limit.
 */
counters?: Array<Counter>, 
/**
 * What binds the side to move, for someone who tries something else: the messages `note-<key>`.
 */
notes?: Array<Problem>, 
/**
 * What the position is known as: the message `caption-<key>`.
 */
caption?: Problem, 
/**
 * True when the first player has what the second usually has, colour included.
 */
swapped?: boolean, 
/**
 * Whose a piece is that is put now, where that is not the side to move.
 */
puts?: Side, 
/**
 * Whether the last ply may be taken back by its own side without asking.
 */
withdraws: boolean, 
/**
 * How the rules ended the game.
 */
outcome: Outcome | null, 
/**
 * Why a repetition ended it so.
 */
ruling?: Ruling, };

export type Patch = { 
/**
 * The side to move.
 */
turn?: Side, 
/**
 * Cells that are now empty. Applied before `put`.
 */
gone?: Array<number>, 
/**
 * Pieces that now stand where they did not.
 */
put?: Array<Piece>, 
/**
 * All marks, replacing those before.
 */
marks?: Array<Mark>, 
/**
 * Where all pieces may turn to.
 */
dirs?: Array<Dirs>, 
/**
 * All legal moves, replacing those before.
 */
moves?: Offered, 
/**
 * All buttons, replacing those before.
 */
buttons?: Array<Button>, 
/**
 * The prompt; `null`: no longer any.
 */
prompt?: Prompt | null, 
/**
 * Cells the last move ended on.
 */
last?: Array<number>, 
/**
 * Cells of the last move in order.
 */
trail?: Array<number>, 
/**
 * All counters, replacing those before.
 */
counters?: Array<Counter>, 
/**
 * All notes, replacing those before.
 */
notes?: Array<Problem>, 
/**
 * What the position is known as; `null`: nothing.
 */
caption?: Problem | null, 
/**
 * Whether the players have each other's colours.
 */
swapped?: boolean, 
/**
 * Whose a piece is that is put now; `null`: the side to move's.
 */
puts?: Side | null, 
/**
 * Whether the last ply may be withdrawn.
 */
withdraws?: boolean, 
/**
 * Why a repetition ended the game; `null`: none did.
 */
ruling?: Ruling | null, 
/**
 * How the rules ended the game; `null`: it goes on again.
 */
outcome?: Outcome | null, };

export type How = "screen" | "invite" | "open" | "room";

export type ClockSpec = { "kind": "none" } | { "kind": "fischer", 
/**
 * 0 to 24 hours; not both 0.
 */
base_ms: number, 
/**
 * 0 to 10 minutes.
 */
increment_ms: number, } | { "kind": "byo-yomi", 
/**
 * 0 to 24 hours.
 */
base_ms: number, 
/**
 * 1 second to 1 hour.
 */
period_ms: number, 
/**
 * 1 to 50.
 */
periods: number, } | { "kind": "per-move", 
/**
 * 1 second to 24 hours, or 1, 2, 3, 5, 7 or 14 days.
 */
turn_ms: number, 
/**
 * Slow games: no clock runs on Saturdays and Sundays (UTC).
 */
weekend_pause?: boolean, };

export type ClockFace = { 
/**
 * Milliseconds left to the first and the second side: of the game, of the period once byo-yomi has begun,
 * or of the turn.
 */
ms: [number, number], 
/**
 * Byo-yomi periods left, the one that runs included.
 */
periods?: [number, number], 
/**
 * Byo-yomi: who has used up the base time.
 */
byo?: [boolean, boolean], 
/**
 * Whose clock runs.
 */
run: Side | null, 
/**
 * Slow games: who is to move and on vacation, so that no clock runs.
 */
held?: Side, };

export type Opponent = { "level": number } | { "engine": string };

export type Player = { 
/**
 * Public and stable; not the secret that proves who they are.
 */
id: string, 
/**
 * The name they chose, if any; 1 to 24 characters.
 */
name: string | null, 
/**
 * Which of the hall's own programs it is; absent: somebody who comes from outside.
 */
engine?: Opponent, 
/**
 * Whether it is an account that a program plays with.
 */
program?: boolean, };

export type PlyInfo = [string, Side, number | null, Array<string>];

export type MapName = { 
/**
 * What its files hash to: the same files always have the same id.
 */
id: string, 
/**
 * What its first uploader called it.
 */
name: string, };

export type Chance = { 
/**
 * The SHA-256, in hexadecimal digits, of three lines, each with its line break: `qiguan chance 1`, the id of the table,
 * the secret.
 */
hash: string, 
/**
 * The secret, 32 hexadecimal digits, once the game is over: the whole number that the random numbers of the map's
 * extensions began with. Four options of the record say the same.
 */
secret?: string, };

export type Heading = { 
/**
 * Who played the first and the second side; empty where the record does not say.
 */
players: [string, string], 
/**
 * The day, as `2026-11-21`, or as much of it as is known.
 */
date: string, 
/**
 * The clock of that game, in words or figures such as `300+5`; it does not run at the table.
 */
clock: string, 
/**
 * What else the record says, by the names that PGN has for it: `Event`, `Site`, `Round`.
 */
tags: Record<string, string>, };

export type TableInfo = { 
/**
 * The last part of the link.
 */
id: string, 
/**
 * Catalogue key, such as `gomoku/freestyle`.
 */
game: string, 
/**
 * Every option of the game with its value.
 */
options: Record<string, number>, 
/**
 * What may be known of how chance decides, where it has a say and both have sat down.
 */
chance?: Chance, 
/**
 * The map it is played on, in games that come with one.
 */
map?: MapName, 
/**
 * Set where the game's author forbids to take moves back.
 */
no_takebacks?: boolean, 
/**
 * True for the first and the second player where they take no offers but for a rematch.
 */
no_offers?: [boolean, boolean], 
/**
 * The start position, when it is not the usual one.
 */
fen: string | null, 
/**
 * How it was opened.
 */
how: How, 
/**
 * The room's name.
 */
room: string | null, 
/**
 * How long sides may think.
 */
clock: ClockSpec, 
/**
 * Whether the result counts for ratings. Nothing is taken back then, and nobody is helped.
 */
rated?: boolean, 
/**
 * The board.
 */
board: Board, 
/**
 * The notations players of this game read moves in, the usual one first: the messages `notation-<key>`.
 * Empty: the move texts are what people read.
 */
notations: Array<string>, 
/**
 * Who plays the first and the second side; `null`: the seat is free.
 */
seats: [Player | null, Player | null], 
/**
 * Both seats have been taken: the game is on, or over.
 */
started: boolean, 
/**
 * When it was opened, in Unix milliseconds.
 */
created_ms: number, 
/**
 * The table where the rematch is played.
 */
next: string | null, 
/**
 * Who played and when, where the table was opened from a record.
 */
heading?: Heading, 
/**
 * The opening that the hall drew, in the words of its federation: number, name and moves. The game begins behind it.
 */
opening?: string, };

export type Offer = "takeback" | "draw" | "rematch" | "swap";

export type Act = { "k": "sit", 
/**
 * The seat to take.
 */
side?: Side, } | { "k": "leave" } | { "k": "move", 
/**
 * The move in machine text.
 */
move: string, 
/**
 * Whether the page was out of sight, or lost the focus, since it was the player's turn. Moderators see how often
 * that was in rated games; nobody else does.
 */
away?: boolean, } | { "k": "withdraw" } | { "k": "offer", 
/**
 * What the offer is about.
 */
what: Offer, 
/**
 * Takeback on one screen: how many plies; elsewhere it goes back to the offerer's last turn.
 */
plies?: number, } | { "k": "accept", 
/**
 * What the offer is about.
 */
what: Offer, } | { "k": "decline", 
/**
 * What the offer is about.
 */
what: Offer, } | { "k": "offers", 
/**
 * False: none is heard of any more.
 */
taken: boolean, } | { "k": "premove", 
/**
 * From and to, or the only place; none: nothing is chosen any more.
 */
cells: Array<number>, } | { "k": "resign", 
/**
 * One screen only: which side gives up; the side to move when absent.
 */
side?: Side, } | { "k": "abort" } | { "k": "flag" } | { "k": "claim" };

export type Event = { "k": "sit", 
/**
 * The side whose seat it is.
 */
side: Side, 
/**
 * The person or program.
 */
who: Player, } | { "k": "leave", 
/**
 * The side whose seat it is.
 */
side: Side, } | { "k": "move", 
/**
 * The side that did it.
 */
by: Side, 
/**
 * Its machine text.
 */
move: string, } | { "k": "withdraw", 
/**
 * The side that did it.
 */
by: Side, } | { "k": "offer", 
/**
 * The side that did it.
 */
by: Side, 
/**
 * What the offer is about.
 */
what: Offer, } | { "k": "decline", 
/**
 * The side that did it.
 */
by: Side, 
/**
 * What the offer is about.
 */
what: Offer, } | { "k": "offers", 
/**
 * The side that did it.
 */
by: Side, 
/**
 * False: it hears of none any more.
 */
taken: boolean, } | { "k": "takeback", 
/**
 * Who had asked.
 */
by: Side, 
/**
 * Number of plies taken back.
 */
plies: number, } | { "k": "draw" } | { "k": "swap" } | { "k": "resign", 
/**
 * The side that did it.
 */
by: Side, } | { "k": "flag", 
/**
 * The side whose time was up.
 */
by: Side, } | { "k": "abort", 
/**
 * The side that did it.
 */
by: Side, } | { "k": "forfeit", 
/**
 * The side that the program played.
 */
by: Side, 
/**
 * What it did: the messages `reason-<reason>`.
 */
reason: string, } | { "k": "rematch", 
/**
 * The new table.
 */
table: string, } | { "k": "pause" };

export type Kind = "sit" | "leave" | "move" | "withdraw" | "offer" | "decline" | "offers" | "takeback" | "draw" | "swap" | "resign" | "flag" | "abort" | "forfeit" | "rematch" | "pause";

export type Happened = { 
/**
 * The version after it.
 */
v: number, 
/**
 * The receiver's own wish that it fulfils: the acknowledgement. It is on disk. Others do not see it.
 */
cmd?: string, 
/**
 * The kind of the event.
 */
k: Kind, 
/**
 * The side it is about; absent for a move, whose `ply` says it, and for what both do.
 */
by?: Side, 
/**
 * The offer it is about.
 */
what?: Offer, 
/**
 * The record keeps this many plies; applied before `ply`.
 */
cut?: number, 
/**
 * A ply to add to the record.
 */
ply?: PlyInfo, 
/**
 * What changed on the board.
 */
p?: Patch, 
/**
 * Both clocks at the moment when the event was first told.
 */
clk?: ClockFace, 
/**
 * Who sits where.
 */
seats?: [Player | null, Player | null], 
/**
 * Both seats have been taken: the game begins. It never ceases to have begun.
 */
started?: boolean, 
/**
 * All offers that stand.
 */
offers?: Array<[Side, Offer]>, 
/**
 * True for the first and the second player where they take no offers.
 */
no_offers?: [boolean, boolean], 
/**
 * How the game ended; `null`: it goes on again.
 */
end?: Outcome | null, 
/**
 * What may be known of how chance decides: when that was drawn, and again when the game is over.
 */
chance?: Chance, 
/**
 * The table where the rematch is played.
 */
next?: string, 
/**
 * Time left for the first move of the side to move, at the moment when the event was told, in milliseconds;
 * `null`: no such time runs any more.
 */
first_ms?: number | null, };

export type ClientMessage = { "t": "do", 
/**
 * Chosen by the client, 8 to 40 letters, digits, `-` or `_`; never used twice for different wishes.
 */
cmd: string, 
/**
 * The version the client has seen. A wish that rests on an older board is refused as `stale`.
 */
ver: number, 
/**
 * What to do.
 */
act: Act, } | { "t": "full" } | { "t": "say", 
/**
 * Chosen by the client; comes back in a `no`.
 */
cmd: string, 
/**
 * A preset phrase: the message `phrase-<key>`.
 */
phrase?: string, 
/**
 * Free words; at most 200 letters.
 */
words?: string, } | { "t": "chat" } | { "t": "ping", 
/**
 * A number of the client's choice; the `pong` repeats it.
 */
n: number, } | { "t": "hidden", 
/**
 * Whether it is out of sight.
 */
hidden: boolean, };

export type ServerMessage = { "t": "full", 
/**
 * The version: the number of events so far.
 */
v: number, 
/**
 * Who and what.
 */
table: TableInfo, 
/**
 * The board now.
 */
view: View, 
/**
 * The moves so far.
 */
record: Array<PlyInfo>, 
/**
 * The clocks, unless there are none.
 */
clk: ClockFace | null, 
/**
 * Offers that wait for an answer: who offers what.
 */
offers: Array<[Side, Offer]>, 
/**
 * How the game ended, by the rules or by the players.
 */
end: Outcome | null, 
/**
 * The seats the receiver holds.
 */
you: Array<Side>, 
/**
 * Whether the first and the second player are here.
 */
here: [boolean, boolean], 
/**
 * How many others look on.
 */
watchers: number, 
/**
 * Time left for the first move of the side to move, in milliseconds; then the game is called off. Absent where
 * no such time runs.
 */
first_ms?: number, } | { "t": "ev" } & Happened | { "t": "ok", 
/**
 * The client's id of the wish.
 */
cmd: string, 
/**
 * The version of the event that fulfilled it.
 */
v: number, } | { "t": "failed", 
/**
 * Why the table stopped.
 */
why: Problem, } | { "t": "no", 
/**
 * The client's id of the wish.
 */
cmd: string, 
/**
 * The reason for the refusal.
 */
why: Problem, } | { "t": "here", 
/**
 * Whether the first and the second player are here.
 */
here: [boolean, boolean], 
/**
 * How many others look on.
 */
watchers: number, 
/**
 * In how many milliseconds the side that is not to move may claim the win, because the other has left; 0: now.
 * Absent where it may not.
 */
claim_ms?: number, } | { "t": "you", 
/**
 * The sides the receiver plays.
 */
you: Array<Side>, } | { "t": "said" } & SaidLine | { "t": "chat", 
/**
 * At most 50 lines.
 */
lines: Array<SaidLine>, } | { "t": "challenged", 
/**
 * The table at which the game begins, where a challenge was accepted.
 */
table?: string, 
/**
 * The other person, where they have declined one's challenge.
 */
declined?: Player, 
/**
 * Why they have: the messages `decline-<reason>`.
 */
reason?: string, } | { "t": "bell", 
/**
 * It rings for everybody: what the staff announces, the newest first, in place of what was announced before. Sent at once
 * where there is something, and whenever it changes.
 */
announced?: Array<AnnouncementLine>, } | { "t": "pong", 
/**
 * The number of the ping.
 */
n: number, } | { "t": "lobby-change", 
/**
 * Lines that are new or different. Both seats taken: a game to watch.
 */
put: Array<TableLine>, 
/**
 * Ids of tables that are gone.
 */
gone: Array<string>, } | { "t": "lobby", 
/**
 * Waiting for a second player.
 */
open: Array<TableLine>, 
/**
 * Games that are being played and may be watched.
 */
live: Array<TableLine>, } | { "t": "stopping" } | { "t": "storage", 
/**
 * Why it cannot: `disk-low` (running games go on) or `hall-read-only` (nothing does). `None`: it can again.
 */
trouble: Problem | null, };

export type OptionInfo = { 
/**
 * Such as `size`.
 */
key: string, 
/**
 * Smallest value. With `max` 1 and `min` 0 it is a switch.
 */
min: number, 
/**
 * Largest value, inclusive.
 */
max: number, 
/**
 * Names of the values from `min` on: the messages `option-<key>-<name>`. Empty: plain numbers.
 */
names?: Array<string>, 
/**
 * In the game as its rules have it, and on one screen.
 */
usual: number, 
/**
 * When played online.
 */
online: number, };

export type GameInfo = { 
/**
 * Such as `gomoku/freestyle`.
 */
key: string, 
/**
 * Games of one family share paint and words: `gomoku`.
 */
family: string, 
/**
 * What the sides are called: the messages `side-<name>`.
 */
sides: [string, string], 
/**
 * What may be chosen.
 */
options: Array<OptionInfo>, 
/**
 * The board of the usual start.
 */
board: Board, 
/**
 * The usual start, for a picture.
 */
view: View, 
/**
 * Record formats, such as `json`, `text`, `sgf`.
 */
formats: Array<string>, 
/**
 * Notations players read moves in, the usual one first.
 */
notations: Array<string>, 
/**
 * The pieces one may place when setting up a position: side and face. Empty: it cannot be set up.
 */
palette: Array<[Side, string]>, 
/**
 * Whether a table of it is opened with a map; board and start are then those of one map, for a picture.
 */
needs_map: boolean, 
/**
 * True where either side may make the first move: the piece that is chosen first decides.
 */
either_begins?: boolean, };

export type CreateTable = { 
/**
 * Key of the game, as in `GET /api/games`.
 */
game: string, 
/**
 * Options that differ from the default.
 */
options?: { [key in string]: number }, 
/**
 * The map's id, for games that come with one.
 */
map?: string, 
/**
 * A start position.
 */
fen?: string, 
/**
 * How it is opened.
 */
how: How, 
/**
 * The room's name, 1 to 40 characters; for `how: room`.
 */
room?: string, 
/**
 * How long sides may think.
 */
clock: ClockSpec, 
/**
 * The opener's side; absent: by lot.
 */
side?: Side, 
/**
 * Who takes the other seat at once: a program. Not with `how: screen`.
 */
opponent?: Opponent, 
/**
 * Whether the result counts for ratings: a game by its usual rules with a clock, between two accounts.
 */
rated?: boolean, };

export type OpenTable = { 
/**
 * The lowest and the highest rating in this game at this speed of who may take the other seat; `null`: any. Only for games
 * that could be rated.
 */
ratings?: [number | null, number | null], 
/**
 * Key of the game, as in `GET /api/games`.
 */
game: string, 
/**
 * Options that differ from the default.
 */
options?: { [key in string]: number }, 
/**
 * The map's id, for games that come with one.
 */
map?: string, 
/**
 * A start position.
 */
fen?: string, 
/**
 * How it is opened.
 */
how: How, 
/**
 * The room's name, 1 to 40 characters; for `how: room`.
 */
room?: string, 
/**
 * How long sides may think.
 */
clock: ClockSpec, 
/**
 * The opener's side; absent: by lot.
 */
side?: Side, 
/**
 * Who takes the other seat at once: a program. Not with `how: screen`.
 */
opponent?: Opponent, 
/**
 * Whether the result counts for ratings: a game by its usual rules with a clock, between two accounts.
 */
rated?: boolean, };

export type Created = { 
/**
 * The table's id; its page is `/t/<id>`.
 */
id: string, 
/**
 * The seats the opener holds.
 */
you: Array<Side>, 
/**
 * What a record says that the table does not hold, and what is wrong with it: a move that is not possible, from
 * which on it was cut, with the place; variations; further games of the file.
 */
told?: Array<Problem>, };

export type EngineInfo = { 
/**
 * As [`CreateTable`] asks for it.
 */
opponent: Opponent, 
/**
 * The catalogue keys of the games it plays.
 */
games: Array<string>, };

export type PersonKind = "guest" | "account" | "program" | "closed" | "suspended";

export type Me = { 
/**
 * As others see them.
 */
player: Player, 
/**
 * Whether they have an account.
 */
kind: PersonKind, 
/**
 * Their unfinished tables, newest first, at most 20.
 */
playing: Array<TableLine>, 
/**
 * In how many slow games they are to move.
 */
waiting: number, };

export type Welcome = { 
/**
 * As in `GET /api/me`.
 */
me: Me, 
/**
 * As in `GET /api/engines`.
 */
engines: Array<EngineInfo>, 
/**
 * As in `GET /api/games`.
 */
games: Array<GameInfo>, };

export type NewName = { 
/**
 * 1 to 24 characters; empty: none.
 */
name: string, };

export type TableLine = { 
/**
 * The table's id, the last part of its link.
 */
id: string, 
/**
 * Key of the game, as in `GET /api/games`.
 */
game: string, 
/**
 * Every option of the game with its value.
 */
options: Record<string, number>, 
/**
 * The map it is played on, in games that come with one.
 */
map?: MapName, 
/**
 * How it was opened.
 */
how: How, 
/**
 * The room's name.
 */
room: string | null, 
/**
 * How long sides may think.
 */
clock: ClockSpec, 
/**
 * Who sits where.
 */
seats: [Player | null, Player | null], 
/**
 * The lowest and the highest rating of who may take the other seat, where whoever opened the table asks for some.
 */
ratings?: [number | null, number | null], 
/**
 * Whether the result counts for ratings.
 */
rated?: boolean, 
/**
 * Moves so far.
 */
plies: number, 
/**
 * When it was opened, in Unix milliseconds.
 */
created_ms: number, };

export type Tables = { 
/**
 * Waiting for a second player.
 */
open: Array<TableLine>, 
/**
 * Games that are being played and may be watched.
 */
live: Array<TableLine>, };

export type Replay = { 
/**
 * The plies before `start`.
 */
from: number, 
/**
 * The plies of the whole game; there is more to be had while `from` and the patches are fewer.
 */
of: number, 
/**
 * The picture after `from` plies.
 */
start: View, 
/**
 * What each ply after that changed.
 */
patches: Array<Patch>, };

export type SetUp = { 
/**
 * Key of the game, as in `GET /api/games`.
 */
game: string, 
/**
 * Options that differ from the default.
 */
options?: { [key in string]: number }, 
/**
 * The map's id, for games that come with one.
 */
map?: string, 
/**
 * The position as one line of text.
 */
fen?: string, 
/**
 * What stands where, at most one piece a cell.
 */
pieces: Array<Piece>, 
/**
 * The side to move; the first when absent.
 */
turn?: Side, };

export type Standing = { 
/**
 * As one line of text.
 */
fen: string, 
/**
 * The board the position stands on.
 */
board: Board, 
/**
 * The position as clients draw it.
 */
view: View, };

export type Lessons = { 
/**
 * After so many plies.
 */
ply: number, 
/**
 * Cells by kind: the messages `lesson-<kind>`.
 */
marks: Array<Mark>, };

export type Details = { 
/**
 * Sentence by sentence: the messages `detail-<key>`. Empty: no more than its name. Arrows in them point as the
 * first player sees the board.
 */
details: Array<Problem>, };

export type ImportRecord = { 
/**
 * A format's key, such as `sgf`; absent: told from the content.
 */
format?: string, 
/**
 * The file's text, at most 7 MiB with the rest of the body; or its bytes in Base64.
 */
content: string, 
/**
 * Whether `content` is Base64: for files that are not text, or not in UTF-8.
 */
base64: boolean, };

export type LogLine = { 
/**
 * The version after it.
 */
v: number, 
/**
 * When, in Unix milliseconds.
 */
at_ms: number, 
/**
 * The wish it fulfilled.
 */
cmd: string | null, 
/**
 * The event of this version.
 */
e: Event, };

export type ExtensionFile = { 
/**
 * The file's name.
 */
file: string, 
/**
 * Its bytes in Base64, at most 256 KiB.
 */
base64: string, };

export type UploadMap = { 
/**
 * What it is to be called; 1 to 60 characters.
 */
name: string, 
/**
 * The .xlsx file in Base64, at most 4 MiB.
 */
map: string, 
/**
 * Its extensions, in the order in which they are asked; at most 16.
 */
extensions?: Array<ExtensionFile>, 
/**
 * Whether `D`, `R`, `T`, `NP` and `C` are known without an extension.
 */
old_names?: boolean, 
/**
 * Whether its author only tries it: lists do not show it, and later trials of the same author take its place.
 */
trial?: boolean, };

export type MapCheck = { 
/**
 * Whether it can be played.
 */
ok: boolean, 
/**
 * What must be mended: the messages `problem-<key>`; `place` names sheet and cell, such as `chesses!E3`.
 */
errors: Array<Problem>, 
/**
 * What its author should know.
 */
warnings: Array<Problem>, 
/**
 * What came of playing it, where it could be played.
 */
played: MapPlayed | null, };

export type MapPlayed = { 
/**
 * Games of random moves.
 */
random: GamesPlayed, 
/**
 * Random games that stopped because the side to move had no move: red, blue.
 */
stuck: [number, number], 
/**
 * Games of the engine; none where random games failed.
 */
engine: GamesPlayed, 
/**
 * How long calls of extensions took.
 */
hooks: Array<HookTime>, 
/**
 * What failed in random games, each fault once; `errors` has them too.
 */
faults: Array<MapFault>, 
/**
 * What extensions printed in random games, at most 64 KiB.
 */
prints: string, 
/**
 * Bytes of prints that were left out.
 */
prints_left_out: number, };

export type GamesPlayed = { 
/**
 * Number of games played.
 */
games: number, 
/**
 * Plies of the shortest.
 */
shortest: number, 
/**
 * The median of their plies.
 */
median: number, 
/**
 * Plies of the longest.
 */
longest: number, 
/**
 * Games that came to an end by the rules; the others were cut off.
 */
ended: number, };

export type HookTime = { 
/**
 * The extension's file.
 */
file: string, 
/**
 * `check_can_go`, `after_move`, or a place of `loc_rules`.
 */
hook: string, 
/**
 * Calls that were measured; 0: no game asked it.
 */
calls: number, 
/**
 * The median, in microseconds.
 */
median_us: number, 
/**
 * The longest call, in microseconds.
 */
worst_us: number, };

export type MapFault = { 
/**
 * Extension, hook, line and why: the message `problem-map-extension-failed`.
 */
problem: Problem, 
/**
 * In how many games.
 */
games: number, 
/**
 * The first of them, from 1.
 */
game: number, 
/**
 * After how many of its plies.
 */
plies: number, 
/**
 * The traceback: a line of text for each call, the innermost last.
 */
trace: Array<string>, };

export type MapLine = { 
/**
 * See [`MapName`].
 */
id: string, 
/**
 * What its first uploader called it; `<Chinese> / <English>` for the house's own.
 */
name: string, 
/**
 * Rows of the board.
 */
rows: number, 
/**
 * Columns of the board.
 */
cols: number, 
/**
 * Kinds of pieces.
 */
kinds: number, 
/**
 * Names of its extensions, in order.
 */
extensions: Array<string>, 
/**
 * When it was first uploaded, in Unix milliseconds; 0 for the house's own.
 */
created_ms: number, 
/**
 * Whether the house brings it along.
 */
ours: boolean, };

export type AttributeValue = boolean | number | number | string;

export type KindDraft = { 
/**
 * What is written on it.
 */
name: string, 
/**
 * Whose it is; `null`: neutral.
 */
owner: Side | null, 
/**
 * Whoever takes it wins.
 */
captain: boolean, 
/**
 * How it moves, as maps write it: `2,4(X[1|2]);7`.
 */
rule: string, 
/**
 * Where it promotes; empty: nowhere.
 */
promotes: string, 
/**
 * How it moves then.
 */
promoted: string, 
/**
 * What extensions read: name and value.
 */
attributes: Array<[string, AttributeValue]>, };

export type MapDraft = { 
/**
 * Rows of the board, 1 to 64.
 */
rows: number, 
/**
 * Columns, 1 to 64.
 */
cols: number, 
/**
 * Row by row from the top left: the number of the piece that starts there, from 1; 0 for none.
 */
cells: Array<number>, 
/**
 * The table of pieces; the k-th has number k.
 */
kinds: Array<KindDraft>, 
/**
 * Whether pieces promote.
 */
promotion: boolean, 
/**
 * Whether moves may be taken back.
 */
undo: boolean, 
/**
 * Whether a third neutral move in a row is refused.
 */
neutral_limit: boolean, };

export type ExtensionInfo = { 
/**
 * Its file, to be had at `/api/maps/{id}/extensions/{n}`, n from 0.
 */
file: string, 
/**
 * The name the extension gives itself.
 */
name: string, 
/**
 * Its version, where it tells one.
 */
version: string | null, 
/**
 * What players should know.
 */
help: string | null, 
/**
 * The places it adds to the language of rules.
 */
places: Array<string>, 
/**
 * Whose it is, where it came from the shelf of extensions.
 */
shared?: SharedBy, };

export type MapInfo = { 
/**
 * See [`MapName`].
 */
id: string, 
/**
 * What its first uploader called it.
 */
name: string, 
/**
 * The whole map.
 */
draft: MapDraft, 
/**
 * What there is to know about each piece of the table, in its order: the messages `detail-<key>`.
 */
details: Array<Array<Problem>>, 
/**
 * Its extensions, in order.
 */
extensions: Array<ExtensionInfo>, 
/**
 * What its author should know.
 */
warnings: Array<Problem>, 
/**
 * Whether `D`, `R`, `T`, `NP` and `C` are known without an extension.
 */
old_names: boolean, 
/**
 * The board, without pieces.
 */
board: Board, 
/**
 * The start, for a picture.
 */
view: View, 
/**
 * When it was first uploaded, in Unix milliseconds; 0 for the house's own.
 */
created_ms: number, 
/**
 * Whether the house brings it along.
 */
ours: boolean, 
/**
 * Its rated pool; absent where a map was only just brought.
 */
pool?: MapPool, };

export type DraftRead = { 
/**
 * The map, when there are no errors.
 */
draft: MapDraft | null, 
/**
 * What must be mended.
 */
errors: Array<Problem>, 
/**
 * What its author should know.
 */
warnings: Array<Problem>, };

export type DraftChecked = { 
/**
 * What must be mended.
 */
errors: Array<Problem>, 
/**
 * What its author should know.
 */
warnings: Array<Problem>, 
/**
 * What there is to know about each piece, in order, when there are no errors: the messages `detail-<key>`.
 */
details: Array<Array<Problem>>, 
/**
 * Where each piece of the board may turn to at the start, when there are no errors.
 */
view: View | null, };

export type Workbook = { 
/**
 * The .xlsx file in Base64.
 */
base64: string, };

export type BoardCsv = { 
/**
 * The text, at most 256 KiB.
 */
csv: string, };

export type MapPool = { 
/**
 * Whether its games may be rated, and opponents are found by "play now".
 */
open: boolean, 
/**
 * Accounts that finished a game against another account; who has one is decided when a game is finished.
 */
players: number, 
/**
 * Games that they finished.
 */
games: number, 
/**
 * Accounts that a pool needs.
 */
needs_players: number, 
/**
 * Games that a pool needs.
 */
needs_games: number, };

export type ReadBoard = { 
/**
 * See [`BoardCsv`].
 */
csv: string, 
/**
 * The map, whose pieces the board names.
 */
draft: MapDraft, };

export type Worth = { "hundredths": number } | { "wins": number };

export type StudyLine = { 
/**
 * What it comes to.
 */
worth: Worth, 
/**
 * Plies searched in full; turns in locked chess.
 */
depth: number, 
/**
 * Move texts in order; legal, at least one.
 */
moves: Array<string>, 
/**
 * Each in the table's notations, like a ply of the record.
 */
names: Array<Array<string>>, };

export type Hint = { 
/**
 * After so many plies.
 */
ply: number, 
/**
 * The best move and what may follow.
 */
line: StudyLine, };

export type Aside = { 
/**
 * Plies of the record.
 */
ply: number, 
/**
 * Moves that were not played, at most 40.
 */
moves: Array<string>, };

export type StudyWish = { "t": "look", 
/**
 * Comes back with what is told about it.
 */
n: number, 
/**
 * Plies of the record.
 */
ply: number, 
/**
 * How many of the best moves, 1 to 5.
 */
lines: number, 
/**
 * A foreign program of `GET /api/engines`; absent: ours.
 */
engine?: string, } | { "t": "rest" };

export type StudyTold = { "t": "found", 
/**
 * Of which wish.
 */
n: number, 
/**
 * Positions looked at.
 */
nodes: number, 
/**
 * Since it began, in milliseconds.
 */
ms: number, 
/**
 * The best moves, the best one first; none where the game is over.
 */
lines: Array<StudyLine>, 
/**
 * No more comes.
 */
done: boolean, } | { "t": "no", 
/**
 * Of which wish.
 */
n: number, 
/**
 * The reason for the refusal.
 */
why: Problem, };

export type Fault = "slip" | "mistake" | "blunder";

export type FaultyTurn = { 
/**
 * Plies before it.
 */
from: number, 
/**
 * Plies after it.
 */
to: number, 
/**
 * The side that made the turn.
 */
by: Side, 
/**
 * How much the turn cost.
 */
fault: Fault, 
/**
 * What would have been better.
 */
better: StudyLine, };

export type Agreement = { 
/**
 * Turns that count.
 */
turns: number, 
/**
 * Those of them that the engine would have played, too.
 */
same: number, 
/**
 * What they cost in all of the chance to win, in thousandths.
 */
cost: number, };

export type Report = { 
/**
 * Positions judged so far.
 */
done: number, 
/**
 * Positions to be judged.
 */
of: number, 
/**
 * What each position between two turns is worth: plies before it, worth.
 */
points: Array<[number, Worth]>, 
/**
 * What changed the game.
 */
faults: Array<FaultyTurn>, 
/**
 * How the turns of the first and the second side compare with the engine's; absent in reports of older halls.
 */
agreement?: [Agreement, Agreement], };

export type StudyAccess = "private" | "link" | "public";

export type StudyRole = "owner" | "contributor" | "reader";

export type MarkColour = "green" | "red" | "yellow" | "blue";

export type StudyMark = { 
/**
 * The cell where the arrow begins, or around which the circle goes.
 */
from: number, 
/**
 * The cell where the arrow ends; absent: a circle.
 */
to?: number, 
/**
 * Its colour.
 */
colour?: MarkColour, };

export type StudyEval = { 
/**
 * For the first player.
 */
worth: Worth, 
/**
 * How deep an engine looked, where one did.
 */
depth?: number, };

export type StudyNode = { 
/**
 * Never used again in its chapter; 0 is the start.
 */
id: number, 
/**
 * The node before it; of the start itself.
 */
parent: number, 
/**
 * The move; empty at the start.
 */
text: string, 
/**
 * The move in each of the game's notations.
 */
names: Array<string>, 
/**
 * Who moved; absent at the start.
 */
by?: Side, 
/**
 * Whether the same side moved before, in the same turn.
 */
same_turn?: boolean, 
/**
 * What somebody says about it: plain text with a little Markdown.
 */
comment?: string, 
/**
 * Arrows and circles.
 */
marks?: Array<StudyMark>, 
/**
 * Signs of judgement by the numbers that PGN gives them, rising.
 */
nags?: Array<number>, 
/**
 * What the position is worth.
 */
eval?: StudyEval, 
/**
 * Thinking time in milliseconds.
 */
spent_ms?: number, 
/**
 * The version of the study that last changed what is said about it.
 */
ver: number, };

export type StudyChapter = { 
/**
 * Never used again in its study.
 */
id: number, 
/**
 * What it is called.
 */
name: string, 
/**
 * Key of the game in the catalogue.
 */
game: string, 
/**
 * Options that the game is opened with.
 */
options?: { [key in string]: bigint }, 
/**
 * The map, for games that have one.
 */
map?: MapName, 
/**
 * Where it starts; absent: at the usual start.
 */
fen?: string, 
/**
 * Who played, in order of moving; empty texts where nobody did.
 */
players: [string, string], 
/**
 * How the game ended, where it is one that did.
 */
ending?: Outcome, 
/**
 * The clock in words or figures.
 */
clock?: string, 
/**
 * The day it was played.
 */
date?: string, 
/**
 * What else its file told, by the names that PGN has.
 */
tags?: { [key in string]: string }, 
/**
 * A lesson: readers find the moves of that side.
 */
lesson?: Side, 
/**
 * The start, then every node after its parent; of two after the same one, the better line stands first.
 */
nodes: Array<StudyNode>, 
/**
 * The id of the next node.
 */
next: number, };

export type StudyMember = { 
/**
 * Public id.
 */
id: string, 
/**
 * Their name, as it was when they came.
 */
name?: string, };

export type Study = { 
/**
 * Its address.
 */
id: string, 
/**
 * How many events made it what it is.
 */
ver: number, 
/**
 * What it is called.
 */
name: string, 
/**
 * Who may read it.
 */
access: StudyAccess, 
/**
 * Whom it belongs to.
 */
owner: StudyMember, 
/**
 * Who else may change it.
 */
members: Array<StudyMember>, 
/**
 * Its chapters in order; never none.
 */
chapters: Array<StudyChapter>, 
/**
 * The id of the next chapter.
 */
next: number, };

export type StudyShown = { 
/**
 * All of it.
 */
study: Study, 
/**
 * What the asker may do.
 */
role: StudyRole, 
/**
 * What of a file could not be taken in, when it was made of one.
 */
left_out?: Array<Problem>, };

export type StudyStart = { 
/**
 * What it is called; empty: as its game is.
 */
name: string, 
/**
 * A table whose game is over, or is played on one screen.
 */
table?: string, 
/**
 * Whether the report about that table is taken over, as evaluations, judgements and better lines.
 */
report?: boolean, 
/**
 * A file with one or several games, as text or as Base64.
 */
content?: string, 
/**
 * Whether `content` is Base64.
 */
base64?: boolean, 
/**
 * The format of `content`; absent: what it looks like.
 */
format?: string, 
/**
 * Key of a game in the catalogue.
 */
game?: string, 
/**
 * Options of `game` that differ from the usual ones.
 */
options?: { [key in string]: bigint }, 
/**
 * The map of `game`, for games that have one.
 */
map?: string, 
/**
 * Where `game` starts; absent: at the usual start.
 */
fen?: string, 
/**
 * Moves from there that make the main line.
 */
moves?: Array<string>, };

export type NewStudy = { 
/**
 * What it is called; empty: as its first chapter.
 */
name: string, 
/**
 * Who may read it.
 */
access: StudyAccess, 
/**
 * What it begins with.
 */
from: StudyStart, };

export type StudyChange = { "t": "play", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node after which it is played.
 */
parent: number, 
/**
 * The move.
 */
text: string, } | { "t": "comment", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, 
/**
 * What; empty: nothing.
 */
text: string, } | { "t": "draw", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, 
/**
 * What.
 */
mark: StudyMark, } | { "t": "erase", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, 
/**
 * The one in that place.
 */
mark: StudyMark, } | { "t": "judge", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, 
/**
 * By the number that PGN gives it.
 */
nag: number, 
/**
 * Whether it is set.
 */
on: boolean, } | { "t": "evaluate", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, 
/**
 * How much; absent: not known.
 */
eval?: StudyEval, } | { "t": "remove", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, } | { "t": "promote", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, } | { "t": "name-chapter", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * What.
 */
name: string, } | { "t": "move-chapter", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * Chapters before it.
 */
to: number, } | { "t": "remove-chapter", 
/**
 * The chapter.
 */
chapter: number, } | { "t": "lesson", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * Readers find the moves of that side; absent: it is no lesson.
 */
side?: Side, } | { "t": "name", 
/**
 * What.
 */
name: string, } | { "t": "access", 
/**
 * Who.
 */
access: StudyAccess, } | { "t": "invite", 
/**
 * Their name.
 */
name: string, } | { "t": "dismiss", 
/**
 * Their public id.
 */
id: string, };

export type StudyEvent = { "t": "played", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The new node; it stands after those that follow the same one.
 */
node: StudyNode, } | { "t": "commented", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, 
/**
 * What.
 */
text: string, } | { "t": "drawn", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, 
/**
 * What.
 */
mark: StudyMark, } | { "t": "erased", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, 
/**
 * The one in that place.
 */
mark: StudyMark, } | { "t": "judged", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, 
/**
 * By the number that PGN gives it.
 */
nag: number, 
/**
 * Whether it is set.
 */
on: boolean, } | { "t": "evaluated", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, 
/**
 * How much.
 */
eval?: StudyEval, } | { "t": "removed", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, } | { "t": "promoted", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, } | { "t": "chapter-added", 
/**
 * All of it.
 */
chapter: StudyChapter, } | { "t": "chapter-named", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * What.
 */
name: string, } | { "t": "chapter-moved", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * Chapters before it.
 */
to: number, } | { "t": "chapter-removed", 
/**
 * The chapter.
 */
chapter: number, } | { "t": "lesson-set", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * Readers find the moves of that side.
 */
side?: Side, } | { "t": "named", 
/**
 * What.
 */
name: string, } | { "t": "access-set", 
/**
 * Who.
 */
access: StudyAccess, } | { "t": "invited", 
/**
 * Who.
 */
member: StudyMember, } | { "t": "dismissed", 
/**
 * Their public id.
 */
id: string, };

export type StudyEntry = { 
/**
 * The version of the study after it.
 */
ver: number, 
/**
 * When, in Unix milliseconds.
 */
at_ms: number, 
/**
 * Public id of who did it.
 */
by: string, 
/**
 * What.
 */
event: StudyEvent, };

export type StudyWished = { 
/**
 * The version that the author has seen.
 */
base: number, 
/**
 * What is wished.
 */
change: StudyChange, };

export type StudyDone = { 
/**
 * What happened; absent where it was so already.
 */
entry?: StudyEntry, 
/**
 * The node that was meant, for moves.
 */
node?: number, 
/**
 * What of a file could not be taken in.
 */
left_out?: Array<Problem>, };

export type StudyListed = { 
/**
 * Its address.
 */
id: string, 
/**
 * What it is called.
 */
name: string, 
/**
 * Who may read it.
 */
access: StudyAccess, 
/**
 * Whom it belongs to.
 */
owner: StudyMember, 
/**
 * What the asker may do.
 */
role: StudyRole, 
/**
 * Keys of the games in it, each once.
 */
games: Array<string>, 
/**
 * How many chapters it has.
 */
chapters: number, 
/**
 * When it was last changed, in Unix milliseconds.
 */
changed_ms: number, };

export type StudyList = { 
/**
 * The studies, changed last first.
 */
studies: Array<StudyListed>, 
/**
 * How many there are in all.
 */
of: number, 
/**
 * How many more the asker may make.
 */
left: number, };

export type StudyFilm = { 
/**
 * The board.
 */
board: Board, 
/**
 * The nodes, the start first, one for each position of the film.
 */
nodes: Array<number>, 
/**
 * The positions.
 */
film: Replay, 
/**
 * The notations of the names of moves.
 */
notations: Array<string>, 
/**
 * How the sides are called in this game, the first one first.
 */
sides: [string, string], };

export type StudyFormat = { 
/**
 * Its key.
 */
format: string, 
/**
 * What it cannot hold of this: the messages `study-loses-<what>`.
 */
loses: Array<string>, 
/**
 * Whether all chapters go into one file.
 */
whole: boolean, };

export type StudySay = { "t": "at", 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, } | { "t": "ping" };

export type StudyHear = { "t": "did", 
/**
 * What.
 */
entry: StudyEntry, } | { "t": "anew", 
/**
 * The version it has.
 */
ver: number, } | { "t": "at", 
/**
 * Who.
 */
who: StudyMember, 
/**
 * The chapter.
 */
chapter: number, 
/**
 * The node.
 */
node: number, } | { "t": "here", 
/**
 * Contributors, the owner among them.
 */
who: Array<StudyMember>, 
/**
 * Connections.
 */
watchers: number, } | { "t": "gone" } | { "t": "no", 
/**
 * The reason for the refusal.
 */
why: Problem, } | { "t": "pong" };

export type Estimate = { 
/**
 * The value.
 */
value: number, 
/**
 * The lower end.
 */
low: number, 
/**
 * The upper end.
 */
high: number, };

export type Measure = { 
/**
 * Which: the message `balance-measure-<key>`.
 */
key: string, 
/**
 * What it came to.
 */
value: number, 
/**
 * What Ludii calls it, where it has the same or one like it.
 */
ludii?: string, 
/**
 * Whether it is computed as Ludii's, from the same facts; otherwise only the idea is the same, the judgement is ours.
 */
same: boolean, };

export type StrengthReport = { 
/**
 * The level of both sides, 1 to 10; absent: all of them.
 */
level?: number, 
/**
 * Games that counted: those whose extensions failed are left out.
 */
games: number, 
/**
 * Games in which an extension failed.
 */
failed: number, 
/**
 * Games won by red.
 */
red: number, 
/**
 * Games won by blue.
 */
blue: number, 
/**
 * Games drawn by the rules, a side without a move among them.
 */
drawn: number, 
/**
 * Games that were cut off because they took too many plies.
 */
cut: number, 
/**
 * Red's share of the points, from 0 to 1; a draw and a game that was cut off are half a point each.
 */
first: Estimate, 
/**
 * What else was measured.
 */
measures: Array<Measure>, 
/**
 * The mean chance of the eventual winner, at each twentieth of the game: 21 numbers from 0 to 1. Empty where nobody won.
 */
lead: Array<number>, 
/**
 * The mean number of moves to choose from, at each twentieth of the game: 21 numbers.
 */
choices: Array<number>, 
/**
 * Plies of each game.
 */
lengths: Array<number>, };

export type PieceReport = { 
/**
 * Its numbers in the table of pieces, from 1: of one side, and its twin's of the other.
 */
ids: Array<number>, 
/**
 * What is written on them.
 */
names: Array<string>, 
/**
 * Whether it has promoted.
 */
promoted: boolean, 
/**
 * By its reach, before anybody has played, in hundredths.
 */
reach: number, 
/**
 * As the games have it, in hundredths; absent where the numbers of both sides never differed.
 */
learned?: Estimate, 
/**
 * Plies that it made in a game, on average.
 */
moves: number, 
/**
 * Pieces that it took in a game, on average.
 */
takes: number, };

export type Moment = { 
/**
 * The level of both sides.
 */
level: number, 
/**
 * The moves from the start to the position.
 */
moves: Array<string>, 
/**
 * The position.
 */
fen: string, 
/**
 * The position, drawn; no move is offered in it.
 */
view: View, 
/**
 * Whose move it was.
 */
by: Side, 
/**
 * What was played.
 */
played: string, 
/**
 * What would have been better.
 */
better: string, 
/**
 * The mover's chance to win before, from 0 to 1.
 */
before: number, 
/**
 * And after the move that was played.
 */
after: number, };

export type OpeningReport = { 
/**
 * The moves.
 */
moves: Array<string>, 
/**
 * In so many games.
 */
games: number, 
/**
 * Red's share of the points in them.
 */
first: Estimate, };

export type ForcedWin = { 
/**
 * The moves after which it is so; none: from the start.
 */
after: Array<string>, 
/**
 * Who wins.
 */
winner: Side, 
/**
 * How it may go on to the end: the winner's moves are part of the proof, the loser's are those that last longest in it.
 */
line: Array<string>, };

export type BalanceReport = { 
/**
 * Games that were played so far.
 */
done: number, 
/**
 * Games that are to be played.
 */
of: number, 
/**
 * Games of all strengths together.
 */
all: StrengthReport, 
/**
 * By strength, the weakest first.
 */
strengths: Array<StrengthReport>, 
/**
 * How many hundredths make one unit of the logistic curve from the engine's judgement to the chance to win, as the games
 * have it.
 */
scale: number, 
/**
 * How much having the move is worth, in hundredths.
 */
tempo: Estimate | null, 
/**
 * What pieces are worth, the dearest first.
 */
pieces: Array<PieceReport>, 
/**
 * Rules that never mattered: the messages `problem-<key>`.
 */
idle: Array<Problem>, 
/**
 * Positions in which games were decided, the dearest first.
 */
moments: Array<Moment>, 
/**
 * The first two plies that were played most, the most frequent first.
 */
openings: Array<OpeningReport>, 
/**
 * First moves after which one side wins whatever the other does.
 */
forced: Array<ForcedWin>, 
/**
 * By square, row by row: which share of all plies ended there.
 */
visits: Array<number>, 
/**
 * What failed, each once: `map-extension-failed`, with `games` in how many games.
 */
faults: Array<Problem>, };

export type WorkLine = { 
/**
 * Its address, the same for every version.
 */
id: string, 
/**
 * What it is called.
 */
name: string, 
/**
 * Its author's name, where they have one.
 */
author: string | null, 
/**
 * Words it is found by.
 */
tags: Array<string>, 
/**
 * Whether lists show it.
 */
listed: boolean, 
/**
 * The number of its newest version, from 1.
 */
version: number, 
/**
 * The newest version's map.
 */
map: MapLine, 
/**
 * When its newest version came, in Unix milliseconds.
 */
changed_ms: number, 
/**
 * Games that were finished on it.
 */
games: number, 
/**
 * People who finished one.
 */
players: number, 
/**
 * The mean of their plies; absent before the first game.
 */
plies?: number, 
/**
 * The mean of the stars that people gave, 1 to 5; absent before the first.
 */
stars?: number, 
/**
 * How many gave some.
 */
starred: number, 
/**
 * Red's share of the points in games of the engine, from 0 to 1, where there is a balance report.
 */
first_share?: number, 
/**
 * Whether the newest version has a rated pool.
 */
rated?: boolean, };

export type Gallery = { 
/**
 * The works of this page.
 */
works: Array<WorkLine>, 
/**
 * How many there are on all pages.
 */
of: number, 
/**
 * The map of the day: one of those that people liked, another one each day; on the first page only.
 */
of_the_day?: WorkLine, };

export type WorkVersion = { 
/**
 * Its number, from 1.
 */
n: number, 
/**
 * The id of its map.
 */
map: string, 
/**
 * What its author says of it.
 */
note: string, 
/**
 * When it came, in Unix milliseconds.
 */
at_ms: number, };

export type MadeFrom = { 
/**
 * The work.
 */
work: string, 
/**
 * Its version.
 */
version: number, 
/**
 * What it is called; absent where it is gone.
 */
name?: string, 
/**
 * Its author's name, where it has one.
 */
author?: string, };

export type WorkInfo = { 
/**
 * What the gallery shows of it.
 */
line: WorkLine, 
/**
 * Its versions, the newest first, at most 200.
 */
versions: Array<WorkVersion>, 
/**
 * What it was made from, if it was.
 */
made_from?: MadeFrom, 
/**
 * Works made from it, the oldest first, at most 100.
 */
forks: Array<WorkLine>, 
/**
 * Whether it belongs to whoever asks.
 */
mine: boolean, 
/**
 * Why the staff has taken it down; its author sees that, nobody else sees the work.
 */
down?: string, 
/**
 * The stars that whoever asks gave it.
 */
my_stars?: number, 
/**
 * Whether they may give some: they finished a game on it.
 */
may_star: boolean, };

export type NewStars = { 
/**
 * 1 to 5.
 */
stars: number, };

export type NewListing = { 
/**
 * Whether they do.
 */
listed: boolean, };

export type SquareDiff = { 
/**
 * From 1 at the top.
 */
row: number, 
/**
 * From 1 at the left.
 */
col: number, 
/**
 * What stood there; empty: nothing.
 */
before: string, 
/**
 * What stands there; empty: nothing.
 */
after: string, };

export type RuleDiff = { 
/**
 * The piece, by number and name; empty: the whole map.
 */
piece: string, 
/**
 * What about it: the message `diff-<key>`.
 */
key: string, 
/**
 * As it was; empty: it was not there.
 */
before: string, 
/**
 * As it is; empty: it is gone.
 */
after: string, };

export type LineDiff = { 
/**
 * `+` is new, `-` is gone, ` ` stayed, `…` stands for lines that stayed.
 */
sign: string, 
/**
 * The line.
 */
text: string, };

export type FileDiff = { 
/**
 * Its name.
 */
file: string, 
/**
 * Its lines, those that stayed only near others; at most 2000.
 */
lines: Array<LineDiff>, };

export type MapDiff = { 
/**
 * Squares on which another piece starts: row and column from 1, what stood there and what stands there, by name.
 */
board: Array<SquareDiff>, 
/**
 * Rows, columns and switches, and everything about pieces: what it is about, before and after.
 */
rules: Array<RuleDiff>, 
/**
 * Files of extensions that differ.
 */
code: Array<FileDiff>, };

export type NewWork = { 
/**
 * The map; it is played first, and kept.
 */
upload: UploadMap, 
/**
 * The work whose next version it is; absent: a new work.
 */
work?: string, 
/**
 * The version that its author saw last. Another one is there meanwhile: `work-newer-version`, with its number.
 */
base: number, 
/**
 * What the author says of the version, at most 500 characters.
 */
note: string, 
/**
 * Words it is found by: at most 8, each of at most 24 letters, digits or hyphens.
 */
tags: Array<string>, 
/**
 * The map that it was made from, if it is a new work.
 */
made_from?: string, };

export type PasskeyQuestion = { 
/**
 * To be sent with the answer. The question is good for one answer, for five minutes.
 */
id: string, 
/**
 * Options for `navigator.credentials`, as the Web Authentication API writes them in JSON.
 */
question: { publicKey: Record<string, unknown> }, };

export type PasskeyAnswer = { 
/**
 * Of the question.
 */
id: string, 
/**
 * The credential, as the Web Authentication API writes it in JSON.
 */
answer: unknown, 
/**
 * What its owner calls a new passkey; absent: as the device is called.
 */
label?: string, };

export type WantedName = { 
/**
 * 2 to 20 letters.
 */
name: string, };

export type SignUp = { 
/**
 * 2 to 20 letters.
 */
name: string, 
/**
 * At least ten letters.
 */
password?: string, 
/**
 * The answer to `POST /api/account/passkeys/ask`.
 */
passkey?: PasskeyAnswer, 
/**
 * The ticket that `POST /api/session/openid` answered with.
 */
openid?: string, 
/**
 * The code of an invitation, where registration is by invitation.
 */
invitation?: string, };

export type OpenIdPurpose = "sign-in" | "add" | "confirm";

export type OpenIdTold = { 
/**
 * What the keeper of the hall calls the provider; absent: one cannot.
 */
name: string | null, };

export type OpenIdWish = { 
/**
 * What for.
 */
purpose: OpenIdPurpose, 
/**
 * As in [`SignIn`].
 */
bring: boolean, };

export type OpenIdQuestion = { 
/**
 * An address of the provider.
 */
url: string, };

export type OpenIdAnswer = { 
/**
 * As it stands in the address.
 */
state: string, 
/**
 * As it stands in the address.
 */
code: string, };

export type OpenIdDone = { 
/**
 * What it was for.
 */
purpose: OpenIdPurpose, 
/**
 * Somebody is signed in.
 */
signed_in?: SignedIn, 
/**
 * No account here knows it yet: with this, and a name, one signs up. It is good for five minutes.
 */
ticket?: string, 
/**
 * What one is called there, where it may be a name here.
 */
name?: string, };

export type SignIn = { 
/**
 * The name of the account, or one it had.
 */
name: string, 
/**
 * The password of the account, in clear; the hall keeps only its hash.
 */
password: string, 
/**
 * Whether the games of the guest that this device was go to the account.
 */
bring: boolean, };

export type PasskeySignIn = { 
/**
 * The answer to `POST /api/session/passkey/ask`.
 */
passkey: PasskeyAnswer, 
/**
 * As in [`SignIn`].
 */
bring: boolean, };

export type Recover = { 
/**
 * The name of the account, or one it had.
 */
name: string, 
/**
 * Sixteen letters; case, spaces and hyphens do not matter.
 */
code: string, 
/**
 * The new password.
 */
password: string, 
/**
 * As in [`SignIn`].
 */
bring: boolean, };

export type Confirm = { 
/**
 * The password of the account.
 */
password?: string, 
/**
 * The answer to `POST /api/session/passkey/ask`.
 */
passkey?: PasskeyAnswer, };

export type SignedIn = { 
/**
 * Who they are now.
 */
me: Me, 
/**
 * Recovery codes of a new account, to be shown once; else empty.
 */
recovery?: Array<string>, 
/**
 * The secret of the session, for programs that asked with `Authorization: Bearer`. Pages have it in their cookie, where no
 * script can read it.
 */
secret?: string, };

export type RecoveryCodes = { 
/**
 * Each lets somebody in once.
 */
codes: Array<string>, };

export type NewPassword = { 
/**
 * At least ten letters.
 */
password: string, };

export type CredentialKind = "password" | "passkey" | "openid";

export type CredentialLine = { 
/**
 * To remove it.
 */
id: string, 
/**
 * What it is.
 */
kind: CredentialKind, 
/**
 * What its owner calls it.
 */
label: string | null, 
/**
 * When it was added, in Unix milliseconds.
 */
made_ms: number, 
/**
 * When somebody last signed in with it, in Unix milliseconds.
 */
used_ms: number | null, };

export type SessionLine = { 
/**
 * To sign it out.
 */
id: string, 
/**
 * What the device calls itself.
 */
label: string | null, 
/**
 * When it was signed in, in Unix milliseconds.
 */
made_ms: number, 
/**
 * When it was last used, to the day, in Unix milliseconds.
 */
used_ms: number, 
/**
 * Whether it is the one that asks.
 */
here: boolean, };

export type TokenLine = { 
/**
 * To revoke it.
 */
id: string, 
/**
 * What its owner calls it.
 */
name: string, 
/**
 * `read`, `play`, `challenge`, `study`, `admin`.
 */
scopes: Array<string>, 
/**
 * When it was made, in Unix milliseconds.
 */
made_ms: number, 
/**
 * From when on it does not count any more, in Unix milliseconds.
 */
expires_ms: number, 
/**
 * When it was last used, to the day, in Unix milliseconds.
 */
used_ms: number | null, };

export type NewToken = { 
/**
 * What its owner calls it: 1 to 40 letters.
 */
name: string, 
/**
 * `read`, `play`, `challenge`, `study`, `admin`; at least one.
 */
scopes: Array<string>, 
/**
 * How long it is good for: 1 to 366.
 */
days: number, };

export type MadeToken = { 
/**
 * For `Authorization: Bearer`. The hall shows it this once.
 */
token: string, 
/**
 * What is known of it.
 */
line: TokenLine, };

export type NotedLine = { 
/**
 * Rises with time.
 */
n: number, 
/**
 * Public id of the person it is about.
 */
person: string, 
/**
 * When, in Unix milliseconds.
 */
at_ms: number, 
/**
 * What: the message `noted-<act>`.
 */
act: string, 
/**
 * Where it came from: an IPv4 address, or a /64 of IPv6.
 */
network: string | null, 
/**
 * The device it came from.
 */
device: string | null, 
/**
 * What exactly: the name of a token, of a role.
 */
detail: string | null, };

export type AccountInfo = { 
/**
 * The id that others may see.
 */
id: string, 
/**
 * The name that others see, if there is one.
 */
name: string | null, 
/**
 * What the account may do beyond playing: `moderator`, `admin`.
 */
roles: Array<string>, 
/**
 * When they first came, in Unix milliseconds.
 */
made_ms: number, 
/**
 * Days until the name may change; 0: now.
 */
rename_days: number, 
/**
 * Passwords and passkeys.
 */
credentials: Array<CredentialLine>, 
/**
 * Recovery codes that were not used yet.
 */
recovery: number, 
/**
 * Devices that are signed in, the one used last first.
 */
sessions: Array<SessionLine>, 
/**
 * Tokens of programs, the newest first.
 */
tokens: Array<TokenLine>, 
/**
 * What was noted, the newest first; at most 50.
 */
noted: Array<NotedLine>, 
/**
 * Whether this device has proved lately whose it is, as changes of credentials want it.
 */
confirmed: boolean, 
/**
 * Whether browsers make passkeys at the hall's address.
 */
passkeys: boolean, };

export type DeviceWaits = { 
/**
 * To ask again with; tell nobody.
 */
device: string, 
/**
 * To be typed on a device that is signed in: eight letters.
 */
code: string, 
/**
 * How long both are good for.
 */
seconds: number, };

export type DeviceAsks = { 
/**
 * As `POST /api/session/device` gave it.
 */
device: string, 
/**
 * Whether the games that the device has as a guest go to the account.
 */
bring: boolean, };

export type DeviceCode = { 
/**
 * Case, spaces and hyphens do not matter.
 */
code: string, };

export type DeviceTold = { 
/**
 * Who it is now, and the secret; absent while it waits.
 */
signed_in?: SignedIn, };

export type ProfileKind = "guest" | "account" | "program" | "closed";

export type Profile = { 
/**
 * Their public id and their name.
 */
player: Player, 
/**
 * What sort of person.
 */
kind: ProfileKind, 
/**
 * When they first came, in Unix milliseconds.
 */
since_ms: number, 
/**
 * Their ratings, by game and speed.
 */
ratings: Array<PoolRating>, 
/**
 * Finished games by game.
 */
tally: Array<GameTally>, 
/**
 * Games of theirs that are played now and may be watched.
 */
playing: Array<TableLine>, };

export type PoolRating = { 
/**
 * Key of the game, as in `GET /api/games`; on a map `<key>@<id of the map>`.
 */
game: string, 
/**
 * The map, where it is one's pool.
 */
map?: MapName, 
/**
 * The class of the clock: the messages `speed-<key>`.
 */
speed: string, 
/**
 * On the scale of Elo, rounded.
 */
rating: number, 
/**
 * Now, rounded: with 95 % likelihood the strength is within two of these around the rating.
 */
deviation: number, 
/**
 * Whether the rating is little more than a guess.
 */
provisional: boolean, 
/**
 * How many rated games there were.
 */
games: number, 
/**
 * The last rating of each day with a rated game, the latest 365 such days: the moment of the game in Unix milliseconds
 * and the rating, the oldest first.
 */
curve: Array<[number, number]>, };

export type GameTally = { 
/**
 * Key of the game, as in `GET /api/games`.
 */
game: string, 
/**
 * Number of wins.
 */
wins: number, 
/**
 * Number of draws.
 */
draws: number, 
/**
 * Number of losses.
 */
losses: number, };

export type GamesPage = { 
/**
 * The games of this part, the latest first.
 */
games: Array<GameLine>, 
/**
 * Where there are more: the value of `after` that begins with the next one.
 */
next?: string, };

export type GameLine = { 
/**
 * The id of its table; its page is `/t/<id>`.
 */
id: string, 
/**
 * Key of the game, as in `GET /api/games`.
 */
game: string, 
/**
 * Every option of the game with its value.
 */
options: Record<string, number>, 
/**
 * The map it was played on, in games that come with one.
 */
map?: MapName, 
/**
 * The start position, when it was not the usual one.
 */
fen?: string, 
/**
 * How it was opened.
 */
how: How, 
/**
 * How long sides might think.
 */
clock: ClockSpec, 
/**
 * The class of the clock: the messages `speed-<key>`.
 */
speed?: string, 
/**
 * The first and the second player, by the names they had then.
 */
players: [Player, Player], 
/**
 * Their ratings before and after, where the game was rated.
 */
ratings?: [RatingStep, RatingStep], 
/**
 * Who won, and why.
 */
outcome: Outcome, 
/**
 * Number of plies.
 */
plies: number, 
/**
 * When the second player sat down, in Unix milliseconds.
 */
begun_ms: number, 
/**
 * When it ended, in Unix milliseconds.
 */
ended_ms: number, };

export type RatingStep = { 
/**
 * The rating before the game, rounded.
 */
before: number, 
/**
 * The rating after the game, rounded.
 */
after: number, };

export type PlayNow = { 
/**
 * Key of the game, as in `GET /api/games`.
 */
game: string, 
/**
 * The id of the map, for games that need one: one that is played enough for a rated pool.
 */
map?: string, 
/**
 * Options that differ from the default.
 */
options?: { [key in string]: number }, 
/**
 * How long sides may think.
 */
clock: ClockSpec, 
/**
 * Whether the result counts for ratings, which takes an account.
 */
rated?: boolean, };

export type PlayNowTold = { 
/**
 * The table at which the game begins; absent: ask again after a second.
 */
table?: string, 
/**
 * How long the asker has waited, in milliseconds.
 */
waited_ms: number, 
/**
 * How many wait for the same, the asker included.
 */
waiting: number, };

export type PoolLeft = { 
/**
 * The table at which the game has begun.
 */
table: string, };

export type InboxGame = { 
/**
 * The table.
 */
line: TableLine, 
/**
 * The side they play.
 */
side: Side, 
/**
 * Whether they are to move.
 */
mine: boolean, 
/**
 * What the side to move has left, in milliseconds.
 */
left_ms: number, 
/**
 * Whether the side to move is on vacation, so that its clock stands still.
 */
held: boolean, 
/**
 * Offers of the opponent that the player has not answered.
 */
offers?: Array<Offer>, 
/**
 * The last ply; absent before the first.
 */
last?: PlyInfo, 
/**
 * The board.
 */
board: Board, 
/**
 * What stands on it, without the moves.
 */
view: View, };

export type VacationTold = { 
/**
 * They are on vacation: no clock of theirs runs in slow games.
 */
away: boolean, 
/**
 * When it ends by itself, in Unix milliseconds.
 */
ends_ms?: number, 
/**
 * What is left of this year's vacation, in milliseconds.
 */
left_ms: number, };

export type Inbox = { 
/**
 * Those in which they are to move first, by deadline; at most 50.
 */
games: Array<InboxGame>, 
/**
 * In how many of all they are to move.
 */
waiting: number, 
/**
 * Their vacation.
 */
vacation: VacationTold, };

export type InboxNext = { 
/**
 * The table with the earliest deadline at which the asker is to move; `null`: none waits.
 */
table: string | null, 
/**
 * How many wait, without the one that was named.
 */
waiting: number, };

export type PlanTold = { 
/**
 * The plies of the game that the lines go on from.
 */
from_ply: number, 
/**
 * Lines that still fit the game. Each begins with a move of the opponent; where the opponent plays it, the hall plays
 * the next.
 */
lines: Array<Array<PlyInfo>>, 
/**
 * A planned move would be played now, and waits until an offer of the opponent is answered.
 */
waits?: boolean, 
/**
 * What they noted.
 */
note: string, };

export type NewPlan = { 
/**
 * The plies of the game that the lines go on from: all that were played.
 */
from_ply: number, 
/**
 * Move texts; at most 20 lines of at most 40 plies.
 */
lines: Array<Array<string>>, };

export type PlanLook = { 
/**
 * Move texts, from where the game stands; at most 40.
 */
moves: Array<string>, };

export type PlanBoard = { 
/**
 * The plies of the line.
 */
plies: Array<PlyInfo>, 
/**
 * The board after them.
 */
view: View, };

export type SeatNote = { 
/**
 * At most 2000 characters; empty: nothing.
 */
text: string, };

export type QuietHours = { 
/**
 * When they begin, in minutes after midnight.
 */
from_min: number, 
/**
 * When they end; on the next day where it is less.
 */
to_min: number, 
/**
 * The IANA name of the time zone, as `Europe/Berlin`.
 */
zone: string, };

export type Notices = { 
/**
 * The hall's key, with which a browser subscribes: a point of P-256 in Base64. Absent where the hall tells nobody.
 */
key?: string, 
/**
 * Whether the asker is told in this browser.
 */
here: boolean, 
/**
 * Browsers in which they are told.
 */
devices: number, 
/**
 * When they are not told.
 */
quiet?: QuietHours, };

export type NewQuietHours = { 
/**
 * Absent: there are none.
 */
quiet?: QuietHours, };

export type NewPush = { 
/**
 * The address of its push service.
 */
endpoint: string, 
/**
 * Its public key, in Base64.
 */
p256dh: string, 
/**
 * What it shares with the hall, in Base64.
 */
auth: string, 
/**
 * The language to be told in: `en` or `zh`.
 */
lang: string, };

export type MailTold = { 
/**
 * Whether the hall sends letters at all.
 */
on: boolean, 
/**
 * The confirmed address of the asker's account.
 */
address?: string, 
/**
 * The address that a link was sent to last, and that is not confirmed yet.
 */
unconfirmed?: string, 
/**
 * Whether slow games that wait are told once a day.
 */
digest: boolean, };

export type NewMail = { 
/**
 * The address; ASCII, at most 254 bytes.
 */
address: string, 
/**
 * The language of letters: `en` or `zh`.
 */
lang: string, };

export type NewDigest = { 
/**
 * Whether there is one.
 */
on: boolean, 
/**
 * The language of letters: `en` or `zh`.
 */
lang: string, };

export type MailLink = { 
/**
 * What stands behind `confirm=`.
 */
link: string, };

export type MailConfirmed = { 
/**
 * The address.
 */
address: string, 
/**
 * The name of its account.
 */
name: string, };

export type LostPassword = { 
/**
 * The confirmed address of the account.
 */
address: string, };

export type RecoverByMail = { 
/**
 * What stands behind `recover=`.
 */
link: string, 
/**
 * The new password.
 */
password: string, 
/**
 * As in [`SignIn`](crate::SignIn).
 */
bring: boolean, };

export type NewChallenge = { 
/**
 * Key of the game, as in `GET /api/games`.
 */
game: string, 
/**
 * Options that differ from the default.
 */
options?: { [key in string]: number }, 
/**
 * The map's id, for games that come with one.
 */
map?: string, 
/**
 * How long sides may think.
 */
clock: ClockSpec, 
/**
 * The challenger's side; absent: by lot.
 */
side?: Side, 
/**
 * Whether the result counts for ratings.
 */
rated?: boolean, };

export type ChallengeLine = { 
/**
 * For the answer.
 */
id: string, 
/**
 * Who challenges.
 */
from: Player, 
/**
 * Who is challenged.
 */
to: Player, 
/**
 * Key of the game.
 */
game: string, 
/**
 * Every option of the game with its value.
 */
options: Record<string, number>, 
/**
 * The map it is played on, in games that come with one.
 */
map?: MapName, 
/**
 * How long sides may think.
 */
clock: ClockSpec, 
/**
 * The challenger's side; absent: by lot.
 */
side?: Side, 
/**
 * Whether the result counts for ratings.
 */
rated: boolean, 
/**
 * When it was made, in Unix milliseconds.
 */
made_ms: number, 
/**
 * When it expires, in Unix milliseconds.
 */
until_ms: number, };

export type Challenges = { 
/**
 * Those that wait for one's answer, the oldest first.
 */
received: Array<ChallengeLine>, 
/**
 * Those that wait for the answer of others.
 */
sent: Array<ChallengeLine>, };

export type Decline = { 
/**
 * Why: one of the messages `decline-<reason>`; absent: `generic`.
 */
reason?: string, };

export type Relation = { 
/**
 * Wants to know when they are here.
 */
follows: boolean, 
/**
 * Is never paired with them, gets no challenges of them, and does not see their words.
 */
blocks: boolean, 
/**
 * What one noted about them, for oneself; at most 500 letters.
 */
note?: string, };

export type Acquaintance = { 
/**
 * Who.
 */
player: Player, 
/**
 * What one is to them.
 */
relation: Relation, 
/**
 * Whether they are here now; told of those whom one follows, unless they block one.
 */
here: boolean, };

export type SaidLine = { 
/**
 * Its number, by which it is reported.
 */
n: number, 
/**
 * Who said it.
 */
who: Player, 
/**
 * Whether it was said among those who watch, and not among the players.
 */
watching?: boolean, 
/**
 * A preset phrase: the message `phrase-<key>`.
 */
phrase?: string, 
/**
 * Free words, cleaned: never more than one line of 200 letters, without control and bidirectional letters.
 */
words?: string, 
/**
 * When, in Unix milliseconds.
 */
at_ms: number, };

export type NewReport = { 
/**
 * The name or public id of whom it is about. Not needed with `said` or `map`.
 */
who?: string, 
/**
 * What it is about: `person`, `name`, `text` or `map`.
 */
subject: string, 
/**
 * What is wrong, at most 1000 letters.
 */
words: string, 
/**
 * The table at which it happened.
 */
table?: string, 
/**
 * The number of what was said; for `text`.
 */
said?: number, 
/**
 * The id of the map; for `map`.
 */
map?: string, };

export type Evidence = { 
/**
 * What they were called.
 */
name?: string, 
/**
 * The table at which it happened.
 */
table?: string, 
/**
 * What was said, as it was said; the last line is the one that was reported.
 */
said?: Array<SaidLine>, 
/**
 * The id of the map, and its name.
 */
map?: [string, string], };

export type ReportLine = { 
/**
 * Its number.
 */
n: number, 
/**
 * Who reports.
 */
by: Player, 
/**
 * Whom it is about.
 */
about: Player, 
/**
 * What it is about: the messages `report-<subject>`.
 */
subject: string, 
/**
 * What was said with it.
 */
words: string, 
/**
 * What the hall found.
 */
evidence: Evidence, 
/**
 * When it came in, in Unix milliseconds.
 */
made_ms: number, 
/**
 * What was decided.
 */
decided?: DecisionLine, 
/**
 * How many decisions other than `nothing` there are about the same person besides.
 */
before: number, };

export type FairTimes = { 
/**
 * Turns whose time is known.
 */
turns: number, 
/**
 * Half of them took less, in milliseconds.
 */
median_ms: number, 
/**
 * Standard deviation by mean, in hundredths.
 */
spread: number, 
/**
 * Turns of less than a second, in hundredths of all.
 */
quick: number, 
/**
 * Turns in which the page was left, in hundredths of all; programs and terminals never say so.
 */
away: number, };

export type FairGame = { 
/**
 * Of the table.
 */
id: string, 
/**
 * Key of the game.
 */
game: string, 
/**
 * Their side.
 */
side: Side, 
/**
 * The other player.
 */
opponent: Player, 
/**
 * When it ended, in Unix milliseconds.
 */
ended_ms: number, 
/**
 * It is being judged, or will be; without, and without `own`: it cannot be judged.
 */
waits: boolean, 
/**
 * Their turns.
 */
own?: Agreement, 
/**
 * The opponent's turns.
 */
other?: Agreement, 
/**
 * Their time.
 */
times?: FairTimes, };

export type FairPair = { 
/**
 * The other player.
 */
opponent: Player, 
/**
 * Their rated games.
 */
games: number, 
/**
 * Those of them that the person won.
 */
won: number, 
/**
 * Those that ended before each had made ten turns.
 */
short: number, 
/**
 * Both were last seen at one address.
 */
neighbours: boolean, };

export type FairPlay = { 
/**
 * Who.
 */
person: Player, 
/**
 * The games, the latest first.
 */
games: Array<FairGame>, 
/**
 * Their turns in the games that were judged.
 */
own?: Agreement, 
/**
 * Their opponents' turns in the same games.
 */
others?: Agreement, 
/**
 * Their time in all of the games.
 */
times?: FairTimes, 
/**
 * With whom they play often, and their neighbours; the one with the most games first.
 */
pairs?: Array<FairPair>, };

export type Decide = { 
/**
 * `nothing`, `warn`, `mute`, `suspend`, `reset-ratings`, `close`, or `take-down` of the map that a report is about.
 */
decision: string, 
/**
 * Why, in words for whom it is about; at most 1000 letters.
 */
reason: string, 
/**
 * For how many days somebody is muted or suspended; at most 366.
 */
days?: number, };

export type DecisionLine = { 
/**
 * Number of the report.
 */
n: number, 
/**
 * What the report was about.
 */
subject: string, 
/**
 * What was decided: the messages `decision-<key>`.
 */
decision: string, 
/**
 * Why.
 */
reason: string, 
/**
 * When, in Unix milliseconds.
 */
at_ms: number, 
/**
 * When a mute or a suspension ends, in Unix milliseconds.
 */
until_ms?: number, 
/**
 * What whom it is about says against it.
 */
appeal?: string, 
/**
 * Whether the appeal was answered.
 */
answered: boolean, };

export type Appeal = { 
/**
 * At most 1000 letters.
 */
words: string, };

export type GameCollection = { 
/**
 * What it is asked for with: a number, and behind it, of one that is shared by link, a secret.
 */
key: string, 
/**
 * What it is called.
 */
name: string, 
/**
 * Number of games.
 */
games: number, 
/**
 * Whether moves of opening books are in it, too.
 */
has_book: boolean, 
/**
 * `private`, `link` or `public`.
 */
access: string, 
/**
 * Whether it is the asker's own: games may be added.
 */
mine: boolean, 
/**
 * Whether it has the hall's own finished games.
 */
hall: boolean, };

export type FoundGame = { 
/**
 * Its number.
 */
id: number, 
/**
 * Key of the game in the catalogue.
 */
game: string, 
/**
 * Who played the first and the second side, as it was written; empty: nobody knows.
 */
players: [string, string], 
/**
 * Their ratings; 0: not known.
 */
ratings: [number, number], 
/**
 * Where it was played.
 */
event: string, 
/**
 * When, as `2026-11-21` or as much of it as is known.
 */
date: string, 
/**
 * `first`, `second`, `draw`, `void`, or empty where nobody knows.
 */
result: string, 
/**
 * Number of plies.
 */
plies: number, 
/**
 * The number of its last move, as players count: two turns, one of each side, have one number.
 */
moves: number, 
/**
 * The ply at which the position or the pattern that was asked for first stands; 0 is the start.
 */
ply: number, 
/**
 * The table of the hall it was played at.
 */
table?: string, };

export type FoundGames = { 
/**
 * The games, in the order that was asked for.
 */
games: Array<FoundGame>, 
/**
 * What to send as `after` for the next page; absent on the last one.
 */
next?: string, 
/**
 * How many games have the position or the pattern; absent when neither was asked for.
 */
hits?: number, };

export type PlayedMove = { 
/**
 * Its machine text.
 */
text: string, 
/**
 * The move in the notations of the game, the usual one first, like a ply of the record.
 */
names: Array<string>, 
/**
 * Number of games.
 */
games: number, 
/**
 * Games that the first side won.
 */
first: number, 
/**
 * Games that the second side won.
 */
second: number, 
/**
 * Games that were drawn.
 */
draws: number, 
/**
 * The average rating of the players; absent where none is known.
 */
rating?: number, 
/**
 * When it was last played; empty where that is not known.
 */
last: string, 
/**
 * The value that an opening book gives it, for the side that makes it, in the book's own unit; absent where no book
 * has it.
 */
value?: number, };

export type PlayedMoves = { 
/**
 * Number of games that went on.
 */
games: number, 
/**
 * Number of games that ended here.
 */
ended: number, 
/**
 * The message that names the opening the game began with; left out where it has no name.
 */
opening?: string, 
/**
 * The moves, the most played first.
 */
moves: Array<PlayedMove>, };

export type LibraryGame = { 
/**
 * What is known of it.
 */
about: FoundGame, 
/**
 * The name of its collection.
 */
collection: string, 
/**
 * Options that it is opened with.
 */
options?: { [key in string]: bigint }, 
/**
 * Where it starts; absent: at the usual start.
 */
fen?: string, 
/**
 * Its board.
 */
board: Board, 
/**
 * Each ply in the notations of the game, the usual one first; where there are none, its machine text.
 */
names: Array<Array<string>>, 
/**
 * The moves' machine texts.
 */
moves: Array<string>, 
/**
 * The side that made each ply: `true` is the second.
 */
seconds: Array<boolean>, 
/**
 * What was said about each ply, from the start on: one more than plies.
 */
comments: Array<string>, 
/**
 * The film of the game.
 */
film: Replay, };

export type NewCollection = { 
/**
 * What it is to be called.
 */
name: string, 
/**
 * `private`, `link` or `public`.
 */
access: string, };

export type ImportGames = { 
/**
 * What the file is called.
 */
name: string, 
/**
 * The file, in Base64.
 */
content: string, 
/**
 * The game that positions belong to, where the file has nothing else.
 */
game?: string, };

export type RefusedGame = { 
/**
 * Which game of the file, from 1.
 */
number: number, 
/**
 * The line on which it begins; 0 in files without lines.
 */
line: number, 
/**
 * What is wrong with it.
 */
why: Problem, };

export type ImportedGames = { 
/**
 * Games that were read.
 */
read: number, 
/**
 * Games that came in.
 */
added: number, 
/**
 * Games that were there already.
 */
doubles: number, 
/**
 * Games that were refused.
 */
refused: number, 
/**
 * Games that came in with a part of their moves.
 */
cut: number, 
/**
 * Moves of opening books that came in.
 */
book_moves: number, 
/**
 * Moves of opening books that were refused.
 */
book_refused: number, 
/**
 * The first of those, with the reasons.
 */
problems: Array<RefusedGame>, 
/**
 * Whether the file was read to its end; if not, the same request goes on with it.
 */
done: boolean, };

export type PuzzleFamilies = { 
/**
 * The families of games that have puzzles.
 */
families: Array<PuzzleFamily>, 
/**
 * Whether the asker's answers are rated: accounts' are.
 */
rated: boolean, };

export type PuzzleFamily = { 
/**
 * The part of the key that games of one kind share.
 */
family: string, 
/**
 * How many there are.
 */
count: number, 
/**
 * The same by theme: the messages `puzzle-theme-<theme>`.
 */
themes: Array<[string, number]>, 
/**
 * How the asker stands; absent for those who have no account.
 */
standing?: PuzzleStanding, };

export type PuzzleStanding = { 
/**
 * On the scale of Elo.
 */
rating: number, 
/**
 * Whether that is little more than a guess.
 */
provisional: boolean, 
/**
 * Puzzles tried.
 */
tries: number, 
/**
 * Puzzles solved at the first try.
 */
solved: number, 
/**
 * Right answers in a row, now.
 */
run: number, 
/**
 * The longest such run.
 */
best_run: number, 
/**
 * Days in a row on which a puzzle was solved.
 */
days: number, };

export type PuzzleTold = { 
/**
 * Its id.
 */
id: string, 
/**
 * Key of the game in the catalogue.
 */
game: string, 
/**
 * Options that differ from the usual ones.
 */
options?: { [key in string]: bigint }, 
/**
 * What the map is called, for games that have one.
 */
map?: string, 
/**
 * The board.
 */
board: Board, 
/**
 * The position.
 */
view: View, 
/**
 * The position as one line of text.
 */
fen: string, 
/**
 * Who has to find the turn.
 */
solver: Side, 
/**
 * `win`: every other turn lets the win go; `hold`: every other turn loses; `take`: a piece has to be taken.
 */
goal: string, 
/**
 * How many turns are to be found.
 */
turns: number, 
/**
 * How hard it is, on the scale of Elo.
 */
rating: number, 
/**
 * How many people tried it.
 */
tries: number, 
/**
 * Where it comes from: a table's id where `table` is set, else words of its maker.
 */
source: string, 
/**
 * The hall's table it was found at.
 */
table?: string, 
/**
 * In how many moves the solver has to reach the goal, where a person set it; then every move is right that still does.
 */
within?: number, 
/**
 * The cell of the piece that has to be taken, for the goal `take`.
 */
takes?: number, 
/**
 * The id of the map that a person set it on.
 */
of_map?: string, };

export type PuzzleTry = { 
/**
 * All moves of the solver so far; the hall knows what is answered.
 */
moves: Array<string>, 
/**
 * Gives up: the line is shown, and the puzzle counts as not solved.
 */
give_up?: boolean, };

export type NewPuzzle = { 
/**
 * The position; whoever is to move has to find the way.
 */
fen: string, 
/**
 * In how many moves, from 1 to 5.
 */
within: number, 
/**
 * The cell of the piece that has to be taken; absent: the game has to be won.
 */
takes?: number, 
/**
 * Whether it is to be kept; otherwise it is only proved.
 */
keep?: boolean, };

export type ExtensionLine = { 
/**
 * What it is called; maps name it `<name>@<version>.py`.
 */
name: string, 
/**
 * Its author's name, if they have one.
 */
author?: string, 
/**
 * What it does.
 */
about: string, 
/**
 * Whether lists show it.
 */
listed: boolean, 
/**
 * The number of its newest version, from 1.
 */
version: number, 
/**
 * When that came, in Unix milliseconds.
 */
changed_ms: number, 
/**
 * How many maps use it.
 */
maps: number, 
/**
 * Whether it belongs to whoever asks.
 */
mine: boolean, };

export type ExtensionList = { 
/**
 * Changed last first, at most 100.
 */
extensions: Array<ExtensionLine>, };

export type ExtensionVersion = { 
/**
 * Its number, from 1.
 */
n: number, 
/**
 * What its author says of it.
 */
note: string, 
/**
 * When it came, in Unix milliseconds.
 */
at_ms: number, };

export type SharedExtension = { 
/**
 * What lists show of it.
 */
line: ExtensionLine, 
/**
 * Its versions, the newest first, at most 100.
 */
versions: Array<ExtensionVersion>, };

export type NewExtension = { 
/**
 * What it is called: 2 to 40 small letters, digits and hyphens, a letter first.
 */
name: string, 
/**
 * The version that the author saw last; 0: it is new.
 */
base: number, 
/**
 * What it does, at most 300 characters.
 */
about: string, 
/**
 * What the author says of the version, at most 500 characters.
 */
note: string, 
/**
 * Its bytes in Base64, at most 256 KiB.
 */
base64: string, };

export type SharedBy = { 
/**
 * What it is called on the shelf.
 */
name: string, 
/**
 * The version.
 */
version: number, 
/**
 * Its author's name, if they have one.
 */
author?: string, };

export type PuzzleProved = { 
/**
 * Its id, where it is kept.
 */
id?: string, 
/**
 * How many moves it takes; may be fewer than were allowed.
 */
within: number, 
/**
 * Moves of both sides against the longest defence.
 */
line: Array<string>, 
/**
 * How many first moves are right.
 */
firsts: number, };

export type MapPuzzle = { 
/**
 * Its id.
 */
id: string, 
/**
 * `win` or `take`.
 */
goal: string, 
/**
 * In how many moves.
 */
within: number, 
/**
 * Who set it, if they have a name.
 */
author?: string, 
/**
 * Whether it belongs to whoever asks.
 */
mine: boolean, 
/**
 * People with an account who tried it.
 */
tries: number, 
/**
 * How many of them solved it at the first try.
 */
solved: number, 
/**
 * When it was set, in Unix milliseconds.
 */
made_ms: number, };

export type MapPuzzles = { 
/**
 * The newest first, at most 200.
 */
puzzles: Array<MapPuzzle>, };

export type PuzzleAnswer = { 
/**
 * `on`: right so far; `solved`; `wrong`; `shown`: given up, and the film is the line.
 */
state: string, 
/**
 * From the position through the solver's moves and what was answered. A wrong turn is followed by its refutation.
 */
film: Replay, 
/**
 * Plies of the film up to the end of the solver's last turn; what comes after refutes it, or is the answer.
 */
played: number, 
/**
 * How many of the solver's turns were right.
 */
right: number, 
/**
 * What it is about, once it is over: the messages `puzzle-theme-<theme>`.
 */
themes: Array<string>, 
/**
 * What the first answer did to a rating; absent where it was not the first, or nobody is rated.
 */
counted?: PuzzleCounted, };

export type PuzzleCounted = { 
/**
 * The rating before.
 */
before: number, 
/**
 * How they stand now.
 */
standing: PuzzleStanding, };

export type AnnouncementLine = { 
/**
 * Its number: whoever has read it need not see it again.
 */
n: number, 
/**
 * In English.
 */
en: string, 
/**
 * In Chinese.
 */
zh: string, 
/**
 * Until when it is shown, in Unix milliseconds.
 */
until_ms: number, };

export type HouseInfo = { 
/**
 * Who may make an account: `open`, `invited` (whoever has a code) or `closed`.
 */
registration: string, 
/**
 * Whether guests only watch.
 */
accounts_only: boolean, 
/**
 * What is announced, the newest first.
 */
announcements: Array<AnnouncementLine>, };

export type StaffMe = { 
/**
 * `moderator`, `admin`.
 */
roles: Array<string>, 
/**
 * The powers one has: the messages `staff-power-<key>`.
 */
powers: Array<StaffPower>, 
/**
 * Whether one has lately proved that the session is one's own.
 */
confirmed: boolean, };

export type StaffPower = { 
/**
 * Which.
 */
key: string, 
/**
 * Whether it needs a proof that is not older than a quarter of an hour: `POST /api/session/confirm`.
 */
strong: boolean, };

export type StaffPersonLine = { 
/**
 * Who.
 */
player: Player, 
/**
 * What sort of person.
 */
kind: PersonKind, 
/**
 * When they first came, in Unix milliseconds.
 */
made_ms: number, 
/**
 * When they were last here, to the day, in Unix milliseconds.
 */
seen_ms: number, 
/**
 * Networks they share with whom others were looked for.
 */
networks?: Array<string>, 
/**
 * Devices that were noted at these networks for both.
 */
devices?: Array<string>, };

export type StaffGame = { 
/**
 * The id of its table.
 */
table: string, 
/**
 * Key of the game.
 */
game: string, 
/**
 * Who played.
 */
players: Array<Player>, 
/**
 * When it ended, in Unix milliseconds.
 */
ended_ms: number, };

export type StaffWork = { 
/**
 * Its address.
 */
work: string, 
/**
 * What it is called.
 */
name: string, 
/**
 * Whether it was taken down.
 */
down: boolean, };

export type StaffPerson = { 
/**
 * Who.
 */
line: StaffPersonLine, 
/**
 * `moderator`, `admin`.
 */
roles: Array<string>, 
/**
 * Until when they are suspended, in Unix milliseconds.
 */
suspended_ms?: number, 
/**
 * Ways in, by kind: `password`, `passkey`, `openid`.
 */
credentials: Array<string>, 
/**
 * Devices that are signed in.
 */
sessions: Array<SessionLine>, 
/**
 * How many tokens they have.
 */
tokens: number, 
/**
 * What was noted, the newest first. Only admins see networks.
 */
noted: Array<NotedLine>, 
/**
 * Reports and decisions about them, the newest first.
 */
reports: Array<ReportLine>, 
/**
 * How many of the reports they sent wait for a decision.
 */
sent: number, 
/**
 * What the staff did with them, the newest first.
 */
log: Array<StaffLogLine>, 
/**
 * Their last finished games.
 */
games: Array<StaffGame>, 
/**
 * Their maps.
 */
works: Array<StaffWork>, };

export type StaffDecide = { 
/**
 * `warn`, `mute`, `suspend`, `reset-ratings`, `close`; `reopen` undoes closings and suspensions.
 */
decision: string, 
/**
 * Why, in words for whom it is about; at most 1000 letters.
 */
reason: string, 
/**
 * For how many days somebody is muted or suspended; at most 366.
 */
days?: number, };

export type NewRole = { 
/**
 * `moderator` or `admin`.
 */
role: string, 
/**
 * Whether it is given.
 */
give: boolean, };

export type TakeDown = { 
/**
 * Whether it is taken down.
 */
down: boolean, 
/**
 * Why, in words for its author; at most 1000 letters.
 */
reason: string, };

export type TakenDownLine = { 
/**
 * The address of the work.
 */
work: string, 
/**
 * What it is called; empty where its author has deleted it.
 */
name: string, 
/**
 * Whose it is.
 */
owner: Player, 
/**
 * The number of the decision.
 */
decision: number, 
/**
 * Why.
 */
reason: string, 
/**
 * When, in Unix milliseconds.
 */
at_ms: number, };

export type NewBan = { 
/**
 * An address, or a range such as `192.0.2.0/24`.
 */
network: string, 
/**
 * For how many days; at most 366.
 */
days: number, 
/**
 * Why, in words for whom it hits; at most 1000 letters.
 */
reason: string, 
/**
 * Accounts that are older than that number of days are let through.
 */
spares_days?: number, 
/**
 * Says once more that a range wider than a /16 of IPv4 or a /32 of IPv6 is meant.
 */
sure?: boolean, };

export type BanQuestion = { 
/**
 * As in [`NewBan`].
 */
network: string, };

export type BanHits = { 
/**
 * The range as it would be banned.
 */
network: string, 
/**
 * Whether it needs a second confirmation, of an admin.
 */
wide: boolean, 
/**
 * How many people were there in the last day, as far as this hall has run that long.
 */
people: number, 
/**
 * How many of them have accounts.
 */
accounts: number, 
/**
 * Whether one is there oneself. Staff is let through.
 */
you: boolean, };

export type BanLine = { 
/**
 * To lift it.
 */
n: number, 
/**
 * The range.
 */
network: string, 
/**
 * Who banned it; `null`: the keeper of the hall.
 */
by: Player | null, 
/**
 * Why.
 */
reason: string, 
/**
 * When, in Unix milliseconds.
 */
at_ms: number, 
/**
 * When it ends, in Unix milliseconds.
 */
until_ms: number, 
/**
 * Accounts that are older than that number of days are let through.
 */
spares_days?: number, };

export type SuspendedLine = { 
/**
 * Who.
 */
player: Player, 
/**
 * Until when, in Unix milliseconds.
 */
until_ms: number, 
/**
 * Why.
 */
reason: string, };

export type Bans = { 
/**
 * Ranges of addresses, the newest first.
 */
addresses: Array<BanLine>, 
/**
 * People, by the end of it.
 */
people: Array<SuspendedLine>, };

export type NewAnnouncement = { 
/**
 * In English, at most 300 letters.
 */
en: string, 
/**
 * In Chinese, at most 300 letters.
 */
zh: string, 
/**
 * For how many hours it is shown; at most 720.
 */
hours: number, };

export type NewRegistration = { 
/**
 * `open`, `invited` or `closed`.
 */
registration: string, 
/**
 * Whether guests only watch.
 */
accounts_only: boolean, };

export type NewInvitation = { 
/**
 * What it is called, at most 60 letters.
 */
label: string, 
/**
 * How many accounts it makes; at most 1000.
 */
uses: number, 
/**
 * For how many days it counts; at most 366.
 */
days: number, };

export type InvitationLine = { 
/**
 * To take it back.
 */
id: string, 
/**
 * What it is called.
 */
label: string, 
/**
 * Who made it; `null`: the keeper of the hall.
 */
by: Player | null, 
/**
 * Until when it counts, in Unix milliseconds.
 */
until_ms: number, 
/**
 * Accounts it makes at most.
 */
uses: number, 
/**
 * Accounts it has made.
 */
used: number, 
/**
 * The code, told once: to whoever makes it.
 */
code?: string, };

export type StaffLogLine = { 
/**
 * Its number, which rises with time.
 */
n: number, 
/**
 * When, in Unix milliseconds.
 */
at_ms: number, 
/**
 * Who did it; `null`: the keeper of the hall.
 */
by: Player | null, 
/**
 * What: the messages `staff-act-<key>`.
 */
act: string, 
/**
 * To whom.
 */
about: Player | null, 
/**
 * What exactly.
 */
detail: string | null, 
/**
 * Why.
 */
reason: string | null, };
