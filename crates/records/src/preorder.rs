//! A tree of moves in the order of binary files: a move, the moves that follow it, then its alternatives.

use kernel::Problem;

use crate::record::{MOST_PLIES, within};
use crate::{NodeId, Ply, Tree};

/// A tree that grows as a file is read. Nothing recurses, so no file can exhaust the stack.
pub(crate) struct Growing {
    pub tree: Tree,
    parent: NodeId,
    waiting: Vec<NodeId>, // places where another move is promised, the next one last
    open: bool,
}

impl Growing {
    /// Begins with the comment on the start. If nothing follows, the tree is complete.
    pub fn begin(comment: String, follows: bool) -> Growing {
        let mut tree = Tree::default();
        tree[Tree::START].comment = comment;
        Growing { tree, parent: Tree::START, waiting: Vec::new(), open: follows }
    }

    /// Returns true if the file announces another move.
    pub fn open(&self) -> bool {
        self.open
    }

    /// Adds a move. `follows`: another one follows it; `beside`: another one may replace it, which comes in the file
    /// after all that follows this one.
    pub fn add(
        &mut self,
        text: String,
        comment: String,
        follows: bool,
        beside: bool,
    ) -> Result<NodeId, Problem> {
        within("plies", self.tree.plies() + 1, MOST_PLIES)?;
        let id = self.tree.add(self.parent, Ply { text, comment, ..Ply::default() });
        if beside {
            self.waiting.push(self.parent);
        }
        if follows {
            self.parent = id;
        } else if let Some(place) = self.waiting.pop() {
            self.parent = place;
        } else {
            self.open = false;
        }
        Ok(id)
    }
}
