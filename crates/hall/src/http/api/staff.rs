//! The desk of the staff, and the rules for registration.

use wire::{
    BanHits, BanQuestion, Bans, HouseInfo, InvitationLine, NewAnnouncement, NewBan, NewInvitation,
    NewRegistration, NewRole, StaffDecide, StaffLogLine, StaffMe, StaffPerson, StaffPersonLine, TakeDown,
    TakenDownLine,
};

use super::resource::resource;
use crate::http::staff;
use crate::scopes::ADMIN;
use crate::scopes::Needed::Public;

resource! { staff;

    /// Returns the rules for registration and guests, and the announcements.
    get "/api/house" => house { needs: Public, 200: HouseInfo }

    /// Lists the asker's powers as staff.
    get "/api/staff" => me { needs: ADMIN, 200: StaffMe }

    /// Returns accounts whose name begins with `search`, or the person of that id; or, for admins, accounts that were
    /// seen at the same networks as `sharing`. At most 50. Each search is logged.
    get "/api/staff/people" => search {
        needs: ADMIN,
        query: { "search": Option<String>, "sharing": Option<String> },
        200: Vec<StaffPersonLine>,
    }

    /// Returns the page of one person: their log, reports, decisions of the staff, games and maps. The view is logged.
    get "/api/staff/people/{who}" => person { needs: ADMIN, 200: StaffPerson }

    /// Decides about a person without a report; they see it with its reason on their account's page, and may appeal.
    post "/api/staff/people/{who}/decision" => decide { needs: ADMIN, body: StaffDecide, 204, refuses: 409 }

    /// Gives or takes a role.
    post "/api/staff/people/{who}/role" => role { needs: ADMIN, body: NewRole, 204 }

    /// Closes an account for good, on every node: name, ways in and notes are deleted; sessions and connections end.
    post "/api/staff/people/{who}/forget" => forget { needs: ADMIN, 204 }

    /// Returns the maps that were taken down.
    get "/api/staff/works" => down { needs: ADMIN, 200: Vec<TakenDownLine> }

    /// Takes a map down, or puts it back: while it is down it cannot be found and no game can begin on it, but running
    /// games go on. Its author sees the reason, and may appeal.
    post "/api/staff/works/{id}" => work { needs: ADMIN, body: TakeDown, 204, refuses: 409 }

    /// Returns the ranges of addresses and the people that are kept out, with their ends.
    get "/api/staff/bans" => bans { needs: ADMIN, 200: Bans }

    /// Bans a range of addresses for a while: no new guests and accounts from there, no games, no chat; people there
    /// may watch, and those who are exempt may play.
    post "/api/staff/bans" => ban { needs: ADMIN, body: NewBan, 204, refuses: 409 }

    /// Returns the people whom a ban would hit.
    post "/api/staff/bans/ask" => hits { needs: ADMIN, body: BanQuestion, 200: BanHits }

    /// Lifts a ban of addresses.
    delete "/api/staff/bans/{n}" => lift { needs: ADMIN, parts: { "n": u64 }, 204 }

    /// Publishes an announcement to everybody, in both languages.
    post "/api/staff/announcements" => announce { needs: ADMIN, body: NewAnnouncement, 204, refuses: 409 }

    /// Withdraws an announcement.
    delete "/api/staff/announcements/{n}" => withdraw { needs: ADMIN, parts: { "n": u64 }, 204 }

    /// Sets who may make an account, and whether guests may play.
    put "/api/staff/registration" => register { needs: ADMIN, body: NewRegistration, 204 }

    /// Returns the valid invitations.
    get "/api/staff/invitations" => invitations { needs: ADMIN, 200: Vec<InvitationLine> }

    /// Creates an invitation; its code is shown once.
    post "/api/staff/invitations" => invite {
        needs: ADMIN,
        body: NewInvitation,
        201: InvitationLine,
        refuses: 409,
    }

    /// Revokes an invitation.
    delete "/api/staff/invitations/{id}" => uninvite { needs: ADMIN, 204 }

    /// Returns the log of the staff's actions and views, the newest first, at most 100 lines: of all, or of those about
    /// one person.
    get "/api/staff/log" => log {
        needs: ADMIN,
        query: { "about": Option<String>, "below": Option<u64> },
        200: Vec<StaffLogLine>,
        refuses: 404,
    }
}
