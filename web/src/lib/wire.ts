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
 * The row above the gap.
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

export type Terrain = { 
/**
 * The word for people, as the author of the map wrote it.
 */
name: string, 
/**
 * A colour that can be told apart in every theme: `red`, `orange`, `yellow`, `green`, `cyan`, `blue`, `purple` or
 * `grey`.
 */
colour?: string, 
/**
 * A sign in the cells: `water`, `mountain`, `tree`, `palace`, `gate`, `trap`, `star`, `flag`, `bridge` or `den`.
 */
icon?: string, 
/**
 * The cells, rising.
 */
cells: Array<number>, };

export type Board = { 
/**
 * Squares or crossings.
 */
lines: Lines, 
/**
 * The number of columns: 1 to 26 where names have letters, else up to 255.
 */
files: number, 
/**
 * The number of rows, 1 to 255.
 */
ranks: number, 
/**
 * The scheme by which its places are named.
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
 * Decoration such as rivers, extra lines and corner marks.
 */
decor?: Array<Decor>, 
/**
 * True if each row is drawn half a cell further to the right than the row above it, so that a cell has six
 * neighbours.
 */
hex?: boolean, 
/**
 * Looks of cells, such as water and palaces, in the order in which they are drawn.
 */
terrain?: Array<Terrain>, 
/**
 * The side whose hand lies below the board, with the other's above it; absent if no pieces wait beside the board.
 */
hands?: Side, };

export type Piece = [number, Side | null, string];

export type Dirs = [number, number, number, number[]?];

export type Mark = { 
/**
 * The meaning of the mark, a stable kebab-case key: the message `mark-<kind>`.
 */
kind: string, 
/**
 * The cells, in a stable order.
 */
cells: Array<number>, };

export type HandPiece = { 
/**
 * The player who has them.
 */
side: Side, 
/**
 * The face of the pieces, as in [`Piece`].
 */
face: string, 
/**
 * The word by which moves name them: the `pick` of a [`MoveView`](view::MoveView).
 */
pick: string, 
/**
 * The number of pieces; absent: any number of them.
 */
count?: number, };

export type Every = "empty";

export type MoveView = { 
/**
 * The move text to send to play it.
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
 * The piece to be picked, where moves share their path: of those in the hand if the path has one cell, else of
 * those that the moved piece may become.
 */
pick?: string, 
/**
 * The face of the picked piece, as in [`Piece`]; absent if the choice is a word.
 */
face?: string, 
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
 * The label of the button: the Fluent message `button-<name>`.
 */
name: string, 
/**
 * Keyboard key by its web name, such as `"ArrowUp"`; also tells the client which arrow to draw.
 */
key: string, 
/**
 * The cells in the way, if the move is not legal now. A piece that would leave the board names its own cell.
 */
blockers?: Array<number>, 
/**
 * The cells the pieces would move from and to, in a stable order. Also given when the way is blocked, for the
 * pieces that stay on the board.
 */
shifts?: Array<[number, number]>, };

export type Prompt = { 
/**
 * The Fluent message `prompt-<key>`.
 */
key: string, 
/**
 * The number of the current step of the turn, from 1.
 */
step: number, 
/**
 * The number of steps in a turn.
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
 * True if the game counts for neither player.
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
 * The side whose count it is; `None`: both sides together.
 */
side: Side | null, 
/**
 * The current count.
 */
now: number, 
/**
 * The count at which the game ends.
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
 * The pieces, by rising cell.
 */
pieces: Array<Piece>, 
/**
 * The cells the rules mark, such as a check or the winning line.
 */
marks: Array<Mark>, 
/**
 * The directions pieces may turn to, by rising cell, in games whose pieces show it.
 */
dirs?: Array<Dirs>, 
/**
 * The pieces in the hands of both players, in a stable order, in games with hands.
 */
hands?: Array<HandPiece>, 
/**
 * The moves that may be played now.
 */
moves: Offered, 
/**
 * Moves that are pressed as buttons, legal or not.
 */
buttons: Array<Button>, 
/**
 * The task of the side to move, where it is not plain.
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
 * The rules that bind the side to move, for a player who tries another move: the messages `note-<key>`.
 */
notes?: Array<Problem>, 
/**
 * The name the position is known by: the message `caption-<key>`.
 */
caption?: Problem, 
/**
 * True if the players have exchanged roles: the first has what the second usually has, colour included.
 */
swapped?: boolean, 
/**
 * The side that a piece put now belongs to, where that is not the side to move.
 */
puts?: Side, 
/**
 * True if the side that played the last ply may take it back without asking.
 */
withdraws: boolean, 
/**
 * The outcome, once the rules have ended the game.
 */
outcome: Outcome | null, 
/**
 * The reasons for the verdict, where a repetition ended the game.
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
 * The legal destinations of all pieces, replacing those before.
 */
dirs?: Array<Dirs>, 
/**
 * All pieces in hands, replacing those before.
 */
hands?: Array<HandPiece>, 
/**
 * All legal moves, replacing those before.
 */
moves?: Offered, 
/**
 * All buttons, replacing those before.
 */
buttons?: Array<Button>, 
/**
 * The prompt; `null`: there is none any more.
 */
prompt?: Prompt | null, 
/**
 * The cells on which the last move ended.
 */
last?: Array<number>, 
/**
 * The cells of the last move in order.
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
 * The name of the position; `null`: none.
 */
caption?: Problem | null, 
/**
 * True if the players have exchanged colours.
 */
swapped?: boolean, 
/**
 * The side whose piece is placed now; `null`: that of the side to move.
 */
puts?: Side | null, 
/**
 * True if the last ply may be withdrawn.
 */
withdraws?: boolean, 
/**
 * The ruling on the repetition that ended the game; `null`: there is none.
 */
ruling?: Ruling | null, 
/**
 * The outcome by the rules; `null`: the game continues.
 */
outcome?: Outcome | null, };

export type How = "screen" | "invite" | "open" | "room";

export type ClockSpec = { "kind": "none" } | { "kind": "fischer", 
/**
 * The base time: 0 to 24 hours; not 0 if the increment is 0.
 */
base_ms: number, 
/**
 * The increment: 0 to 10 minutes; not 0 if the base time is 0.
 */
increment_ms: number, } | { "kind": "byo-yomi", 
/**
 * The base time: 0 to 24 hours.
 */
base_ms: number, 
/**
 * The length of a period: 1 second to 1 hour.
 */
period_ms: number, 
/**
 * The number of periods: 1 to 50.
 */
periods: number, } | { "kind": "per-move", 
/**
 * The time for a turn: 1 second to 24 hours, or 1, 2, 3, 5, 7 or 14 days.
 */
turn_ms: number, 
/**
 * Set if the clocks of a slow game stand still on Saturdays and Sundays (UTC).
 */
weekend_pause?: boolean, };

export type ClockFace = { 
/**
 * The time left to the first and the second side, in milliseconds: of the game, of the period once byo-yomi has
 * begun, or of the turn.
 */
ms: [number, number], 
/**
 * The byo-yomi periods left, the running one included.
 */
periods?: [number, number], 
/**
 * True for each of the first and the second side that has used up its base time (byo-yomi).
 */
byo?: [boolean, boolean], 
/**
 * The side whose clock runs.
 */
run: Side | null, 
/**
 * The side that is to move and on vacation, so that no clock runs (slow games).
 */
held?: Side, };

export type Opponent = { "level": number } | { "engine": string };

export type Player = { 
/**
 * The public id, which never changes; not the secret that proves their identity.
 */
id: string, 
/**
 * The name that they chose, if any; 1 to 24 characters.
 */
name: string | null, 
/**
 * The engine that the server runs as this player; absent: a person or a program that connects from outside.
 */
engine?: Opponent, 
/**
 * True if it is an account that a program uses.
 */
program?: boolean, };

export type PlyInfo = [string, Side, number | null, Array<string>];

export type MapName = { 
/**
 * The hash of the map's files: the same files always have the same id.
 */
id: string, 
/**
 * The name given by the first uploader.
 */
name: string, };

export type Chance = { 
/**
 * The SHA-256, in hexadecimal digits, of three lines, each with its line break: `qiguan chance 1`, the id of the table,
 * the secret.
 */
hash: string, 
/**
 * The secret, 32 hexadecimal digits, once the game is over: the seed of the random numbers of the map's
 * extensions. Four options of the record hold the same.
 */
secret?: string, };

export type Heading = { 
/**
 * The names of the first and the second player; empty if the record does not say.
 */
players: [string, string], 
/**
 * The date, such as `2026-11-21`, or the known part of it.
 */
date: string, 
/**
 * The time control of that game, in words or figures such as `300+5`; it does not run at the table.
 */
clock: string, 
/**
 * The other headers, by their names in PGN: `Event`, `Site`, `Round`.
 */
tags: Record<string, string>, };

export type TableInfo = { 
/**
 * The id of the table, the last part of its link.
 */
id: string, 
/**
 * The key of the game in the catalogue, such as `gomoku/freestyle`.
 */
game: string, 
/**
 * Every option of the game with its value.
 */
options: Record<string, number>, 
/**
 * The data of the random numbers, if the game has any and both seats were taken.
 */
chance?: Chance, 
/**
 * The map it is played on, in games that come with one.
 */
map?: MapName, 
/**
 * True if the game's author forbids takebacks.
 */
no_takebacks?: boolean, 
/**
 * True for the first and the second player if they block all offers but a rematch.
 */
no_offers?: [boolean, boolean], 
/**
 * The start position, if it is not the usual one.
 */
fen: string | null, 
/**
 * The way the table was opened.
 */
how: How, 
/**
 * The room's name.
 */
room: string | null, 
/**
 * The time control.
 */
clock: ClockSpec, 
/**
 * True if the result counts for ratings. Then there are no takebacks, hints or analysis.
 */
rated?: boolean, 
/**
 * The board of the game.
 */
board: Board, 
/**
 * The notations in which players read moves, the usual one first: the messages `notation-<key>`. Empty: people
 * read the machine notation.
 */
notations: Array<string>, 
/**
 * The first and the second player; `null`: the seat is free.
 */
seats: [Player | null, Player | null], 
/**
 * True once both seats were taken: the game is running or over.
 */
started: boolean, 
/**
 * The time at which the table was opened, in Unix milliseconds.
 */
created_ms: number, 
/**
 * The table where the rematch is played.
 */
next: string | null, 
/**
 * The players and the date, if the table was opened from a record.
 */
heading?: Heading, 
/**
 * The opening that the server drew, as its federation lists it: number, name and moves. The game begins after
 * it.
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
 * True if the page was hidden or out of focus at some time since the turn began. Moderators see how often
 * that was in rated games; other people do not.
 */
away?: boolean, } | { "k": "withdraw" } | { "k": "offer", 
/**
 * The kind of offer.
 */
what: Offer, 
/**
 * The number of plies to take back, on one screen; elsewhere a takeback goes back to the offerer's last
 * turn.
 */
plies?: number, } | { "k": "accept", 
/**
 * The kind of offer.
 */
what: Offer, } | { "k": "decline", 
/**
 * The kind of offer.
 */
what: Offer, } | { "k": "offers", 
/**
 * False if all further offers are to be blocked.
 */
taken: boolean, } | { "k": "premove", 
/**
 * The cells of the premove: from and to, or the only one; empty: cancels the premove.
 */
cells: Array<number>, } | { "k": "resign", 
/**
 * The side that resigns, on one screen only; the side to move when absent.
 */
side?: Side, } | { "k": "abort" } | { "k": "flag" } | { "k": "claim" };

export type Event = { "k": "sit", 
/**
 * The side whose seat it is.
 */
side: Side, 
/**
 * The player: a person or a program.
 */
who: Player, } | { "k": "leave", 
/**
 * The side whose seat it is.
 */
side: Side, } | { "k": "move", 
/**
 * The side that moved.
 */
by: Side, 
/**
 * The move in machine notation.
 */
move: string, } | { "k": "withdraw", 
/**
 * The side that took its ply back.
 */
by: Side, } | { "k": "offer", 
/**
 * The side that made the offer.
 */
by: Side, 
/**
 * The kind of offer.
 */
what: Offer, } | { "k": "decline", 
/**
 * The side that declined, or took its own offer back.
 */
by: Side, 
/**
 * The kind of offer.
 */
what: Offer, } | { "k": "offers", 
/**
 * The side that changed its setting.
 */
by: Side, 
/**
 * False if the side blocks further offers.
 */
taken: boolean, } | { "k": "takeback", 
/**
 * The side that asked for the takeback.
 */
by: Side, 
/**
 * The number of plies taken back.
 */
plies: number, } | { "k": "draw" } | { "k": "swap" } | { "k": "resign", 
/**
 * The side that resigned.
 */
by: Side, } | { "k": "flag", 
/**
 * The side whose time was up.
 */
by: Side, } | { "k": "abort", 
/**
 * The side that aborted it.
 */
by: Side, } | { "k": "forfeit", 
/**
 * The side that the program played.
 */
by: Side, 
/**
 * The failure: the messages `reason-<reason>`.
 */
reason: string, } | { "k": "rematch", 
/**
 * The table of the rematch.
 */
table: string, } | { "k": "pause" };

export type EventKind = "sit" | "leave" | "move" | "withdraw" | "offer" | "decline" | "offers" | "takeback" | "draw" | "swap" | "resign" | "flag" | "abort" | "forfeit" | "rematch" | "pause";

export type Happened = { 
/**
 * The version of the table after the event.
 */
v: number, 
/**
 * The id of the receiver's own command that caused the event: its acknowledgement. The event is stored on disk.
 * Other clients do not see this field.
 */
cmd?: string, 
/**
 * The kind of the event.
 */
k: EventKind, 
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
 * The changes on the board.
 */
p?: Patch, 
/**
 * Both clocks at the moment when the event was first sent.
 */
clk?: ClockFace, 
/**
 * The players in the two seats.
 */
seats?: [Player | null, Player | null], 
/**
 * True once both seats were taken and the game has begun. It stays true.
 */
started?: boolean, 
/**
 * All offers that are not answered yet.
 */
offers?: Array<[Side, Offer]>, 
/**
 * True for the first and the second player if they block offers.
 */
no_offers?: [boolean, boolean], 
/**
 * The result of the game; `null`: the game continues after all.
 */
end?: Outcome | null, 
/**
 * The data of the random numbers: the hash when they are drawn, and the secret when the game is over.
 */
chance?: Chance, 
/**
 * The table where the rematch is played.
 */
next?: string, 
/**
 * The time left for the first move of the side to move, at the moment when the event was sent, in milliseconds;
 * `null`: no such limit runs any more.
 */
first_ms?: number | null, };

export type ClientMessage = { "t": "do", 
/**
 * The id of the command, chosen by the client: 8 to 40 letters, digits, `-` or `_`; never reused for another
 * command.
 */
cmd: string, 
/**
 * The version that the client has seen. A command based on an older position is refused as `stale`.
 */
ver: number, 
/**
 * The act to perform.
 */
act: Act, } | { "t": "full" } | { "t": "say", 
/**
 * The id chosen by the client; a `no` repeats it.
 */
cmd: string, 
/**
 * A preset phrase: the message `phrase-<key>`.
 */
phrase?: string, 
/**
 * Free text of at most 200 characters.
 */
words?: string, } | { "t": "chat" } | { "t": "ping", 
/**
 * A number of the client's choice; the `pong` repeats it.
 */
n: number, } | { "t": "hidden", 
/**
 * True if the page is hidden.
 */
hidden: boolean, };

export type ServerMessage = { "t": "full", 
/**
 * The version: the number of events so far.
 */
v: number, 
/**
 * The game, the players and the settings of the table.
 */
table: TableInfo, 
/**
 * The current position.
 */
view: View, 
/**
 * The plies played.
 */
record: Array<PlyInfo>, 
/**
 * The clocks, unless there are none.
 */
clk: ClockFace | null, 
/**
 * Offers that are not answered yet, each with the side that made it.
 */
offers: Array<[Side, Offer]>, 
/**
 * The result of the game, decided by the rules or by the players.
 */
end: Outcome | null, 
/**
 * The seats the receiver holds.
 */
you: Array<Side>, 
/**
 * True for each of the first and the second player who is present.
 */
here: [boolean, boolean], 
/**
 * The number of spectators.
 */
watchers: number, 
/**
 * The time left for the first move of the side to move, in milliseconds; then the game is aborted. Absent if
 * no such limit runs.
 */
first_ms?: number, } | { "t": "ev" } & Happened | { "t": "ok", 
/**
 * The client's id of the command.
 */
cmd: string, 
/**
 * The version of the event that executed it.
 */
v: number, } | { "t": "failed", 
/**
 * The reason why the table stopped.
 */
why: Problem, } | { "t": "no", 
/**
 * The client's id of the command.
 */
cmd: string, 
/**
 * The reason for the refusal.
 */
why: Problem, } | { "t": "here", 
/**
 * True for each of the first and the second player who is present.
 */
here: [boolean, boolean], 
/**
 * The number of spectators.
 */
watchers: number, 
/**
 * The time until the side that is not to move may claim the win because the other player has left, in
 * milliseconds; 0: now. Absent if it may not.
 */
claim_ms?: number, } | { "t": "you", 
/**
 * The sides the receiver plays.
 */
you: Array<Side>, } | { "t": "said" } & SaidLine | { "t": "chat", 
/**
 * The messages, at most 50.
 */
lines: Array<SaidLine>, } | { "t": "challenged", 
/**
 * The table at which the game begins, if a challenge was accepted.
 */
table?: string, 
/**
 * The person who declined the challenge, if it was declined.
 */
declined?: Player, 
/**
 * The reason for declining: the messages `decline-<reason>`.
 */
reason?: string, } | { "t": "bell", 
/**
 * The current announcements of the staff for all people, the newest first; they replace the earlier ones.
 * Sent on connecting if there are any, and at each change.
 */
announced?: Array<AnnouncementLine>, } | { "t": "pong", 
/**
 * The number of the ping.
 */
n: number, } | { "t": "lobby-change", 
/**
 * Tables that are new or changed. With both seats taken, it is a game to watch.
 */
put: Array<TableLine>, 
/**
 * Ids of tables that have left the lobby.
 */
gone: Array<string>, 
/**
 * The people who wait for an opponent, if that has changed; it replaces all that was known of them.
 */
pools?: Array<PoolLine>, } | { "t": "lobby", 
/**
 * Tables waiting for a second player.
 */
open: Array<TableLine>, 
/**
 * Games that are being played and can be watched.
 */
live: Array<TableLine>, 
/**
 * The people who wait for an opponent, by game and time, at most 100 lines; left out while there are none.
 */
pools?: Array<PoolLine>, } | { "t": "stopping" } | { "t": "storage", 
/**
 * The reason why nothing can be stored: `disk-low` (running games go on) or `hall-read-only` (all games
 * stop: the disk or the database fails). `None`: storing works again.
 */
trouble: Problem | null, };

export type OptionInfo = { 
/**
 * The key of the option, such as `size`.
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
 * The default of the rules, used on one screen.
 */
usual: number, 
/**
 * The default for games online.
 */
online: number, };

export type GameInfo = { 
/**
 * The key of the game, such as `gomoku/freestyle`.
 */
key: string, 
/**
 * The words that lead to the game's page, the address of the page first: `/renju` for `renju`. The others are names of
 * the same game elsewhere.
 */
addresses: Array<string>, 
/**
 * The family of the game, such as `gomoku`; games of one family share piece drawings and vocabulary.
 */
family: string, 
/**
 * The names of the two sides: the messages `side-<name>`.
 */
sides: [string, string], 
/**
 * The options that can be set.
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
 * The formats of records, such as `json`, `text`, `sgf`.
 */
formats: Array<string>, 
/**
 * Notations players read moves in, the usual one first.
 */
notations: Array<string>, 
/**
 * The pieces that can be placed when a position is set up: side and face. Empty: positions cannot be set up.
 */
palette: Array<[Side, string]>, 
/**
 * True if a table of this game is opened with a map; board and start are then those of one map, for a picture.
 */
needs_map: boolean, 
/**
 * True if either side may make the first move: the piece that is chosen first decides.
 */
either_begins?: boolean, 
/**
 * The number of plies of a turn: by it the plies of a game are told in moves.
 */
turn_plies?: number, };

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
 * The start position, in FEN or the game's like notation.
 */
fen?: string, 
/**
 * The way the table is opened.
 */
how: How, 
/**
 * The room's name, 1 to 40 characters; for `how: room`.
 */
room?: string, 
/**
 * The time control.
 */
clock: ClockSpec, 
/**
 * The opener's side; absent: drawn by lot.
 */
side?: Side, 
/**
 * The program that takes the other seat at once. Not with `how: screen`.
 */
opponent?: Opponent, 
/**
 * Set if the result counts for ratings: a game by its usual rules with a clock, between two accounts.
 */
rated?: boolean, };

export type OpenTable = { 
/**
 * The lowest and the highest rating, in this game at this speed, of a player who may take the other seat;
 * `null`: any. Only for games that can be rated.
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
 * The start position, in FEN or the game's like notation.
 */
fen?: string, 
/**
 * The way the table is opened.
 */
how: How, 
/**
 * The room's name, 1 to 40 characters; for `how: room`.
 */
room?: string, 
/**
 * The time control.
 */
clock: ClockSpec, 
/**
 * The opener's side; absent: drawn by lot.
 */
side?: Side, 
/**
 * The program that takes the other seat at once. Not with `how: screen`.
 */
opponent?: Opponent, 
/**
 * Set if the result counts for ratings: a game by its usual rules with a clock, between two accounts.
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
 * The problems found in an imported record: a move that is not possible, at which the game was cut, with its
 * place; variations and further games of the file, which are not imported.
 */
told?: Array<Problem>, };

export type EngineInfo = { 
/**
 * The engine and its settings, as [`CreateTable`] takes them.
 */
opponent: Opponent, 
/**
 * The catalogue keys of the games it plays.
 */
games: Array<string>, };

export type PersonKind = "guest" | "account" | "program" | "closed" | "suspended";

export type Me = { 
/**
 * The person as others see them.
 */
player: Player, 
/**
 * The kind of person: guest, account or program.
 */
kind: PersonKind, 
/**
 * Their unfinished tables, newest first, at most 20.
 */
playing: Array<TableLine>, 
/**
 * The number of slow games in which it is this person's turn.
 */
waiting: number, };

export type Welcome = { 
/**
 * The person who sent the request, as in `GET /api/me`.
 */
me: Me, 
/**
 * The engines, as in `GET /api/engines`.
 */
engines: Array<EngineInfo>, 
/**
 * The games of the catalogue, as in `GET /api/games`.
 */
games: Array<GameInfo>, };

export type NewName = { 
/**
 * The name: 1 to 24 characters; empty: none.
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
 * The way the table was opened.
 */
how: How, 
/**
 * The room's name.
 */
room: string | null, 
/**
 * The time control.
 */
clock: ClockSpec, 
/**
 * The players in the two seats; `null`: the seat is free.
 */
seats: [Player | null, Player | null], 
/**
 * The lowest and the highest rating of a player who may take the other seat, if the opener set them.
 */
ratings?: [number | null, number | null], 
/**
 * True if the result counts for ratings.
 */
rated?: boolean, 
/**
 * The number of moves played.
 */
plies: number, 
/**
 * The time at which the table was opened, in Unix milliseconds.
 */
created_ms: number, };

export type Tables = { 
/**
 * Tables waiting for a second player.
 */
open: Array<TableLine>, 
/**
 * Games that are being played and may be watched.
 */
live: Array<TableLine>, };

export type Replay = { 
/**
 * The number of plies before `start`.
 */
from: number, 
/**
 * The number of plies of the whole game; there is more to fetch while `from` and the number of patches add up to
 * fewer.
 */
of: number, 
/**
 * The position after `from` plies.
 */
start: View, 
/**
 * The changes of each ply after that.
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
 * The pieces and their cells, at most one piece per cell.
 */
pieces: Array<Piece>, 
/**
 * The side to move; the first when absent.
 */
turn?: Side, };

export type Standing = { 
/**
 * The position as one line of text.
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
 * The number of plies after which the position stands.
 */
ply: number, 
/**
 * The cells by kind of hint: the messages `lesson-<kind>`.
 */
marks: Array<Mark>, };

export type Details = { 
/**
 * The sentences of the description: the messages `detail-<key>`. Empty: there is no more to say than its name.
 * Arrows in them point as the first player sees the board.
 */
details: Array<Problem>, };

export type ImportRecord = { 
/**
 * The key of the format, such as `sgf`; absent: detected from the content.
 */
format?: string, 
/**
 * The file's text, at most 7 MiB with the rest of the body; or its bytes in Base64.
 */
content: string, 
/**
 * True if `content` is Base64: for files that are not text, or not in UTF-8.
 */
base64: boolean, };

export type LogLine = { 
/**
 * The version of the table after the event.
 */
v: number, 
/**
 * The time of the event, in Unix milliseconds.
 */
at_ms: number, 
/**
 * The id of the client command that caused it.
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
 * The name of the map; 1 to 60 characters.
 */
name: string, 
/**
 * The .xlsx file in Base64, at most 4 MiB.
 */
map: string, 
/**
 * The extensions, in the order in which they are called; at most 16.
 */
extensions?: Array<ExtensionFile>, 
/**
 * Set if `D`, `R`, `T`, `NP` and `C` are to be known without an extension.
 */
old_names?: boolean, 
/**
 * Set for a trial by the author: lists do not show it, and later trials of the same author replace it.
 */
trial?: boolean, };

export type MapCheck = { 
/**
 * True if the map can be played.
 */
ok: boolean, 
/**
 * Errors that have to be fixed: the messages `problem-<key>`; `place` names sheet and cell, such as
 * `chesses!E3`.
 */
errors: Array<Problem>, 
/**
 * Warnings for the author.
 */
warnings: Array<Problem>, 
/**
 * The results of test games, if the map could be played.
 */
played: MapPlayed | null, };

export type MapPlayed = { 
/**
 * Games of random moves.
 */
random: GamesPlayed, 
/**
 * The numbers of random games that stopped because the side to move, red or blue, had no move.
 */
stuck: [number, number], 
/**
 * Games of the engine against itself; none if random games failed.
 */
engine: GamesPlayed, 
/**
 * The running times of the extensions' hooks.
 */
hooks: Array<HookTime>, 
/**
 * Faults in random games, each once; they are also among `errors`.
 */
faults: Array<MapFault>, 
/**
 * The output that extensions printed in random games, at most 64 KiB.
 */
prints: string, 
/**
 * The number of bytes of output that were left out.
 */
prints_left_out: number, };

export type GamesPlayed = { 
/**
 * The number of games played.
 */
games: number, 
/**
 * The number of plies of the shortest game.
 */
shortest: number, 
/**
 * The median number of plies.
 */
median: number, 
/**
 * The number of plies of the longest game.
 */
longest: number, 
/**
 * The number of games that ended by the rules; the others were cut off.
 */
ended: number, };

export type HookTime = { 
/**
 * The extension's file.
 */
file: string, 
/**
 * The hook: `check_can_go`, `after_move`, or a place of `loc_rules`.
 */
hook: string, 
/**
 * The number of calls measured; 0: no game called it.
 */
calls: number, 
/**
 * The median time of a call, in microseconds.
 */
median_us: number, 
/**
 * The time of the longest call, in microseconds.
 */
worst_us: number, };

export type MapFault = { 
/**
 * The extension, hook, line and cause: the message `problem-map-extension-failed`.
 */
problem: Problem, 
/**
 * The number of games in which it occurred.
 */
games: number, 
/**
 * The number of the first such game, from 1.
 */
game: number, 
/**
 * The number of plies in that game before the fault.
 */
plies: number, 
/**
 * The traceback: a line of text for each call, the innermost last.
 */
trace: Array<string>, };

export type MapLine = { 
/**
 * The id, see [`MapName`].
 */
id: string, 
/**
 * The name given by the first uploader; `<Chinese> / <English>` for built-in maps.
 */
name: string, 
/**
 * The number of rows of the board.
 */
rows: number, 
/**
 * The number of columns of the board.
 */
cols: number, 
/**
 * The number of kinds of pieces.
 */
kinds: number, 
/**
 * The names of its extensions, in order.
 */
extensions: Array<string>, 
/**
 * The time of the first upload, in Unix milliseconds; 0 for built-in maps.
 */
created_ms: number, 
/**
 * True if the map is built in.
 */
ours: boolean, };

export type AttributeValue = boolean | number | number | string;

export type KindDraft = { 
/**
 * The name written on the piece.
 */
name: string, 
/**
 * The side that owns it; `null`: neutral.
 */
owner: Side | null, 
/**
 * True if the side that captures it wins.
 */
captain: boolean, 
/**
 * The move rule in the notation of maps: `2,4(X[1|2]);7`.
 */
rule: string, 
/**
 * The promotion rule; empty: it does not promote.
 */
promotes: string, 
/**
 * The move rule after promotion.
 */
promoted: string, 
/**
 * The attributes for extensions: name and value.
 */
attributes: Array<[string, AttributeValue]>, };

export type SheetsDraft = { 
/**
 * The sheet `rules2`: the mark, and the words of turns and ends.
 */
rules2: Array<Array<string>>, 
/**
 * The sheet `terrain`: a cell for each square.
 */
terrain: Array<Array<string>>, 
/**
 * The sheet `look`: the looks of terrain, from its second row.
 */
look: Array<Array<string>>, 
/**
 * The sheet `hand`: the pieces in hands at the start, from its second row.
 */
hand: Array<Array<string>>, 
/**
 * The sheet `bag`: the pieces in bags at the start, from its second row.
 */
bag: Array<Array<string>>, };

export type MapDraft = { 
/**
 * Rows of the board, 1 to 64.
 */
rows: number, 
/**
 * Columns of the board, 1 to 64.
 */
cols: number, 
/**
 * The start position, row by row from the top left: the number of the piece on each cell, from 1; 0 for none.
 */
cells: Array<number>, 
/**
 * The table of pieces; the k-th piece has the number k.
 */
kinds: Array<KindDraft>, 
/**
 * True if pieces promote.
 */
promotion: boolean, 
/**
 * True if takebacks are allowed.
 */
undo: boolean, 
/**
 * True if a third move of a neutral piece in a row is refused.
 */
neutral_limit: boolean, 
/**
 * The sheets of level 2, which have the three switches, too; absent on a map of level 1.
 */
level2?: SheetsDraft, };

export type ExtensionInfo = { 
/**
 * The name of its file, which `/api/maps/{id}/extensions/{n}` returns, n from 0.
 */
file: string, 
/**
 * The name the extension gives itself.
 */
name: string, 
/**
 * The version of the extension, if it gives one.
 */
version: string | null, 
/**
 * The extension's help text for players.
 */
help: string | null, 
/**
 * The places that it adds to the language of move rules.
 */
places: Array<string>, 
/**
 * The author and the name of the shared extension, if it came from there.
 */
shared?: SharedBy, };

export type MapInfo = { 
/**
 * The id, see [`MapName`].
 */
id: string, 
/**
 * The name given by the first uploader.
 */
name: string, 
/**
 * The whole map.
 */
draft: MapDraft, 
/**
 * Descriptions of the pieces of the table, in its order: the messages `detail-<key>`.
 */
details: Array<Array<Problem>>, 
/**
 * Its extensions, in order.
 */
extensions: Array<ExtensionInfo>, 
/**
 * Warnings for the author.
 */
warnings: Array<Problem>, 
/**
 * True if `D`, `R`, `T`, `NP` and `C` are known without an extension.
 */
old_names: boolean, 
/**
 * The board, without pieces.
 */
board: Board, 
/**
 * The start position, for a picture.
 */
view: View, 
/**
 * The time of the first upload, in Unix milliseconds; 0 for built-in maps.
 */
created_ms: number, 
/**
 * True if the map is built in.
 */
ours: boolean, 
/**
 * The rated pool; absent in the response to an upload.
 */
pool?: MapPool, };

export type DraftRead = { 
/**
 * The map, if there are no errors.
 */
draft: MapDraft | null, 
/**
 * Errors that have to be fixed.
 */
errors: Array<Problem>, 
/**
 * Warnings for the author.
 */
warnings: Array<Problem>, };

export type DraftChecked = { 
/**
 * Errors that have to be fixed.
 */
errors: Array<Problem>, 
/**
 * Warnings for the author.
 */
warnings: Array<Problem>, 
/**
 * Descriptions of the pieces, in order, if there are no errors: the messages `detail-<key>`.
 */
details: Array<Array<Problem>>, 
/**
 * The start position with the possible moves of each piece, if there are no errors.
 */
view: View | null, 
/**
 * The board, if there are no errors.
 */
board?: Board, };

export type Workbook = { 
/**
 * The .xlsx file in Base64.
 */
base64: string, };

export type BoardCsv = { 
/**
 * The comma-separated values, at most 256 KiB.
 */
csv: string, };

export type MapPool = { 
/**
 * True if the pool is open: its games may be rated, and "play now" finds opponents.
 */
open: boolean, 
/**
 * The number of accounts that finished a game against another account; the state at the end of the game counts.
 */
players: number, 
/**
 * The number of games that they finished.
 */
games: number, 
/**
 * The number of accounts that a pool requires.
 */
needs_players: number, 
/**
 * The number of games that a pool requires.
 */
needs_games: number, };

export type ReadBoard = { 
/**
 * The comma-separated values, see [`BoardCsv`].
 */
csv: string, 
/**
 * The map whose pieces the board names.
 */
draft: MapDraft, };

export type Worth = { "hundredths": number } | { "wins": number };

export type AnalysisLine = { 
/**
 * The evaluation of the line.
 */
worth: Worth, 
/**
 * The search depth: plies searched in full; turns in locked chess.
 */
depth: number, 
/**
 * The moves in machine notation, in order; legal, at least one.
 */
moves: Array<string>, 
/**
 * The moves in each of the table's notations, like a ply of the record.
 */
names: Array<Array<string>>, };

export type Hint = { 
/**
 * The number of plies after which the position stands.
 */
ply: number, 
/**
 * The best move and a likely continuation.
 */
line: AnalysisLine, };

export type Aside = { 
/**
 * The number of plies of the record.
 */
ply: number, 
/**
 * Moves that were not played, at most 40.
 */
moves: Array<string>, };

export type AnalysisRequest = { "t": "look", 
/**
 * The number of the request, which the answers repeat.
 */
n: number, 
/**
 * The number of plies of the record.
 */
ply: number, 
/**
 * The number of best moves to find, 1 to 5 (MultiPV).
 */
lines: number, 
/**
 * An external engine of `GET /api/engines`; absent: the built-in one.
 */
engine?: string, } | { "t": "rest" };

export type AnalysisMessage = { "t": "found", 
/**
 * The number of the request.
 */
n: number, 
/**
 * The number of positions searched.
 */
nodes: number, 
/**
 * The time since the start, in milliseconds.
 */
ms: number, 
/**
 * The best moves, the best one first; none if the game is over.
 */
lines: Array<AnalysisLine>, 
/**
 * True if the analysis is complete and no more messages come.
 */
done: boolean, } | { "t": "no", 
/**
 * The number of the request.
 */
n: number, 
/**
 * The reason for the refusal.
 */
why: Problem, };

export type Fault = "slip" | "mistake" | "blunder";

export type FaultyTurn = { 
/**
 * The number of plies before it.
 */
from: number, 
/**
 * The number of plies after it.
 */
to: number, 
/**
 * The side that made the turn.
 */
by: Side, 
/**
 * The severity of the turn.
 */
fault: Fault, 
/**
 * The better line.
 */
better: AnalysisLine, };

export type Agreement = { 
/**
 * The number of turns that count.
 */
turns: number, 
/**
 * The number of them that the engine would have played, too.
 */
same: number, 
/**
 * The winning chance that they lost in all, in thousandths.
 */
cost: number, };

export type Report = { 
/**
 * The number of positions evaluated so far.
 */
done: number, 
/**
 * The number of positions to evaluate.
 */
of: number, 
/**
 * The evaluation of each position between two turns: the number of plies before it, and its value.
 */
points: Array<[number, Worth]>, 
/**
 * The bad turns of the game.
 */
faults: Array<FaultyTurn>, 
/**
 * The agreement of the first and the second side's turns with the engine's; absent in reports of older servers.
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
 * The colour of the arrow or circle.
 */
colour?: MarkColour, };

export type StudyEval = { 
/**
 * The value, for the first player.
 */
worth: Worth, 
/**
 * The search depth, if an engine gave the value.
 */
depth?: number, };

export type StudyNode = { 
/**
 * The id of the node, never reused in its chapter; 0 is the start.
 */
id: number, 
/**
 * The id of the node before it; the start is its own parent.
 */
parent: number, 
/**
 * The move in machine notation; empty at the start.
 */
text: string, 
/**
 * The move in each of the game's notations.
 */
names: Array<string>, 
/**
 * The side that moved; absent at the start.
 */
by?: Side, 
/**
 * True if the same side made the move before it, in the same turn.
 */
same_turn?: boolean, 
/**
 * The comment: plain text with a little Markdown.
 */
comment?: string, 
/**
 * The arrows and circles.
 */
marks?: Array<StudyMark>, 
/**
 * The annotation signs, as PGN's numeric annotation glyphs (NAG), in rising order.
 */
nags?: Array<number>, 
/**
 * The evaluation of the position.
 */
eval?: StudyEval, 
/**
 * The thinking time, in milliseconds.
 */
spent_ms?: number, 
/**
 * The version of the study at which the annotations last changed.
 */
ver: number, };

export type StudyChapter = { 
/**
 * The id of the chapter, never reused in its study.
 */
id: number, 
/**
 * The name of the chapter.
 */
name: string, 
/**
 * The key of the game in the catalogue.
 */
game: string, 
/**
 * The options of the game.
 */
options?: { [key in string]: bigint }, 
/**
 * The map, for games that have one.
 */
map?: MapName, 
/**
 * The start position; absent: the usual one.
 */
fen?: string, 
/**
 * The names of the players, in order of moving; empty if there are none.
 */
players: [string, string], 
/**
 * The result of the game, if it is a game that has ended.
 */
ending?: Outcome, 
/**
 * The time control, in words or figures.
 */
clock?: string, 
/**
 * The date of the game.
 */
date?: string, 
/**
 * The other headers of its file, by their names in PGN.
 */
tags?: { [key in string]: string }, 
/**
 * The side whose moves readers have to find, if the chapter is a lesson.
 */
lesson?: Side, 
/**
 * The nodes: the start, then each node after its parent; among children of one node, the main line comes first.
 */
nodes: Array<StudyNode>, 
/**
 * The id of the next node.
 */
next: number, };

export type StudyMember = { 
/**
 * The public id of the person.
 */
id: string, 
/**
 * The person's name at the time when they joined.
 */
name?: string, };

export type Study = { 
/**
 * The id of the study, the last part of its link.
 */
id: string, 
/**
 * The version: the number of events so far.
 */
ver: number, 
/**
 * The name of the study.
 */
name: string, 
/**
 * The access to the study.
 */
access: StudyAccess, 
/**
 * The person who owns it.
 */
owner: StudyMember, 
/**
 * The other people who may change it.
 */
members: Array<StudyMember>, 
/**
 * The chapters in order; at least one.
 */
chapters: Array<StudyChapter>, 
/**
 * The id of the next chapter.
 */
next: number, };

export type StudyShown = { 
/**
 * The study with all its chapters.
 */
study: Study, 
/**
 * The role of the person who asks.
 */
role: StudyRole, 
/**
 * The parts of a file that could not be imported, if the study was made from one.
 */
left_out?: Array<Problem>, };

export type StudyStart = { 
/**
 * The name of the chapter; empty: that of its game.
 */
name: string, 
/**
 * The id of a table whose game is over, or that is played on one screen.
 */
table?: string, 
/**
 * Set if the report about that table is imported, as evaluations, annotation signs and better lines.
 */
report?: boolean, 
/**
 * A file with one or more games, as text or in Base64.
 */
content?: string, 
/**
 * True if `content` is Base64.
 */
base64?: boolean, 
/**
 * The format of `content`; absent: detected from the content.
 */
format?: string, 
/**
 * The key of a game in the catalogue.
 */
game?: string, 
/**
 * Options of `game` that differ from the default.
 */
options?: { [key in string]: bigint }, 
/**
 * The map of `game`, for games that have one.
 */
map?: string, 
/**
 * The start position of `game`; absent: the usual one.
 */
fen?: string, 
/**
 * The moves of the main line from there.
 */
moves?: Array<string>, };

export type NewStudy = { 
/**
 * The name of the study; empty: that of its first chapter.
 */
name: string, 
/**
 * The access to the study.
 */
access: StudyAccess, 
/**
 * The contents of the first chapter.
 */
from: StudyStart, };

export type StudyChange = { "t": "play", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node after which the move is played.
 */
parent: number, 
/**
 * The move in machine notation.
 */
text: string, } | { "t": "comment", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, 
/**
 * The new comment; empty: none.
 */
text: string, } | { "t": "draw", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, 
/**
 * The arrow or circle.
 */
mark: StudyMark, } | { "t": "erase", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, 
/**
 * The mark at that place.
 */
mark: StudyMark, } | { "t": "judge", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, 
/**
 * The number of the sign in PGN (NAG).
 */
nag: number, 
/**
 * True if it is set, false if it is removed.
 */
on: boolean, } | { "t": "evaluate", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, 
/**
 * The evaluation; absent: none.
 */
eval?: StudyEval, } | { "t": "remove", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, } | { "t": "promote", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, } | { "t": "name-chapter", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The new name of the chapter.
 */
name: string, } | { "t": "move-chapter", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The number of chapters before its new place.
 */
to: number, } | { "t": "remove-chapter", 
/**
 * The id of the chapter.
 */
chapter: number, } | { "t": "lesson", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The side whose moves readers have to find; absent: it is no lesson.
 */
side?: Side, } | { "t": "name", 
/**
 * The new name of the study.
 */
name: string, } | { "t": "access", 
/**
 * The new access.
 */
access: StudyAccess, } | { "t": "invite", 
/**
 * The name of the person.
 */
name: string, } | { "t": "dismiss", 
/**
 * The public id of the contributor.
 */
id: string, };

export type StudyEvent = { "t": "played", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The new node; it comes last among the children of its parent.
 */
node: StudyNode, } | { "t": "commented", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, 
/**
 * The new comment; empty: none.
 */
text: string, } | { "t": "drawn", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, 
/**
 * The arrow or circle.
 */
mark: StudyMark, } | { "t": "erased", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, 
/**
 * The mark at that place.
 */
mark: StudyMark, } | { "t": "judged", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, 
/**
 * The number of the sign in PGN (NAG).
 */
nag: number, 
/**
 * True if it is set, false if it is removed.
 */
on: boolean, } | { "t": "evaluated", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, 
/**
 * The evaluation; absent: none.
 */
eval?: StudyEval, } | { "t": "removed", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, } | { "t": "promoted", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, } | { "t": "chapter-added", 
/**
 * The new chapter.
 */
chapter: StudyChapter, } | { "t": "chapter-named", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The new name of the chapter.
 */
name: string, } | { "t": "chapter-moved", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The number of chapters before its new place.
 */
to: number, } | { "t": "chapter-removed", 
/**
 * The id of the chapter.
 */
chapter: number, } | { "t": "lesson-set", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The side whose moves readers have to find; absent: it is no lesson.
 */
side?: Side, } | { "t": "named", 
/**
 * The new name of the study.
 */
name: string, } | { "t": "access-set", 
/**
 * The new access.
 */
access: StudyAccess, } | { "t": "invited", 
/**
 * The new contributor.
 */
member: StudyMember, } | { "t": "dismissed", 
/**
 * The public id of the contributor.
 */
id: string, };

export type StudyEntry = { 
/**
 * The version of the study after it.
 */
ver: number, 
/**
 * The time of the event, in Unix milliseconds.
 */
at_ms: number, 
/**
 * The public id of the person who made the change.
 */
by: string, 
/**
 * The event itself.
 */
event: StudyEvent, };

export type StudyWished = { 
/**
 * The version that the author has seen.
 */
base: number, 
/**
 * The change that is requested.
 */
change: StudyChange, };

export type StudyDone = { 
/**
 * The event; absent if the change made no difference.
 */
entry?: StudyEntry, 
/**
 * The id of the node with the move, for a move.
 */
node?: number, 
/**
 * The parts of a file that could not be imported.
 */
left_out?: Array<Problem>, };

export type StudyListed = { 
/**
 * The id of the study, the last part of its link.
 */
id: string, 
/**
 * The name of the study.
 */
name: string, 
/**
 * The access to the study.
 */
access: StudyAccess, 
/**
 * The person who owns it.
 */
owner: StudyMember, 
/**
 * The role of the person who asks.
 */
role: StudyRole, 
/**
 * The keys of the games in it, each once.
 */
games: Array<string>, 
/**
 * The number of chapters.
 */
chapters: number, 
/**
 * The time of the last change, in Unix milliseconds.
 */
changed_ms: number, };

export type StudyList = { 
/**
 * The studies, the most recently changed first.
 */
studies: Array<StudyListed>, 
/**
 * The number of studies on all pages.
 */
of: number, 
/**
 * The number of studies that the person who asks may still make.
 */
left: number, };

export type StudyFilm = { 
/**
 * The board of the game.
 */
board: Board, 
/**
 * The ids of the nodes, the start first, one for each position of the film.
 */
nodes: Array<number>, 
/**
 * The positions for replay.
 */
film: Replay, 
/**
 * The notations of the moves' names.
 */
notations: Array<string>, 
/**
 * The names of the sides in this game, the first one first.
 */
sides: [string, string], };

export type StudyFormat = { 
/**
 * The key of the format.
 */
format: string, 
/**
 * The contents that the format cannot store: the messages `study-loses-<what>`.
 */
loses: Array<string>, 
/**
 * True if all chapters go into one file.
 */
whole: boolean, };

export type StudySay = { "t": "at", 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, } | { "t": "ping" };

export type StudyHear = { "t": "did", 
/**
 * The event, with its version and author.
 */
entry: StudyEntry, } | { "t": "anew", 
/**
 * The current version of the study.
 */
ver: number, } | { "t": "at", 
/**
 * The contributor who shows their position.
 */
who: StudyMember, 
/**
 * The id of the chapter.
 */
chapter: number, 
/**
 * The id of the node.
 */
node: number, } | { "t": "here", 
/**
 * The contributors, including the owner.
 */
who: Array<StudyMember>, 
/**
 * The number of connections.
 */
watchers: number, } | { "t": "gone" } | { "t": "no", 
/**
 * The reason for the refusal.
 */
why: Problem, } | { "t": "pong" };

export type Estimate = { 
/**
 * The estimated value.
 */
value: number, 
/**
 * The lower end of the interval.
 */
low: number, 
/**
 * The upper end of the interval.
 */
high: number, };

export type Measure = { 
/**
 * The key of the measure: the message `balance-measure-<key>`.
 */
key: string, 
/**
 * The value of the measure.
 */
value: number, 
/**
 * Ludii's name for the same measure or a similar one, if it has one.
 */
ludii?: string, 
/**
 * True if it is computed exactly as Ludii does; otherwise only the idea is the same and the evaluation is ours.
 */
same: boolean, };

export type StrengthReport = { 
/**
 * The level of both sides, 1 to 10; absent: all of them.
 */
level?: number, 
/**
 * The number of games that counted; games in which an extension failed are left out.
 */
games: number, 
/**
 * The number of games in which an extension failed.
 */
failed: number, 
/**
 * The number of games won by red.
 */
red: number, 
/**
 * The number of games won by blue.
 */
blue: number, 
/**
 * The number of games drawn by the rules, including those in which a side had no move.
 */
drawn: number, 
/**
 * The number of games that were cut off because they took too many plies.
 */
cut: number, 
/**
 * Red's share of the points, from 0 to 1; a draw and a game that was cut off are half a point each.
 */
first: Estimate, 
/**
 * Further measures of the games of this strength.
 */
measures: Array<Measure>, 
/**
 * The eventual winner's mean winning chance, at each twentieth of the game: 21 numbers from 0 to 1. Empty if no
 * game was won.
 */
lead: Array<number>, 
/**
 * The mean number of moves to choose from, at each twentieth of the game: 21 numbers.
 */
choices: Array<number>, 
/**
 * The number of plies of each game.
 */
lengths: Array<number>, };

export type PieceReport = { 
/**
 * The numbers of the piece in the table of pieces, from 1: one side's, and its counterpart's of the other side.
 */
ids: Array<number>, 
/**
 * The names written on the pieces.
 */
names: Array<string>, 
/**
 * True if the piece is promoted.
 */
promoted: boolean, 
/**
 * The value estimated from its mobility, before any game was played, in hundredths.
 */
reach: number, 
/**
 * The value fitted to the games, in hundredths; absent if the two sides never had different numbers of it.
 */
learned?: Estimate, 
/**
 * The mean number of plies it made per game.
 */
moves: number, 
/**
 * The mean number of pieces it captured per game.
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
 * The position as one line of text.
 */
fen: string, 
/**
 * The position, drawn; no move is offered in it.
 */
view: View, 
/**
 * The side to move.
 */
by: Side, 
/**
 * The move that was played.
 */
played: string, 
/**
 * The move that would have been better.
 */
better: string, 
/**
 * The winning chance of the side to move before the move, from 0 to 1.
 */
before: number, 
/**
 * The winning chance of that side after the move that was played.
 */
after: number, };

export type OpeningReport = { 
/**
 * The moves of the opening.
 */
moves: Array<string>, 
/**
 * The number of games with this opening.
 */
games: number, 
/**
 * Red's share of the points in these games.
 */
first: Estimate, };

export type ForcedWin = { 
/**
 * The moves after which the win is forced; none: from the start.
 */
after: Array<string>, 
/**
 * The winning side.
 */
winner: Side, 
/**
 * A line to the end: the winner's moves are part of the proof, the loser's are those that delay the loss
 * longest.
 */
line: Array<string>, };

export type BalanceReport = { 
/**
 * The number of games played so far.
 */
done: number, 
/**
 * The number of games to play.
 */
of: number, 
/**
 * Games of all strengths together.
 */
all: StrengthReport, 
/**
 * Statistics of each strength, the weakest first.
 */
strengths: Array<StrengthReport>, 
/**
 * The number of hundredths per unit of the logistic curve that turns an engine score into a winning chance,
 * fitted to the games.
 */
scale: number, 
/**
 * The value of having the move, in hundredths.
 */
tempo: Estimate | null, 
/**
 * The values of the pieces, the highest first.
 */
pieces: Array<PieceReport>, 
/**
 * Rules that never had an effect: the messages `problem-<key>`.
 */
idle: Array<Problem>, 
/**
 * Decisive moments of the games, the largest change of winning chance first.
 */
moments: Array<Moment>, 
/**
 * The most frequent first two plies, the most frequent first.
 */
openings: Array<OpeningReport>, 
/**
 * First moves after which one side wins whatever the other does.
 */
forced: Array<ForcedWin>, 
/**
 * The share of all plies that ended on each square, row by row.
 */
visits: Array<number>, 
/**
 * Failures, each once: `map-extension-failed`, with `games`, the number of games in which it occurred.
 */
faults: Array<Problem>, };

export type WorkLine = { 
/**
 * The id, the same for every version.
 */
id: string, 
/**
 * The name of the work.
 */
name: string, 
/**
 * The author's name, if they have one.
 */
author: string | null, 
/**
 * The tags by which it is found.
 */
tags: Array<string>, 
/**
 * True if lists show it.
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
 * The time at which the newest version was published, in Unix milliseconds.
 */
changed_ms: number, 
/**
 * The number of games that were finished on it.
 */
games: number, 
/**
 * The number of people who finished one.
 */
players: number, 
/**
 * The mean number of plies of these games; absent before the first game.
 */
plies?: number, 
/**
 * The mean of the ratings in stars, 1 to 5; absent before the first.
 */
stars?: number, 
/**
 * The number of people who rated it.
 */
starred: number, 
/**
 * Red's share of the points in games of the engine, from 0 to 1, if there is a balance report.
 */
first_share?: number, 
/**
 * True if the newest version has a rated pool.
 */
rated?: boolean, };

export type Gallery = { 
/**
 * The works of this page.
 */
works: Array<WorkLine>, 
/**
 * The number of works on all pages.
 */
of: number, 
/**
 * The map of the day, chosen among well-rated ones; on the first page only.
 */
of_the_day?: WorkLine, 
/**
 * The built-in examples that hold what is searched for; on the first page of all works only.
 */
examples?: Array<WorkLine>, };

export type WorkVersion = { 
/**
 * The number of the version, from 1.
 */
n: number, 
/**
 * The id of its map.
 */
map: string, 
/**
 * The author's release note.
 */
note: string, 
/**
 * The time at which it was published, in Unix milliseconds.
 */
at_ms: number, };

export type MadeFrom = { 
/**
 * The id of the original work.
 */
work: string, 
/**
 * The version from which it was made.
 */
version: number, 
/**
 * The name of the original; absent if it was deleted.
 */
name?: string, 
/**
 * The name of its author, if there is one.
 */
author?: string, };

export type WorkInfo = { 
/**
 * The work's entry in the gallery.
 */
line: WorkLine, 
/**
 * Its versions, the newest first, at most 200.
 */
versions: Array<WorkVersion>, 
/**
 * The original, if it is a fork.
 */
made_from?: MadeFrom, 
/**
 * Works made from it, the oldest first, at most 100.
 */
forks: Array<WorkLine>, 
/**
 * True if it belongs to the person who asks.
 */
mine: boolean, 
/**
 * The reason for which the staff has taken it down; only the author still sees the work.
 */
down?: string, 
/**
 * The stars given by the person who asks.
 */
my_stars?: number, 
/**
 * True if the person who asks may rate it: they have finished a game on it.
 */
may_star: boolean, };

export type NewStars = { 
/**
 * The number of stars: 1 to 5.
 */
stars: number, };

export type NewListing = { 
/**
 * True if lists show it.
 */
listed: boolean, };

export type SquareDiff = { 
/**
 * The row, from 1 at the top.
 */
row: number, 
/**
 * The column, from 1 at the left.
 */
col: number, 
/**
 * The name of the piece before; empty: none.
 */
before: string, 
/**
 * The name of the piece after; empty: none.
 */
after: string, };

export type RuleDiff = { 
/**
 * The piece, by number and name; empty: the whole map.
 */
piece: string, 
/**
 * The property that differs: the message `diff-<key>`.
 */
key: string, 
/**
 * The old value; empty: it did not exist.
 */
before: string, 
/**
 * The new value; empty: it was removed.
 */
after: string, };

export type LineDiff = { 
/**
 * The mark: `+` is new, `-` is removed, ` ` is unchanged, `…` stands for unchanged lines left out.
 */
sign: string, 
/**
 * The text of the line.
 */
text: string, };

export type FileDiff = { 
/**
 * The name of the file.
 */
file: string, 
/**
 * The lines, unchanged ones only near changes; at most 2000.
 */
lines: Array<LineDiff>, };

export type MapDiff = { 
/**
 * Squares whose pieces at the start differ.
 */
board: Array<SquareDiff>, 
/**
 * Differences in rows, columns and switches, and in everything about pieces.
 */
rules: Array<RuleDiff>, 
/**
 * Files of extensions that differ.
 */
code: Array<FileDiff>, };

export type NewWork = { 
/**
 * The map; it is tested first, and stored.
 */
upload: UploadMap, 
/**
 * The work whose next version it is; absent: a new work.
 */
work?: string, 
/**
 * The version that its author saw last. If there is a newer one, the error is `work-newer-version`, with its
 * number.
 */
base: number, 
/**
 * The author's release note, at most 500 characters.
 */
note: string, 
/**
 * The tags by which it is found: at most 8, each of at most 24 letters, digits or hyphens.
 */
tags: Array<string>, 
/**
 * The map from which it was made, if it is a new work.
 */
made_from?: string, };

export type PasskeyQuestion = { 
/**
 * The id to send back with the answer. The challenge expires after one answer or five minutes.
 */
id: string, 
/**
 * Options for `navigator.credentials`, as the Web Authentication API writes them in JSON.
 */
question: { publicKey: Record<string, unknown> }, };

export type PasskeyAnswer = { 
/**
 * The id of the challenge, from [`PasskeyQuestion`].
 */
id: string, 
/**
 * The credential, as the Web Authentication API writes it in JSON.
 */
answer: unknown, 
/**
 * The owner's label for a new passkey; absent: the name of the device.
 */
label?: string, };

export type WantedName = { 
/**
 * The name: 2 to 20 letters.
 */
name: string, };

export type SignUp = { 
/**
 * The name: 2 to 20 letters.
 */
name: string, 
/**
 * The password: at least ten letters.
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
 * The operator's name for the provider; absent: OpenID Connect sign-in is not available.
 */
name: string | null, };

export type OpenIdWish = { 
/**
 * The purpose of the sign-in.
 */
purpose: OpenIdPurpose, 
/**
 * Set if the guest's games are to be moved to the account, as in [`SignIn`].
 */
bring: boolean, };

export type OpenIdQuestion = { 
/**
 * The address at the provider.
 */
url: string, };

export type OpenIdAnswer = { 
/**
 * The `state` parameter from the address, unchanged.
 */
state: string, 
/**
 * The `code` parameter from the address, unchanged.
 */
code: string, };

export type OpenIdDone = { 
/**
 * The purpose that the sign-in was started for.
 */
purpose: OpenIdPurpose, 
/**
 * The session, if an account was signed in.
 */
signed_in?: SignedIn, 
/**
 * A ticket to sign up with, together with a name; present if no account here is linked to the identity. It is
 * valid for five minutes.
 */
ticket?: string, 
/**
 * The user's name at the provider, if it is a valid name here.
 */
name?: string, };

export type SignIn = { 
/**
 * The name of the account, or one it had.
 */
name: string, 
/**
 * The password of the account, in clear; the server stores only its hash.
 */
password: string, 
/**
 * Set if the games that this device played as a guest are to be moved to the account.
 */
bring: boolean, };

export type PasskeySignIn = { 
/**
 * The answer to `POST /api/session/passkey/ask`.
 */
passkey: PasskeyAnswer, 
/**
 * Set if the guest's games are to be moved to the account, as in [`SignIn`].
 */
bring: boolean, };

export type Recover = { 
/**
 * The name of the account, or one it had.
 */
name: string, 
/**
 * The recovery code: sixteen letters; case, spaces and hyphens do not matter.
 */
code: string, 
/**
 * The new password.
 */
password: string, 
/**
 * Set if the guest's games are to be moved to the account, as in [`SignIn`].
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
 * The person who is signed in.
 */
me: Me, 
/**
 * Recovery codes of a new account, shown only once; otherwise empty.
 */
recovery?: Array<string>, 
/**
 * The secret of the session, for programs that asked with `Authorization: Bearer`. Pages have it in their cookie, where no
 * script can read it.
 */
secret?: string, };

export type RecoveryCodes = { 
/**
 * The codes; each is valid for one sign-in.
 */
codes: Array<string>, };

export type NewPassword = { 
/**
 * The password: at least ten letters.
 */
password: string, };

export type CredentialKind = "password" | "passkey" | "openid";

export type CredentialLine = { 
/**
 * The id of the credential, used to remove it.
 */
id: string, 
/**
 * The kind of the credential.
 */
kind: CredentialKind, 
/**
 * The owner's label for it.
 */
label: string | null, 
/**
 * The time at which it was added, in Unix milliseconds.
 */
made_ms: number, 
/**
 * The time of the last sign-in with it, in Unix milliseconds.
 */
used_ms: number | null, };

export type SessionLine = { 
/**
 * The id of the session, used to sign the device out.
 */
id: string, 
/**
 * The name that the device gave when it signed in.
 */
label: string | null, 
/**
 * The time of the sign-in, in Unix milliseconds.
 */
made_ms: number, 
/**
 * The time of the last use, to the day, in Unix milliseconds.
 */
used_ms: number, 
/**
 * True if it is the device that sent this request.
 */
here: boolean, };

export type TokenLine = { 
/**
 * The id of the token, used to revoke it.
 */
id: string, 
/**
 * The owner's label for it.
 */
name: string, 
/**
 * The scopes of the token: `read`, `play`, `challenge`, `study`, `admin`.
 */
scopes: Array<string>, 
/**
 * The time at which it was made, in Unix milliseconds.
 */
made_ms: number, 
/**
 * The time at which it expires, in Unix milliseconds.
 */
expires_ms: number, 
/**
 * The time of the last use, to the day, in Unix milliseconds.
 */
used_ms: number | null, };

export type NewToken = { 
/**
 * The owner's label for it: 1 to 40 letters.
 */
name: string, 
/**
 * The scopes of the token: `read`, `play`, `challenge`, `study`, `admin`; at least one.
 */
scopes: Array<string>, 
/**
 * The lifetime in days: 1 to 366.
 */
days: number, };

export type MadeToken = { 
/**
 * The token itself, for `Authorization: Bearer`. The server shows it only once.
 */
token: string, 
/**
 * The token's entry in the list of tokens.
 */
line: TokenLine, };

export type NotedLine = { 
/**
 * The number of the entry; numbers rise with time.
 */
n: number, 
/**
 * The public id of the person the entry is about.
 */
person: string, 
/**
 * The time of the action, in Unix milliseconds.
 */
at_ms: number, 
/**
 * The action: the message `noted-<act>`.
 */
act: string, 
/**
 * The network the request came from: an IPv4 address, or a /64 of IPv6.
 */
network: string | null, 
/**
 * The device the request came from.
 */
device: string | null, 
/**
 * The object of the action, such as the name of a token or of a role.
 */
detail: string | null, };

export type AccountInfo = { 
/**
 * The public id.
 */
id: string, 
/**
 * The name that others see, if there is one.
 */
name: string | null, 
/**
 * The roles of the account: `moderator`, `admin`.
 */
roles: Array<string>, 
/**
 * The time of the person's first visit, in Unix milliseconds.
 */
made_ms: number, 
/**
 * The number of days until the name may be changed; 0: now.
 */
rename_days: number, 
/**
 * The credentials of the account, such as passwords and passkeys.
 */
credentials: Array<CredentialLine>, 
/**
 * The number of unused recovery codes.
 */
recovery: number, 
/**
 * Devices that are signed in, the most recently used first.
 */
sessions: Array<SessionLine>, 
/**
 * API tokens of programs, the newest first.
 */
tokens: Array<TokenLine>, 
/**
 * The newest entries of the audit log, newest first; at most 50.
 */
noted: Array<NotedLine>, 
/**
 * True if the user confirmed their identity on this device recently enough to change credentials.
 */
confirmed: boolean, 
/**
 * True if browsers can create passkeys at the address of this server.
 */
passkeys: boolean, };

export type DeviceWaits = { 
/**
 * The secret with which the waiting device asks again. Keep it secret.
 */
device: string, 
/**
 * The code to type on a device that is signed in: eight letters.
 */
code: string, 
/**
 * The lifetime of both, in seconds.
 */
seconds: number, };

export type DeviceAsks = { 
/**
 * The secret from `POST /api/session/device`.
 */
device: string, 
/**
 * Set if the games that the device played as a guest are to be moved to the account.
 */
bring: boolean, };

export type DeviceCode = { 
/**
 * The code; case, spaces and hyphens do not matter.
 */
code: string, };

export type DeviceTold = { 
/**
 * The session with its secret; absent while the device still waits.
 */
signed_in?: SignedIn, };

export type ProfileKind = "guest" | "account" | "program" | "closed";

export type Profile = { 
/**
 * The public id and the name.
 */
player: Player, 
/**
 * The kind of person.
 */
kind: ProfileKind, 
/**
 * The time of the person's first visit, in Unix milliseconds.
 */
since_ms: number, 
/**
 * Their ratings, by game and speed.
 */
ratings: Array<PoolRating>, 
/**
 * The numbers of finished games, by game and result.
 */
tally: Array<GameTally>, 
/**
 * Games that the person is playing now and that can be watched.
 */
playing: Array<TableLine>, };

export type PoolRating = { 
/**
 * Key of the game, as in `GET /api/games`; on a map `<key>@<id of the map>`.
 */
game: string, 
/**
 * The map, if the pool is that of a map.
 */
map?: MapName, 
/**
 * The speed class of the time control: the messages `speed-<key>`.
 */
speed: string, 
/**
 * The rating on the Elo scale, rounded.
 */
rating: number, 
/**
 * The current rating deviation, rounded: with 95 % probability the strength is within two deviations of the
 * rating.
 */
deviation: number, 
/**
 * True if the rating is still uncertain (provisional).
 */
provisional: boolean, 
/**
 * The number of rated games.
 */
games: number, 
/**
 * The rating history: the last rating of each of the latest 365 days with a rated game, oldest first, each with
 * the time of the game in Unix milliseconds.
 */
curve: Array<[number, number]>, };

export type GameTally = { 
/**
 * Key of the game, as in `GET /api/games`.
 */
game: string, 
/**
 * The number of wins.
 */
wins: number, 
/**
 * The number of draws.
 */
draws: number, 
/**
 * The number of losses.
 */
losses: number, };

export type GamesPage = { 
/**
 * The games of this page, the latest first.
 */
games: Array<GameLine>, 
/**
 * The value of `after` for the next page; absent on the last one.
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
 * The start position, if it was not the usual one.
 */
fen?: string, 
/**
 * The way the table was opened.
 */
how: How, 
/**
 * The time control.
 */
clock: ClockSpec, 
/**
 * The speed class of the time control: the messages `speed-<key>`.
 */
speed?: string, 
/**
 * The first and the second player, with the names they had at the time.
 */
players: [Player, Player], 
/**
 * The players' ratings before and after, if the game was rated.
 */
ratings?: [RatingStep, RatingStep], 
/**
 * The winner and the reason.
 */
outcome: Outcome, 
/**
 * The number of plies.
 */
plies: number, 
/**
 * The time at which the second player sat down, in Unix milliseconds.
 */
begun_ms: number, 
/**
 * The time at which the game ended, in Unix milliseconds.
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
 * The time control.
 */
clock: ClockSpec, 
/**
 * Set if the result counts for ratings, for which an account is needed.
 */
rated?: boolean, };

export type PlayNowTold = { 
/**
 * The table at which the game begins; absent: no opponent yet, repeat the request after a second.
 */
table?: string, 
/**
 * The time that the person has waited, in milliseconds.
 */
waited_ms: number, 
/**
 * The number of people who wait for the same game, including this one.
 */
waiting: number, };

export type PoolLine = { 
/**
 * Key of the game, as in `GET /api/games`.
 */
game: string, 
/**
 * The time control.
 */
clock: ClockSpec, 
/**
 * True if the result counts for ratings.
 */
rated?: boolean, 
/**
 * The number of people, at least 1.
 */
waiting: number, };

export type PoolLeft = { 
/**
 * The table at which the game has begun.
 */
table: string, };

export type InboxGame = { 
/**
 * The table, as lists show it.
 */
line: TableLine, 
/**
 * The side that the person plays.
 */
side: Side, 
/**
 * True if it is the person's turn.
 */
mine: boolean, 
/**
 * The time left to the side to move, in milliseconds.
 */
left_ms: number, 
/**
 * True if the side to move is on vacation, so that its clock stands still.
 */
held: boolean, 
/**
 * Offers of the opponent that the person has not answered.
 */
offers?: Array<Offer>, 
/**
 * The last ply; absent before the first.
 */
last?: PlyInfo, 
/**
 * The board of the game.
 */
board: Board, 
/**
 * The position, without the legal moves.
 */
view: View, };

export type VacationTold = { 
/**
 * True if the person is on vacation: their clocks in slow games stand still.
 */
away: boolean, 
/**
 * The time at which it ends by itself, in Unix milliseconds.
 */
ends_ms?: number, 
/**
 * The vacation left for this year, in milliseconds.
 */
left_ms: number, };

export type Inbox = { 
/**
 * The games, first those in which it is the person's turn, by deadline; at most 50.
 */
games: Array<InboxGame>, 
/**
 * The number of all games in which it is the person's turn.
 */
waiting: number, 
/**
 * The person's vacation.
 */
vacation: VacationTold, };

export type InboxNext = { 
/**
 * The table with the earliest deadline at which it is the person's turn; `null`: there is none.
 */
table: string | null, 
/**
 * The number of further games in which it is the person's turn.
 */
waiting: number, };

export type PlanTold = { 
/**
 * The number of plies of the game after which the lines begin.
 */
from_ply: number, 
/**
 * Lines that still fit the game. Each begins with a move of the opponent; if the opponent plays it, the server
 * plays the next.
 */
lines: Array<Array<PlyInfo>>, 
/**
 * True if a conditional move is due but waits until an offer of the opponent is answered.
 */
waits?: boolean, 
/**
 * The player's note.
 */
note: string, };

export type NewPlan = { 
/**
 * The number of plies of the game after which the lines begin: all that were played.
 */
from_ply: number, 
/**
 * The lines as moves in machine notation; at most 20 lines of at most 40 plies.
 */
lines: Array<Array<string>>, };

export type PlanLook = { 
/**
 * Moves in machine notation from the current position; at most 40.
 */
moves: Array<string>, };

export type PlanBoard = { 
/**
 * The plies of the line.
 */
plies: Array<PlyInfo>, 
/**
 * The position after these plies.
 */
view: View, };

export type SeatNote = { 
/**
 * The note, at most 2000 characters; empty: none.
 */
text: string, };

export type QuietHours = { 
/**
 * The beginning, in minutes after midnight.
 */
from_min: number, 
/**
 * The end, in minutes after midnight; on the next day if it is less than the beginning.
 */
to_min: number, 
/**
 * The IANA name of the time zone, such as `Europe/Berlin`.
 */
zone: string, };

export type Notices = { 
/**
 * The server's public key for a browser's push subscription: a point of P-256 in Base64. Absent if the server
 * sends no notifications.
 */
key?: string, 
/**
 * True if this browser gets notifications.
 */
here: boolean, 
/**
 * The number of browsers that get notifications.
 */
devices: number, 
/**
 * The hours without notifications.
 */
quiet?: QuietHours, };

export type NewQuietHours = { 
/**
 * The quiet hours; absent: there are none.
 */
quiet?: QuietHours, };

export type NewPush = { 
/**
 * The address at the browser's push service.
 */
endpoint: string, 
/**
 * The public key of the subscription, in Base64.
 */
p256dh: string, 
/**
 * The authentication secret that the browser shares with the server, in Base64.
 */
auth: string, 
/**
 * The language of notifications: `en` or `zh`.
 */
lang: string, };

export type MailTold = { 
/**
 * True if this server sends e-mail.
 */
on: boolean, 
/**
 * The confirmed address of the asker's account.
 */
address?: string, 
/**
 * The address that the last confirmation link was sent to, if it is not confirmed yet.
 */
unconfirmed?: string, 
/**
 * True if the user gets a daily digest of slow games in which it is their turn.
 */
digest: boolean, };

export type NewMail = { 
/**
 * The address; ASCII, at most 254 bytes.
 */
address: string, 
/**
 * The language of e-mails: `en` or `zh`.
 */
lang: string, };

export type NewDigest = { 
/**
 * True to switch the digest on.
 */
on: boolean, 
/**
 * The language of e-mails: `en` or `zh`.
 */
lang: string, };

export type MailLink = { 
/**
 * The token: the part of the link after `confirm=`.
 */
link: string, };

export type MailConfirmed = { 
/**
 * The confirmed address.
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
 * The token: the part of the link after `recover=`.
 */
link: string, 
/**
 * The new password.
 */
password: string, 
/**
 * Set if the guest's games are to be moved to the account, as in [`SignIn`](crate::SignIn).
 */
bring: boolean, };

export type NewChallenge = { 
/**
 * The key of the game, as in `GET /api/games`.
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
 * The time control.
 */
clock: ClockSpec, 
/**
 * The challenger's side; absent: drawn by lot.
 */
side?: Side, 
/**
 * Set if the result counts for ratings.
 */
rated?: boolean, };

export type ChallengeLine = { 
/**
 * The id of the challenge, used to answer it.
 */
id: string, 
/**
 * The person who sent the challenge.
 */
from: Player, 
/**
 * The person who was challenged.
 */
to: Player, 
/**
 * The key of the game.
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
 * The time control.
 */
clock: ClockSpec, 
/**
 * The challenger's side; absent: drawn by lot.
 */
side?: Side, 
/**
 * True if the result counts for ratings.
 */
rated: boolean, 
/**
 * The time at which it was made, in Unix milliseconds.
 */
made_ms: number, 
/**
 * The time at which it expires, in Unix milliseconds.
 */
until_ms: number, };

export type Challenges = { 
/**
 * Received challenges, the oldest first.
 */
received: Array<ChallengeLine>, 
/**
 * Sent challenges that are not answered yet.
 */
sent: Array<ChallengeLine>, };

export type Decline = { 
/**
 * The reason: one of the messages `decline-<reason>`; absent: `generic`.
 */
reason?: string, };

export type Relation = { 
/**
 * True if the person follows the other one and is shown when they are online.
 */
follows: boolean, 
/**
 * True if the person is never paired with the other one, gets no challenges from them, and does not see their
 * chat messages.
 */
blocks: boolean, 
/**
 * A private note about the other one; at most 500 letters.
 */
note?: string, };

export type Acquaintance = { 
/**
 * The other person.
 */
player: Player, 
/**
 * One's own settings about them.
 */
relation: Relation, 
/**
 * True if they are online now; shown only for people one follows who do not block one.
 */
here: boolean, };

export type SaidLine = { 
/**
 * The number of the message, by which it is reported.
 */
n: number, 
/**
 * The sender of the message.
 */
who: Player, 
/**
 * True if it was sent among the spectators and not among the players.
 */
watching?: boolean, 
/**
 * A preset phrase: the message `phrase-<key>`.
 */
phrase?: string, 
/**
 * Free text, sanitized: one line of at most 200 letters, without control and bidirectional characters.
 */
words?: string, 
/**
 * The time at which it was sent, in Unix milliseconds.
 */
at_ms: number, };

export type NewReport = { 
/**
 * The name or public id of the reported person. Not needed with `said` or `map`.
 */
who?: string, 
/**
 * The subject: `person`, `name`, `text` or `map`.
 */
subject: string, 
/**
 * A description of the offence, at most 1000 letters.
 */
words: string, 
/**
 * The table at which it happened.
 */
table?: string, 
/**
 * The number of the chat message; for `text`.
 */
said?: number, 
/**
 * The id of the map; for `map`.
 */
map?: string, };

export type Evidence = { 
/**
 * The reported person's name at that time.
 */
name?: string, 
/**
 * The table at which it happened.
 */
table?: string, 
/**
 * The chat messages, unchanged; the last one is the one that was reported.
 */
said?: Array<SaidLine>, 
/**
 * The id of the map, and its name.
 */
map?: [string, string], };

export type ReportLine = { 
/**
 * The number of the report.
 */
n: number, 
/**
 * The person who reports.
 */
by: Player, 
/**
 * The reported person.
 */
about: Player, 
/**
 * The subject: the messages `report-<subject>`.
 */
subject: string, 
/**
 * The description given with the report.
 */
words: string, 
/**
 * The evidence stored with the report.
 */
evidence: Evidence, 
/**
 * The time of the report, in Unix milliseconds.
 */
made_ms: number, 
/**
 * The decision, if there is one.
 */
decided?: DecisionLine, 
/**
 * The number of other decisions about the same person, except `nothing`.
 */
before: number, };

export type FairTimes = { 
/**
 * The number of turns whose time is known.
 */
turns: number, 
/**
 * The median time of a turn, in milliseconds.
 */
median_ms: number, 
/**
 * The standard deviation divided by the mean, in hundredths.
 */
spread: number, 
/**
 * The share of turns of less than a second, in hundredths.
 */
quick: number, 
/**
 * The share of turns in which the page was left, in hundredths; programs and terminals do not report it.
 */
away: number, };

export type FairGame = { 
/**
 * The id of the table.
 */
id: string, 
/**
 * The key of the game.
 */
game: string, 
/**
 * The side of the player.
 */
side: Side, 
/**
 * The other player.
 */
opponent: Player, 
/**
 * The time at which it ended, in Unix milliseconds.
 */
ended_ms: number, 
/**
 * True if the analysis of the game is running or queued; false and without `own`: it cannot be analysed.
 */
waits: boolean, 
/**
 * The agreement of the player's turns with the engine.
 */
own?: Agreement, 
/**
 * The agreement of the opponent's turns with the engine.
 */
other?: Agreement, 
/**
 * The player's use of time.
 */
times?: FairTimes, };

export type FairPair = { 
/**
 * The other player.
 */
opponent: Player, 
/**
 * The number of their rated games.
 */
games: number, 
/**
 * The number of them that the person won.
 */
won: number, 
/**
 * The number of them that ended before each side had made ten turns.
 */
short: number, 
/**
 * True if both were last seen at the same network address.
 */
neighbours: boolean, };

export type FairPlay = { 
/**
 * The person who is examined.
 */
person: Player, 
/**
 * The games, the latest first.
 */
games: Array<FairGame>, 
/**
 * The agreement of the person's turns with the engine, over all analysed games.
 */
own?: Agreement, 
/**
 * The agreement of the opponents' turns with the engine, in the same games.
 */
others?: Agreement, 
/**
 * The person's use of time, over all games.
 */
times?: FairTimes, 
/**
 * Frequent opponents, and those at the same address; the one with the most games first.
 */
pairs?: Array<FairPair>, };

export type Decide = { 
/**
 * The decision: `nothing`, `warn`, `mute`, `suspend`, `reset-ratings`, `close`, or `take-down` of the map that a
 * report is about.
 */
decision: string, 
/**
 * The reason, shown to the reported person; at most 1000 letters.
 */
reason: string, 
/**
 * The number of days of a mute or a suspension; at most 366.
 */
days?: number, };

export type DecisionLine = { 
/**
 * The number of the report.
 */
n: number, 
/**
 * The subject of the report.
 */
subject: string, 
/**
 * The decision: the messages `decision-<key>`.
 */
decision: string, 
/**
 * The reason that was given.
 */
reason: string, 
/**
 * The time of the decision, in Unix milliseconds.
 */
at_ms: number, 
/**
 * The time at which the mute or suspension ends, in Unix milliseconds.
 */
until_ms?: number, 
/**
 * The text of the appeal by the person it is about.
 */
appeal?: string, 
/**
 * True if the appeal was answered.
 */
answered: boolean, };

export type Appeal = { 
/**
 * The text of the appeal, at most 1000 letters.
 */
words: string, };

export type GameCollection = { 
/**
 * The key of the collection: its number, followed by a secret if it is shared by link.
 */
key: string, 
/**
 * The name of the collection.
 */
name: string, 
/**
 * The number of games.
 */
games: number, 
/**
 * True if it also contains moves of opening books.
 */
has_book: boolean, 
/**
 * The access: `private`, `link` or `public`.
 */
access: string, 
/**
 * True if it belongs to the user, who may then add games.
 */
mine: boolean, 
/**
 * True if it holds the finished games of this server.
 */
hall: boolean, };

export type FoundGame = { 
/**
 * The number of the game.
 */
id: number, 
/**
 * Key of the game in the catalogue.
 */
game: string, 
/**
 * The names of the first and the second player, as recorded; empty: unknown.
 */
players: [string, string], 
/**
 * The players' ratings; 0: unknown.
 */
ratings: [number, number], 
/**
 * The event at which it was played.
 */
event: string, 
/**
 * The date, such as `2026-11-21`, or the known part of it.
 */
date: string, 
/**
 * The result: `first`, `second`, `draw`, `void`, or empty if unknown.
 */
result: string, 
/**
 * The number of plies.
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
 * The table on this server at which it was played.
 */
table?: string, };

export type FoundGames = { 
/**
 * The games, in the order that was asked for.
 */
games: Array<FoundGame>, 
/**
 * The value of `after` for the next page; absent on the last one.
 */
next?: string, 
/**
 * The number of games that contain the position or the pattern; absent if neither was asked for.
 */
hits?: number, };

export type PlayedMove = { 
/**
 * The move in machine notation.
 */
text: string, 
/**
 * The move in the notations of the game, the usual one first, like a ply of the record.
 */
names: Array<string>, 
/**
 * The number of games with this move.
 */
games: number, 
/**
 * The number of games won by the first side.
 */
first: number, 
/**
 * The number of games won by the second side.
 */
second: number, 
/**
 * The number of drawn games.
 */
draws: number, 
/**
 * The average rating of the players; absent where none is known.
 */
rating?: number, 
/**
 * The date of the latest game with this move; empty if unknown.
 */
last: string, 
/**
 * The value that an opening book gives it, for the side that makes it, in the book's own unit; absent where no book
 * has it.
 */
value?: number, };

export type PlayedMoves = { 
/**
 * The number of games that continued from here.
 */
games: number, 
/**
 * The number of games that ended here.
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
 * The game's entry in search results.
 */
about: FoundGame, 
/**
 * The name of its collection.
 */
collection: string, 
/**
 * The options of the game.
 */
options?: { [key in string]: bigint }, 
/**
 * The start position; absent: the usual one.
 */
fen?: string, 
/**
 * The board of the game.
 */
board: Board, 
/**
 * Each ply in the notations of the game, the usual one first; in machine notation if it has none.
 */
names: Array<Array<string>>, 
/**
 * The moves in machine notation.
 */
moves: Array<string>, 
/**
 * The side that made each ply: `true` is the second.
 */
seconds: Array<boolean>, 
/**
 * The comments on the start position and on each ply: one more than plies.
 */
comments: Array<string>, 
/**
 * The game for replay.
 */
film: Replay, };

export type NewCollection = { 
/**
 * The name of the new collection.
 */
name: string, 
/**
 * The access: `private`, `link` or `public`.
 */
access: string, };

export type ImportGames = { 
/**
 * The name of the file.
 */
name: string, 
/**
 * The file, in Base64.
 */
content: string, 
/**
 * The game that positions belong to, if the file does not say.
 */
game?: string, };

export type RefusedGame = { 
/**
 * The number of the game in the file, from 1.
 */
number: number, 
/**
 * The line on which it begins; 0 in files without lines.
 */
line: number, 
/**
 * The reason for the refusal.
 */
why: Problem, };

export type ImportedGames = { 
/**
 * The number of games read.
 */
read: number, 
/**
 * The number of games added.
 */
added: number, 
/**
 * The number of games that were in the collection already.
 */
doubles: number, 
/**
 * The number of games refused.
 */
refused: number, 
/**
 * The number of games added with only a part of their moves.
 */
cut: number, 
/**
 * The number of opening book moves added.
 */
book_moves: number, 
/**
 * The number of opening book moves refused.
 */
book_refused: number, 
/**
 * The first refused games, with the reasons.
 */
problems: Array<RefusedGame>, 
/**
 * True if the file was read to its end; if false, the same request continues the import.
 */
done: boolean, };

export type PuzzleFamilies = { 
/**
 * The families of games that have puzzles.
 */
families: Array<PuzzleFamily>, 
/**
 * True if the person's answers are rated, as for accounts.
 */
rated: boolean, };

export type PuzzleFamily = { 
/**
 * The key of the family: the part of a game's key that related games share.
 */
family: string, 
/**
 * The number of puzzles.
 */
count: number, 
/**
 * The numbers of puzzles by theme: the messages `puzzle-theme-<theme>`.
 */
themes: Array<[string, number]>, 
/**
 * The person's results; absent without an account.
 */
standing?: PuzzleStanding, };

export type PuzzleStanding = { 
/**
 * The puzzle rating on the Elo scale.
 */
rating: number, 
/**
 * True if the rating is still uncertain (provisional).
 */
provisional: boolean, 
/**
 * The number of puzzles tried.
 */
tries: number, 
/**
 * The number of puzzles solved at the first try.
 */
solved: number, 
/**
 * The current number of right answers in a row.
 */
run: number, 
/**
 * The highest number of right answers in a row.
 */
best_run: number, 
/**
 * The number of days in a row on which a puzzle was solved.
 */
days: number, };

export type PuzzleTold = { 
/**
 * The id of the puzzle.
 */
id: string, 
/**
 * Key of the game in the catalogue.
 */
game: string, 
/**
 * Options that differ from the default.
 */
options?: { [key in string]: bigint }, 
/**
 * The name of the map, for games that have one.
 */
map?: string, 
/**
 * The board of the game.
 */
board: Board, 
/**
 * The position as clients draw it.
 */
view: View, 
/**
 * The position as one line of text.
 */
fen: string, 
/**
 * The side that has to find the turns.
 */
solver: Side, 
/**
 * The goal: `win`: every other turn gives up the win; `hold`: every other turn loses; `take`: a piece has to be
 * captured.
 */
goal: string, 
/**
 * The number of turns to find.
 */
turns: number, 
/**
 * The difficulty, as a rating on the Elo scale.
 */
rating: number, 
/**
 * The number of people who tried it.
 */
tries: number, 
/**
 * The source: a table's id if `table` is set, else a description by its maker.
 */
source: string, 
/**
 * The table on this server at which it was found.
 */
table?: string, 
/**
 * The number of moves within which the solver has to reach the goal, in a puzzle set by a person; then every
 * move is right that still does so.
 */
within?: number, 
/**
 * The cell of the piece to capture, for the goal `take`.
 */
takes?: number, 
/**
 * The id of the map, for a puzzle that a person set on it.
 */
of_map?: string, };

export type PuzzleTry = { 
/**
 * All moves of the solver so far; the server knows the replies.
 */
moves: Array<string>, 
/**
 * Set to give up: the solution is shown, and the puzzle counts as not solved.
 */
give_up?: boolean, };

export type NewPuzzle = { 
/**
 * The position; the side to move has to find the solution.
 */
fen: string, 
/**
 * The number of moves for the solution, from 1 to 5.
 */
within: number, 
/**
 * The cell of the piece to capture; absent: the game has to be won.
 */
takes?: number, 
/**
 * True if the puzzle is to be stored; false: its solution is only proved.
 */
keep?: boolean, };

export type ExtensionLine = { 
/**
 * The name; maps refer to it as `<name>@<version>.py`.
 */
name: string, 
/**
 * The author's name, if they have one.
 */
author?: string, 
/**
 * The description of the extension.
 */
about: string, 
/**
 * True if lists show it.
 */
listed: boolean, 
/**
 * The number of its newest version, from 1.
 */
version: number, 
/**
 * The time at which the newest version was published, in Unix milliseconds.
 */
changed_ms: number, 
/**
 * The number of maps that use it.
 */
maps: number, 
/**
 * True if it belongs to the person who asks.
 */
mine: boolean, };

export type ExtensionList = { 
/**
 * The extensions, the most recently changed first, at most 100.
 */
extensions: Array<ExtensionLine>, };

export type ExtensionVersion = { 
/**
 * The number of the version, from 1.
 */
n: number, 
/**
 * The author's release note.
 */
note: string, 
/**
 * The time at which it was published, in Unix milliseconds.
 */
at_ms: number, };

export type SharedExtension = { 
/**
 * The extension's entry in lists.
 */
line: ExtensionLine, 
/**
 * Its versions, the newest first, at most 100.
 */
versions: Array<ExtensionVersion>, };

export type NewExtension = { 
/**
 * The name: 2 to 40 small letters, digits and hyphens, a letter first.
 */
name: string, 
/**
 * The version that the author saw last; 0: the extension is new.
 */
base: number, 
/**
 * The description, at most 300 characters.
 */
about: string, 
/**
 * The author's release note, at most 500 characters.
 */
note: string, 
/**
 * The file's bytes in Base64, at most 256 KiB.
 */
base64: string, };

export type SharedBy = { 
/**
 * The name of the shared extension.
 */
name: string, 
/**
 * The version of the shared extension.
 */
version: number, 
/**
 * The author's name, if they have one.
 */
author?: string, };

export type PuzzleProved = { 
/**
 * The id of the puzzle, if it was stored.
 */
id?: string, 
/**
 * The number of moves that the solution takes; may be fewer than were allowed.
 */
within: number, 
/**
 * The moves of both sides against the longest defence.
 */
line: Array<string>, 
/**
 * The number of first moves that are right.
 */
firsts: number, };

export type MapPuzzle = { 
/**
 * The id of the puzzle.
 */
id: string, 
/**
 * The goal: `win` or `take`.
 */
goal: string, 
/**
 * The number of moves for the solution.
 */
within: number, 
/**
 * The name of the person who set it, if they have one.
 */
author?: string, 
/**
 * True if it belongs to the person who asks.
 */
mine: boolean, 
/**
 * The number of people with an account who tried it.
 */
tries: number, 
/**
 * The number of them who solved it at the first try.
 */
solved: number, 
/**
 * The time at which it was set, in Unix milliseconds.
 */
made_ms: number, };

export type MapPuzzles = { 
/**
 * The puzzles, the newest first, at most 200.
 */
puzzles: Array<MapPuzzle>, };

export type PuzzleAnswer = { 
/**
 * The state: `on`: right so far; `solved`; `wrong`; `shown`: given up, and the film is the solution.
 */
state: string, 
/**
 * The moves for replay: from the position through the solver's moves and the replies. A wrong turn is followed
 * by its refutation.
 */
film: Replay, 
/**
 * The number of plies of the film up to the end of the solver's last turn; those after it are the refutation or
 * the reply.
 */
played: number, 
/**
 * The number of the solver's turns that were right.
 */
right: number, 
/**
 * The themes of the puzzle, once it is over: the messages `puzzle-theme-<theme>`.
 */
themes: Array<string>, 
/**
 * The change of the rating by the first try; absent for later tries, and for people without a rating.
 */
counted?: PuzzleCounted, };

export type PuzzleCounted = { 
/**
 * The rating before the try.
 */
before: number, 
/**
 * The results after the try.
 */
standing: PuzzleStanding, };

export type AnnouncementLine = { 
/**
 * The number of the announcement, by which clients remember that it was read.
 */
n: number, 
/**
 * The text in English.
 */
en: string, 
/**
 * The text in Chinese.
 */
zh: string, 
/**
 * The time until which it is shown, in Unix milliseconds.
 */
until_ms: number, };

export type HouseInfo = { 
/**
 * The registration mode: `open` (all may sign up), `invited` (with an invitation code) or `closed`.
 */
registration: string, 
/**
 * True if guests can only watch.
 */
accounts_only: boolean, 
/**
 * The current announcements, the newest first.
 */
announcements: Array<AnnouncementLine>, };

export type StaffMe = { 
/**
 * The roles: `moderator`, `admin`.
 */
roles: Array<string>, 
/**
 * The powers: the messages `staff-power-<key>`.
 */
powers: Array<StaffPower>, 
/**
 * True if the staff member has confirmed their identity recently.
 */
confirmed: boolean, };

export type StaffPower = { 
/**
 * The key of the power.
 */
key: string, 
/**
 * True if it needs a confirmation that is at most a quarter of an hour old: `POST /api/session/confirm`.
 */
strong: boolean, };

export type StaffPersonLine = { 
/**
 * The person with the account.
 */
player: Player, 
/**
 * The kind of person.
 */
kind: PersonKind, 
/**
 * The time of their first visit, in Unix milliseconds.
 */
made_ms: number, 
/**
 * The time of their last visit, to the day, in Unix milliseconds.
 */
seen_ms: number, 
/**
 * The networks that the person shares with the account searched for.
 */
networks?: Array<string>, 
/**
 * The devices of both accounts that were noted in these networks.
 */
devices?: Array<string>, };

export type StaffGame = { 
/**
 * The id of its table.
 */
table: string, 
/**
 * The key of the game.
 */
game: string, 
/**
 * The players of the game.
 */
players: Array<Player>, 
/**
 * The time at which it ended, in Unix milliseconds.
 */
ended_ms: number, };

export type StaffWork = { 
/**
 * The id of the work, the last part of its link.
 */
work: string, 
/**
 * The name of the work.
 */
name: string, 
/**
 * True if it was taken down.
 */
down: boolean, };

export type StaffPerson = { 
/**
 * The person's entry in lists.
 */
line: StaffPersonLine, 
/**
 * The roles: `moderator`, `admin`.
 */
roles: Array<string>, 
/**
 * The time until which they are suspended, in Unix milliseconds.
 */
suspended_ms?: number, 
/**
 * The kinds of their credentials: `password`, `passkey`, `openid`.
 */
credentials: Array<string>, 
/**
 * Devices that are signed in.
 */
sessions: Array<SessionLine>, 
/**
 * The number of their API tokens.
 */
tokens: number, 
/**
 * The audit log of the account, the newest first. Only admins see networks.
 */
noted: Array<NotedLine>, 
/**
 * Reports and decisions about them, the newest first.
 */
reports: Array<ReportLine>, 
/**
 * The number of reports sent by them that wait for a decision.
 */
sent: number, 
/**
 * The staff's actions on them, the newest first.
 */
log: Array<StaffLogLine>, 
/**
 * The latest finished games.
 */
games: Array<StaffGame>, 
/**
 * The maps that they made.
 */
works: Array<StaffWork>, };

export type StaffDecide = { 
/**
 * The decision: `warn`, `mute`, `suspend`, `reset-ratings`, `close`; `reopen` undoes closings and suspensions.
 */
decision: string, 
/**
 * The reason, shown to the person; at most 1000 letters.
 */
reason: string, 
/**
 * The number of days of a mute or a suspension; at most 366.
 */
days?: number, };

export type NewRole = { 
/**
 * The role: `moderator` or `admin`.
 */
role: string, 
/**
 * True to give the role, false to take it.
 */
give: boolean, };

export type TakeDown = { 
/**
 * True to take it down, false to restore it.
 */
down: boolean, 
/**
 * The reason, shown to the author; at most 1000 letters.
 */
reason: string, };

export type TakenDownLine = { 
/**
 * The id of the work.
 */
work: string, 
/**
 * The name of the work; empty if its author has deleted it.
 */
name: string, 
/**
 * The author of the work.
 */
owner: Player, 
/**
 * The number of the decision.
 */
decision: number, 
/**
 * The reason that was given.
 */
reason: string, 
/**
 * The time of the decision, in Unix milliseconds.
 */
at_ms: number, };

export type NewBan = { 
/**
 * An address, or a range such as `192.0.2.0/24`.
 */
network: string, 
/**
 * The number of days; at most 366.
 */
days: number, 
/**
 * The reason, shown to people in that range; at most 1000 letters.
 */
reason: string, 
/**
 * The age in days above which accounts are exempt.
 */
spares_days?: number, 
/**
 * Set to confirm a range wider than a /16 of IPv4 or a /32 of IPv6.
 */
sure?: boolean, };

export type BanQuestion = { 
/**
 * The address or range, as in [`NewBan`].
 */
network: string, };

export type BanHits = { 
/**
 * The range, normalized.
 */
network: string, 
/**
 * True if the range is so wide that an admin has to confirm it.
 */
wide: boolean, 
/**
 * The number of people from there in the last day, or since the server started if that is less.
 */
people: number, 
/**
 * The number of them with an account.
 */
accounts: number, 
/**
 * True if the staff member who asks is in the range. Staff is exempt from bans.
 */
you: boolean, };

export type BanLine = { 
/**
 * The number of the ban, used to lift it.
 */
n: number, 
/**
 * The banned range.
 */
network: string, 
/**
 * The staff member who made it; `null`: the operator of the server.
 */
by: Player | null, 
/**
 * The reason that was given.
 */
reason: string, 
/**
 * The time at which it was made, in Unix milliseconds.
 */
at_ms: number, 
/**
 * The time at which it ends, in Unix milliseconds.
 */
until_ms: number, 
/**
 * The age in days above which accounts are exempt.
 */
spares_days?: number, };

export type SuspendedLine = { 
/**
 * The person who is suspended.
 */
player: Player, 
/**
 * The time until which they are suspended, in Unix milliseconds.
 */
until_ms: number, 
/**
 * The reason that was given.
 */
reason: string, };

export type Bans = { 
/**
 * Bans of addresses, the newest first.
 */
addresses: Array<BanLine>, 
/**
 * Suspended people, by the end of the suspension.
 */
people: Array<SuspendedLine>, };

export type NewAnnouncement = { 
/**
 * The text in English, at most 300 letters.
 */
en: string, 
/**
 * The text in Chinese, at most 300 letters.
 */
zh: string, 
/**
 * The number of hours for which it is shown; at most 720.
 */
hours: number, };

export type NewRegistration = { 
/**
 * The registration mode: `open`, `invited` or `closed`.
 */
registration: string, 
/**
 * True if guests can only watch.
 */
accounts_only: boolean, };

export type NewInvitation = { 
/**
 * The label, at most 60 letters.
 */
label: string, 
/**
 * The number of accounts that can sign up with it; at most 1000.
 */
uses: number, 
/**
 * The number of days for which it is valid; at most 366.
 */
days: number, };

export type InvitationLine = { 
/**
 * The id of the invitation, used to revoke it.
 */
id: string, 
/**
 * The label of the invitation.
 */
label: string, 
/**
 * The staff member who made it; `null`: the operator of the server.
 */
by: Player | null, 
/**
 * The time until which it is valid, in Unix milliseconds.
 */
until_ms: number, 
/**
 * The number of accounts that can sign up with it.
 */
uses: number, 
/**
 * The number of accounts that have signed up with it.
 */
used: number, 
/**
 * The code; only in the response that creates the invitation.
 */
code?: string, };

export type StaffLogLine = { 
/**
 * The number of the entry; numbers rise with time.
 */
n: number, 
/**
 * The time of the action, in Unix milliseconds.
 */
at_ms: number, 
/**
 * The staff member; `null`: the operator of the server.
 */
by: Player | null, 
/**
 * The action: the messages `staff-act-<key>`.
 */
act: string, 
/**
 * The person it is about.
 */
about: Player | null, 
/**
 * The details of the action, such as a role or a range.
 */
detail: string | null, 
/**
 * The reason that was given.
 */
reason: string | null, };
