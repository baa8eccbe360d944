//! Slow games: the asker's games, vacation, plans and notes.

use wire::{Inbox, InboxNext, NewPlan, PlanBoard, PlanLook, PlanTold, SeatNote, VacationTold};

use super::resource::resource;
use crate::http::inbox;
use crate::scopes::{PLAY, READ};

resource! { inbox;

    /// Returns the slow games of the asker: those in which they are to move first, by deadline.
    get "/api/inbox" => inbox { needs: READ, 200: Inbox }

    /// Returns the table at which the asker is to move next, other than `but`.
    get "/api/inbox/next" => next { needs: READ, query: { "but": Option<String> }, 200: InboxNext }

    /// Returns the asker's vacation.
    get "/api/vacation" => vacation { needs: READ, 200: VacationTold }

    /// Begins the asker's vacation: no clock of theirs runs in slow games.
    post "/api/vacation" => start_vacation { needs: PLAY, 200: VacationTold }

    /// Ends the asker's vacation.
    delete "/api/vacation" => stop_vacation { needs: PLAY, 200: VacationTold }

    /// Returns the asker's plans and notes at a table, which only they can see.
    get "/api/tables/{id}/plan" => plan { needs: READ, 200: PlanTold }

    /// Plans conditional moves in a slow game while the opponent is to move: where the opponent's move fits a line, the
    /// hall plays the next one at once. An empty list removes the plan.
    put "/api/tables/{id}/plan" => set_plan { needs: PLAY, body: NewPlan, 200: PlanTold }

    /// Returns the board after a line that the asker may plan.
    post "/api/tables/{id}/plan/look" => look { needs: PLAY, body: PlanLook, 200: PlanBoard }

    /// Stores the asker's notes about a game.
    put "/api/tables/{id}/note" => note { needs: PLAY, body: SeatNote, 204 }
}
